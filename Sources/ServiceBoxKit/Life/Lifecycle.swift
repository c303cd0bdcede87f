// Part of ServiceBox, released under the MIT License.
// The state of starting and stopping a box's services.

/// A box, as this folder sees it.
protocol Living: AnyObject, Sendable {
    var life: Lifecycle { get }
    /// The runs of its services' asynchronous factories.
    var runningFactories: [AwaitGraph.Node] { get }
}

/// The state of starting and stopping a box's services.
///
/// Thread-safe.
final class Lifecycle: Sendable {
    /// A service that starts and stops.
    struct Record {
        /// The object, or the cell of a value.
        ///
        /// Unretained. The memory of an object that Swift counts stays, so that no other gets its address.
        let service: WeakReference<any AnyObject & Sendable>
        let starting: SharedWork<Void>
        let stopping: SharedWork<Void>
        var phase = Phase.idle
    }

    enum Phase {
        case idle, started
        /// It failed to start, or is stopping or has stopped.
        case ended
    }

    struct State {
        var records: [ObjectIdentifier: Record] = [:]
        /// Whether services with a lifecycle came after the start; preparing them, or what needs them, starts them.
        var hasLateServices = false
        /// Counts them.
        var lateCount = 0
        /// The registrations of services that have started with all that they need, and those without a lifecycle.
        var settled: Set<ObjectIdentifier> = []
        /// The version that they are settled for.
        var version = 0
        var isRunning = false
        /// Whether the box has stopped, or is about to.
        var isStopping = false
        var stopping: SharedTask<Void>?
        /// The errors of services that were stopping.
        var errors: [ServiceBoxError] = []
        /// The names of services that haven't ended, the current one first; nil if all have.
        var left: (@Sendable () -> [String])?
        /// The boxes that must stop before this one, by their one weak reference each.
        var children: [ObjectIdentifier: WeakSupplier] = [:]
        var childrenLimit = GrowthLimit()
        var recordsLimit = GrowthLimit()
    }

    /// Starts the services.
    let starting: SharedWork<Void>
    let stoppingNode: AwaitGraph.Node
    let state = Guarded(State())
    let stopServices: @Sendable () async -> Void

    /// - Parameters:
    ///   - step: The box that it belongs to, for messages.
    ///   - stopServices: Stops the services of the box, and those of its children.
    init(of step: ServicePath.Step, stop stopServices: @escaping @Sendable () async -> Void) {
        starting = SharedWork(AwaitGraph.Node(step))
        stoppingNode = AwaitGraph.Node(step)
        self.stopServices = stopServices
    }
}

// MARK: - Starting

extension Lifecycle {
    /// Whether the box has started; services prepared later are started at once.
    var isRunning: Bool { state.withLock { $0.isRunning } }

    func note(isRunning: Bool) { state.withLock { $0.isRunning = isRunning } }

    /// Whether services came after the start that may have to be started.
    var hasLateServices: Bool { state.withLock { $0.isRunning && !$0.isStopping && $0.hasLateServices } }

    func note(hasLateServices: Bool) { state.withLock { $0.hasLateServices = hasLateServices } }

    /// Counts the services with a lifecycle that came into a running box.
    var lateCount: Int { state.withLock(\.lateCount) }

    /// Notes a service with a lifecycle that may have to be started.
    func noteLateService() {
        state.withLock { state in
            state.hasLateServices = true
            state.lateCount += 1
        }
    }

    /// Whether a service has started with all that it needs, for a version of its box.
    func isSettled(_ service: Registration, as version: Int) -> Bool {
        let id = ObjectIdentifier(service)
        return state.withLock { $0.version == version && $0.settled.contains(id) }
    }

    /// Notes services that have started with all that they need, except those that may be created anew.
    ///
    /// - Parameters:
    ///   - services: The services.
    ///   - version: The version of their box before their needs were read.
    func note(settled services: [Registration], as version: Int) {
        let lasting = services.filter { service in
            service.present != nil && service.isWhole != false
                && service.lifetime != .weak && service.lifetime != .transient
        }
        state.withLock { state in
            if version < state.version { return }
            if version > state.version { state.settled = [] }
            state.version = version
            state.settled.formUnion(lasting.map(ObjectIdentifier.init))
        }
    }

    func forgetSettled() { state.withLock { $0.settled = [] } }

    /// Starts a service once; other callers wait.
    ///
    /// - Returns: Whether it had to be started.
    /// - Throws: The service's error.
    nonisolated(nonsending) func start(
        _ lifecycle: any ServiceLifecycle, _ cell: AnyCell, of service: Registration
    ) async throws -> Bool {
        let id = cell.id
        let record = state.withLock { $0.record(id, orNew: Record(cell, of: service)) }
        if record.phase == .started { return false }
        let isNew = Guarded(false)
        try await record.starting.value(isPatient: true) { [self] in
            // The box that started it before may have failed and be stopping it, or begin to at this moment.
            await record.stopping.end()
            if state.withLock({ $0.records[id]?.phase }) == .ended { await record.stopping.end() }
            if self.hasStarted(cell) { return }
            // From here on, stopping the service waits for this.
            let isStopping = state.withLock { state in
                if !state.isStopping { state.records[id]?.phase = .idle }
                return state.isStopping
            }
            if isStopping { throw CancellationError() }
            do { try await lifecycle.start() } catch {
                state.withLock { $0.records[id]?.phase = .ended }
                throw error
            }
            let isRefused = state.withLock { state in
                if state.records[id]?.phase == .idle { state.records[id]?.phase = .started }
                return state.isStopping || state.records[id]?.phase != .started
            }
            // It may have stopped its box itself, which ends it now or when this has returned.
            if isRefused { throw CancellationError() }
            isNew.withLock { $0 = true }
        }
        return isNew.withLock { $0 }
    }

