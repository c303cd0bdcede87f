// Part of ServiceBox, released under the MIT License.
// Errors that pass through very many factories.

import ServiceBoxKit
import Testing

private final class Cache: Sendable {}
private struct Broken: Error {}

@Suite("An error that passes through very many factories")
struct DeepErrorTests {
    @Test("names all of them, keeps its root, and ends without taking a long stack", .timeLimit(.minutes(1)))
    func deep() throws {
        let count = 100_000
        func failing(_ error: any Error) -> ServiceBoxError? {
            failure(of: ServiceProvider<Cache> { throw error })
        }
        var latest = failing(Broken())
        for _ in 1..<count { latest = latest.flatMap(failing) }
        var error = try #require(latest)
        latest = nil
        #expect(error.path.count == count)
        #expect(error.root.path == ["Cache"])
        #expect(error.underlying is Broken)
        // The whole path is let go of here.
        let path = Locked<ServiceBoxError?>(error)
        error = error.root
        onThreads([{ path.withLock { $0 = nil } }])
        #expect(error.code == .factoryFailed)
    }
}
