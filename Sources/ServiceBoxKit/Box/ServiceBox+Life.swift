// Part of ServiceBox, released under the MIT License.
// Starting and stopping the services of a box.

extension ServiceBox {
    /// Creates the services that must be awaited or are eager, and starts those that conform to
    /// ``ServiceLifecycle``.
    ///
    /// A service starts when everything that it needs has started: the services that its properties were
    /// filled with, by slots or tables, and those that its factory has resolved or filled something with.
    /// Services that don't need each other start concurrently. A service registered as a conforming type is
    /// created to be started, unless it is weak or transient. Those of a registered ``ServiceProvider`` or session
    /// belong to others. Called again, it starts what was registered since.
    ///
    /// If a service fails, the started ones are stopped in reverse, and the box can be started again. The
    /// same happens if all tasks that wait for the start are cancelled. If the box is stopped meanwhile, the
    /// start is cancelled.
    ///
    /// ```swift
    /// try await box.start()
    /// _ = await box.stop(within: .seconds(10))
    /// ```
    ///
    /// The parent's services aren't started; those with the scope ``ServiceScope/box`` belong to each child.
    ///
    /// - Throws: ``ServiceBoxError``: what creating a service throws, ``ServiceBoxError/Code/startFailed`` with the path
    ///   to the service and its error, ``ServiceBoxError/Code/stopped`` if the box or an ancestor has stopped,
    ///   ``ServiceBoxError/Code/cycle`` if it is called by what it starts.
    ///   `CancellationError` if the start was cancelled.
    public nonisolated(nonsending) func start() async throws {
        if let stopped = enrol() { throw cannotStart(after: stopped) }
        try await life.starting.value(isPatient: true) { [self] in
            if life.isStopping { throw cannotStart(after: self) }
            try await startServices()
            // Services may have started although they were cancelled; they stop with the box.
            if life.isStopping { throw CancellationError() }
        }
    }

    /// Stops the services that conform to ``ServiceLifecycle`` and runs the `onStop` closures given at
    /// registration, for every service that was created.
    ///
    /// Services stop one after the other, each when everything that needs it has stopped, otherwise in the
    /// reverse order of creation; before them, children that have something to stop, were started, or run in
    /// ``withChild(name:within:operation:)``. It happens once, however often it is called, even if the
    /// current task is cancelled. A start in progress is cancelled; a factory that is running is waited for.
    /// Called from a factory, a `start()` or a `stop()` that it would wait for, it begins to stop and returns the
    /// errors so far.
    /// Resolving a service that has ended throws ``ServiceBoxError/Code/stopped``, and so does a provider of a
    /// shared one that would have to be created. Afterwards the box's services are gone.
    ///
    /// Of a service that failed to start, `onStop` runs, but not its `stop()`. A replaced service is stopped.
    /// Removed, reset and transient services, those of a registered ``ServiceProvider`` or session, those registered
    /// afterwards, and ready-made ones that lack something and haven't started aren't.
    ///
    /// - Parameter limit: How long to wait before the rest is cancelled; the last error then names the
    ///   services that haven't ended. If nil, it waits to the end.
    /// - Returns: The errors of services, with the code ``ServiceBoxError/Code/stopFailed``, or
    ///   ``ServiceBoxError/Code/incomplete`` for ready-made ones that lack something and haven't started, and
    ///   ``ServiceBoxError/Code/stopTimedOut`` after a timeout.
    @discardableResult
    public nonisolated(nonsending) func stop(within limit: Duration? = nil) async -> [ServiceBoxError] {
        // Created here if necessary: a later start of the box has to know that it stops.
        let life = life
        if registry.isStopped, !life.isBeingStopped, registry.refused.allSatisfy(\.isIdle) { return [] }
        // Deferred notes keep services alive.
        ledger.catchUp()
        if stopsAtOnce {
            let (old, kept) = registry.stop()
            // Otherwise something was registered in the moment between, or the parent stops it.
            if kept.allSatisfy(\.isIdle), !life.isBeingStopped {
                endServices(kept, letGo: old, isAwaited: false)
                return []
            }
        }
        let (errors, late) = await life.stop(within: limit, after: runningFactories)
        guard let limit, let late else { return errors }
        return errors + [
            ServiceBoxError(.stopTimedOut, about: late) { Message.stopTimedOut(late, limit: limit) }
        ]
    }

