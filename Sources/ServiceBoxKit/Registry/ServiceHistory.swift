// Part of ServiceBox, released under the MIT License.
// The history of a registered service, and its users.

import Synchronization

/// The history of a registered service: who took it, and how it was filled.
///
/// Thread-safe.
///
/// The service's creator may keep it longer than the registration.
final class ServiceHistory: Sendable {
    /// Who took the service from the box that it is registered in, or from a copied box.
    var uses: UseTally { lazyUses.object(orCreate: UseTally()) }
    private let lazyUses = LazyReference<UseTally>()
    private let isMade = Atomic(false)
    /// The address of the type of the service that was created last; zero if there was none.
    private let latestType = Atomic<UInt>(0)
    /// What its factory does on every run.
    var habits: FactoryHabits { lazyHabits.object(orCreate: FactoryHabits()) }
    let lazyHabits = LazyReference<FactoryHabits>()
    private let facts: Guarded<Facts>
    private let hasStopped = Atomic(false)
    private let isEndClaimed = Atomic(false)

    /// What other folders know about a service, in their own objects.
    struct Facts: Sendable {
        /// Its properties, for cross-fills.
        var wiring: (any AnyObject & Sendable)?
        /// How it was last filled, for the ledger.
        var lastFill: (any AnyObject & Sendable)?
    }

    init(wiring: (any AnyObject & Sendable)? = nil) { facts = Guarded(Facts(wiring: wiring)) }

    /// Reads or changes the facts; replaced ones are returned, so that the lock releases nothing.
    @inline(__always)
    func withFacts<Result: Sendable>(_ body: (inout Facts) -> Result) -> Result {
        facts.withLock { body(&$0) }
    }

    /// Whether its box has stopped, and no factory may create it any more.
    var isStopped: Bool { hasStopped.load(ordering: .acquiring) }

    func noteStop() { hasStopped.store(true, ordering: .releasing) }

    /// Whether the actions at the end of its service are claimed.
    var hasEnded: Bool { isEndClaimed.load(ordering: .acquiring) }

    /// Claims the actions at the end of its service.
    ///
    /// - Returns: Whether they were unclaimed.
    func claimEnd() -> Bool { !isEndClaimed.exchange(true, ordering: .acquiringAndReleasing) }

    /// The last look-ups of the services that its factory has looked up or filled something with, in the order
    /// in which it first did.
    var asks: [Ask] { lazyHabits.withObject { $0.asks } ?? [] }

    /// Whether a service that isn't filled is known to have been created.
    var wasMade: Bool { isMade.load(ordering: .relaxed) }

    /// Notes that a service that isn't filled was created.
    func noteMade() { if !wasMade { isMade.store(true, ordering: .relaxed) } }

    /// The type of the service that the factory created last, whether that was kept or not.
    var createdType: Any.Type? { unsafe Metadata.type(at: latestType.load(ordering: .relaxed)) }

    /// Notes a created service's type; mostly one load.
    @inline(__always)
    func noteCreated(_ type: Any.Type) {
        let address = Metadata(type).address
        if latestType.load(ordering: .relaxed) != address { latestType.store(address, ordering: .relaxed) }
    }

    /// A look-up: the name of the service, and which of that name it was.
    struct Ask: Named, Sendable {
        let name: String
        let service: Identity
        /// Whether the service couldn't be created, so that the factory went on without it or failed.
        var hasFailed = false

        /// Whether it is the same look-up; two ancestors may have given the same number.
        fileprivate func isSame(as other: Self) -> Bool { service == other.service && name == other.name }
    }

    /// Identifies a registration that may be gone.
    struct Identity: Equatable, Sendable {
        /// The registry that has it.
        let home: ObjectIdentifier
        let number: Int
        /// Whether the number is an ancestor's.
        let isInherited: Bool
    }

    /// Notes that its factory has looked a service up.
    ///
    /// - Returns: Whether it is new: mostly a factory looks up the same again.
    func note(_ ask: Ask) -> Bool {
        lazyHabits.withObject { $0.note(ask) } ?? habits.note(ask)
    }
}

/// What a factory does on every run, and what its services are like; found once for all runs.
///
/// Thread-safe.
final class FactoryHabits: Sendable {
    private let lastRecord = Atomic<UInt>(0)
    private let asked = Guarded(KeyedTable<ServiceHistory.Ask>())
    /// The first of them, read without the lock: threads that create services at the same time would contend.
    private let firstAsked = LazyReference<KnownAsk>()
    private let lastFilled = Guarded<(any AnyObject & Sendable)?>(nil)
    /// The first type of services with nothing to fill, by its address, and the generation they were found in.
    private let bareType = Atomic<UInt>(0)
    private let bareGeneration = Atomic(-1)

    /// The last look-up of each service that it has looked up, in the order in which it first did.
    var asks: [ServiceHistory.Ask] { asked.withLock { $0 }.elements }

    /// Notes a look-up; returns whether it is new.
    fileprivate func note(_ ask: ServiceHistory.Ask) -> Bool {
        if firstAsked.withObject({ $0.leads(to: ask) }) == true { return false }
        return asked.withLock { asked in
            let known = asked.updateValue(ask, for: ask.name)
            KnownAsk.note(ask, in: firstAsked)
            return known?.service != ask.service
        }
    }

    func noteFailure(of ask: ServiceHistory.Ask) {
        let failed = ServiceHistory.Ask(name: ask.name, service: ask.service, hasFailed: true)
        asked.withLock { asked in
            guard asked[ask.name]?.service == ask.service else { return }
            _ = asked.updateValue(failed, for: ask.name)
            KnownAsk.note(failed, in: firstAsked)
        }
    }

