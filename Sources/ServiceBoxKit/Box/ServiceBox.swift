// Part of ServiceBox, released under the MIT License.
// The box: what it holds, and under which lock.

import Synchronization

/// A box of services that fills objects by name and type.
///
/// Register services under names, then fill any object: the box walks its properties and gives each
/// injectable one the service that is registered under its name, if the type fits.
///
/// ```swift
/// let box = ServiceBox()
/// box.register(FileAnalytics(), as: "analytics")
/// box.register(StorageManager())              // named after its type: "storageManager"
///
/// final class ProfileScreen {
///     @Injected var analytics: (any Analytics)?
///     @Injected var storageManager: StorageManager
/// }
///
/// let screen = ProfileScreen()
/// print(box.fill(screen))                     // what each property got, or why it got nothing
/// ```
///
/// Registered services are filled with each other on first use, whatever the order they came in. The box is
/// itself a service, named `serviceBox`, and does not keep itself alive.
///
/// A box may be used from any thread and any isolation; an object must be filled in its own. No code of yours
/// runs under a lock of the box.
public final class ServiceBox: Sendable {
    struct State {
        var registrations: [String: Registration] = [:]
        var lastNumber = 0
        /// The number of the last registration that a copy has from its original.
        var lastShared = 0
        /// What was replaced by another type, or after it was handed out, by name.
        var replacements: [String: ServiceReplacement] = [:]
        /// What a fill writes, by the type of the object; valid for these registrations only.
        var programs = ProgramTable()
        var taughtLines: [ObjectIdentifier: [TableLine]] = [:]
        fileprivate(set) var crossFill = CrossFill()
        /// The threads that are filling the services with each other.
        var settlingThreads: Set<UInt> = []
        /// The box's own registrations for those of its ancestors that are made anew for each box.
        var inherited: [String: (from: Registration, own: Registration)] = [:]
        var filledTypes = FilledTypes()
        /// Who took what from this box that an ancestor has, with the tally of the ancestor, which tells a
        /// service from a later one of its name.
        var inheritedUses: [String: (of: UseTally, here: UseTally)] = [:]
        /// The types by which services were looked up without a name.
        var typesAskedFor: [ObjectIdentifier: Any.Type] = [:]
        var observers = ObserverList<ServiceEvent>() {
            didSet { isWatched = isTracking || !observers.isEmpty }
        }
        /// Whether the box knows who holds its services.
        var isTracking = false { didSet { isWatched = isTracking || !observers.isEmpty } }
        var holders = HolderTable()
        /// Whether each fill has to be told of; kept for the hot path.
        private(set) var isWatched = false
        /// The names of the services that reach outside the program.
        var liveNames: Set<String> = []
        /// Who sealed the box.
        var seal: Place?
    }

    let state = Guarded(State())
    /// Counts changes that outdate programs; written under the lock.
    let version = Atomic(0)
    /// Counts what changes among the box's own services, and is no addition at the end of their order.
    let reorderings = Atomic(0)
    /// The version of the ancestors that the services were last filled for; written under the lock.
    let settledAncestors = Atomic(0)
    /// What a cross-fill has to do, for those who ask without the lock, under which it is written.
    private let crossFillWork = Atomic(CrossFill.Work.none)
    /// The names that hints were last looked for among.
    let latestNames = Guarded<RegisteredNames?>(nil)
    let parent: ServiceBox?
    /// Whether anybody wants to be told; says no more than the list of observers, and asking it takes no
    /// lock.
    let isObserved = Atomic(false)
    /// The box that a copy was made of, which makes the services that the two share.
    let original: ServiceBox?
    /// The next box of the family, which is all boxes whose changes matter to this one.
    ///
    /// A copy shares its parent with its original, so this way leads to each ancestor and original once, and
    /// to each before those that have to be filled before it.
    let elder: ServiceBox?
    /// Whether the box makes for itself whatever its ancestors' registrations make.
    let isScope: Bool
    /// Shared with the copies, which show the services that the two share in one order with what they fill
    /// themselves.
    let fillCounter: FillCounter
    private let lazySelfRegistration = AtomicLazyReference<SelfRegistration>()

    /// The box's entry for itself.
    var selfRegistration: SelfRegistration {
        lazySelfRegistration.load() ?? lazySelfRegistration.storeIfNil(SelfRegistration(self))
    }

    /// The name that a child box or the box of a test was given; nil for any other.
    public let name: String?

    /// Makes an empty box, which shares nothing with any other.
    public convenience init() {
        self.init(parent: nil, name: nil, original: nil)
    }

    init(parent: ServiceBox?, name: String?, original: ServiceBox?, isScope: Bool = false) {
        self.parent = parent
        self.name = name
        self.original = original
        elder = original ?? parent
        self.isScope = isScope
        fillCounter = original?.fillCounter ?? FillCounter()
    }
}

extension ServiceBox {
    /// Changes what is left to fill among the services; called under the lock.
    func changeCrossFill<Result>(
        in state: inout State, _ change: (inout CrossFill) -> Result
    ) -> Result {
        defer { crossFillWork.store(state.crossFill.work, ordering: .releasing) }
        return change(&state.crossFill)
    }

    /// Whether nothing is left to fill among the box's own services, here and now; mostly a load.
    @inline(__always)
    var hasSettled: Bool {
        switch crossFillWork.load(ordering: .acquiring) {
        case .none: true
        case .onMainActor where !Isolation.mayBeMainActor: true
        case .onMainActor, .some: state.withLock { $0.crossFill.isSettled }
        }
    }
}