    /// Begins to stop, and tells whether nothing has to be awaited; most boxes have no lifecycle to ask.
    private var stopsAtOnce: Bool {
        knownLife?.noteStopping() ?? true && registry.keptService { !$0.isIdle } == nil
    }

    /// Registers this box with its ancestors, which stop it first.
    ///
    /// - Returns: The box, this one or an ancestor, that is stopping already, so that it is too late; mostly nil.
    func enrol() -> ServiceBox? {
        if isStopping { return self }
        guard let parent else { return nil }
        return parent.enrol() ?? (parent.life.enrol(registry.weakBox) ? nil : parent)
    }

    /// Notes a service that has come into the box, if it, or one that it decorates, has a lifecycle or actions at
    /// its end: then ancestors stop this box first.
    func noteLifecycle(of service: Registration) {
        let life = knownLife
        guard parent != nil || life != nil, service.hasEndInside else { return }
        if let life, service.layers.contains(where: { $0.present?.isLifecycle ?? false }) {
            life.noteLateService()
        }
        // Too late for ancestors that are already stopping.
        _ = enrol()
    }

    /// Unregisters this box from its parent.
    func leaveParent() { parent?.knownLife?.forget(registry.weakBox) }

    private func cannotStart(after stopped: ServiceBox) -> ServiceBoxError {
        let isItself = stopped === self
        return ServiceBoxError(.stopped, about: name.map { [$0] } ?? []) { [name, other = stopped.name] in
            Message.startAfterStop(name, stopped: other, isItself: isItself)
        }
    }

    /// Runs an operation with a child of this box, which stops afterwards.
    ///
    /// ```swift
    /// struct User: Sendable { let name: String }
    ///
    /// try await box.withChild(name: "request") { child in
    ///     child.register(User(name: "Ada"))
    ///     let cart: Cache = try child["cache"]
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: A name for messages.
    ///   - limit: How long to wait for the child's services to stop; if nil, it waits to the end.
    ///   - operation: Runs at once, in the caller's isolation.
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws, otherwise any error from stopping the child.
    ///   ``ServiceBoxError/Code/stopped`` if this box or an ancestor has stopped; then the operation doesn't run.
    public nonisolated(nonsending) func withChild<Result>(
        name: String = "child", within limit: Duration? = nil,
        operation: nonisolated(nonsending) (_ child: ServiceBox) async throws -> Result
    ) async throws -> Result {
        var child = makeChild(name: name)
        if let stopped = child.enrol() {
            let isParent = stopped === self
            throw ServiceBoxError(.stopped, about: [name]) { [box = stopped.name] in
                Message.childAfterStop(name, of: box, isParent: isParent)
            }
        }
        let outcome = await outcome { try await operation(child) }
        // A box that is released now needn't refuse anything.
        if isKnownUniquelyReferenced(&child), child.stopsAtOnce {
            child.leaveParent()
            return try outcome.get()
        }
        return try await child.stop(within: limit, after: outcome)
    }

    /// Stops the box after an operation.
    fileprivate nonisolated(nonsending) func stop<Result>(
        within limit: Duration?, after outcome: Swift.Result<Result, any Error>
    ) async throws -> Result {
        let errors = await stop(within: limit)
        if case .success = outcome, let first = errors.first {
            throw errors.count == 1
                ? first
                : ServiceBoxError(.stopFailed, about: errors.flatMap(\.path)) { Message.stopFailed(errors) }
        }
        return try outcome.get()
    }
}