    /// Notes that the factory fills something.
    ///
    /// - Parameter record: Identifies what it gets; nil if the fill differed from what was planned.
    /// - Returns: Whether that may get other services than the last did.
    func isNewsToFill(_ record: (any AnyObject & Sendable)?) -> Bool {
        let last = lastFilled.withLock { exchange(&$0, with: record) }
        return last !== record || record == nil
    }

    /// Whether services of a type were found to have nothing to fill in a generation.
    func isBare(_ type: Any.Type, for generation: Int) -> Bool {
        bareGeneration.load(ordering: .relaxed) == generation
            && bareType.load(ordering: .relaxed) == Metadata(type).address
    }

    /// Notes that services of a type have nothing to fill in a generation, unless there were others of another
    /// type before: the type never changes, so any generation that is stored belongs to it.
    func noteBare(_ type: Any.Type, for generation: Int) {
        let address = Metadata(type).address
        let (isFirst, known) = bareType.compareExchange(expected: 0, desired: address, ordering: .relaxed)
        if isFirst || known == address { bareGeneration.store(generation, ordering: .relaxed) }
    }

    /// Whether a fill differs from the last one noted; consecutive services are filled alike unless something
    /// goes wrong.
    ///
    /// - Parameter record: Identifies the outcome; nil if something went wrong. The caller that notes it
    ///   keeps it, so that no other object can have its address.
    /// - Returns: Whether it differs.
    func isNews(_ record: AnyObject?) -> Bool {
        let address = record.map { unsafe UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
        return lastRecord.exchange(address, ordering: .relaxed) != address || address == 0
    }
}

/// A look-up, and others that were first made later.
private final class KnownAsk: Sendable {
    private let ask: ServiceHistory.Ask
    /// Whether it is the last look-up of its name, and hasn't failed.
    private let isLatest = Atomic(true)
    private let next = LazyReference<KnownAsk>()

    private init(_ ask: ServiceHistory.Ask) { self.ask = ask }

    /// Whether a look-up is known to be the last of its name.
    func leads(to other: ServiceHistory.Ask) -> Bool {
        ask.isSame(as: other)
            ? isLatest.load(ordering: .relaxed) : next.withObject { $0.leads(to: other) } == true
    }

    /// Notes the last look-up of a name in a list, if that has room for it; callers take turns.
    static func note(_ ask: ServiceHistory.Ask, in list: borrowing LazyReference<KnownAsk>) {
        var (room, last, isKnown) = (8, KnownAsk?.none, false)
        while let known = last.map({ $0.next.object }) ?? list.object {
            let isSame = known.ask.isSame(as: ask)
            if isSame || known.ask.name == ask.name {
                known.isLatest.store(isSame && !ask.hasFailed, ordering: .relaxed)
            }
            (room, last, isKnown) = (room - 1, known, isKnown || isSame)
        }
        if isKnown || room == 0 || ask.hasFailed { return }
        let new = KnownAsk(ask)
        _ = last?.next.object(orCreate: new) ?? list.object(orCreate: new)
    }
}

/// A property of a type, by its name.
struct PropertyID: Hashable, Sendable {
    let type: Any.Type
    let name: String

    static func == (left: Self, right: Self) -> Bool { left.type == right.type && left.name == right.name }

    // Hashing whole names costs more than comparing the few properties of a type with names of equal length.
    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type))
        hasher.combine(name.utf8.count)
    }
}

/// The properties that took a service, and whether code looked it up.
///
/// Thread-safe.
final class UseTally: Sendable {
    private let takers = Guarded(SmallDictionary<PropertyID, Void>())
    private let askers = Guarded<Set<String>>([])
    /// More than a program has factories; the children of requests may have one under a name of their own each.
    private static let mostAskers = 10_000
    private let isLookedUp = Atomic(false)
    private let isLookedUpOutside = Atomic(false)
    private let isStarted = Atomic(false)

    /// The names of the services whose factories looked it up or filled something with it, in no order; the first
    /// ten thousand.
    var factories: Set<String> { askers.withLock { $0 } }

    /// The properties, in no order.
    var properties: [PropertyID] { takers.withLock { $0.keys } }
    var wasLookedUp: Bool { isLookedUp.load(ordering: .relaxed) }
    /// Whether code looked it up elsewhere than in scopes of overrides, which create services of their own.
    var wasLookedUpOutsideScopes: Bool { isLookedUpOutside.load(ordering: .relaxed) }
    var isEmpty: Bool { !wasLookedUp && takers.withLock(\.isEmpty) }
    /// Whether the service has started with its box, which nobody takes it for.
    var wasStarted: Bool { isStarted.load(ordering: .relaxed) }
    /// Whether properties or factories have taken the service, rather than just code.
    var isByServices: Bool { !takers.withLock(\.isEmpty) || !askers.withLock(\.isEmpty) }

    func note(_ property: PropertyID) { takers.withLock { _ = $0.updateValue((), forKey: property) } }

    func noteStart() { isStarted.store(true, ordering: .relaxed) }

    /// A use by code.
    struct Use {
        /// The name of the service whose factory takes it, if it is a factory that hasn't been noted yet.
        let asker: String?
        let isLookUp: Bool
    }

    /// Notes a use; costs two loads after the first look-up.
    ///
    /// - Parameters:
    ///   - use: The use.
    ///   - isInScope: Whether it comes from a scope of overrides in which the service is inherited.
    @inline(__always)
    func note(_ use: Use, isInScope: Bool = false) {
        if use.isLookUp, !isInScope, !wasLookedUpOutsideScopes {
            isLookedUpOutside.store(true, ordering: .relaxed)
        }
        if use.isLookUp, !wasLookedUp { isLookedUp.store(true, ordering: .relaxed) }
        if let asker = use.asker { askers.withLock { if $0.count < Self.mostAskers { $0.insert(asker) } } }
    }
}
