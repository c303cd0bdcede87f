// Part of ServiceBox, released under the MIT License.
// Services that must be awaited: their factories, and what stands in the way of a service.

import Synchronization

/// How a service is created that must be awaited: its factory runs first, as work that all who ask share; then the
/// service is made of what came of it, as any other is.
///
/// Thread-safe.
final class Preparation: Sendable {
    /// The name that the service is registered under.
    let name: String
    private let factory: @Sendable () async throws -> AnyCell
    /// What the factory has created, until a service is made of it.
    private let created = Guarded<AnyCell?>(nil)
    private let works = LazyReference<Works>()
    private let lifetime: Lifetime
    /// Counts how often what was made was forgotten.
    private let resets = Atomic(0)

    /// The phases of a shared making.
    private final class Works: Sendable {
        let creating: SharedWork<Void>
        let finishing: SharedWork<AnyCell>

        init(_ step: ServicePath.Step) {
            creating = SharedWork(AwaitGraph.Node(step))
            finishing = SharedWork(AwaitGraph.Node(step))
        }
    }

    init(
        _ name: String, _ lifetime: Lifetime,
        _ factory: @escaping @Sendable () async throws -> AnyCell
    ) {
        self.name = name
        self.lifetime = lifetime
        self.factory = factory
    }

    private func works(_ step: ServicePath.Step) -> Works { works.object(orCreate: Works(step)) }

    /// Whether there is something that a service can be made of.
    var isCreated: Bool { created.withLock { $0 != nil } }

    /// What the service is made of.
    ///
    /// - Throws: ``ServiceBoxError/Code/notReady`` if there is nothing.
    func take() throws(ServiceBoxError) -> AnyCell {
        if let cell = created.withLock({ $0 }) { return cell }
        throw refusal([])
    }

    /// Why a service can't be made now.
    func refusal(_ path: [ServicePath.Step]) -> ServiceBoxError {
        let isShared = lifetime != .transient
        return ServiceBoxError(
            .notReady(name: name, isShared: isShared, isStarted: isShared && lifetime != .weak),
            path: ServicePath(path))
    }

    /// Notes that what was made is forgotten, and what is being made is to be.
    func reset() {
        resets.add(1, ordering: .acquiringAndReleasing)
        settle()
    }

    /// Lets go of what the factory has created.
    func settle() {
        created.letGo { $0.take() }
    }

    /// Runs the factory, for all who ask.
    ///
    /// - Parameters:
    ///   - step: The service.
    ///   - isPatient: Whether one who is cancelled waits until the factory has ended.
    ///   - isMade: Whether the service is made already.
    ///   - escaping: What to throw for an error of the factory.
    /// - Throws: That; `CancellationError` if the current task is cancelled.
    nonisolated(nonsending) func create(
        _ step: ServicePath.Step, isPatient: Bool, unless isMade: @escaping @Sendable () -> Bool,
        escaping: @escaping @Sendable (any Error) -> ServiceBoxError
    ) async throws {
        try await works(step).creating.value(isPatient: isPatient) { [self] in
            // What was created is kept by the source before this lets go of it.
            if isCreated || isMade() { return }
            while true {
                let before = resets.load(ordering: .acquiring)
                let cell = try await run(escaping)
                // What is reset while it is created is created anew.
                if resets.load(ordering: .acquiring) != before { continue }
                return created.withLock { $0 = cell }
            }
        }
    }

    /// Whether somebody awaits what is being made.
    var isBeingDone: Bool {
        works.withObject { $0.finishing.isBeingDone || $0.creating.isBeingDone } ?? false
    }

    /// Cancels what is being made, and waits until it has ended.
    nonisolated(nonsending) func cancel() async {
        await works.object?.finishing.cancel()
        await works.object?.creating.cancel()
    }

    /// Runs the factory for one who asks, whose service nobody shares.
    nonisolated(nonsending) func createOne(
        _ step: ServicePath.Step, escaping: @escaping @Sendable (any Error) -> ServiceBoxError
    ) async throws -> AnyCell {
        try await SharedWork(works(step).creating.node).value { [self] in try await run(escaping) }
    }

    /// Makes the service of what the factory has created, for all who ask.
    ///
    /// - Parameters:
    ///   - step: The service.
    ///   - operation: Has the factory run, and makes the service.
    /// - Returns: The service.
    /// - Throws: What the operation throws.
    nonisolated(nonsending) func finish(
        _ step: ServicePath.Step, _ operation: @escaping @Sendable () async throws -> AnyCell
    ) async throws -> AnyCell {
        try await works(step).finishing.value(operation)
    }

    private nonisolated(nonsending) func run(_ escaping: (any Error) -> ServiceBoxError) async throws
        -> AnyCell
    {
        do { return try await factory() } catch { throw escaping(error) }
    }
}

// MARK: - What stands in the way

/// Why a service can't be made here and now, where that can be changed by somebody who can wait.
enum Obstacle: Sendable {
    /// A source's service isn't there; prepares it, or what it is made of.
    case lack(ObjectIdentifier, prepare: @Sendable () async throws -> Void)
    /// Something that nobody shares belongs to an actor, so what needs it has to be made there too.
    case isolation(any Actor)

    /// The source whose service isn't there.
    var source: ObjectIdentifier? { if case .lack(let source, _) = self { source } else { nil } }
}
