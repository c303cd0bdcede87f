// Part of ServiceBox, released under the MIT License.
// Starting and stopping the services of a box.

extension ServiceBox {
    /// Creates the services that must be awaited or are eager, and starts what conforms to ``ServiceLifecycle``.
    ///
    /// A service starts when all has started that it needs: what its properties were filled with, by slots or tables, and
    /// what its factory has asked for. Those that don't need each other start side by side. What was registered as a
    /// type that conforms is created for it. Called again, it starts what has come since.
    ///
    /// If a service fails, those that had started are stopped in reverse, and the box can be started again. The same
    /// goes if all who wait for the start are cancelled. If the box is stopped meanwhile, the start is cancelled.
    ///
    /// ```swift
    /// try await box.start()
    /// _ = await box.stop(within: .seconds(10))
    /// ```
    ///
    /// The services of the parent aren't started; those with the scope ``ServiceScope/box`` are each child's.
    ///
    /// - Throws: ``ServiceBoxError``: what creating a service throws, ``ServiceBoxError/Code/startFailed`` with the path
    ///   to the service and its error, ``ServiceBoxError/Code/stopped`` if the box has stopped. `CancellationError` if
    ///   the start was cancelled.
    public nonisolated(nonsending) func start() async throws {
        try enrol()
        try await life.starting.value(isPatient: true) { [self] in
            if life.isStopping { throw hasStopped }
            try await startServices()
            // Services may have started although they were cancelled; they stop with the box.
            if life.isStopping { throw CancellationError() }
        }
    }

    /// Stops what conforms to ``ServiceLifecycle`` and runs what was given as `onStop` at registration, for every
    /// service that was created.
    ///
    /// One after the other, each when all has stopped that needs it, otherwise in the reverse order of creation; first
    /// children that have something to stop, were started, or run in ``withChild(name:within:operation:)``. It is done
    /// once, however often it is called, also where the current task is cancelled. A start that is going on is cancelled.
    /// Afterwards the box's services are gone: asking for one throws ``ServiceBoxError/Code/stopped``, and so does a
    /// provider of one that would have to be created.
    ///
    /// A service that couldn't start isn't stopped; one that was replaced, and may come back, is. What was removed from the
    /// box, what is transient and what is registered afterwards isn't the box's to stop.
    ///
    /// - Parameter limit: How long to wait; then what still runs is cancelled, and the last error says who hasn't
    ///   ended. With nil it waits to the end.
    /// - Returns: What services have thrown, with the code ``ServiceBoxError/Code/stopFailed``, and
    ///   ``ServiceBoxError/Code/stopTimedOut`` if the time was over.
    @discardableResult
    public nonisolated(nonsending) func stop(within limit: Duration? = nil) async -> [ServiceBoxError] {
        // Created here if it wasn't before: whoever starts the box from now on has to know.
        let life = life
        if registry.isStopped, !life.isBeingStopped { return [] }
        // What it has noted of them keeps services.
        ledger.catchUp()
        if stopsAtOnce {
            let old = registry.stop()
            let kept = registry.keptServices(in: old)
            let due = kept.filter { !$0.isIdle }
            if due.isEmpty {
                endServices(kept, letGo: old, life)
                return []
            }
            // What has come in the moment between.
            registry.refuse(due)
        }
        let (errors, late) = await life.stop(within: limit)
        guard let limit, let late else { return errors }
        return errors + [
            ServiceBoxError(.stopTimedOut, about: late) { Message.stopTimedOut(late, limit: limit) }
        ]
    }

    /// Begins to stop, and tells whether nothing has to be awaited for it; most boxes have no life to ask.
    private var stopsAtOnce: Bool { knownLife?.noteStopping() ?? true && registry.keepsOnly(\.isIdle) }

    /// Has the parent stop this box first, and the parent's parent both.
    ///
    /// - Throws: ``ServiceBoxError/Code/stopped`` if an ancestor stops already.
    func enrol() throws(ServiceBoxError) {
        if isStopping { throw hasStopped }
        guard let parent, let weakBox = registry.weakBox else { return }
        try parent.enrol()
        if !parent.life.enrol(weakBox) { throw parent.hasStopped }
    }

    /// Has the ancestors stop this box first if a service, or what it decorates, has something to do at its end.
    func noteEnd(of service: Registration) {
        guard parent != nil, service.hasEndInside else { return }
        // Of those that stop already, it is too late to be a part.
        try? enrol()
    }

    /// Has the parent forget that this box was to stop first.
    func leaveParent() {
        if let weakBox = registry.weakBox { parent?.knownLife?.forget(weakBox) }
    }

