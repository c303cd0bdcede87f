// Part of ServiceBox, released under the MIT License.
// What is registered in a box: the owner of registrations, and how they change.

import Synchronization

/// What is registered under which name, in a box and its ancestors.
///
/// Thread-safe.
///
/// The generation is the truth for all who remember something about registrations: it changes with each change,
/// under the lock, so whoever has seen a change sees its generation too.
final class Registry: Sendable {
    struct State {
        var registrations: [String: Registration] = [:]
        /// The registry's own registrations for those of its ancestors that it doesn't share.
        var inherited: [String: (from: Registration, own: Registration)] = [:]
        /// The registry's own registrations by the types that they are registered as; nil until somebody asks.
        var byType: [ObjectIdentifier: [Registration]]?
        var lastNumber = 0
        /// The registrations that cross-fills haven't taken in yet, in their order.
        var news: [Registration] = []
        var taughtLines: [ObjectIdentifier: [TableLine]] = [:]
        /// The names of the services that reach outside the program.
        var liveNames: Set<String> = []
        /// Where the box was sealed.
        var seal: SourceLocation?
        /// The names that hints were last looked for among.
        var names: RegisteredNames?
    }

    let state = Guarded(State())
    /// The name of the box.
    let name: String?
    let parent: Registry?
    /// The parent, its parent and so on.
    let ancestors: [Registry]
    /// The same, to go through them without counting references.
    private let borrowedAncestors: [Unmanaged<Registry>]
    /// Whether the box creates for itself whatever its ancestors' registrations create.
    let isScope: Bool
    let factories = RunningFactories()
    let lookUps = LookUps<Registration>()
    private let counter = Atomic(0)
    private let ownReorderings = Atomic(0)
    private let ownTeachings = Atomic(0)
    private let lazyBox = LazyReference<WeakSupplier>()
    private let lazyEntry = LazyReference<Registration>()

    init(name: String? = nil, parent: Registry?, isScope: Bool = false) {
        self.name = name
        self.parent = parent
        self.isScope = isScope
        ancestors = parent.map { [$0] + $0.ancestors } ?? []
        borrowedAncestors = ancestors.map(Unmanaged.passUnretained)
    }

    /// Counts changes of the registry and its ancestors.
    var generation: Int { ownGeneration + ancestorsGeneration }

    /// Counts changes of the registry alone.
    var ownGeneration: Int { counter.load(ordering: .acquiring) }

    var ancestorsGeneration: Int {
        var sum = 0
        for ancestor in borrowedAncestors { sum += ancestor._withUnsafeGuaranteedRef(\.ownGeneration) }
        return sum
    }

    /// Counts the changes and the shared services created again, but not additions at the end of the own
    /// registrations.
    var reorderings: Int { ownReorderings.load(ordering: .acquiring) + ancestorsGeneration }

    /// Counts the tables that the registry and its ancestors were taught.
    var teachings: Int {
        ancestors.reduce(ownTeachings.load(ordering: .acquiring)) {
            $0 + $1.ownTeachings.load(ordering: .acquiring)
        }
    }

    /// Notes that the order of all services, or one of them, has changed.
    func noteReordering() { ownReorderings.add(1, ordering: .releasing) }

    /// Reads what belongs together, from however many locks: again if anything has changed meanwhile.
    func consistently<Result>(_ read: () -> Result) -> (Result, generation: Int) {
        while true {
            let before = generation
            let result = read()
            if generation == before { return (result, before) }
        }
    }

    func hasAncestor(_ registry: ObjectIdentifier) -> Bool {
        ancestors.contains { ObjectIdentifier($0) == registry }
    }

    // MARK: - The box's entry for itself

    /// What leads to the box as long as it is there; one for all, since each weak reference costs as much as several
    /// strong ones.
    var weakBox: WeakSupplier? { lazyBox.object }

    func setBox<Box: AnyObject & Sendable>(_ box: Box) { _ = lazyBox.object(orCreate: WeakSupplier(box)) }

    /// The entry of the box for itself.
    var entry: Registration? {
        lazyBox.object.map { box in
            lazyEntry.object(
                orCreate: Registration(
                    Registration.boxName, box, at: SourceLocation(file: #fileID, line: #line),
                    ServiceHistory(), number: 0, home: self))
        }
    }
}

extension Registry.State {
    /// Lets go of a registration that isn't there any more; its caller keeps it until the lock is free.
    fileprivate mutating func drop(_ registration: Registration) {
        news.removeAll { $0 === registration }
        byType?[ObjectIdentifier(registration.serviceType)]?.removeAll { $0 === registration }
    }
}

// MARK: - Changes

extension Registry {
    /// Puts a registration in, in the place of an earlier one under its name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - make: Creates it with its number; runs under the lock.
    /// - Returns: The new one, and the one that it replaces.
    func insert(
        _ name: String, _ make: (_ number: Int) -> Registration
    ) -> (new: Registration, replaced: Registration?) {
        // Asked outside the lock; where an ancestor gets the name meanwhile, that counts as a reordering anyway.
        let hidesAnother = parent?.nearest(name) != nil
        defer { lookUps.forget() }
        return state.withLock { state in
            state.lastNumber += 1
            let new = make(state.lastNumber)
            let replaced = state.registrations.updateValue(new, forKey: name)
            if let replaced { state.drop(replaced) }
            state.news.append(new)
            state.byType?[ObjectIdentifier(new.serviceType), default: []].append(new)
            if replaced != nil || hidesAnother { noteReordering() }
            counter.add(1, ordering: .acquiringAndReleasing)
            return (new, replaced)
        }
    }

    func remove(_ name: String) -> Registration? {
        defer { lookUps.forget() }
        return state.withLock { state in
            guard let removed = state.registrations.removeValue(forKey: name) else { return nil }
            state.drop(removed)
            state.liveNames.remove(name)
            noteReordering()
            counter.add(1, ordering: .acquiringAndReleasing)
            return removed
        }
    }

    /// The registrations that cross-fills haven't taken in yet, in their order.
    var news: [Registration] { state.withLock { $0.news } }

    /// Forgets news up to a registration.
    func dropNews(upTo number: Int) {
        let old = state.withLock { state in
            defer { state.news.removeAll { $0.number <= number } }
            return state.news
        }
        withExtendedLifetime(old) {}
    }

    /// Takes everything out but the seal.
    ///
    /// - Returns: What was there, for the caller to release when no lock is held.
    func clear() -> State {
        defer { lookUps.forget() }
        return state.withLock { state in
            defer { state = State(lastNumber: state.lastNumber, seal: state.seal) }
            noteReordering()
            counter.add(1, ordering: .acquiringAndReleasing)
            return state
        }
    }

    /// Adds lines to the table of a type, which replace those of the same names.
    ///
    /// - Returns: The lines that were there, for the caller to release when no lock is held.
    func teach(_ type: Any.Type, _ lines: [TableLine]) -> [TableLine] {
        state.withLock { state in
            let old = state.taughtLines[ObjectIdentifier(type)] ?? []
            state.taughtLines[ObjectIdentifier(type)] = old.replacing(with: lines)
            ownTeachings.add(1, ordering: .acquiringAndReleasing)
            counter.add(1, ordering: .acquiringAndReleasing)
            return old
        }
    }

    /// Takes over what another registry of the same parent has; its box goes on filling that.
    func adopt(_ other: Registry) {
        // So that both have the same registrations for what ancestors don't share.
        _ = other.services
        var theirs = other.consistently { other.state.withLock { $0 } }.0
        theirs.news = []
        theirs.seal = nil
        theirs.names = nil
        state.withLock { [theirs] in $0 = theirs }
    }
}
