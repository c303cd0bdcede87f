// Part of ServiceBox, released under the MIT License.
// What happened to a registered service, and who has taken it.

import Synchronization

/// What happened to a registered service: who took it, and when it was filled.
///
/// Thread-safe.
///
/// It is there before the registration, and what creates the service may outlive that.
final class ServiceHistory: Sendable {
    /// Who took the service from the box that it is registered in, or from a copy.
    var uses: UseTally { lazyUses.object(orCreate: UseTally()) }
    private let lazyUses = LazyReference<UseTally>()
    private let fillOrder = Atomic(0)
    /// What its factory does whenever it runs.
    var habits: FactoryHabits { lazyHabits.object(orCreate: FactoryHabits()) }
    let lazyHabits = LazyReference<FactoryHabits>()
    private let facts: Guarded<Facts>
    private let hasStopped = Atomic(false)

    /// What other rooms know of a service, in objects of theirs.
    struct Facts: Sendable {
        /// Its properties, as cross-fills see them.
        var wiring: (any AnyObject & Sendable)?
        /// How it was filled, as the ledger has noted it.
        var lastFill: (any AnyObject & Sendable)?
    }

    init(wiring: (any AnyObject & Sendable)? = nil) { facts = Guarded(Facts(wiring: wiring)) }

    /// Reads or changes what other rooms know of the service; what goes is handed out, so that nothing ends under the lock.
    @inline(__always)
    func withFacts<Result: Sendable>(_ body: (inout Facts) -> Result) -> Result {
        facts.withLock { body(&$0) }
    }

    /// Whether its box has stopped, and no factory is to create it any more.
    var isStopped: Bool { hasStopped.load(ordering: .acquiring) }

    func noteStop() { hasStopped.store(true, ordering: .releasing) }

    /// The names of the services that its factory has looked up, in the order in which it first did.
    var asks: [String] { lazyHabits.withObject { $0.asks } ?? [] }

    /// The service's place among all that its box has filled; nil before.
    var order: Int? {
        let order = fillOrder.load(ordering: .relaxed)
        return order > 0 ? order : nil
    }

    /// Whether the service is known to have been created, if not filled.
    var wasMade: Bool { fillOrder.load(ordering: .relaxed) != 0 }

    /// Notes that a service that isn't filled was created.
    func noteMade() { if !wasMade { fillOrder.store(-1, ordering: .relaxed) } }

    /// Notes that the service is filled, unless it was before.
    func noteOrder(_ next: () -> Int) {
        if order == nil { fillOrder.store(next(), ordering: .relaxed) }
    }

    /// Notes that its factory has looked a service up.
    ///
    /// - Parameters:
    ///   - name: The service's name.
    ///   - home: The registry that has it.
    ///   - number: Its number there.
    /// - Returns: Whether that is news: mostly it asks for the same again.
    func noteAsk(for name: String, _ home: ObjectIdentifier, _ number: Int) -> Bool {
        lazyHabits.withObject { $0.noteAsk(for: name, home, number) }
            ?? habits.noteAsk(for: name, home, number)
    }

}

/// What a factory does whenever it runs, and what its services are like: looked at once, since some run again and again.
///
/// Thread-safe.
final class FactoryHabits: Sendable {
    private let lastRecord = Atomic<UInt>(0)
    private let asked = Guarded<[(name: String, home: ObjectIdentifier, number: Int)]>([])
    private let bare = Guarded<(type: ObjectIdentifier, generation: Int)?>(nil)

    /// The names of the services that it has looked up, in the order in which it first did.
    var asks: [String] { asked.withLock { $0 }.map(\.name) }

    /// Notes that it has looked a service up; returns whether that is news.
    fileprivate func noteAsk(for name: String, _ home: ObjectIdentifier, _ number: Int) -> Bool {
        asked.withLock { asked in
            if asked.contains(where: { $0.number == number && $0.home == home }) { return false }
            let index = asked.firstIndex { $0.name == name }
            if let index { asked[index] = (name, home, number) } else { asked.append((name, home, number)) }
            return true
        }
    }

    /// Whether services of a type were found to have nothing to fill, with what was registered in a generation.
    func isBare(_ type: Any.Type, for generation: Int) -> Bool {
        bare.withLock { $0.map { $0.type == ObjectIdentifier(type) && $0.generation == generation } ?? false }
    }

    /// Notes that services of a type have nothing to fill, with what was registered in a generation.
    func noteBare(_ type: Any.Type, for generation: Int) {
        bare.withLock { $0 = (ObjectIdentifier(type), generation) }
    }

    /// Whether a fill differs from the last one that was noted; services that are created one after the other are
    /// filled alike but for what goes wrong.
    ///
    /// - Parameter record: What tells outcomes apart; nil if something went wrong. Whoever notes it keeps it, so
    ///   that its address stands for no other.
    /// - Returns: Whether it differs.
    func isNews(_ record: AnyObject?) -> Bool {
        let address = record.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
        return lastRecord.exchange(address, ordering: .relaxed) != address || address == 0
    }
}

/// A property of a type, by its name.
struct PropertyID: Hashable, Sendable {
    let type: Any.Type
    let name: String

    static func == (left: Self, right: Self) -> Bool { left.type == right.type && left.name == right.name }

    // Few properties of a type have names of one length; hashing these costs more than comparing them.
    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type))
        hasher.combine(name.utf8.count)
    }
}

/// The properties that took a service, and whether code looked it up.
///
/// Thread-safe.
final class UseTally: Sendable {
    private let takers = Guarded<Set<PropertyID>>([])
    private let askers = Guarded<Set<String>>([])
    private let isLookedUp = Atomic(false)

    /// The names of the services whose factories looked it up, in no order.
    var factories: Set<String> { askers.withLock { $0 } }

    /// The properties, in no order.
    var properties: Set<PropertyID> { takers.withLock { $0 } }
    var wasLookedUp: Bool { isLookedUp.load(ordering: .relaxed) }
    var isEmpty: Bool { !wasLookedUp && takers.withLock(\.isEmpty) }
    /// Whether properties or factories have asked for the service, and not code alone.
    var isByServices: Bool { !properties.isEmpty || !factories.isEmpty }

    func note(_ property: PropertyID) { takers.withLock { _ = $0.insert(property) } }
    func noteFactory(of name: String) { askers.withLock { _ = $0.insert(name) } }
    /// Notes that the service was looked up; costs a load after the first time.
    @inline(__always)
    func noteLookUp() {
        if !isLookedUp.load(ordering: .relaxed) { isLookedUp.store(true, ordering: .relaxed) }
    }
}
