// Part of ServiceBox, released under the MIT License.
// Eager, lazy and weak services, shared by all who ask.

/// A source that constructs one service and shares it: one construction at a time, however many threads ask.
///
/// `Sendable` is unchecked because the class isn't final. It is safe: it and its subclasses add only
/// constants of `Sendable` types.
@usableFromInline
class SharedSource: ServiceSource, @unchecked Sendable {
    /// How a service is created, and what receives the result of its construction.
    typealias Beginning = (make: Make, end: @Sendable (Construction) -> Void)

    final let serviceType: any Sendable.Type
    final let maker: Maker
    final let lifetime: Lifetime?
    /// Creates the service; nil if a subclass overrides ``begin(_:)``.
    private let make: Make?
    /// The service's state; nothing in it is released under the lock.
    @usableFromInline final let phase = Guarded(Phase.empty)
    /// Whether a kept service is held weakly.
    @usableFromInline final let isWeak: Bool

    init(of type: any Sendable.Type, _ lifetime: Lifetime, _ maker: consuming Maker, _ make: Make?) {
        serviceType = type
        self.lifetime = lifetime
        self.maker = maker
        self.make = make
        isWeak = lifetime == .weak
    }

    var shared: SharedSource? { self }
    var keeper: SharedSource? { self }

    /// Forgets a service that is out of date.
    ///
    /// - Returns: The kept service that isn't; nil if there is none.
    @discardableResult
    func refresh() -> AnyCell? { if case .kept(let cell) = current { cell } else { nil } }

    /// Whether the error of a failed service is kept.
    var keepsError: Bool { lifetime == .eager }
    var keptError: ServiceBoxError? { if case .failed(let error) = current { error } else { nil } }

    /// Whether the source keeps this service, or is about to keep it at the end of this construction.
    func hasStill(_ service: AnyCell, of construction: Construction?) -> Bool { true }

    /// Called before a service may have to be constructed.
    func prepareConstruction(for asker: Asker) {}

    /// How the service of a construction is created; nil to ask again.
    func begin(_ construction: Construction) -> Beginning? { make.map { ($0, takeIn) } }

    /// Stores the result; after a reset it only serves those who wait for it.
    private func takeIn(_ construction: Construction) {
        end(construction, keepsError: keepsError)
        if let preparation, construction.error == nil { construction.service.map(preparation.settle) }
    }

    final func makeIfEager() {
        if lifetime == .eager { _ = try? resolve() }
    }

    func reset() {
        // First, or a service could be created from its result meanwhile, and be kept.
        preparation?.reset()
        // The kept service is released after unlocking.
        update(\.forgotten)
        maker.delegate?.makerWasReset(tells: true)
    }

    /// A weakly held service, held strongly by its type again; nil if it is gone.
    final func hold(_ cell: AnyCell) -> AnyCell? {
        isWeak ? cell.strongly(as: serviceType) : cell
    }

    /// How often a service is attempted that fails on other threads: even where many threads compete for it, this
    /// one has its turn long before.
    private static var attemptLimit: Int { 1024 }

    /// Returns the service, constructs it, or waits for another thread's construction.
    ///
    /// If that fails for a reason which concerns the other thread, such as a circle through what is constructed
    /// there, it is attempted again.
    final func resolve(for asker: Asker) throws(ServiceBoxError) -> AnyCell {
        if let cell = refresh(), let service = hold(cell) { return service }
        let (step, stack, maker) = (step, ConstructionStack.here, maker)
        prepareConstruction(for: asker)
        var gone: AnyCell?
        var attempts = 0
        while true {
            // The objection matters only if the service must be constructed.
            let objection =
                stack.value.knownFailure(of: step, for: maker.delegate?.generation)
                ?? (maker.isPossible(step, on: stack) ? nil : maker.objection(to: step, on: stack))
            let claim = self.claim(step, without: gone, refusal: objection)
            switch claim.phase {
            case .kept(let cell):
                guard hasStill(cell, of: nil) else { continue }
                if let service = hold(cell) { return service }
                gone = cell
            case .constructing(let construction):
                if claim.isNew {
                    guard let (make, end) = begin(construction) else {
                        _ = construction.show()
                        continue
                    }
                    construction.handOver(to: end)
                    // Read before it begins: a service registered meanwhile may be the one it lacks.
                    if stack.value.isRememberingFailures, let generation = maker.delegate?.generation {
                        construction.handOver { [self] in
                            end($0)
                            guard let error = $0.error else { return }
                            ConstructionStack.here.value.noteFailure(error, of: self, for: generation)
                        }
                    }
                    do throws(ServiceBoxError) {
                        _ = try maker.create(lifetime, in: construction, make)
                    } catch {
                        // Another thread has taken the factory's result that it was to be created from.
                        if isAwaited { stack.value.note(obstacle(error)) }
                        throw error
                    }
                }
                do throws(ServiceBoxError) {
                    // A forgotten one still serves the circle that it is in.
                    if let service = try construction.take(for: asker),
                        claim.isNew || objection?.code == .cycle || hasStill(service, of: construction)
                    {
                        return service
                    }
                } catch {
                    guard attempts < Self.attemptLimit else { throw error }
                    attempts += 1
                    if construction.giveWay(after: error, on: stack) { continue }
                    guard construction.otherAttempt != nil,
                        error.dependsOnThread() || construction.isEncircled
                    else { throw error }
                    if case .reached = WaitGraph.wait(for: construction, until: .ended, .limited) { continue }
                    // One that runs further out on this thread can't end before this attempt.
                    if construction.thread != CurrentThread.id {
                        stack.value.note(.failedElsewhere(construction))
                    }
                    throw error
                }
            case .changing(let work, let offered):
                let service = offered.flatMap(hold)
                switch WaitGraph.wait(for: work, until: .ended, service == nil ? .endless : .limited) {
                case .reached: break
                case .cycle(let path): throw ServiceBoxError(.cycle, path: path)
                case .gaveUp:
                    let newer = current.cell.flatMap(hold)
                    if let service = newer ?? service { return service }
                }
            case .failed(let error):
                if let objection { stack.value.note(obstacle(objection)) }
                throw error
            case .forgotten, .empty: break
            }
        }
    }
}
