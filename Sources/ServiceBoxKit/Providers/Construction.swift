// Part of ServiceBox, released under the MIT License.
// A service from its factory until it is published.

/// The order in which slots are filled when several services are published together.
///
/// Others already hold some of these services: ready-made ones, and those that a factory passed on. So no
/// service reaches them that lacks something itself, unless ready-made services require each other in a
/// circle.
enum SlotPass: CaseIterable {
    /// Required properties of new services. Also filled early for a factory that gets a service before it can
    /// be complete.
    case requiredOfNew
    /// Required properties of ready-made services.
    case requiredOfReadyMade
    case optional
}

/// What is left to do for a filled service until others can see it.
protocol Filling: AnyObject, Sendable {
    /// Removes services that it was filled with while they were incomplete, and that have failed since.
    ///
    /// - Throws: What the service lacks without them.
    func withdraw(_ failed: [Construction]) throws(ServiceBoxError)
    /// Empties the service's slots, since it has failed.
    func release()
    /// The writes that were postponed because the services weren't complete.
    ///
    /// Done when everything that is published together is complete, and before any of it is visible: slots
    /// first, perhaps more than once, then the table.
    var writes: [PostponedWrite] { get }
    /// Notes what the service needs, before it is visible: it may be started at once.
    func noteNeeds()
    /// Whether the service that a write assigns hasn't failed.
    func wants(_ write: PostponedWrite) -> Bool
    /// Called when the service has been published.
    func announce()
    /// Called when all that was published with it has been announced, and nothing is constructed around it.
    func offerRest()
}

extension Filling {
    func withdraw(_ failed: [Construction]) throws(ServiceBoxError) {}
    func release() {}
    func noteNeeds() {}
    var writes: [PostponedWrite] { [] }
    func wants(_ write: PostponedWrite) -> Bool { true }
    func offerRest() {}
}

extension Collection<any Filling> {
    /// Announces services that were published together.
    func announce() {
        if isEmpty { return }
        ConstructionStack.crossFilling {
            for filling in self { filling.announce() }
            guard ConstructionStack.here.value.steps.isEmpty else { return }
            for filling in self { filling.offerRest() }
        }
    }
}

/// One service: created by its factory, then filled, then published together with what it needs.
@usableFromInline
final class Construction: RunningWork, @unchecked Sendable {
    private struct State {
        /// The service, perhaps unfilled; held strongly whatever the lifetime.
        var service: AnyCell?
        /// The services that its factory got while they were incomplete.
        var ingredients: [Construction] = []
        /// The services that it was filled with while they were incomplete.
        var needs: [Construction] = []
        var error: ServiceBoxError?
        /// The attempt that it failed in, if it did.
        var failedIn: UInt?
        /// Whether it failed for something that was being constructed around it.
        var isEncircled = false
        var filling: (any Filling)?
        /// Fills the service.
        var fill: SecondPhase?
        /// Passes the service, or the error, to its source.
        var handOver: (@Sendable (Construction) -> Void)?

        /// Given when it has ended.
        var ends: [Answer<Void>] = []

        /// The filling, unless the service has failed.
        var wholeFilling: (any Filling)? { error == nil ? filling : nil }

        mutating func fail(
            _ error: ServiceBoxError, in attempt: UInt = ConstructionStack.here.value.attempt
        ) {
            (self.error, failedIn) = (error, attempt)
            if ConstructionStack.here.value.isInside(error) { isEncircled = true }
        }
    }

    /// A stored closure would be reabstracted, with an allocation, each time it passes through generic code.
    private struct SecondPhase: Sendable {
        let run: @Sendable () throws(ServiceBoxError) -> (any Filling)?
        /// How many constructions enclosed that of the service; nil if only one walk fills it.
        let depth: Int?
        /// What it has failed with, for something that was just being constructed.
        var obstacle: ServiceBoxError?
    }

    private let state = Guarded(State())

    var service: AnyCell? { state.withLock { $0.service } }

    var error: ServiceBoxError? { state.withLock { $0.error } }

    /// Whether it failed for something that was being constructed around it, which another attempt may do without.
    var isEncircled: Bool { state.withLock { $0.isEncircled } }

    /// The service, and its error.
    var result: (service: AnyCell?, error: ServiceBoxError?) { state.withLock { ($0.service, $0.error) } }

    /// The services that it was created or filled with while they were incomplete.
    var needs: [Construction] {
        state.withLock { $0.ingredients.isEmpty ? $0.needs : $0.ingredients + $0.needs }
    }
}

// MARK: - Creating

extension Construction {
    /// Sets the closure that receives the result.
    func handOver(to source: @escaping @Sendable (Construction) -> Void) {
        state.withLock { $0.handOver = source }
    }

