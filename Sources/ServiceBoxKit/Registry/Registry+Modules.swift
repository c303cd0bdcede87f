// Part of ServiceBox, released under the MIT License.
// The modules of a registry, and undoing their registrations.

extension Registry {
    /// The module that registers in it on this thread, if any.
    var currentModule: String? { modules.current(in: ObjectIdentifier(self)) }

    /// The changes of a module.
    final class Changes: ModuleChanges {
        /// The registry's generation before the first change.
        let generation: Int
        private(set) var names: Set<String> = []
        /// The types that were taught, or given a preference.
        private(set) var types: Set<ObjectIdentifier> = []
        /// Whether the box was sealed.
        private(set) var isSealed = false
        /// What there was under the names, for the types and about the seal before the first change: a copy of
        /// all would have the registry copy its tables for each module.
        private(set) var before = State()
        /// The numbers of the added registrations, and of those that were removed or replaced too often.
        var numbers: Set<Int> = []
        var removed: Set<Int> = []
        var decorations: Set<ObjectIdentifier> = []
        /// Whether the box was cleared.
        var isCleared = false
        /// The known replacements under the names.
        var replacements: [String: [ServiceReplacement]] = [:]

        init(at generation: Int) { self.generation = generation }

        /// Notes what there is before a change, unless it has changed already.
        ///
        /// - Returns: What was noted so far if the box has stopped since, for the caller to release when it holds
        ///   no lock.
        @discardableResult
        func note(
            _ changed: some Sequence<String>, _ changedTypes: some Sequence<ObjectIdentifier>,
            seal: Bool, in state: State
        ) -> State? {
            let old = state.isStopped && !before.isStopped ? before : nil
            before.stop(as: state)
            for name in changed where names.insert(name).inserted { before.take(name, from: state) }
            for type in changedTypes where types.insert(type).inserted { before.take(type, from: state) }
            if seal, !isSealed { (isSealed, before.seal) = (true, state.seal) }
            return old
        }

        func add(_ other: any ModuleChanges) {
            guard let other = other as? Self else { return }
            note(other.names, other.types, seal: other.isSealed, in: other.before)
            numbers.formUnion(other.numbers)
            removed.formUnion(other.removed)
            decorations.formUnion(other.decorations)
            isCleared = isCleared || other.isCleared
            replacements.merge(other.replacements) { known, _ in known }
        }
    }

    /// The changes of the module that registers in it on this thread, if any; mostly one load.
    @inline(__always)
    var changes: Changes? {
        modules.changes(in: ObjectIdentifier(self)) { Changes(at: generation) } as? Changes
    }

    /// Notes what a change is about to change, if a module registers on this thread.
    ///
    /// - Returns: The changes of the module, if there is one.
    @inline(__always)
    @discardableResult
    func willChange(
        _ names: @autoclosure () -> [String], types: [any Any.Type] = [], seal: Bool = false
    ) -> Changes? {
        guard let changes else { return nil }
        let (names, types) = (names(), types.map(ObjectIdentifier.init))
        _ = state.withLock { changes.note(names, types, seal: seal, in: $0) }
        return changes
    }

    typealias Change = (gone: Registration?, back: Registration?)

    /// Restores the registrations under the names and for the types that a module has touched, without
    /// undoing what others have registered, removed or decorated meanwhile.
    ///
    /// - Returns: The removed and the restored registration under each name, the same of the box's versions of
    ///   inherited services, and the old state, for the caller to release when it holds no lock.
    func restore(
        _ touched: Changes
    ) -> (changes: [Change], versions: [Change], old: State) {
        defer { lookUps.forget() }
        return state.withLock { state in
            let old = state
            var before = touched.before
            before.stop(as: state)
            var (changes, versions): ([Change], [Change]) = ([], [])
            for name in touched.names {
                var stack = state.kept(of: before, under: name, removed: touched.removed)
                stack += state.added(to: before, under: name, not: touched.numbers)
                let isRedecorated = state.restoreDecorations(of: name, from: before, not: touched.decorations)
                let back = stack.popLast().map { state.decorated($0, in: self) }
                let change = (gone: state.registrations[name], back: back)
                if change.gone !== change.back {
                    state.exchange(change.gone, for: change.back)
                    changes.append(change)
                }
                state.replaced[name] = stack.isEmpty ? nil : stack
                state.refuse(before.refused, under: name, not: stack + [back].compactMap(\.self))
                guard isRedecorated || touched.isCleared else { continue }
                let gone = state.inherited[name]?.own
                let own = before.inherited[name] ?? state.inherited[name]?.without(touched.decorations)
                state.inherited[name] = own?.with { state.decorated($0, in: self) }
                state.outdated[name] = before.outdated[name]
                versions.append((gone, state.inherited[name]?.own))
                versions += (before.outdated[name] ?? []).map { (nil, $0.own) }
            }
            // Only live names that the module has touched were noted.
            state.liveNames = state.liveNames.subtracting(touched.names).union(before.liveNames)
            for type in touched.types { state.take(type, from: before) }
            if touched.isSealed { state.seal = before.seal }
            noteChange()
            if !touched.types.isEmpty { noteTeaching() }
            return (changes, versions, old)
        }
    }
}

