// Part of ServiceBox, released under the MIT License.
// Creates services that must be awaited, or that need such services.

extension ConstructionStack {
    /// Tries to create a service, and gathers the obstacles that it meets.
    ///
    /// The unfinished services are set here, for a synchronous body: an asynchronous one would leave the caller's
    /// isolation for it.
    fileprivate static func trying(
        _ ask: () throws(ServiceBoxError) -> AnyCell,
        for unfinished: [Ongoing<ServicePath.Step>] = Maker.unfinished
    ) -> (result: Result<AnyCell, ServiceBoxError>, obstacles: [Obstacle.Met]) {
        let stack = here
        let outer = (stack.value.obstacles, stack.value.attempt)
        (stack.value.obstacles, stack.value.attempt) = ([], newAttempt)
        defer { (stack.value.obstacles, stack.value.attempt) = outer }
        let result = Maker.$unfinished.withValue(unfinished) { Result(catching: ask) }
        return (result, stack.value.obstacles ?? [])
    }
}

extension Maker {
    /// How often a service is attempted without any new obstacle.
    private static var attemptLimit: Int { 32 }
    /// How often a service is attempted that met no obstacle itself: what it needs may have failed in another
    /// attempt that did, and succeed in the next.
    private static var unhinderedAttemptLimit: Int { 3 }

    /// Creates a service on its factory's actor, when everything that it needs has been awaited.
    ///
    /// - Throws: The error of creating it or of removing an obstacle; `CancellationError` if the current task
    ///   was cancelled while it waited.
    fileprivate nonisolated(nonsending) func makePrepared(
        _ step: ServicePath.Step,
        _ ask: @Sendable () throws(ServiceBoxError) -> AnyCell
    ) async throws -> AnyCell {
        var attempts = 0
        var lacked: Set<ObjectIdentifier> = []
        var isolation = isolation
        // Nobody else may hold a weak service before the attempt succeeds.
        var prepared: [ObjectIdentifier: AnyCell] = [:]
        defer { withExtendedLifetime(prepared) {} }
        // What can't be prepared may be in the way only of what isn't required.
        var failures: [ObjectIdentifier: any Error] = [:]
        // What waits for this service in turn.
        var waiting: [ObjectIdentifier: Ongoing<ServicePath.Step>] = [:]
        defer { waiting.values.forEach { $0.end() } }
        while true {
            let unfinished = Self.unfinished + waiting.values
            let attempt =
                if let isolation {
                    await Isolation.run(on: isolation) { ConstructionStack.trying(ask, for: unfinished) }
                } else {
                    ConstructionStack.trying(ask, for: unfinished)
                }
            guard case .failure(let objection) = attempt.result else { return try attempt.result.get() }
            // A weak service may be gone again, and one may have been reset; retry, but not forever.
            let hasNews = attempt.obstacles.map { $0.obstacle.isNews(beside: &lacked) }.contains(true)
            if !hasNews { attempts += 1 }
            let isUnhindered = attempt.obstacles.isEmpty
            if isUnhindered && !objection.dependsOnThread()
                || attempts > (isUnhindered ? Self.unhinderedAttemptLimit : Self.attemptLimit)
            {
                throw announced(objection)
            }
            var failure: (any Error)?
            var isAnyRemoved = false
            var open = attempt.obstacles
            while !open.isEmpty {
                let (obstacle, path) = open.removeFirst()
                switch obstacle {
                case .isolation(let actor):
                    if isolation == nil { isAnyRemoved = true }
                    isolation = isolation ?? actor
                    // Something else may stand in the way, and this be in the way of what isn't required.
                    guard hasNews || isolation === actor else { throw announced(objection) }
                case .lack(let source, let prepare):
                    if failures[source] == nil {
                        do {
                            let (service, lacks) = try await prepare()
                            prepared[source] = service
                            isAnyRemoved = true
                            // Met from here, rather than from the first service again.
                            for (lack, inner) in lacks where lack.isNews(beside: &lacked) {
                                open.append((lack, path + inner.drop { $0.provider == path.last?.provider }))
                            }
                        } catch {
                            if Task.isCancelled { throw CancellationError() }
                            let turn = error as? WaitingInTurn
                            if let turn, waiting[source] == nil {
                                waiting[source] = Ongoing(turn.step)
                                isAnyRemoved = true
                                continue
                            }
                            let error = turn?.error ?? error
                            let between = path.dropFirst().filter { $0.provider != source }
                            failures[source] =
                                (error as? ServiceBoxError).map {
                                    between.reversed().reduce($0) { $0.entered(by: $1) }
                                } ?? error
                        }
                    }
                    failure = failure ?? failures[source]
                case .failedElsewhere(let construction):
                    await construction.waitForEnd()
                    isAnyRemoved = true
                }
            }
            if let failure, !isAnyRemoved {
                // What can't be awaited may be in the way only of what isn't required.
                throw objection.dependsOnThread() ? escaping(failure, from: step) : announced(objection)
            }
        }
    }
}

