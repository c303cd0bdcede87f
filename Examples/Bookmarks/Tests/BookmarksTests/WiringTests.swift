// Part of ServiceBox, released under the MIT License.
// Who gets what.

import ServiceBoxKit
import ServiceBoxTesting
import Testing

@testable import Bookmarks

@Suite("The wiring")
struct WiringTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The program's box with everything created, and a request in it.
    private func withRequest(_ body: (ServiceBox) throws -> Void) async throws {
        var configuration = Configuration(users: .example)
        configuration.database.path = folder.path("bookmarks.sqlite")
        let box = try Application.makeBox(configuration)
        try await Application.createAll(in: box)
        try body(Application.exampleRequest(in: box))
        await box.stop()
    }

    @Test("lacks nothing, and has nothing that nobody asks for")
    func audit() async throws {
        try await withRequest { try $0.audit(including: Application.exampleHandlers).requireClean() }
    }

    @Test("is the one under review")
    func lock() async throws {
        try await withRequest { expectWiring($0, including: Application.exampleHandlers) }
    }

    @Test("wraps the store in the cache")
    func decorated() async throws {
        try await withRequest { request in
            let store = try request[.store]
            #expect(store is CachingStore)
        }
    }
}
