// Part of ServiceBox, released under the MIT License.
// The owner of a box's registrations.

import Synchronization

/// The registrations of a box, by name, with access to those of its ancestors.
///
/// Thread-safe.
///
/// The generation tells caches whether they are up to date: it changes with every change, under the lock, so
/// a thread that has seen a change also sees its generation.
final class Registry: Sendable {
    /// The registry's own version of an ancestor's registration.
    struct Inherited: Named, Sendable {
        let from: Registration
        let own: Registration

        var name: String { from.name }

        /// The same with the own version transformed.
        func with(_ transform: (Registration) -> Registration) -> Self {
            Self(from: from, own: transform(own))
        }
    }

    /// The end of a box.
    struct Stop {
        let box: String?
        /// Turns a service into one that is refused.
        let refuse: @Sendable (Registration) -> Registration
    }

    struct State {
        var registrations = KeyedTable<Registration>()
        /// Registrations that come back when their replacements are removed, the latest last.
        var replaced = [String: [Registration]]()
        /// The decorations of services, in order.
        var decorations = [String: [Decoration]]()
        /// The registry's own versions of registrations that it doesn't share with its ancestors.
        var inherited = KeyedTable<Inherited>()
        /// The number of own versions beyond which those of what is gone are dropped.
        var inheritedLimit = GrowthLimit()
        /// Own versions whose ancestor's registration was replaced; they come back with it, the latest last.
        var outdated = [String: [Inherited]]()
        /// Wrappers of services that another box has stopped, and what was replaced long ago; no longer handed
        /// out, they stop with this box.
        var refused: [Registration] = []
        /// The registry's own registrations by type; nil until the first question.
        var byType: [ObjectIdentifier: [Int: Registration]]?
        var lastNumber = 0
        var news = News<Registration>()
        var taughtLines = [ObjectIdentifier: [TableLine]]()
        /// The names of the live services, which reach outside the program.
        var liveNames: Set<String> = []
        /// Set once the box has stopped; a child may ask for its own version of a service only later.
        var stop: Stop?
        var isStopped: Bool { stop != nil }
        /// By type.
        var preferences = [ObjectIdentifier: Preference]()
        /// Where the box was sealed.
        var seal: SourceLocation?
        /// The names that hints were last searched in.
        var names: ConstantObject<RegisteredNames>?
    }

    let state = Guarded(State())
    /// The name of the box.
    let name: String?
    let parent: Registry?
    /// Whether the box creates its own version of whatever its ancestors' registrations create.
    let isScope: Bool
    let modules = RunningModules()
    let lookUps = LookUps<FoundService, Registration>()
    /// The names of the services that each child creates for itself, for a generation.
    let perBox = Guarded<(names: [String], generation: Int)?>(nil)
    let arrivals = Arrivals()
    /// References to the boxes that are copies of this one's.
    let copies = Guarded<[WeakSupplier]>([])
    /// The latest errors, which read the registry once more before the box stops or is deinitialised.
    private let readers = Guarded<[WeakReference<any AnyObject & Sendable>]>([])
    private let counter = Atomic(0)
    /// Whether anything was ever decorated here; otherwise a child skips the check.
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

    /// Counts changes in the registry and its ancestors.
    var generation: Int { ownGeneration + ancestorsGeneration }

    /// Counts changes in the registry alone.
    var ownGeneration: Int { counter.load(ordering: .acquiring) }

    var ancestorsGeneration: Int { parent?.generation ?? 0 }

    /// Counts changes other than own registrations appended, and shared services created again.
    var reorderings: Int { ownReorderingCount + ancestorsGeneration }

    /// The same, in the registry alone.
    var ownReorderingCount: Int { ownReorderings.load(ordering: .acquiring) }

    /// Counts changes in the registry and its ancestors, and shared services of its own that were created again.
    var version: Int { generation + ownReorderingCount }

    /// Counts the tables taught to the registry and its ancestors.
    var teachings: Int { ownTeachingCount + (parent?.teachings ?? 0) }

    /// Counts those taught to the registry alone.
    var ownTeachingCount: Int { ownTeachings.load(ordering: .acquiring) }

    /// Notes that one of the services or their order has changed.
    func noteReordering() { ownReorderings.add(1, ordering: .releasing) }

    /// Notes a change other than an appended registration.
    func noteChange() {
        noteReordering()
        counter.add(1, ordering: .acquiringAndReleasing)
    }

    /// Notes that tables were taught or withdrawn.
    func noteTeaching() {
        ownTeachings.add(1, ordering: .acquiringAndReleasing)
        counter.add(1, ordering: .acquiringAndReleasing)
    }

    /// Reads a consistent snapshot across several locks: reads again if anything changed meanwhile.
    func consistently<Result>(_ read: () -> Result) -> (Result, generation: Int) {
        while true {
            let before = generation
            let result = read()
            if generation == before { return (result, before) }
        }
    }