/// Starts a box, runs an operation, and stops the box.
///
/// ```swift
/// try await withRunning(box) {
///     let cache: Cache = try box["cache"]
/// }
/// ```
///
/// - Parameters:
///   - box: The box.
///   - limit: How long to wait for its services to stop, once a start that was cancelled or has failed has ended;
///     if nil, it waits to the end.
///   - operation: Runs when the box has started, in the caller's isolation.
/// - Returns: What the operation returns.
/// - Throws: What ``ServiceBox/start()`` or the operation throws, otherwise any error from stopping the box.
public nonisolated(nonsending) func withRunning<Result>(
    _ box: ServiceBox, within limit: Duration? = nil,
    operation: nonisolated(nonsending) () async throws -> Result
) async throws -> Result {
    let outcome = await outcome {
        try await box.start()
        return try await operation()
    }
    return try await box.stop(within: limit, after: outcome)
}

// MARK: - Starting

extension ServiceBox: Living {
    /// The box's state of starting and stopping.
    var life: Lifecycle {
        let step = ServicePath.Step(provider: ObjectIdentifier(self), type: ServiceBox.self, traits: .start)
        return lazyLife.object(
            orCreate: Lifecycle(of: step) { [weak self] in await self?.stopServices() })
    }

    /// The same, if it was ever created.
    var knownLife: Lifecycle? { lazyLife.object }

    var runningFactories: [AwaitGraph.Node] {
        registry.keptServices.compactMap(\.knownSupplier?.creator?.preparation?.running)
    }

    /// Whether the box is stopping or has stopped.
    var isStopping: Bool { knownLife?.isStopping == true }

    private nonisolated(nonsending) func startServices() async throws {
        _ = upToDate {}
        await fillOnMainActor()
        // Those that must be awaited first: what can do without one that isn't ready may not get it later.
        for isAwaited in [true, false] {
            try await withThrowingTaskGroup { group in
                for service in ownServices where service.isStartedWithBox && service.isAwaited == isAwaited {
                    group.addTask { _ = try await service.prepare() }
                }
                try await group.waitForAll()
            }
        }
        crossFiller.fillServices(isRetry: true)
        await fillOnMainActor()
        let wasRunning = life.isRunning
        life.note(hasLateServices: false)
        let version = lifeVersion
        var started: [Registration] = []
        do {
            var isLast: Bool
            repeat {
                // From then on, services are started when they are prepared.
                isLast = life.isRunning
                let services = ownServices
                // Ready-made ones that were registered since the others were prepared.
                for service in services where service.isStartedWithBox && service.isWhole == false {
                    _ = try await service.prepare()
                }
                let order = NeedOrder(
                    services, sharing: registry.hiddenServices, where: { isOwn($0) && $0.hasNeeds },
                    needs: crossFiller.needs)
                try await start(order, in: [self], noting: &started)
                life.note(isRunning: true)
                // What others need may be an ancestor's that is late.
                let isAlone = !family.dropFirst().contains { $0.knownLife?.hasLateServices == true }
                let settled = order.services.filter { isAlone || crossFiller.needs(of: $0).isEmpty }
                life.note(settled: settled, as: version)
            } while !isLast
        } catch {
            await stopAgain(started)
            life.note(isRunning: wasRunning)
            life.note(hasLateServices: true)
            throw error
        }
    }

