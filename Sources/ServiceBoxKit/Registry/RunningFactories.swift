// Part of ServiceBox, released under the MIT License.
// Who asks for whom while being made.

import Synchronization

/// The factories of a box that run, and which service each thread makes.
///
/// Thread-safe.
struct RunningFactories: ~Copyable, Sendable {
    /// A service whose factory runs.
    struct Current {
        let name: String
        let history: ServiceHistory
        /// The registry of the box that it belongs to.
        let registry: ObjectIdentifier
    }

    /// The same on a thread, the innermost, which is kept by whoever runs it.
    private struct Borrowed {
        let name: String
        let history: Unmanaged<ServiceHistory>
        let registry: ObjectIdentifier
    }

    private static let ofThread = ThreadLocal<Borrowed?> { nil }
    @TaskLocal private static var ofTask: Current?

    /// Counts those of one box; while it is zero, a look-up asks no further.
    private let count = Atomic(0)

    /// Runs the factory of a service.
    func run(
        _ name: String, _ history: ServiceHistory, in registry: ObjectIdentifier,
        _ make: () throws -> ServiceReference
    ) rethrows -> ServiceReference {
        let current = Self.ofThread.pointer
        // Swapped in and out, since copies would be counted.
        var other: Borrowed? = Borrowed(
            name: name, history: .passUnretained(history), registry: registry)
        swap(&current.pointee, &other)
        count.add(1, ordering: .relaxed)
        defer {
            count.subtract(1, ordering: .relaxed)
            swap(&current.pointee, &other)
        }
        return try withExtendedLifetime(history) { try make() }
    }

    /// Runs the factory of a service that must be awaited; tasks that it starts are a part of it.
    func run(
        _ name: String, _ history: ServiceHistory, in registry: ObjectIdentifier,
        _ make: () async throws -> ServiceReference
    ) async rethrows -> ServiceReference {
        let maker = Current(name: name, history: history, registry: registry)
        count.add(1, ordering: .relaxed)
        defer { count.subtract(1, ordering: .relaxed) }
        return try await Self.$ofTask.withValue(maker, operation: make)
    }

    /// Whether any may be running; costs a load.
    @inline(__always)
    var areRunning: Bool { count.load(ordering: .relaxed) != 0 }

    /// Runs a body with the history of the service whose factory runs on this thread, or else in this task, if it
    /// belongs to a registry; counts no references to what the thread keeps.
    func withHistory<Result>(in registry: ObjectIdentifier, _ body: (ServiceHistory) -> Result) -> Result? {
        let thread = Self.ofThread.pointer
        if let home = thread.pointee?.registry {
            return home == registry ? thread.pointee?.history._withUnsafeGuaranteedRef(body) : nil
        }
        return Self.ofTask.flatMap { $0.registry == registry ? body($0.history) : nil }
    }

    /// The service whose factory runs on this thread, or else in this task.
    var current: Current? {
        if let maker = Self.ofThread.pointer.pointee {
            return Current(
                name: maker.name, history: maker.history.takeUnretainedValue(), registry: maker.registry)
        }
        return Self.ofTask
    }
}
