// Part of ServiceBox, released under the MIT License.
// Who asks for whom while being made.

import Synchronization

/// What runs the factory of a service.
protocol FactoryRunner: AnyObject, Sendable {
    /// The name of the service.
    var name: String { get }
    var history: ServiceHistory { get }
    /// The registry of the box that the service belongs to.
    var home: ObjectIdentifier { get }
}

/// The factories of a box that run, and which service each thread makes.
///
/// Thread-safe.
struct RunningFactories: ~Copyable, Sendable {
    /// What runs a factory on a thread; whoever has begun it keeps it until the end, so nothing is counted here.
    fileprivate struct Borrowed {
        unowned(unsafe) let runner: any FactoryRunner
        let history: Unmanaged<ServiceHistory>
        let home: ObjectIdentifier
    }

    /// What goes on when a factory ends; for the same thread.
    struct Outer {
        fileprivate let current: UnsafeMutablePointer<Borrowed?>
        fileprivate let borrowed: Borrowed?
    }

    private static let ofThread = ThreadLocal<Borrowed?> { nil }
    @TaskLocal private static var ofTask: (any FactoryRunner)?

    /// Counts those of one box; while it is zero, a look-up asks no further.
    private let count = Atomic(0)

    /// Begins to run a factory on this thread.
    ///
    /// - Parameter runner: What runs it; its caller keeps it until ``end(backTo:)``.
    /// - Returns: The one around it.
    @inline(__always)
    func begin(_ runner: any FactoryRunner) -> Outer {
        let current = Self.ofThread.pointer
        let outer = Outer(current: current, borrowed: current.pointee)
        let home = runner.home
        current.pointee = Borrowed(
            runner: runner, history: .passUnretained(runner.history), home: home)
        // The one around it is counted as long as this one runs.
        if outer.borrowed?.home != home { count.add(1, ordering: .relaxed) }
        return outer
    }

    /// Ends the innermost factory of this thread.
    @inline(__always)
    func end(backTo outer: Outer) {
        if outer.borrowed?.home != outer.current.pointee?.home { count.subtract(1, ordering: .relaxed) }
        outer.current.pointee = outer.borrowed
    }

    /// Runs the factory of a service that must be awaited; tasks that it starts are a part of it.
    nonisolated(nonsending) func run(
        _ runner: any FactoryRunner, _ make: nonisolated(nonsending) () async throws -> AnyCell
    ) async rethrows -> AnyCell {
        count.add(1, ordering: .relaxed)
        defer { count.subtract(1, ordering: .relaxed) }
        return try await Self.$ofTask.withValue(runner, operation: make)
    }

    /// Whether any may be running; costs a load.
    @inline(__always)
    var areRunning: Bool { count.load(ordering: .relaxed) != 0 }

    /// Notes that a service was looked up, if a factory of a registry has done so on this thread, or else in this task.
    ///
    /// - Parameters:
    ///   - registry: The registry.
    ///   - note: Notes it in the history of the factory's service; returns whether that is news.
    /// - Returns: The name of that service, if it is news.
    func noteAsk(in registry: ObjectIdentifier, _ note: (ServiceHistory) -> Bool) -> String? {
        let thread = Self.ofThread.pointer
        guard let home = thread.pointee?.home else {
            return Self.ofTask.flatMap { $0.home == registry && note($0.history) ? $0.name : nil }
        }
        let isNews = home == registry && thread.pointee?.history._withUnsafeGuaranteedRef(note) == true
        return isNews ? thread.pointee?.runner.name : nil
    }
}