    /// Starts what a service needs, what it decorates and the service itself, each if its own box has started, unless
    /// that was done.
    ///
    /// - Parameter service: A service that was just prepared.
    /// - Throws: The error of a service that failed to start, with the path to it.
    /// - Complexity: O(1), unless a service with a lifecycle came after the start; then O(*n*) for *n* services that it
    ///   needs, besides those for which that was done and nothing was registered since.
    nonisolated(nonsending) func startLate(_ service: Registration) async throws {
        let home = box(filling: service)
        func isSettled(_ service: Registration) -> Bool {
            let box = home.box(filling: service)
            return box.knownLife?.isSettled(service, as: box.lifeVersion) == true
        }
        guard home.family.contains(where: { $0.knownLife?.hasLateServices == true }) else { return }
        // One that was removed doesn't stop with the box either.
        if isSettled(service) || !home.registry.keeps(service) { return }
        // What it needs may have waited for it.
        home.crossFiller.fillServices()
        let running = home.family.filter { $0.knownLife?.isRunning == true && !$0.isStopping }
        let versions = home.family.map { ($0, $0.lifeVersion) }
        // A factory's own object rarely has another name, and the search takes O(n).
        let others = service.innermost.kind == .instance ? home.registry.keptServices : []
        let order = NeedOrder(
            service.layers.reversed(), sharing: others,
            where: { $0.hasNeeds && home.box(filling: $0).isOwn($0) && !isSettled($0) },
            needs: { home.box(filling: $0).crossFiller.needs(of: $0) })
        var started: [Registration] = []
        do { try await home.start(order, in: running, noting: &started) } catch {
            await home.stopAgain(started)
            throw error
        }
        for (box, version) in versions {
            let settled = order.services.filter { $0.isFilled(by: box.registry) }
            if !settled.isEmpty { box.life.note(settled: settled, as: version) }
        }
    }

    /// Counts all that may give a service other needs or leave one to be started.
    private var lifeVersion: Int {
        family.reduce(registry.version) {
            $0 + ($1.knownLife?.lateCount ?? 0) + $1.crossFiller.completionCount
        }
    }

    /// Starts services of some boxes in the order of their needs, and notes those that had to be started.
    ///
    /// - Throws: The error of a service that failed to start, with the path to it.
    private nonisolated(nonsending) func start(
        _ order: NeedOrder, in boxes: [ServiceBox], noting started: inout [Registration]
    ) async throws {
        let new = Guarded<[Registration]>([])
        defer { started += new.withLock { $0 } }
        for box in boxes { box.life.forgetGone() }
        try await order.forEach { position in
            let service = order.services[position]
            guard let box = boxes.first(where: { service.isFilled(by: $0.registry) }) else { return }
            if try await box.start(order, position) { new.withLock { $0.append(service) } }
        }
    }

    /// Stops services that were started in vain, since another one has failed.
    ///
    /// In a task of its own, since the current one may be cancelled; what it stops may stop the box and wait for it. A
    /// box that is stopping does so itself.
    private nonisolated(nonsending) func stopAgain(_ started: [Registration]) async {
        await Task { [self] in
            for service in started.reversed() {
                let box = box(filling: service)
                if box.isStopping { continue }
                box.life.forgetSettled()
                box.life.note(await box.stop(service, isFinal: false))
            }
        }.value
    }

    /// Starts a service.
    ///
    /// - Returns: Whether it had to be started.
    /// - Throws: The service's error, with the path to it.
    private nonisolated(nonsending) func start(_ order: NeedOrder, _ position: Int) async throws -> Bool {
        let service = order.services[position]
        // One that was replaced may be in order because a factory has asked for it in vain.
        guard let cell = service.present, let lifecycle = cell.lifecycle, !isHandedOn(service),
            service.isWhole != false
        else { return false }
        do {
            let isNew = try await life.start(lifecycle, cell, of: service)
            service.uses.noteStart()
            // With it, the decoration around it that is handed out.
            let shown = registry.registration(named: service.name)
            if shown?.layers.contains(where: { $0 === service }) == true { shown?.uses.noteStart() }
            return isNew
        } catch let error where !(error is CancellationError && (Task.isCancelled || isStopping)) {
            throw ServiceBoxError(
                .failed(.startFailed, error, name: service.name), path: order.path(to: position))
        }
    }

    /// The services that the box creates and fills itself, in order, each after the one that it decorates.
    private var ownServices: [Registration] {
        registry.unsharedServices.flatMap { $0.layers.reversed() }.filter(isOwn)
    }

    /// Whether the box creates and fills a service itself, rather than leaving that to its children.
    ///
    /// One that is meant for each of them is its own once it has created it; a transient one always is, for the
    /// order: what needs it needs what it needs.
    private func isOwn(_ service: Registration) -> Bool {
        service.isFilled(by: registry)
            && (!registry.isLeftToChildren(service) || service.present != nil
                || service.lifetime == .transient)
    }
}
