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
    /// The registry's own registration in the place of an ancestor's.
    struct Inherited: Named, Sendable {
        let from: Registration
        let own: Registration

        var name: String { from.name }

        /// The same with another registration of the registry's own.
        func with(_ transform: (Registration) -> Registration) -> Self {
            Self(from: from, own: transform(own))
        }
    }

    struct State {
        var registrations = NameTable<Registration>()
        /// What was replaced and comes back when what has replaced it is removed, the latest last.
        var replaced = [String: [Registration]]()
        /// What services are wrapped in, in that order.
        var decorations = [String: [Decoration]]()
        /// The registry's own registrations for those of its ancestors that it doesn't share.
        var inherited = NameTable<Inherited>()
        /// Those of them whose ancestor's registration was replaced since; they come back with it, the latest last.
        var outdated = [String: [Inherited]]()
        /// What wraps services that another box has ended; nobody is handed it any more, and it ends with this box.
        var refused: [Registration] = []
        /// The registry's own registrations by the types that they are registered as; nil until somebody asks.
        var byType: [ObjectIdentifier: [Int: Registration]]?
        var lastNumber = 0
        var news = News<Registration>()
        var taughtLines = [ObjectIdentifier: [TableLine]]()
        /// The names of the services that reach outside the program.
        var liveNames: Set<String> = []
        /// What there is in the place of a service, since the box has stopped.
        var refuse: (@Sendable (Registration) -> Registration)?
        var isStopped: Bool { refuse != nil }
        /// By the types that they are for.
        var preferences = [ObjectIdentifier: Preference]()
        /// Where the box was sealed.
        var seal: SourceLocation?
        /// The names that hints were last looked for among.
        var names: RegisteredNames?
    }

    let state = Guarded(State())
    /// The name of the box.
    let name: String?
    let parent: Registry?
    /// Whether the box creates for itself whatever its ancestors' registrations create.
    let isScope: Bool
    let factories = RunningFactories()
    let modules = RunningModules()
    let lookUps = LookUps<Registration>()
    let arrivals = Arrivals()
    /// What leads to the boxes that are copies of this one's.
    let copies = Guarded<[WeakSupplier]>([])
    /// The errors that came last, which see the registry at the latest when the box goes.
    private let readers = Guarded<[WeakReference<any AnyObject & Sendable>]>([])
    private let counter = Atomic(0)
    /// Whether anything was ever decorated here; without, a child asks no further.
    let hasDecorations = Atomic(false)
    private let ownReorderings = Atomic(0)
    private let ownTeachings = Atomic(0)
    private let lazyBox = LazyReference<WeakSupplier>()
    private let lazyEntry = LazyReference<Registration>()

    init(name: String? = nil, parent: Registry?, isScope: Bool = false) {
        self.name = name
        self.parent = parent
        self.isScope = isScope
    }

    /// Counts changes of the registry and its ancestors.
    var generation: Int { ownGeneration + ancestorsGeneration }

    /// Counts changes of the registry alone.
    var ownGeneration: Int { counter.load(ordering: .acquiring) }

    var ancestorsGeneration: Int { parent?.generation ?? 0 }

    /// Counts the changes and the shared services created again, but not additions at the end of the own
    /// registrations.
    var reorderings: Int { ownReorderings.load(ordering: .acquiring) + ancestorsGeneration }

    /// Counts the tables that the registry and its ancestors were taught.
    var teachings: Int {
        ownTeachings.load(ordering: .acquiring) + (parent?.teachings ?? 0)
    }

    /// Notes that the order of all services, or one of them, has changed.
    func noteReordering() { ownReorderings.add(1, ordering: .releasing) }

    /// Notes that something is registered that doesn't come after all others, or isn't any more.
    func noteChange() {
        noteReordering()
        counter.add(1, ordering: .acquiringAndReleasing)
    }

    /// Notes that tables were taught or taken back.
    func noteTeaching() {
        ownTeachings.add(1, ordering: .acquiringAndReleasing)
        counter.add(1, ordering: .acquiringAndReleasing)
    }

    /// Reads what belongs together, from however many locks: again if anything has changed meanwhile.
    func consistently<Result>(_ read: () -> Result) -> (Result, generation: Int) {
        while true {
            let before = generation
            let result = read()
            if generation == before { return (result, before) }
        }
    }

    func hasAncestor(_ registry: ObjectIdentifier) -> Bool {
        parent.map { ObjectIdentifier($0) == registry || $0.hasAncestor(registry) } ?? false
    }

    // MARK: - The box's entry for itself

    /// What leads to the box as long as it is there; one for all, since each weak reference costs as much as several
    /// strong ones.
    var weakBox: WeakSupplier? { lazyBox.object }

    func setBox(_ box: some RegistryOwner) { _ = lazyBox.object(orCreate: WeakSupplier(box)) }

    /// Notes a copy; now and then those that are gone are forgotten, so that they leave nothing behind.
    func note(copy: WeakSupplier) {
        let count = copies.withLock { copies in
            copies.append(copy)
            return copies.count
        }
        guard count % 64 == 0 else { return }
        let gone = Set(copies.withLock { $0 }.filter { $0.object == nil }.map(ObjectIdentifier.init))
        copies.letGo { copies in
            defer { copies.removeAll { gone.contains(ObjectIdentifier($0)) } }
            return copies
        }
    }

    /// The entry of the box for itself.
    var entry: Registration? {
        lazyBox.object.map { box in
            lazyEntry.object(
                orCreate: Registration(
                    Registration.boxName, box, at: SourceLocation(file: #fileID, line: #line),
                    ServiceHistory(), number: 0, home: ObjectIdentifier(self)))
        }
    }
}