extension Registry.Inherited {
    /// The same with the own version as it is without some decorations and those around them.
    fileprivate func without(_ decorations: Set<ObjectIdentifier>) -> Self {
        with { own in
            func isFree(_ layer: Registration) -> Bool {
                layer.decoration.map { !decorations.contains(ObjectIdentifier($0)) } ?? true
            }
            return own.layers.first { $0.layers.allSatisfy(isFree) } ?? own
        }
    }
}

extension Registry.State {
    /// Takes over what another state has under a name.
    mutating func take(_ name: String, from other: Self) {
        registrations[name] = other.registrations[name]
        replaced[name] = other.replaced[name]
        decorations[name] = other.decorations[name]
        inherited[name] = other.inherited[name]
        outdated[name] = other.outdated[name]
        refused = refused.filter { $0.name != name } + other.refused.filter { $0.name == name }
        if other.liveNames.contains(name) { liveNames.insert(name) }
    }

    /// Takes over what another state has for a type.
    mutating func take(_ type: ObjectIdentifier, from other: Self) {
        taughtLines[type] = other.taughtLines[type]
        preferences[type] = other.preferences[type]
    }

    /// The replaced registrations under a name, then the current one.
    fileprivate func stack(of name: String) -> [Registration] {
        (replaced[name] ?? []) + [registrations[name]].compactMap(\.self)
    }

    /// The registrations under a name in an earlier state that still exist, or were removed by a module.
    fileprivate func kept(of before: Self, under name: String, removed: Set<Int>) -> [Registration] {
        // Replacements beyond the limit drop the oldest.
        if replaced[name, default: []].count >= Self.replacedLimit { return before.stack(of: name) }
        let there = Set(stack(of: name).flatMap(\.layers).map(\.number))
        return before.stack(of: name).filter { registration in
            registration.layers.contains { there.contains($0.number) || removed.contains($0.number) }
        }
    }

    /// Refuses again what was refused under a name, except what is back.
    fileprivate mutating func refuse(_ old: [Registration], under name: String, not back: [Registration]) {
        let known = Set((refused + back.flatMap(\.layers)).map(ObjectIdentifier.init))
        let layers = Set(back.flatMap(\.layers).map(ObjectIdentifier.init))
        refused.removeAll { layers.contains(ObjectIdentifier($0)) }
        refused += old.filter { $0.name == name && !known.contains(ObjectIdentifier($0)) }
    }

    /// Restores the decorations of a name, and keeps those that others than the module have added.
    ///
    /// - Returns: Whether the decorations had changed.
    fileprivate mutating func restoreDecorations(
        of name: String, from before: Self, not own: Set<ObjectIdentifier>
    ) -> Bool {
        let (now, known) = (decorations[name] ?? [], before.decorations[name] ?? [])
        let others = now.filter { new in
            !own.contains(ObjectIdentifier(new)) && !known.contains { $0 === new }
        }
        decorations[name] = known.isEmpty && others.isEmpty ? nil : known + others
        return !now.elementsEqual(known, by: ===)
    }

    /// The registrations added under a name since an earlier state, the latest last, except those of some
    /// numbers; without decorations added since.
    fileprivate func added(to before: Self, under name: String, not numbers: Set<Int>) -> [Registration] {
        let known = (before.decorations[name] ?? []).map(ObjectIdentifier.init)
        let old = Set(before.stack(of: name).flatMap(\.layers).map(\.number))
        return stack(of: name).compactMap { registration in
            registration.layers.first { $0.decoration.map { known.contains(ObjectIdentifier($0)) } ?? true }
        }.filter { registration in
            registration.layers.allSatisfy { !old.contains($0.number) && !numbers.contains($0.number) }
        }
    }
}
