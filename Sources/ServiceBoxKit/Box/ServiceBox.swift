// Part of ServiceBox, released under the MIT License.
// The facade that coordinates registrations, fills and history.

/// A box of services that fills objects by name and type.
///
/// Register services under names, then fill any object: the box walks its properties and gives each
/// injectable one the service that is registered under its name, if the type fits.
///
/// ```swift
/// let box = ServiceBox()
/// box.register(FileAnalytics() as any Analytics, as: "analytics")
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
/// Registered services are filled with each other on first use, in whatever order they were registered. The
/// box is itself a service, named `serviceBox`, and doesn't keep itself alive.
///
/// Thread-safe: call it from any thread and any isolation, but fill an object in its own. None of your code
/// runs under a lock of the box.
public final class ServiceBox: Sendable {
    let registry: Registry
    let ledger: Ledger
    let filler: Filler
    let crossFiller: CrossFiller
    let parent: ServiceBox?
    /// The original of a copy, kept alive for the services that it fills.
    let original: ServiceBox?
    let lazyLife = LazyReference<Lifecycle>()
    /// How many boxes it builds on, as their child or copy, in a row.
    private let level: Int

    /// The box's name, for messages; nil if it has none.
    public var name: String? { registry.name }

    /// Creates an empty box, which shares nothing with any other.
    ///
    /// - Parameter name: A name for messages; unlike that of ``named(_:)`` it needn't be unique.
    public convenience init(name: String? = nil) {
        self.init(parent: nil, name: name)
    }

    /// How many boxes may build on one another: what asks them all is nested as deeply.
    private static let levelLimit = 256
    /// So many take hardly any of a thread's stack.
    private static let fewLevels = 16

    init(parent: ServiceBox?, name: String?, original: ServiceBox? = nil, isScope: Bool = false) {
        level = (original ?? parent).map { $0.level + 1 } ?? 0
        if level > Self.levelLimit { fatalError(Message.tooManyLevels(limit: Self.levelLimit).text) }
        if level > Self.fewLevels { ConstructionStack.note(levels: level) }
        self.parent = parent
        self.original = original
        registry = Registry(
            name: name, parent: parent?.registry, isScope: isScope)
        var adopted: Int?
        if let original { adopted = registry.adopt(original.registry) }
        ledger = Ledger(registry, parent: parent?.ledger, original: original?.ledger)
        filler = Filler(registry, ledger, parent: parent?.filler)
        crossFiller = CrossFiller(
            registry, filler, ledger, elder: original?.crossFiller ?? parent?.crossFiller)
        registry.setBox(self)
        if parent == nil { CurrentThread.noteMain() }
        guard let original else { return }
        original.registry.note(copy: registry.weakBox)
        // An original that stopped meanwhile didn't know about this copy.
        while adopted != original.registry.generation { adopted = registry.adopt(original.registry) }
    }

    deinit { registry.letReadersFinish() }
}

extension ServiceBox {
    /// Calls a closure with all future events in this box and, on request, in its children.
    ///
    /// The closure runs after the fact, under no lock, on the thread that caused the event; events of several
    /// threads may come at once and in any order. It may use the box, and isn't told about its own actions
    /// there. A service still under construction at that time can't be resolved: that throws
    /// ``ServiceBoxError/Code/cycle``. A box without observers pays nothing for them; one with observers
    /// fills objects more slowly. Events in a parent or a copy aren't reported here.
    ///
    /// - Parameters:
    ///   - includingChildren: Whether to report events in children of this box too, in their children and so
    ///     on, whether they exist already or are created later. ``ServiceEvent/boxName`` tells them apart. A
    ///     copy of a child is a child too.
    ///   - observer: Called with each event.
    /// - Returns: The observation, which ends when it is released or cancelled.
    public func observe(
        includingChildren: Bool = false, _ observer: @escaping @Sendable (ServiceEvent) -> Void
    ) -> ServiceObservation {
        ledger.observe(includingChildren: includingChildren, observer)
    }
}