    private var hasStopped: ServiceBoxError {
        ServiceBoxError(.stopped, about: name.map { [$0] } ?? []) { [name] in Message.startAfterStop(name) }
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
    ///   - limit: How long to wait for the child's services to stop.
    ///   - operation: Runs at once, in the caller's isolation.
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws, otherwise any error from stopping the child.
    ///   ``ServiceBoxError/Code/stopped`` if this box has stopped; then the operation doesn't run.
    public nonisolated(nonsending) func withChild<Result>(
        name: String = "child", within limit: Duration? = nil,
        operation: nonisolated(nonsending) (_ child: ServiceBox) async throws -> Result
    ) async throws -> Result {
        if isStopping {
            throw ServiceBoxError(.stopped, about: [name]) { [box = self.name] in
                Message.childAfterStop(name, of: box)
            }
        }
        var child = makeChild(name: name)
        try child.enrol()
        let outcome = await outcome { try await operation(child) }
        // What goes now needn't refuse anything.
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
///   - limit: How long to wait for its services to stop.
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
    /// How far the box has come with starting and stopping.
    var life: Lifecycle {
        let step = ServicePath.Step(provider: ObjectIdentifier(self), type: ServiceBox.self)
        return lazyLife.object(
            orCreate: Lifecycle(of: step) { [weak self] life in await self?.stopServices(life) })
    }

    /// The same, if it was ever asked for.
    var knownLife: Lifecycle? { lazyLife.object }

    /// Whether the box stops, or has stopped.
    var isStopping: Bool { knownLife?.isStopping == true }

    private nonisolated(nonsending) func startServices() async throws {
        _ = upToDate {}
        try await withThrowingTaskGroup { group in
            for service in ownServices where service.isStartedWithBox {
                group.addTask { _ = try await service.supplier.prepare() }
            }
            try await group.waitForAll()
        }
        crossFiller.fillServices(isRetry: true)
        let wasRunning = life.isRunning
        do { try await start { ownServices } } catch {
            life.note(isRunning: wasRunning)
            throw error
        }
    }

    /// Starts a service that has come when its box had started, what it decorates, and what it needs.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - isNew: Whether it was created just now; of another one only itself may have to be started.
    /// - Throws: What starting one has thrown, with the path to it.
    nonisolated(nonsending) func startLate(_ service: Registration, isNew: Bool) async throws {
        let home = box(filling: service)
        guard let life = home.knownLife, life.isRunning, let cell = service.supplier.present,
            isNew || cell.isLifecycle && !life.hasStarted(cell), home.registry.has(service)
        else { return }
        try await home.start { service.layers.reversed().filter(home.isOwn) }
    }

    /// Starts services, and those that they need; if one of them fails, those are stopped that had to be started.
    ///
    /// - Parameter services: Gives the services; asked again for what has come until the box runs.
    /// - Throws: What starting one has thrown, with the path to it.
    private nonisolated(nonsending) func start(_ services: () -> [Registration]) async throws {
        life.forgetGone()
        let started = Guarded<[Registration]>([])
        do {
            var isLast: Bool
            repeat {
                // From then on whoever prepares a service has it started.
                isLast = life.isRunning
                let order = NeedOrder(services(), where: isOwn, needs: crossFiller.needs)
                try await order.forEach { [self] position in
                    if try await start(order, position) {
                        started.withLock { $0.append(order.services[position]) }
                    }
                }
                life.note(isRunning: true)
            } while !isLast
        } catch {
            // Not as a part of what may have been cancelled. A box that stops does so itself.
            await Task.detached { [self] in
                for service in started.withLock({ $0 }).reversed() where !life.isStopping {
                    life.note(await stop(service, isFinal: false))
                }
            }.value
            throw error
        }
    }

    /// Starts a service.
    ///
    /// - Returns: Whether it had to be started.
    /// - Throws: What starting it has thrown, with the path to it.
    private nonisolated(nonsending) func start(_ order: NeedOrder, _ position: Int) async throws -> Bool {
        let service = order.services[position]
        guard let cell = service.supplier.present, let lifecycle = cell.lifecycle, !isHandedOn(service) else {
            return false
        }
        do { return try await life.start(lifecycle, cell, of: service) } catch let error
            where !(error is CancellationError && Task.isCancelled)
        {
            throw ServiceBoxError(.startFailed(error, name: service.name), path: order.path(to: position))
        }
    }

    /// The services that the box creates and fills itself, in their order, those that they decorate before them.
    private var ownServices: [Registration] {
        registry.services.flatMap { $0.layers.reversed() }.filter(isOwn)
    }

    /// Whether the box creates and fills a service itself, and doesn't leave that to its children.
    private func isOwn(_ service: Registration) -> Bool {
        service.isFilled(by: registry) && (service.isInherited || !service.isPerBox)
    }
}
