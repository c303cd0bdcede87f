// Part of ServiceBox, released under the MIT License.
// The modules of a registry, the threads that they register on, and their changes.

import Synchronization

/// The changes that a module makes, as its registry notes them.
protocol ModuleChanges: AnyObject {
    /// Adds the changes of a module that this one has added.
    func add(_ other: any ModuleChanges)
}

/// The modules of a registry: those that were added, and those that are registering.
///
/// Thread-safe.
struct RunningModules: ~Copyable, Sendable {
    /// A module that is registering on one thread.
    private struct Running {
        let step: ServicePath.Step
        let name: String
        let registry: ObjectIdentifier
        /// Nil until it changes something.
        var changes: (any ModuleChanges)?
        /// The modules that it has added, and earlier ones that were forgotten as it cleared the box.
        var added: Set<ObjectIdentifier> = []
        var forgotten: Set<ObjectIdentifier> = []

        /// Adds what a module has done that this one has added.
        mutating func add(_ other: Running) {
            forgotten.formUnion(other.forgotten.subtracting(added))
            added.formUnion(other.added.union([other.step.provider]))
            guard let theirs = other.changes else { return }
            if let changes { changes.add(theirs) } else { changes = theirs }
        }
    }

    // Not private: that breaks the module that the compiler makes of the registry (6.3.1).
    struct State {
        var added: Set<ObjectIdentifier> = []
        var running: [ObjectIdentifier: RunningWork] = [:]
    }

    private static let ofThread = ThreadLocal<[Running]> { [] }

    private let state = Guarded(State())
    /// Counts the modules that are registering; registrations stop here while it is zero.
    private let count = Atomic(0)
    private let isBeingSetUp = Atomic(false)

    /// Whether the registry is that of a test's scope that is being set up, in which modules override those of the base.
    var areOverrides: Bool {
        get { isBeingSetUp.load(ordering: .relaxed) }
        nonmutating set { isBeingSetUp.store(newValue, ordering: .relaxed) }
    }

    /// Whether a module was added; waits for another thread that adds it.
    func has(_ type: Any.Type) -> Bool {
        let id = ObjectIdentifier(type)
        if let other = state.withLock({ $0.running[id] }) {
            _ = WaitGraph.wait(for: other, until: .ended, .limited)
        }
        return state.withLock { $0.added.contains(id) }
    }

    /// The modules from one that registers on this thread to the innermost; empty if it doesn't.
    func path(from type: Any.Type, in registry: ObjectIdentifier) -> [ServicePath.Step] {
        Array(steps(in: registry).drop { $0.provider != ObjectIdentifier(type) })
    }

    /// The modules that register in a registry on this thread.
    private func steps(in registry: ObjectIdentifier) -> [ServicePath.Step] {
        Self.ofThread.here.value.filter { $0.registry == registry }.map(\.step)
    }

    /// The module that registers in a registry on this thread, if any; it may have added others to other registries.
    func current(in registry: ObjectIdentifier) -> String? {
        place(of: registry).map { Self.ofThread.here.value[$0].name }
    }

    /// The changes of the module that registers in a registry on this thread, if any.
    @inline(__always)
    func changes(
        in registry: ObjectIdentifier, orCreate make: () -> any ModuleChanges
    ) -> (any ModuleChanges)? {
        guard let place = place(of: registry) else { return nil }
        let changes = Self.ofThread.here.value[place].changes ?? make()
        Self.ofThread.here.value[place].changes = changes
        return changes
    }

    private func place(of registry: ObjectIdentifier) -> Int? {
        count.load(ordering: .relaxed) == 0
            ? nil : Self.ofThread.here.value.lastIndex { $0.registry == registry }
    }

    /// Copies the set of added modules from another registry.
    func adopt(_ other: borrowing Self) {
        let added = other.state.withLock { $0.added }
        state.withLock { $0.added = added }
    }

    /// Forgets which modules were added, unless the module that registers on this thread throws.
    func forget(in registry: ObjectIdentifier) {
        let forgotten = state.withLock { exchange(&$0.added, with: []) }
        guard let place = place(of: registry) else { return }
        let own = Self.ofThread.here.value[place].added
        Self.ofThread.here.value[place].forgotten.formUnion(forgotten.subtracting(own))
    }
}

extension RunningModules {
    /// Runs a module's registration once; other threads that add it meanwhile wait.
    ///
    /// If it throws, `takeBack` undoes its changes and those of the modules that it added.
    ///
    /// - Throws: The module's error; ``ServiceBoxError/Code/cycle`` if another thread adds it and waits for
    ///   this one.
    func run(
        _ type: Any.Type, in registry: ObjectIdentifier, _ body: () throws -> Void,
        takeBack: (any ModuleChanges) -> Void
    ) throws {
        let id = ObjectIdentifier(type)
        let step = ServicePath.Step(provider: id, type: type)
        let work = RunningWork(step)
        while true {
            let running = state.withLock { state in
                state.added.contains(id) ? nil : state.running.value(for: id, orInsert: work)
            }
            guard let running else { return }
            if running !== work {
                // A module that registers on this thread already, or waits for this one.
                guard case .reached = WaitGraph.wait(for: running, until: .ended, .limited) else {
                    let waiting = steps(in: registry).suffix(1)
                    let names = (waiting + [step] + waiting).names
                    throw ServiceBoxError(.cycle, about: names) { Message.moduleCycle(names) }
                }
                continue
            }
            let stack = Self.ofThread.here
            stack.value.append(Running(step: step, name: TypeName.of(type), registry: registry))
            count.add(1, ordering: .relaxed)
            let result = Result(catching: body)
            count.subtract(1, ordering: .relaxed)
            let done = stack.value.removeLast()
            switch result {
            case .success:
                state.withLock { state in
                    state.running[id] = nil
                    state.added.insert(id)
                }
                // It belongs to the module that added it, if any.
                if let place = place(of: registry) { stack.value[place].add(done) }
            case .failure:
                if let changes = done.changes { takeBack(changes) }
                state.withLock { state in
                    state.running[id] = nil
                    state.added = state.added.subtracting(done.added).union(done.forgotten)
                }
            }
            work.advance(to: .ended)
            return try result.get()
        }
    }
}