/// The error of waiting for a service whose factory's result is there, and that waits for the current task in turn.
private struct WaitingInTurn: Error {
    let step: ServicePath.Step
    let error: ServiceBoxError
}

// MARK: - Sources

extension ServiceSource {
    /// The service; awaits whatever it needs.
    nonisolated(nonsending) func prepare() async throws -> AnyCell { try await resolvePrepared() }

    fileprivate nonisolated(nonsending) func resolvePrepared() async throws -> AnyCell {
        try await maker.makePrepared(step) { () throws(ServiceBoxError) in try resolve() }
    }

    /// Whether the service must be awaited.
    var isAwaited: Bool { preparation != nil }

    /// Whether the service is being created.
    var isBeingCreated: Bool { preparation?.isBeingDone ?? false || construction != nil }

    /// Cancels the preparation, and waits until the creation has ended.
    nonisolated(nonsending) func endCreation() async {
        await preparation?.cancel()
        // A factory's result that no service was created from yet becomes one, to be stopped like the rest.
        if preparation?.isCreated == true { _ = try? resolve() }
        // A thread can't be cancelled.
        await construction?.waitForEnd()
    }

    /// The construction of a shared service, while it isn't over.
    private var construction: Construction? {
        guard case .constructing(let construction)? = (self as? SharedSource)?.current else { return nil }
        return construction
    }
}

extension SharedSource {
    /// The service; awaits whatever it needs.
    nonisolated(nonsending) func prepare() async throws -> AnyCell {
        refresh()
        if let service = current.cell.flatMap(hold) { return service }
        guard let preparation else { return try await resolvePrepared() }
        let unfinished = Maker.unfinished
        return try await preparation.finish(step) { [self] in
            // Patiently: if a cancelled factory returns a result all the same, the result isn't lost.
            let created = try await create(preparation, isPatient: true)
            let own = Ongoing(step)
            defer { own.end() }
            do {
                let service = try await Maker.$unfinished.withValue(unfinished + [own]) {
                    try await resolvePrepared()
                }
                preparation.settle(created)
                return service
            } catch {
                // What was only cancelled is completed by the next caller, or when the box stops.
                if !(error is CancellationError) { preparation.settle(created) }
                throw error
            }
        }
    }

    private nonisolated(nonsending) func create(
        _ preparation: Preparation, isPatient: Bool
    ) async throws -> AnyCell {
        let (maker, step) = (self.maker, self.step)
        return try await preparation.create(
            step, isPatient: isPatient, unless: { [self] in current.cell.flatMap(hold) }
        ) { maker.escaping($0, from: step) }
    }

    /// The obstacle behind an objection, if waiting can remove it.
    func obstacle(_ objection: ServiceBoxError) -> Obstacle? {
        switch (objection.code, preparation) {
        case (.notReady, let preparation?):
            .lack(ObjectIdentifier(self)) { [self] in
                let created = try await create(preparation, isPatient: false)
                return (created, attempt())
            }
        // It can be created on its actor.
        case (.wrongIsolation, _):
            .lack(ObjectIdentifier(self)) { [self] in (try await prepareForAnother(), []) }
        default: nil
        }
    }

    /// Tries to create the service, once the result of its factory is there, unless nobody would keep it.
    ///
    /// - Returns: What it lacks.
    private func attempt() -> [Obstacle.Met] {
        if isWeak { return [] }
        return ConstructionStack.trying(resolve).obstacles.filter {
            if case .lack = $0.obstacle { true } else { false }
        }
    }

    /// The services that the current task prepares for one another, outermost first.
    @TaskLocal private static var detours: [Ongoing<ServicePath.Step>] = []

    /// Prepares the service for another one that lacks it.
    ///
    /// - Throws: The error of preparing it; ``ServiceBoxError/Code/cycle`` if the services lack each other
    ///   even the second time round. After the first, one of them may turn out to do without.
    private nonisolated(nonsending) func prepareForAnother() async throws -> AnyCell {
        let (step, detours) = (step, Self.detours.compactMap(\.value))
        let earlier = detours.indices.filter { detours[$0].provider == step.provider }
        if earlier.count > 1, let last = earlier.last {
            throw ServiceBoxError(.cycleOfActors, path: ServicePath(detours[last...] + [step]))
        }
        let detour = Ongoing(step)
        defer { detour.end() }
        do {
            return try await Self.$detours.withValue(Self.detours + [detour]) { try await prepare() }
        } catch let error as ServiceBoxError where error.code == .cycle && preparation?.isCreated == true {
            throw WaitingInTurn(step: step, error: error)
        }
    }
}

extension TransientSource {
    /// A new service; awaits whatever it needs.
    nonisolated(nonsending) func prepare() async throws -> AnyCell {
        let (maker, step) = (self.maker, self.step)
        guard let preparation else { return try await resolvePrepared() }
        let created = try await preparation.createOne(step) { maker.escaping($0, from: step) }
        return try await maker.makePrepared(step) { () throws(ServiceBoxError) in
            try maker.makeWhole(Making(step, on: ConstructionStack.here), for: .code) { created }
        }
    }
}
