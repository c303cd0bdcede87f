// Part of ServiceBox, released under the MIT License.
// A service on its way from its factory to those who may see it.

/// The order in which the slots of services are filled that become visible together.
///
/// Some of them others have already: what is ready-made, and what a factory hands on. So nothing gets there that lacks
/// something itself, unless ready-made services require each other in a circle.
enum SlotPass: CaseIterable {
    /// What new services require; those that others have have it. Also done early, for a factory that gets a service
    /// although it can't be complete yet.
    case requiredOfNew
    /// What ready-made services require.
    case requiredOfReadyMade
    case optional
}

/// A service that was filled, and what is left to do until others have it.
protocol Filling: AnyObject, Sendable {
    /// Takes services back that the service was filled with before they were complete, and that have failed since.
    ///
    /// - Throws: What the service lacks without them.
    func withdraw(_ failed: [Construction]) throws(ServiceBoxError)
    /// Has the service give back what it holds, since it has failed.
    func release()
    /// What gives it what was not complete.
    ///
    /// Done when all that becomes visible together is complete, and before any of it is visible: slots first, perhaps more
    /// than once, and then the table.
    var writes: [PostponedWrite] { get }
    /// Whether what a write gives it hasn't failed.
    func wants(_ write: PostponedWrite) -> Bool
    /// Done when the service has become visible.
    func announce()
}

extension Filling {
    func withdraw(_ failed: [Construction]) throws(ServiceBoxError) {}
    func release() {}
    var writes: [PostponedWrite] { [] }
    func wants(_ write: PostponedWrite) -> Bool { true }
}

/// The way of one service: created by its factory, then filled, then shown together with what it needs.
@usableFromInline
final class Construction: RunningWork, @unchecked Sendable {
    private struct State {
        /// The service, perhaps not filled, whatever the lifetime.
        var service: AnyCell?
        /// The services that its factory has got before they were complete.
        var ingredients: [Construction] = []
        /// The services that it was filled with before they were complete.
        var needs: [Construction] = []
        var error: ServiceBoxError?
        /// The thread on which it has failed, if it has.
        var failedOn: UInt?
        var filling: (any Filling)?
        /// Fills the service.
        var fill: SecondPhase?
        /// Hands the service, or why there is none, to its source.
        var handOver: (@Sendable (Construction) -> Void)?

        /// The filling of a service that hasn't failed.
        var wholeFilling: (any Filling)? { error == nil ? filling : nil }

        mutating func fail(_ error: ServiceBoxError) { (self.error, failedOn) = (error, CurrentThread.id) }
    }

    /// A function by itself takes memory each time that it goes through generic code; this doesn't.
    private struct SecondPhase: Sendable {
        let run: @Sendable () throws(ServiceBoxError) -> (any Filling)?
    }

    private let state = Guarded(State())

    var service: AnyCell? { state.withLock { $0.service } }

    var error: ServiceBoxError? { state.withLock { $0.error } }

    private var hasFailed: Bool { state.withLock { $0.error != nil } }

    /// The service, and what went wrong.
    var result: (service: AnyCell?, error: ServiceBoxError?) { state.withLock { ($0.service, $0.error) } }

    /// The services that it was created or filled with before they were complete.
    var needs: [Construction] {
        state.withLock { $0.ingredients.isEmpty ? $0.needs : $0.ingredients + $0.needs }
    }
}

// MARK: - Creating

extension Construction {
    /// Sets who takes in what comes out.
    func handOver(to source: @escaping @Sendable (Construction) -> Void) {
        state.withLock { $0.handOver = source }
    }

    /// Notes that the service exists.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - ingredients: What the factory has got that is not complete.
    ///   - fill: Fills the service.
    func create(
        _ service: AnyCell?, with ingredients: [Construction],
        fill: @escaping @Sendable () throws(ServiceBoxError) -> (any Filling)?
    ) {
        state.withLock { state in
            (state.service, state.ingredients) = (service, ingredients)
            state.fill = SecondPhase(run: fill)
        }
        advance(to: .created)
    }

    /// Ends the construction of a service that has nothing to fill, and of which nothing else has to be complete.
    ///
    /// By far most services need no walk. Those that have something to fill do: a factory that runs on the way may look up
    /// the service that this one is taken for, which is filled only then.
    func end(with service: AnyCell) {
        state.withLock { $0.service = service }
        _ = show()
    }

    /// What completes constructions with whatever is constructed around, which can do without them.
    ///
    /// - Parameter constructions: At least one.
    /// - Returns: Their completion, for those around.
    static func dispensable(_ constructions: [Construction]) -> Construction {
        let rest = Construction(constructions[0].step)
        rest.create(nil, with: []) {
            ConstructionStack.current.pointee.taken += constructions
            return nil
        }
        return rest
    }

    /// Ends a construction whose service could not be created.
    func fail(_ error: ServiceBoxError) {
        state.withLock { $0.fail(error) }
        _ = show()
    }
}

// MARK: - Filling and showing

extension Construction {
    /// Takes up filling the service, if nobody else has.
    ///
    /// - Returns: Whether it is this thread's to do now.
    func takeUp() -> Bool { tryTakeOver(from: .created, to: .filling) }