extension Registry.State {
    /// Lets go of a registration that isn't there any more; its caller keeps it until the lock is free.
    fileprivate mutating func drop(_ registration: Registration) {
        for layer in registration.layers { news.remove(layer, number: layer.number) }
        byType?[ObjectIdentifier(registration.serviceType)]?[registration.number] = nil
    }

    /// Takes a registration out and puts another one of its name in.
    mutating func exchange(_ old: Registration?, for new: Registration?) {
        if let old {
            drop(old)
            registrations[old.name] = nil
        }
        if let new { _ = put(new) }
    }

    /// How many registrations under one name are kept that were replaced: one that is replaced again and again must not
    /// fill the memory.
    static let replacedLimit = 16

    /// Puts a registration in the place of the one under its name.
    fileprivate mutating func put(_ new: Registration) -> Registration? {
        byType?[ObjectIdentifier(new.serviceType), default: [:]][new.number] = new
        return registrations.updateValue(new, for: new.name)
    }
}

extension Array {
    /// Adds an element, and takes the first one out if there are too many.
    ///
    /// - Returns: That one, for the caller to let go of when no lock is held.
    mutating func append(_ new: Element, keeping limit: Int) -> Element? {
        append(new)
        return count > limit ? removeFirst() : nil
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
        // It goes when the lock is free.
        var oldest: Registration?
        defer {
            lookUps.forget()
            withExtendedLifetime(oldest) {}
        }
        return state.withLock { state in
            var new = make(state.lastNumber + 1)
            state.news.append(new, number: new.number)
            for decoration in state.decorations[name] ?? [] {
                new = decoration.wrap(new, number: new.number + 1, in: self)
                state.news.append(new, number: new.number)
            }
            state.lastNumber = new.number
            let replaced = state.put(new)
            if let replaced {
                state.drop(replaced)
                oldest = state.replaced[name, default: []].append(replaced, keeping: State.replacedLimit)
            }
            if replaced != nil || hidesAnother { noteReordering() }
            counter.add(1, ordering: .acquiringAndReleasing)
            return (new, replaced)
        }
    }

    /// Decorates what is registered under a name from now on, and what is there.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - decoration: How.
    /// - Returns: What is there now, if it is the registry's own; what it inherits is wrapped when it is looked for.
    func decorate(_ name: String, with decoration: Decoration) -> Registration? {
        defer { lookUps.forget() }
        return state.withLock { state in
            state.decorations[name, default: []].append(decoration)
            hasDecorations.store(true, ordering: .releasing)
            noteChange()
            let base = state.registrations[name]
            if let known = state.inherited[name], base == nil || decoration.fits(known.own) {
                state.inherited[name] = known.with {
                    decoration.wrap($0, number: $0.number, in: self)
                }
            }
            guard let base else { return nil }
            state.lastNumber += 1
            let new = decoration.wrap(base, number: state.lastNumber, in: self)
            // What it decorates is still filled, and not handed out any more.
            _ = state.put(new)
            state.byType?[ObjectIdentifier(base.serviceType)]?[base.number] = nil
            state.news.append(new, number: new.number)
            return new
        }
    }

