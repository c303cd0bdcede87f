// Part of ServiceBox, released under the MIT License.
// Preparing in many tasks that get in each other's way.

import ServiceBoxKit
import Testing

private final class Database: Sendable {}

private final class Own: @unchecked Sendable {
    @Injected var own: Own
}

/// What needs a service that must be awaited, through another one.
private final class Outer: @unchecked Sendable {
    @Injected var inner: Inner
}

private final class Inner: @unchecked Sendable {
    @Injected var database: Database
}

@Suite("Preparing in many tasks")
struct PreparingStressTests {
    @Test("awaits what another task's attempt has lacked, also if that was made on the same thread")
    func otherAttempts() async throws {
        for _ in 0..<Sanitizer.rounds(200) {
            let box = ServiceBox()
            box.register { _ in Own() }
            box.register(lifetime: .eager) { box in
                _ = try box.resolve(Own.self)
                return Inner()
            }
            box.register { box in
                await Task.yield()
                _ = try await box.prepare(Own.self)
                return Database()
            }
            box.register { _ in Outer() }
            try await withThrowingTaskGroup { group in
                group.addTask { try await box.start() }
                for _ in 1...2 {
                    group.addTask { _ = try await box.prepare(Own.self) }
                    group.addTask { _ = try await box.prepare(Inner.self) }
                    group.addTask { _ = try await box.prepare(Database.self) }
                    group.addTask { _ = try await box.prepare(Outer.self) }
                }
                try await group.waitForAll()
            }
        }
    }
}