    /// Notes that the service exists, with the incomplete services that the factory got.
    func create(
        _ service: AnyCell?, with ingredients: [Construction], inside depth: Int? = nil,
        fill: @escaping @Sendable () throws(ServiceBoxError) -> (any Filling)?
    ) {
        state.withLock { state in
            (state.service, state.ingredients) = (service, ingredients)
            state.fill = SecondPhase(run: fill, depth: depth)
        }
        advance(to: .created)
    }

    /// Ends the construction of a service that has nothing to fill and needs nothing incomplete.
    ///
    /// Most services need no walk. Those with something to fill do: a factory that runs during the walk may
    /// look up the service that this one is taken for, which is filled only then.
    func end(with service: AnyCell) {
        state.withLock { $0.service = service }
        _ = show()
    }

    /// A construction that stands for others, at least one, which the enclosing construction completes and
    /// doesn't depend on.
    static func dispensable(_ constructions: [Construction]) -> Construction {
        let rest = Construction(constructions[0].step)
        rest.create(nil, with: []) {
            ConstructionStack.here.value.taken += constructions
            return nil
        }
        return rest
    }

    /// Ends a construction whose service couldn't be created.
    func fail(_ error: ServiceBoxError) {
        state.withLock { $0.fail(error) }
        _ = show()
    }
}

// MARK: - Filling and showing

extension Construction {
    /// Claims the filling of the service, unless another thread has.
    ///
    /// - Returns: Whether this thread has to fill it now.
    func takeUp() -> Bool { tryTakeOver(from: .created, to: .filling) }

    /// Fills the service, as the innermost construction of this thread.
    ///
    /// - Parameters:
    ///   - stack: The constructions of this thread.
    ///   - depth: How many constructions enclose the walk.
    /// - Returns: Whether it is filled, or has failed; false if it was created before the walk began, and needs what
    ///   is being constructed around that: the enclosing walk comes here again.
    @discardableResult
    func fill(on stack: ConstructionStack.Place, inside depth: Int = 0) -> Bool {
        let fill = state.withLock { $0.fill.take() }
        let isRetried = fill?.depth.map { $0 < depth } ?? false
        if isRetried, let fill, let obstacle = fill.obstacle, stack.value.isInside(obstacle) {
            return putOff(fill)
        }
        let taken = stack.value.taken.count
        let frame = stack.value.enter(step, .filling)
        var filling: (any Filling)?
        var failure: ServiceBoxError?
        do throws(ServiceBoxError) { filling = try fill?.run() } catch { failure = error }
        stack.value.leave(to: frame)
        let new = stack.value.taken.take(downTo: taken)
        if isRetried, let fill, let failure, stack.value.isInside(failure) {
            stack.value.takeDispensable(new)
            return putOff(changing(fill) { $0.obstacle = failure })
        }
        state.withLock { state in
            state.needs += new
            state.filling = filling
            if let failure { state.fail(failure) }
        }
        advance(to: .filled)
        return true
    }

    private func putOff(_ fill: SecondPhase) -> Bool {
        state.withLock { $0.fill = fill }
        advance(to: .created)
        return false
    }

    /// Fails if a service that it can't do without has failed, and takes back the other failed ones.
    ///
    /// Services that its factory got are inside it; those that it was filled with can be taken out.
    ///
    /// - Returns: Whether it has failed, now or before.
    func failsWithNeeds() -> Bool {
        let (ingredients, needs, filling, hasFailed) = state.withLock {
            ($0.ingredients, $0.needs, $0.filling, $0.error != nil)
        }
        if hasFailed { return true }
        let failed = needs.filter { $0.error != nil }
        do throws(ServiceBoxError) {
            if let cause = ingredients.compactMap(\.error).first { throw .escaping(cause, from: step) }
            if failed.isEmpty { return false }
            try filling?.withdraw(failed)
            state.withLock { state in state.needs.removeAll { need in failed.contains { $0 === need } } }
            return false
        } catch {
            // It failed where the services that it needs did.
            // Not lazily: that asks each twice, and traps if another thread's answer came in between.
            let attempt = (ingredients + failed).compactMap(\.otherAttempt).first
            state.withLock { $0.fail(error, in: attempt ?? ConstructionStack.here.value.attempt) }
            return true
        }
    }

    /// Whether the service has writes that were postponed until all are complete.
    var hasWrites: Bool { !(state.withLock(\.wholeFilling)?.writes.isEmpty ?? true) }

    /// Runs the service's postponed writes of a pass, or those of its table if nil, unless it has failed.
    func write(in pass: SlotPass?) {
        guard let filling = state.withLock(\.wholeFilling) else { return }
        for write in filling.writes where write.pass == pass && filling.wants(write) { write.write() }
    }

