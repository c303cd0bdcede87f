// Part of ServiceBox, released under the MIT License.
// Services that start and stop with their box.

import ServiceBoxKit

/// A service that writes down when it starts and stops.
class LifePart: ServiceLifecycle, @unchecked Sendable {
    let name: String
    let journal: Journal
    /// What it throws, if it is to fail; set before the box starts.
    var startError: Broken?
    var stopError: Broken?

    init(_ name: String, _ journal: Journal) { (self.name, self.journal) = (name, journal) }

    func start() async throws {
        if let startError { throw startError }
        journal.add("start \(name)")
    }

    func stop() async throws {
        journal.add("stop \(name)")
        if let stopError { throw stopError }
    }
}

/// A service that does what it is given.
final class Doer: ServiceLifecycle {
    let (begin, end): (@Sendable () async throws -> Void, @Sendable () async throws -> Void)

    init(
        start: @escaping @Sendable () async throws -> Void = {},
        stop: @escaping @Sendable () async throws -> Void = {}
    ) {
        (begin, end) = (start, stop)
    }

    func start() async throws { try await begin() }
    func stop() async throws { try await end() }
}
