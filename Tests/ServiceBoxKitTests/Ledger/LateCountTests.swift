// Part of ServiceBox, released under the MIT License.
// Tests of what is counted when somebody asks.

import ServiceBoxKit
import Testing

@Suite("A look-up that isn't counted yet")
struct LateCountTests {
    @Test("keeps no service that an ancestor has removed")
    func release() throws {
        let parent = ServiceBox()
        let child = parent.makeChild(name: "child")
        parent.register(as: "cache") { _ in Cache() }
        weak var cache: Cache?
        do {
            let found: Cache = try child.resolve("cache")
            cache = found
        }
        #expect(cache != nil)
        parent.remove("cache")
        #expect(cache == nil)
        withExtendedLifetime(child) {}
    }
}