    /// Fills the required slots of a new service early, for a factory that may read them.
    func writeEarly() {
        guard let filling = state.withLock(\.wholeFilling) else { return }
        let writes = filling.writes.filter { $0.pass == .requiredOfNew && filling.wants($0) }
        for write in writes { write.write() }
        // The service may have failed on another thread meanwhile, which had emptied them before.
        if state.withLock({ $0.error != nil }) { for write in writes { write.undo() } }
    }

    /// Runs the writes of the service's table before it is published, unless it has failed.
    ///
    /// - Returns: Whether they are done; false if another thread, or this one further out, has to.
    func settle() -> Bool {
        guard let filling = state.withLock(\.wholeFilling) else { return true }
        let writes = filling.writes.filter { $0.pass == nil && filling.wants($0) }
        if writes.isEmpty || stage >= .settled { return true }
        guard writes.allSatisfy({ $0.isUsable() }), tryTakeOver(from: .filled, to: .settling) else {
            return false
        }
        ConstructionStack.crossFilling { write(in: nil) }
        advance(to: .settled)
        return true
    }

    /// Publishes the service or its error, once.
    ///
    /// - Returns: The filling that is still to be announced; nil if there is none.
    func show() -> (any Filling)? {
        let stage = stage
        // The thread that settles the service publishes it. Another one that does is waited for from here on.
        let isOwn = thread == CurrentThread.id
        guard stage < .showing, stage != .settling,
            isOwn ? tryAdvance(from: stage, to: .showing) : tryTakeOver(from: stage, to: .showing)
        else { return nil }
        // What follows may wait for those that wait until it is created.
        wakeWaiters()
        // The needs are released after unlocking; a chain of them mustn't be released recursively.
        let old = state.withLock { state in
            let rest = State(
                service: state.service, error: state.error, failedIn: state.failedIn,
                isEncircled: state.isEncircled)
            return exchange(&state, with: rest)
        }
        if old.error != nil { old.filling?.release() } else { old.filling?.noteNeeds() }
        old.handOver?(self)
        advance(to: .ended)
        for end in old.ends { end.give(()) }
        return old.wholeFilling
    }

    /// Ends the construction, which has failed, for another attempt, unless what it failed for is still being
    /// constructed around it.
    ///
    /// - Returns: Whether it has ended; false too if another thread has to end it.
    func giveWay(after error: ServiceBoxError, on stack: ConstructionStack.Place) -> Bool {
        guard isEncircled, thread == CurrentThread.id, !stack.value.isInside(error) else { return false }
        stack.value.takeDispensable(needs)
        _ = show()
        return stage == .ended
    }

    /// Suspends the current task until the construction has ended.
    nonisolated(nonsending) func waitForEnd() async {
        let end = Answer<Void>()
        let isNear = state.withLock { state in
            let isNear = stage >= .showing
            if !isNear { state.ends.append(end) }
            return isNear
        }
        if !isNear { await end.value() }
        while stage != .ended { await Task.yield() }
    }
}

// MARK: - Taking

extension Construction {
    /// Takes the service when it is filled with everything that it needs, except what is being filled further
    /// out on this thread, or on one that waits for it.
    ///
    /// - Returns: The service, or nil to ask again. A filling gets an unfilled one where waiting would never
    ///   end.
    /// - Throws: The factory's error, an error for what the service lacks, or ``ServiceBoxError/Code/cycle``.
    func take(for asker: Asker) throws(ServiceBoxError) -> AnyCell? {
        let stack = ConstructionStack.here
        if asker == .early {
            try waitUntilCreated()
            if stage != .ended { stack.value.taken.append(error == nil ? self : .dispensable([self])) }
            return try outcome()
        }
        if thread != CurrentThread.id { _ = WaitGraph.wait(for: self, until: .ended, .little) }
        try waitUntilCreated()
        let mustBeComplete = asker == .code && stack.value.frame == .filling
        switch Completion.run(self, on: stack, asker == .filling ? .limited : .endless) {
        case .reached:
            // Another thread may be about to publish it.
            _ = WaitGraph.wait(for: self, until: .ended, .limited)
        case .gaveUp:
            let obstacle = asker == .code ? state.withLock { $0.fill?.obstacle } : nil
            let isUsable = !mustBeComplete && obstacle == nil
            stack.value.taken.append(isUsable && error == nil ? self : .dispensable([self]))
            if !isUsable {
                throw error ?? obstacle ?? ServiceBoxError(.cycle, path: stack.value.circle(to: step))
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
        if let error { throw error }
        return service
    }

    /// The attempt that it failed in, on another thread or earlier on this one; nil if it didn't.
    var otherAttempt: UInt? {
        state.withLock(\.failedIn).flatMap { $0 == ConstructionStack.here.value.attempt ? nil : $0 }
    }
}
