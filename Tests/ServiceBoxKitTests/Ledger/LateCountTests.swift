// Part of ServiceBox, released under the MIT License.
// Tests of what is counted when somebody asks.

import ServiceBoxKit
import Testing

@Suite("What isn't counted yet")
struct LateCountTests {
    @Test("of look-ups keeps no service that an ancestor has removed")
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

    @Test("is known to the original of a copy, and to a copy", arguments: [true, false])
    func copies(copyFills: Bool) {
        let original = ServiceBox()
        original.register(Cache(), as: "cache")
        let copy = original.copy()
        (copyFills ? copy : original).fill(User())
        for box in [original, copy] {
            #expect(box.uses.map(\.properties.count) == [1])
        }
        original.remove("cache")
        #expect(original.audit().findings.isEmpty)
    }

    @Test("of the original of a copy is known to the copy at once")
    func originalOnly() {
        let original = ServiceBox()
        original.register(Cache(), as: "cache")
        let copy = original.copy()
        original.fill(User())
        #expect(copy.uses.map(\.properties) == [["User.cache"]])
    }

    @Test("is counted before the service that is taken in a stop has ended")
    func takenInStop() async throws {
        final class Closer: LifePart, @unchecked Sendable {
            @Injected var serviceBox: ServiceBox?

            override func stop() async throws { serviceBox?.fill(User()) }
        }
        let box = ServiceBox()
        box.register(Cache(), as: "cache")
        box.register(Closer("closer", Journal()), as: "closer")
        try await box.start()
        await box.stop()
        #expect(box.uses.first { $0.name == "cache" }?.properties == ["User.cache"])
    }
}

private final class User {
    @Injected var cache: Cache?
}
