// Part of ServiceBox, released under the MIT License.
// Services that must be awaited: their factories, and obstacles that waiting can remove.

import Synchronization

/// An asynchronous factory, run once for all who wait; its result then becomes the service synchronously, as
/// with any other.
///
/// Thread-safe.
final class Preparation: Sendable {
    /// The name that the service is registered under.
    let name: String
    private let factory: @Sendable () async throws -> AnyCell
    private let serviceType: any Sendable.Type
    /// The factory's result, until the service is created from it; held weakly if the service is.
    private let created = Guarded<AnyCell?>(nil)
    private let works = LazyReference<Works>()
    private let lifetime: Lifetime
    /// Whether each child creates its own service.
    private let isPerBox: Bool
    /// The name of the box that creates the service, if it has one and still exists.
    private let boxName: @Sendable () -> String?
    /// Counts resets.
    private let resets = Atomic(0)

    /// The two phases of a shared service.
    private final class Works: Sendable {
        let creating: SharedWork<AnyCell>
        let finishing: SharedWork<AnyCell>

        init(_ step: ServicePath.Step) {
            creating = SharedWork(AwaitGraph.Node(step))
            finishing = SharedWork(AwaitGraph.Node(step))
        }
    }

    init(
        _ name: String, of type: any Sendable.Type, _ lifetime: Lifetime, isPerBox: Bool,
        in boxName: @escaping @Sendable () -> String?,
        _ factory: @escaping @Sendable () async throws -> AnyCell
    ) {
        self.name = name
        serviceType = type
        self.lifetime = lifetime
        self.isPerBox = isPerBox
        self.boxName = boxName
        self.factory = factory
    }

    private func works(_ step: ServicePath.Step) -> Works { works.object(orCreate: Works(step)) }

    /// Whether the factory's result is there, to create a service from.
    var isCreated: Bool { result != nil }

    private var result: AnyCell? {
        let cell = created.withLock { $0 }
        return lifetime == .weak ? cell?.strongly(as: serviceType) : cell
    }

    /// The factory's result.
    ///
    /// - Throws: ``ServiceBoxError/Code/notReady`` if there is nothing.
    func take() throws(ServiceBoxError) -> AnyCell {
        if let result { return result }
        throw refusal([])
    }

    /// The error that says why the service can't be created now.
    func refusal(_ path: [ServicePath.Step]) -> ServiceBoxError {
        let isShared = lifetime != .transient
        return ServiceBoxError(
            .notReady(
                name: name, isShared: isShared, isStarted: isShared && lifetime != .weak, isPerBox: isPerBox,
                box: boxName()),
            path: ServicePath(path))
    }

    /// Forgets the factory's result, and marks a running factory's result as out of date.
    func reset() {
        resets.add(1, ordering: .acquiringAndReleasing)
        created.letGo { $0.take() }
    }

    /// Releases a result that a service was created from, unless a later one has taken its place.
    func settle(_ used: AnyCell) {
        guard let known = created.withLock({ $0 }), known.identity === used.identity else { return }
        created.letGo { $0 === known ? $0.take() : nil }
    }

    /// Runs the factory once for all callers.
    ///
    /// - Parameters:
    ///   - step: The service.
    ///   - isPatient: Whether a cancelled caller waits until the factory has ended.
    ///   - made: The service, if it is made already.
    ///   - escaping: Turns the factory's error into the one to throw.
    /// - Returns: The factory's result, which the caller keeps until the service is created from it, or that
    ///   service.
    /// - Throws: That error; `CancellationError` if the current task is cancelled.
    nonisolated(nonsending) func create(
        _ step: ServicePath.Step, isPatient: Bool, unless made: @escaping @Sendable () -> AnyCell?,
        escaping: @escaping @Sendable (any Error) -> ServiceBoxError
    ) async throws -> AnyCell {
        try await works(step).creating.value(isPatient: isPatient) { [self] in
            // The source keeps the service before the factory's result is released.
            if let known = result ?? made() { return known }
            while true {
                let before = resets.load(ordering: .acquiring)
                let cell = try await run(escaping)
                let kept = lifetime == .weak ? cell.weakly ?? cell : cell
                // A reset during creation makes the result out of date; create again. It counts before it takes
                // the lock.
                let isCurrent = created.withLock { created in
                    let isCurrent = resets.load(ordering: .acquiring) == before
                    if isCurrent { created = kept }
                    return isCurrent
                }
                if isCurrent { return cell }
            }
        }
    }

    /// Whether the service is being awaited.
    var isBeingDone: Bool {
        works.withObject { $0.finishing.isBeingDone || $0.creating.isBeingDone } ?? false
    }

    /// The factory's run, if it is running.
    var running: AwaitGraph.Node? {
        works.withObject { $0.creating.isBeingDone ? $0.creating.node : nil }
    }

    /// Cancels the running work, and waits until it has ended.
    nonisolated(nonsending) func cancel() async {
        await works.object?.finishing.cancel()
        await works.object?.creating.cancel()
    }

    /// Runs the factory for one caller, for a transient service.
    nonisolated(nonsending) func createOne(
        _ step: ServicePath.Step, escaping: @escaping @Sendable (any Error) -> ServiceBoxError
    ) async throws -> AnyCell {
        try await SharedWork(works(step).creating.node).value { [self] in try await run(escaping) }
    }

    /// Runs an operation, which runs the factory and creates the service from its result, once for all callers.
    nonisolated(nonsending) func finish(
        _ step: ServicePath.Step, _ operation: @escaping @Sendable () async throws -> AnyCell
    ) async throws -> AnyCell {
        try await works(step).finishing.value { [self] in
            let before = resets.load(ordering: .acquiring)
            let service = try await operation()
            // After a reset meanwhile the box has forgotten it; once, since each service may be reset.
            return resets.load(ordering: .acquiring) == before ? service : try await operation()
        }
    }

    private nonisolated(nonsending) func run(_ escaping: (any Error) -> ServiceBoxError) async throws
        -> AnyCell
    {
        do { return try await factory() } catch { throw escaping(error) }
    }
}

// MARK: - What stands in the way

/// Why a service can't be created here and now, if waiting can change that.
enum Obstacle: Sendable {
    /// An obstacle, and the constructions that ran when it was met.
    typealias Met = (obstacle: Obstacle, path: [ServicePath.Step])

    /// A source's service doesn't exist yet; `prepare` creates it, or the factory's result that it needs, and tells
    /// what the service lacks then.
    case lack(ObjectIdentifier, prepare: @Sendable () async throws -> (service: AnyCell, lacks: [Met]))
    /// A transient service is isolated to an actor, or the table of a service is, so the service that needs it must
    /// be created there too.
    case isolation(any Actor)
    /// A construction failed in another attempt, which can't be waited for inside this one; its end is near.
    case failedElsewhere(Construction)

    /// Whether it is another one than those met before.
    ///
    /// What failed elsewhere is: for the attempt there it counts.
    ///
    /// - Parameter lacked: The sources whose services were missing, to which its own is added.
    /// - Returns: Whether it is.
    func isNews(beside lacked: inout Set<ObjectIdentifier>) -> Bool {
        switch self {
        case .lack(let source, _): lacked.insert(source).inserted
        case .isolation: false
        case .failedElsewhere: true
        }
    }
}