    /// Drops records of services that are gone, now and then.
    func forgetGone() {
        if state.withLock({ !$0.recordsLimit.isExceeded(by: $0.records.count) }) { return }
        for (id, record) in state.withLock({ $0.records }) where record.service.object == nil {
            state.withLock { $0.records[id] = nil }
        }
        state.withLock { $0.recordsLimit.reset(to: $0.records.count) }
    }

    /// Whether a service has started and not been stopped.
    func hasStarted(_ cell: AnyCell) -> Bool {
        let id = cell.id
        return state.withLock { $0.records[id]?.phase == .started && $0.records[id]?.service.object != nil }
    }
}

extension Lifecycle.State {
    /// The record of a service that exists; a new one takes the place of another's that is gone, as may be found at
    /// the address of an object of Objective-C.
    fileprivate mutating func record(
        _ id: ObjectIdentifier, orNew new: @autoclosure () -> Lifecycle.Record
    ) -> Lifecycle.Record {
        if records[id]?.service.object == nil { records[id] = nil }
        return records.value(for: id, orInsert: new())
    }
}

extension Lifecycle.Record {
    /// The initial record of a service.
    fileprivate init(_ cell: AnyCell, of service: Registration) {
        let step = service.lifeStep
        self.init(
            service: WeakReference(cell.identity), starting: SharedWork(AwaitGraph.Node(step)),
            stopping: SharedWork(AwaitGraph.Node(step)))
    }
}

extension AnyCell {
    fileprivate var id: ObjectIdentifier { ObjectIdentifier(identity) }
}

// MARK: - Stopping services

extension Lifecycle {
    /// Stops a service once, unless it failed to start; if it is starting, cancels that first, and waits;
    /// other callers wait too.
    ///
    /// - Throws: The service's error.
    nonisolated(nonsending) func stop(
        _ lifecycle: any ServiceLifecycle, _ cell: AnyCell, of service: Registration
    ) async throws {
        let (id, new) = (cell.id, Record(cell, of: service))
        await state.withLock { $0.record(id, orNew: new) }.starting.cancel()
        let record = state.withLock { $0.record(id, orNew: new) }
        if record.phase == .ended { return await record.stopping.end() }
        try await record.stopping.value(isPatient: true) { [self] in
            // Noted only now, when whoever starts the service again can wait for this.
            let phase = state.withLock { exchange(&$0.records[id, default: new].phase, with: .ended) }
            if phase != .ended { try await lifecycle.stop() }
        }
    }

    /// Drops services that have ended.
    ///
    /// - Parameter isAwaited: Whether the caller is the stop that others wait for; any other leaves them to that, which
    ///   would end them again.
    func forgetServices(isAwaited: Bool) {
        state.letGo { state in
            isAwaited || state.stopping == nil ? exchange(&state.records, with: [:]) : nil
        }
    }
}

extension Registration {
    /// Whether the service exists and hasn't ended with its box.
    var awaitsEnd: Bool { present != nil && !history.hasEnded }

    /// Whether the service exists and has actions at its end.
    var hasEnd: Bool {
        present.map { stop != nil || $0.isLifecycle && !isItsBase } ?? false
    }

    /// Whether the service, or one that it decorates, has actions at its end.
    var hasEndInside: Bool { hasEnd || base?.hasEndInside ?? false }

    /// Whether the service has actions at its end, or is being created.
    var isDue: Bool { isBeingCreated || hasEnd }

    /// Whether the service is the very object that it decorates, which starts and stops itself.
    var isItsBase: Bool {
        guard let base, let object = present?.instance else { return false }
        return base.layers.contains { $0.present?.instance === object }
    }

    /// Whether the service is created or completed when its box starts.
    var isStartedWithBox: Bool {
        if case .instance = kind { return LifecycleTypes.contain(implementation) }
        // A weak one would be released at once.
        guard let lifetime, lifetime != .transient, lifetime != .weak else { return false }
        return isAwaited || (recipe?.lifetime ?? lifetime) == .eager
            || LifecycleTypes.contain(serviceType)
    }

    /// Whether the box starts the service for its own sake, as far as its type or the service itself tells.
    var isStartedForItself: Bool {
        // What a registered provider creates isn't the box's to start.
        guard kind == .instance || creator is SharedSource else { return false }
        return LifecycleTypes.contain(implementation) || present?.isLifecycle ?? false
    }

    /// Whether the service never needs to be awaited at its end.
    var isIdle: Bool {
        switch lifetime {
        case .weak?: false
        case .transient?: true
        default: present != nil && !isAwaited && !hasEnd
        }
    }
}