    // MARK: - The box's entry for itself

    /// A reference to the box while it exists; one for all, since a weak reference costs as much as several
    /// strong ones.
    var weakBox: WeakSupplier {
        guard let box = lazyBox.object else { preconditionFailure("A box sets it before anybody needs it.") }
        return box
    }

    /// Whether that is the reference; without retaining it, as each transient service asks.
    @inline(__always)
    func isReferred(by reference: WeakSupplier) -> Bool { lazyBox.withObject { $0 === reference } ?? false }

    func setBox(_ box: some RegistryOwner) { _ = lazyBox.object(orCreate: WeakSupplier(box)) }

    /// The box's entry for itself.
    var entry: Registration {
        lazyEntry.object(
            orCreate: Registration(
                Registration.boxName, .supplier(weakBox), at: SourceLocation(file: #fileID, line: #line),
                number: 0, home: weakBox))
    }
}

extension Registry.State {
    /// Drops a registration that was removed; the caller keeps it until the lock is free.
    fileprivate mutating func drop(_ registration: Registration) {
        for layer in registration.layers { news.remove(layer) }
        byType?[ObjectIdentifier(registration.serviceType)]?[registration.number] = nil
    }

    /// Replaces a registration with another one of the same name.
    mutating func exchange(_ old: Registration?, for new: Registration?) {
        if let old {
            drop(old)
            registrations[old.name] = nil
        }
        if let new { _ = put(new) }
    }

    /// How many replaced registrations are kept under one name: repeated ones must not fill the memory.
    static let replacedLimit = 16

    /// Stores a registration in place of the one under its name.
    mutating func put(_ new: Registration) -> Registration? {
        byType?[ObjectIdentifier(new.serviceType), default: [:]][new.number] = new
        return registrations.updateValue(new, for: new.name)
    }
}

extension Array {
    /// Appends an element, and removes the first one if there are too many.
    ///
    /// - Returns: The removed element, for the caller to release when no lock is held.
    mutating func append(_ new: Element, keeping limit: Int) -> Element? {
        append(new)
        return count > limit ? removeFirst() : nil
    }
}

// MARK: - Changes

extension Registry {
    /// Inserts a registration, in place of an earlier one under its name; `make` runs under the lock.
    ///
    /// A temporary one is removed soon, so nothing that it replaces is dropped.
    ///
    /// - Returns: The new registration, the one that it replaced, and the one that is dropped since there are too many.
    func insert(
        _ name: String, isTemporary: Bool = false, _ make: (_ number: Int) -> Registration
    ) -> (new: Registration, replaced: Registration?, dropped: Registration?) {
        // Read outside the lock; if an ancestor gets the name meanwhile, that counts as a reordering anyway.
        let hidesAnother = parent?.nearest(name) != nil
        var (oldest, isAddition) = (Registration?.none, true)
        defer { drop(oldest) }
        defer { lookUps.forget(isAddition: isAddition) }
        return state.withLock { state in
            var new = make(state.lastNumber + 1)
            state.news.append(new)
            for decoration in state.decorations[name] ?? [] {
                new = decoration.wrap(new, number: new.number + 1, in: self)
                state.news.append(new)
            }
            state.lastNumber = new.number
            let replaced = state.put(new)
            if let replaced {
                state.drop(replaced)
                // What is replaced for a while comes back, however many do that at once.
                let limit = isTemporary ? Int.max : State.replacedLimit
                oldest = state.replaced[name, default: []].append(replaced, keeping: limit)
            }
            isAddition = replaced == nil && !hidesAnother
            if !isAddition { noteReordering() }
            counter.add(1, ordering: .acquiringAndReleasing)
            return (new, replaced, oldest)
        }
    }

    /// Drops a replaced registration, since there are too many; what has to be stopped is kept until then.
    func drop(_ oldest: Registration?) {
        guard let oldest, let owner = weakBox.owner else { return }
        refuse(oldest.layers.filter { $0.isFilled(by: self) && owner.mustStop($0) })
    }

    /// Keeps services that nobody is handed any more until they stop with the box.
    func refuse(_ due: [Registration]) { state.withLock { $0.refused += due } }

    /// Decorates the current and all future registrations under a name.
    ///
    /// - Returns: The registry's own decorated registration, if it has one; an inherited one is wrapped when
    ///   looked up.
    func decorate(_ name: String, with decoration: Decoration) -> Registration? {
        defer { lookUps.forget() }
        return state.withLock { state in
            state.decorations[name, default: []].append(decoration)
            hasDecorations.store(true, ordering: .releasing)
            noteChange()
            let base = state.registrations[name]
            if let known = state.inherited[name], decoration.fits(known.own) {
                state.inherited[name] = known.with {
                    decoration.wrap($0, number: $0.number, in: self)
                }
            }
            guard let base else { return nil }
            state.lastNumber += 1
            let new = decoration.wrap(base, number: state.lastNumber, in: self)
            // The decorated registration is still filled, but no longer handed out.
            _ = state.put(new)
            state.byType?[ObjectIdentifier(base.serviceType)]?[base.number] = nil
            state.news.append(new)
            return new
        }
    }

