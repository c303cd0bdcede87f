// Part of ServiceBox, released under the MIT License.
// Making services that must be awaited, or that need such.

extension ConstructionStack {
    /// Asks for a service, and gathers what stands in its way.
    fileprivate static func trying(
        _ ask: () throws(ServiceBoxError) -> AnyCell
    ) -> (result: Result<AnyCell, ServiceBoxError>, obstacles: [Obstacle]) {
        let stack = current
        let outer = stack.pointee.obstacles
        stack.pointee.obstacles = []
        defer { stack.pointee.obstacles = outer }
        let result = Result(catching: ask)
        return (result, stack.pointee.obstacles ?? [])
    }
}

extension Maker {
    /// How often a service is attempted that lacks nothing new.
    private static var attemptLimit: Int { 32 }

    /// Makes a service where its factory belongs, when all is there that must be awaited for it.
    ///
    /// - Parameters:
    ///   - step: The service.
    ///   - ask: Makes it.
    /// - Returns: The service.
    /// - Throws: What making it has thrown, or what stands in its way; `CancellationError` if the current task was
    ///   cancelled while it waited.
    fileprivate nonisolated(nonsending) func makePrepared(
        _ step: ServicePath.Step,
        _ ask: @Sendable () throws(ServiceBoxError) -> AnyCell
    ) async throws -> AnyCell {
        var attempts = 0
        var lacked: Set<ObjectIdentifier> = []
        var isolation = isolation
        while true {
            let attempt =
                if let isolation {
                    await Isolation.run(on: isolation) { ConstructionStack.trying(ask) }
                } else {
                    ConstructionStack.trying(ask)
                }
            guard case .failure(let objection) = attempt.result else { return try attempt.result.get() }
            // What was there may be gone again, a weak service or one that is reset; but not for ever.
            let news = attempt.obstacles.filter { $0.source.map { lacked.insert($0).inserted } ?? false }
            if news.isEmpty { attempts += 1 }
            if attempt.obstacles.isEmpty || attempts > Self.attemptLimit { throw announced(objection) }
            for obstacle in attempt.obstacles {
                switch obstacle {
                case .isolation(let actor):
                    guard isolation == nil || isolation === actor else { throw announced(objection) }
                    isolation = actor
                case .lack(_, let prepare):
                    do { try await prepare() } catch {
                        throw Task.isCancelled ? CancellationError() : escaping(error, from: step)
                    }
                }
            }
        }
    }
}

// MARK: - Sources

extension ServiceSource {
    /// Whether the service must be awaited.
    var isAwaited: Bool { preparation != nil }

    /// Whether somebody awaits the service that is being created.
    var isBeingPrepared: Bool { preparation?.isBeingDone ?? false }

    /// Cancels what is being awaited, and waits until it has ended.
    nonisolated(nonsending) func cancelPreparation() async {
        await preparation?.cancel()
        // What was created for another service alone is made, to be stopped like the rest.
        if preparation?.isCreated == true { _ = try? resolve() }
    }
}

extension SharedSource {
    /// The service; awaits what must be awaited for it.
    nonisolated(nonsending) func prepare() async throws -> AnyCell {
        refresh()
        if let service = current.cell.flatMap(hold) { return service }
        let (maker, step) = (self.maker, self.step)
        let make: @Sendable () async throws -> AnyCell = { [self] in
            try await maker.makePrepared(step) { () throws(ServiceBoxError) in try resolve() }
        }
        guard let preparation else { return try await make() }
        return try await preparation.finish(step) { [self] in
            // Patiently: what comes of a factory that was cancelled in vain is not lost.
            try await create(isPatient: true)
            defer { preparation.settle() }
            return try await make()
        }
    }

    private nonisolated(nonsending) func create(isPatient: Bool) async throws {
        let (maker, step) = (self.maker, self.step)
        try await preparation?.create(step, isPatient: isPatient, unless: { [self] in isMade }) {
            maker.escaping($0, from: step)
        }
    }

    /// What stands in the way of the service, as far as waiting helps.
    func obstacle(_ objection: ServiceBoxError) -> Obstacle? {
        let prepare: (@Sendable () async throws -> Void)? =
            switch objection.code {
            case .notReady: { [self] in try await create(isPatient: false) }
            // On its actor it can be created.
            case .wrongIsolation: { [self] in try await prepareForAnother() }
            default: nil
            }
        return prepare.map { .lack(ObjectIdentifier(self), prepare: $0) }
    }

    /// What the current task prepares because what it prepares lacks it, outermost first.
    @TaskLocal private static var detours: [ServicePath.Step] = []

    /// Prepares the service for one that lacks it.
    ///
    /// - Throws: What preparing it throws; ``ServiceBoxError/Code/cycle`` if they lack each other for ever. The first time
    ///   round, one of them may turn out to do without.
    private nonisolated(nonsending) func prepareForAnother() async throws {
        let (step, detours) = (step, Self.detours)
        let earlier = detours.indices.filter { detours[$0].provider == step.provider }
        if earlier.count > 1, let last = earlier.last {
            throw ServiceBoxError(.cycle, path: ServicePath(detours[last...] + [step]))
        }
        _ = try await Self.$detours.withValue(detours + [step]) { try await prepare() }
    }
}

extension TransientSource {
    /// A new service; awaits what must be awaited for it.
    nonisolated(nonsending) func prepare() async throws -> AnyCell {
        let (maker, step) = (self.maker, self.step)
        guard let preparation else {
            return try await maker.makePrepared(step) { () throws(ServiceBoxError) in try resolve() }
        }
        let created = try await preparation.createOne(step) { maker.escaping($0, from: step) }
        return try await maker.makePrepared(step) { () throws(ServiceBoxError) in
            try maker.makeWhole(Making(step, on: ConstructionStack.current), for: .code) { created }
        }
    }
}