    /// Fills the service, as the innermost construction of this thread.
    func fill(on stack: UnsafeMutablePointer<ConstructionStack>) {
        let taken = stack.pointee.taken.count
        let frame = stack.pointee.enter(step, .filling)
        let fill = state.withLock { $0.fill.take() }
        var filling: (any Filling)?
        var failure: ServiceBoxError?
        do throws(ServiceBoxError) { filling = try fill?.run() } catch { failure = error }
        stack.pointee.leave(to: frame)
        let new = stack.pointee.takeBack(downTo: taken)
        state.withLock { state in
            state.needs += new
            state.filling = filling
            if let failure { state.fail(failure) }
        }
        advance(to: .filled)
    }

    /// Fails if something that it can't do without has failed, and takes back what else has.
    ///
    /// What its factory has got is somewhere in the service; what it was filled with can be taken out again.
    ///
    /// - Returns: Whether it has failed, by this or before.
    func failsWithNeeds() -> Bool {
        let (ingredients, needs, filling, hasFailed) = state.withLock {
            ($0.ingredients, $0.needs, $0.filling, $0.error != nil)
        }
        if hasFailed { return true }
        let failed = needs.filter(\.hasFailed)
        if failed.isEmpty, ingredients.isEmpty { return false }
        for need in ingredients + failed { need.noteFailureElsewhere() }
        do throws(ServiceBoxError) {
            if let cause = ingredients.lazy.compactMap(\.error).first { throw .escaping(cause, from: step) }
            if failed.isEmpty { return false }
            try filling?.withdraw(failed)
            state.withLock { state in state.needs.removeAll { need in failed.contains { $0 === need } } }
            return false
        } catch {
            state.withLock { $0.fail(error) }
            return true
        }
    }

    /// Whether the service gets something only when all are complete.
    var hasWrites: Bool { !(state.withLock(\.wholeFilling)?.writes.isEmpty ?? true) }

    /// Gives the service what wasn't complete when it was filled, unless it has failed.
    ///
    /// - Parameter pass: Which of them; nil for what its table gets.
    func write(in pass: SlotPass?) {
        guard let filling = state.withLock(\.wholeFilling) else { return }
        for write in filling.writes where write.pass == pass && filling.wants(write) { write.write() }
    }

    /// Does what is left to do before the service becomes visible, unless it has failed.
    ///
    /// - Returns: Whether it is done; not where another thread does it, or has to, or this one further out.
    func settle() -> Bool {
        let writes = state.withLock(\.wholeFilling)?.writes ?? []
        if writes.allSatisfy({ $0.pass != nil }) || stage >= .settled { return true }
        guard writes.allSatisfy({ $0.isUsable() }), tryTakeOver(from: .filled, to: .settling) else {
            return false
        }
        ConstructionStack.crossFilling { write(in: nil) }
        advance(to: .settled)
        return true
    }

    /// Shows the service to everyone, or why there is none, once.
    ///
    /// - Returns: What is left to do; nil if there is nothing.
    func show() -> (any Filling)? {
        let stage = stage
        // Whoever settles it shows it.
        guard stage < .showing, stage != .settling, tryAdvance(from: stage, to: .showing) else { return nil }
        // What it needed goes when the lock is free; a chain of constructions must not go link by link.
        let old = state.withLock { state in
            let rest = State(service: state.service, error: state.error, failedOn: state.failedOn)
            return exchange(&state, with: rest)
        }
        if old.error != nil { old.filling?.release() }
        old.handOver?(self)
        advance(to: .ended)
        return old.wholeFilling
    }
}

// MARK: - Taking

extension Construction {
    /// Takes the service when it is filled, with all that it needs but what is being filled further out on
    /// this thread, or on one that waits for it.
    ///
    /// - Parameter asker: Who asks for it.
    /// - Returns: The service, or nil to ask again. What fills a service gets an unfilled one where waiting could
    ///   never end.
    /// - Throws: The factory's error, what the service lacks, or ``ServiceBoxError/Code/cycle``.
    func take(for asker: Asker) throws(ServiceBoxError) -> AnyCell? {
        let stack = ConstructionStack.current
        if asker == .early {
            try waitUntilCreated()
            if stage != .ended { stack.pointee.taken.append(self) }
            return try outcome()
        }
        if thread != CurrentThread.id { _ = WaitGraph.wait(for: self, until: .ended, .little) }
        try waitUntilCreated()
        let mustBeComplete = asker == .code && stack.pointee.frame == .filling
        switch Completion.run(self, on: stack, asker == .filling ? .limited : .endless) {
        case .reached:
            // Another thread may be about to show it.
            _ = WaitGraph.wait(for: self, until: .ended, .limited)
        case .gaveUp:
            stack.pointee.taken.append(mustBeComplete ? .dispensable([self]) : self)
            if mustBeComplete {
                throw error ?? ServiceBoxError(.cycle, path: stack.pointee.circle(to: step))
            }
        case .cycle(let path): throw ServiceBoxError(.cycle, path: path)
        }
        return try outcome()
    }

    private func waitUntilCreated() throws(ServiceBoxError) {
        if case .cycle(let path) = WaitGraph.wait(for: self, until: .created, .endless) {
            throw ServiceBoxError(.cycle, path: path)
        }
    }

    private func outcome() throws(ServiceBoxError) -> AnyCell? {
        let (service, error) = result
        guard let error else { return service }
        noteFailureElsewhere()
        throw error
    }

    /// Has whoever can wait ask again if another thread has failed, which alone knows what stood in its way.
    fileprivate func noteFailureElsewhere() {
        if let thread = state.withLock({ $0.failedOn }), thread != CurrentThread.id {
            ConstructionStack.current.pointee.note(.lack(ObjectIdentifier(self)) { await Task.yield() })
        }
    }
}