    /// The removed registrations, the latest last, the restored one, and whether the latest was handed out until then.
    typealias Removal = (removed: [Registration], restored: Registration?, wasShown: Bool)

    /// Removes everything under a name; nil if there is nothing.
    func remove(_ name: String) -> Removal? {
        defer { lookUps.forget() }
        return state.withLock { state in
            guard let removed = state.registrations.updateValue(nil, for: name) else { return nil }
            state.drop(removed)
            state.liveNames.remove(name)
            noteChange()
            let refused = state.refused.filter { $0.name == name && !$0.isInherited }
            state.refused.removeAll { $0.name == name && !$0.isInherited }
            return (refused + (state.replaced.removeValue(forKey: name) ?? []) + [removed], nil, true)
        }
    }

    /// Removes one registration, the newest if no number is given, and restores the one that it replaced.
    ///
    /// - Returns: The removed one, and the restored one if the newest was removed; nil if it doesn't exist.
    func remove(_ name: String, number: Int?) -> Removal? {
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
                return ([removed], nil, false)
            }
            let restored = state.replaced[name]?.popLast().map { state.decorated($0, in: self) }
            state.exchange(newest, for: restored)
            if restored == nil { state.liveNames.remove(name) }
            if state.replaced[name]?.isEmpty == true { state.replaced[name] = nil }
            noteChange()
            return ([newest], restored, true)
        }
    }

    /// The registrations that cross-fills haven't seen yet, in order.
    var news: [Registration] { state.withLock(\.news).all }

    /// Drops news up to a registration.
    func dropNews(upTo number: Int) {
        state.letGo { state in
            defer { state.news.removeAll(upTo: number) }
            return state.news
        }
    }

    /// Removes everything; a box that is sealed or has stopped stays so.
    ///
    /// - Returns: The old state, for the caller to release when no lock is held.
    func clear() -> State {
        defer { lookUps.forget() }
        return state.withLock { state in
            noteChange()
            if !state.taughtLines.isEmpty { noteTeaching() }
            let new = State(lastNumber: state.lastNumber, stop: state.stop, seal: state.seal)
            return exchange(&state, with: new)
        }
    }

    /// Adds lines to the table of a type, which replace those of the same names.
    ///
    /// - Returns: The old lines, for the caller to release when no lock is held.
    func teach(_ type: Any.Type, _ lines: [TableLine]) -> [TableLine] {
        state.withLock { state in
            let old = state.taughtLines[ObjectIdentifier(type)] ?? []
            state.taughtLines[ObjectIdentifier(type)] = old.replacing(with: lines)
            noteTeaching()
            return old
        }
    }

    /// Prefers a service for a type, in place of an earlier preference.
    func prefer(_ preference: Preference) {
        state.withLock { state in
            state.preferences[ObjectIdentifier(preference.type)] = preference
            counter.add(1, ordering: .acquiringAndReleasing)
        }
    }

    /// Takes over the registrations of another registry with the same parent; its box goes on filling them.
    ///
    /// - Returns: The other registry's generation.
    func adopt(_ other: Registry) -> Int {
        // Creates the own versions of what ancestors don't share, so that both registries have the same ones.
        _ = other.services
        var (theirs, generation) = other.consistently { other.state.withLock { $0 } }
        (theirs.news, theirs.refused) = (News(), [])
        (theirs.seal, theirs.stop, theirs.names) = (nil, nil, nil)
        modules.adopt(other.modules)
        ownTeachings.store(other.ownTeachingCount, ordering: .releasing)
        hasDecorations.store(!theirs.decorations.isEmpty, ordering: .releasing)
        state.letGo { [theirs] in exchange(&$0, with: theirs) }
        return generation
    }
}

// MARK: - Errors that outlive the box

/// Reads a registry on demand, and for the last time before its box is deinitialised.
protocol RegistryReader: AnyObject, Sendable {
    func readLast(of registry: Registry)
}

extension Registry {
    private static let mostReaders = 256

    /// Registers a reader to call before the box stops or is deinitialised; drops the oldest if there are many.
    func add(_ reader: any RegistryReader) {
        _ = readers.withLock { $0.append(WeakReference(reader), keeping: Self.mostReaders) }
    }

    /// Calls the readers, before the box stops or is deinitialised.
    func letReadersFinish() {
        for reader in readers.withLock({ $0 }) { (reader.object as? any RegistryReader)?.readLast(of: self) }
    }
}
