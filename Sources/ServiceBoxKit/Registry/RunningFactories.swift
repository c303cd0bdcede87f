// Part of ServiceBox, released under the MIT License.
// Which service resolves which while it is created.

import Synchronization

/// Runs the factory of a service.
protocol FactoryRunner: AnyObject, Sendable {
    /// The name of the service.
    var name: String { get }
    var history: ServiceHistory { get }
    /// Identifies the box that the service belongs to.
    var homeID: ObjectIdentifier { get }
}

/// The running factories of all boxes, and which service each thread is creating.
///
/// Thread-safe.
enum RunningFactories {
    /// What runs a factory on a thread; unretained, since the caller keeps it until the factory returns.
    @safe fileprivate struct Borrowed {
        unowned(unsafe) let runner: any FactoryRunner
        let history: Unmanaged<ServiceHistory>
        let home: ObjectIdentifier
    }

    private static let ofThread = ThreadLocal<Borrowed?> { nil }
    @TaskLocal private static var task: Ongoing<any FactoryRunner>?
    private static var ofTask: (any FactoryRunner)? { task?.value }

    /// Whether one has begun on any thread; a count of those that run would have threads that create services at the
    /// same time contend for it.
    private static let haveBegun = Atomic(false)
    /// Counts the asynchronous ones that run.
    private static let awaited = Atomic(0)

    /// Runs a factory on this thread; the caller keeps what runs it.
    @available(*, noasync)
    @inline(__always)
    static func run<Result>(_ runner: any FactoryRunner, _ make: () throws -> Result) rethrows -> Result {
        let current = ofThread.here
        let outer = current.value
        current.value = unsafe Borrowed(
            runner: runner, history: .passUnretained(runner.history), home: runner.homeID)
        defer { current.value = outer }
        if !haveBegun.load(ordering: .relaxed) { haveBegun.store(true, ordering: .relaxed) }
        return try make()
    }

    /// Runs an asynchronous factory; tasks that it starts are part of it until it returns.
    nonisolated(nonsending) static func run(
        _ runner: any FactoryRunner, _ make: nonisolated(nonsending) () async throws -> AnyCell
    ) async rethrows -> AnyCell {
        awaited.add(1, ordering: .relaxed)
        let run = Ongoing(runner)
        defer {
            run.end()
            awaited.subtract(1, ordering: .relaxed)
        }
        return try await $task.withValue(run, operation: make)
    }

    /// Whether any may be running in this thread or task; costs two loads until a box has created a service.
    @inline(__always)
    static var areRunning: Bool {
        haveBegun.load(ordering: .relaxed) && ofThread.here.value != nil
            || awaited.load(ordering: .relaxed) != 0
    }

    /// If any may be running, the history of the service whose factory, of any box, runs on this thread, or else
    /// in this task.
    static var history: ServiceHistory? {
        guard areRunning else { return nil }
        return unsafe ofThread.here.value?.history.takeUnretainedValue() ?? ofTask?.history
    }

    /// Notes a look-up, if it was made on this thread, or else in this task, by a factory of the box that was
    /// asked or of the one that has the service.
    ///
    /// - Returns: The name of the factory's service, if its history doesn't have the look-up yet.
    static func note(_ ask: ServiceHistory.Ask, in box: ObjectIdentifier) -> String? {
        func isMeant(_ home: ObjectIdentifier) -> Bool { home == box || home == ask.service.home }
        let thread = ofThread.here
        guard let home = thread.value?.home else {
            return ofTask.flatMap { isMeant($0.homeID) && $0.history.note(ask) ? $0.name : nil }
        }
        let isNews =
            unsafe isMeant(home) && thread.value?.history._withUnsafeGuaranteedRef { $0.note(ask) } == true
        return unsafe isNews ? thread.value?.runner.name : nil
    }
}
