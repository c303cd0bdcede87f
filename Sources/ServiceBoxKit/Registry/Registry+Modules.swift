// Part of ServiceBox, released under the MIT License.
// What a registry knows of the modules that register in it, and taking back what they have registered.

extension Registry {
    /// The module that registers in it on this thread, if one does.
    var currentModule: String? { modules.current(in: ObjectIdentifier(self)) }

    /// Notes what is touched, if a module registers on this thread.
    @inline(__always)
    func touch(_ touched: @autoclosure () -> RunningModules.Touched) {
        if modules.areRunning, currentModule != nil { modules.touch(touched()) }
    }

    /// Puts back what was there under the names and for the types that a module has touched, but for what others have
    /// registered, removed and decorated meanwhile.
    ///
    /// - Parameters:
    ///   - touched: What the module has touched.
    ///   - before: What was there before.
    /// - Returns: What is gone and what is back under each name, and all that was there, for the caller to let go of when
    ///   it holds no lock.
    func restore(
        _ touched: RunningModules.Touched, to before: State
    ) -> (changes: [(gone: Registration?, back: Registration?)], old: State) {
        defer { lookUps.forget() }
        return state.withLock { state in
            let old = state
            var before = before
            if state.isStopped, !before.isStopped { before.stop(name) }
            var changes: [(gone: Registration?, back: Registration?)] = []
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
                guard isRedecorated else { continue }
                state.inherited[name] = before.inherited[name]?.with { state.decorated($0, in: self) }
                state.outdated[name] = before.outdated[name]
            }
            state.liveNames.subtract(touched.names)
            state.liveNames.formUnion(before.liveNames.intersection(touched.names))
            for type in touched.types {
                state.taughtLines[type] = before.taughtLines[type]
                state.preferences[type] = before.preferences[type]
            }
            if touched.isSealed { state.seal = before.seal }
            noteReordering()
            noteTeaching()
            return (changes, old)
        }
    }
}

extension Registry.State {
    /// What was registered under a name and comes back, and what is, the latest last.
    fileprivate func stack(of name: String) -> [Registration] {
        (replaced[name] ?? []) + [registrations[name]].compactMap(\.self)
    }

    /// What there was under a name in another state and is still, or was removed by a module.
    fileprivate func kept(of before: Self, under name: String, removed: Set<Int>) -> [Registration] {
        // What was replaced too often goes by itself.
        if replaced[name]?.count == Self.replacedLimit { return before.stack(of: name) }
        let there = removed.union(stack(of: name).flatMap(\.layers).map(\.number))
        return before.stack(of: name).filter { $0.layers.contains { there.contains($0.number) } }
    }

    /// Puts the decorations of a name back, but for what others than a module have given.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - before: What there was before.
    ///   - own: What the module has given.
    /// - Returns: Whether there were others meanwhile than there are now, or before.
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

    /// What has come under a name since another state, without what it has been decorated with since.
    ///
    /// - Parameters:
    ///   - before: The other state.
    ///   - name: The name.
    ///   - numbers: What doesn't count.
    /// - Returns: The registrations, the latest last.
    fileprivate func added(to before: Self, under name: String, not numbers: Set<Int>) -> [Registration] {
        let known = (before.decorations[name] ?? []).map(ObjectIdentifier.init)
        let excluded = numbers.union(before.stack(of: name).flatMap(\.layers).map(\.number))
        return stack(of: name).compactMap { registration in
            registration.layers.first { $0.decoration.map { known.contains(ObjectIdentifier($0)) } ?? true }
        }.filter { $0.layers.allSatisfy { !excluded.contains($0.number) } }
    }
}