    /// Removes everything under a name.
    ///
    /// - Returns: What was there, the latest last.
    func remove(_ name: String) -> [Registration] {
        defer { lookUps.forget() }
        return state.withLock { state in
            guard let removed = state.registrations.updateValue(nil, for: name) else { return [] }
            state.drop(removed)
            state.liveNames.remove(name)
            noteChange()
            return (state.replaced.removeValue(forKey: name) ?? []) + [removed]
        }
    }

    /// Removes one registration; what it had replaced comes back.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - number: Its number; nil for the newest.
    /// - Returns: The removed one, and the one that came back if it was the newest; nil if it isn't there.
    func remove(_ name: String, number: Int?) -> (removed: Registration, restored: Registration?)? {
        defer { lookUps.forget() }
        return state.withLock { state in
            func isMeant(_ registration: Registration) -> Bool {
                number.map { number in registration.layers.contains { $0.number == number } } ?? true
            }
            guard let newest = state.registrations[name] else { return nil }
            guard isMeant(newest) else {
                guard let index = state.replaced[name]?.firstIndex(where: isMeant),
                    let removed = state.replaced[name]?.remove(at: index)
                else { return nil }
                return (removed, nil)
            }
            let restored = state.replaced[name]?.popLast().map { state.decorated($0, in: self) }
            state.exchange(newest, for: restored)
            if restored == nil { state.liveNames.remove(name) }
            if state.replaced[name]?.isEmpty == true { state.replaced[name] = nil }
            noteChange()
            return (newest, restored)
        }
    }

    /// The registrations that cross-fills haven't taken in yet, in their order.
    var news: [Registration] { state.withLock(\.news).all }

    /// Forgets news up to a registration.
    func dropNews(upTo number: Int) {
        state.letGo { state in
            defer { state.news.removeAll(upTo: number) }
            return state.news
        }
    }

    /// Takes everything out; a box that is sealed or has stopped stays so.
    ///
    /// - Returns: What was there, for the caller to release when no lock is held.
    func clear() -> State {
        defer { lookUps.forget() }
        return state.withLock { state in
            noteChange()
            let new = State(lastNumber: state.lastNumber, refuse: state.refuse, seal: state.seal)
            return exchange(&state, with: new)
        }
    }

    /// Adds lines to the table of a type, which replace those of the same names.
    ///
    /// - Returns: The lines that were there, for the caller to release when no lock is held.
    func teach(_ type: Any.Type, _ lines: [TableLine]) -> [TableLine] {
        state.withLock { state in
            let old = state.taughtLines[ObjectIdentifier(type)] ?? []
            state.taughtLines[ObjectIdentifier(type)] = old.replacing(with: lines)
            noteTeaching()
            return old
        }
    }

    /// Prefers a service for a type, in the place of an earlier preference for it.
    func prefer(_ preference: Preference) {
        state.withLock { state in
            state.preferences[ObjectIdentifier(preference.type)] = preference
            counter.add(1, ordering: .acquiringAndReleasing)
        }
    }

    /// Takes over what another registry of the same parent has; its box goes on filling that.
    ///
    /// - Returns: The other one's generation.
    func adopt(_ other: Registry) -> Int {
        // So that both have the same registrations for what ancestors don't share.
        _ = other.services
        var (theirs, generation) = other.consistently { other.state.withLock { $0 } }
        theirs.news = News<Registration>()
        theirs.refused = []
        theirs.seal = nil
        theirs.refuse = nil
        theirs.names = nil
        modules.adopt(other.modules)
        hasDecorations.store(!theirs.decorations.isEmpty, ordering: .releasing)
        state.withLock { [theirs] in $0 = theirs }
        return generation
    }
}

// MARK: - Errors that outlive the box

/// What reads a registry when somebody asks, and for the last time when its box goes.
protocol RegistryReader: AnyObject, Sendable {
    func readLast(of registry: Registry)
}

extension Registry {
    private static let mostReaders = 256

    /// Has a reader called when the box goes, unless many others have come since.
    func add(_ reader: any RegistryReader) {
        _ = readers.withLock { $0.append(WeakReference(reader), keeping: Self.mostReaders) }
    }

    /// Calls the readers, before the box goes.
    func letReadersFinish() {
        for reader in readers.withLock({ $0 }) { (reader.object as? any RegistryReader)?.readLast(of: self) }
    }
}
