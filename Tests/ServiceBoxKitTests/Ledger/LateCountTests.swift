// Part of ServiceBox, released under the MIT License.
// Tests of what is counted when somebody asks.

import Testing

@testable import ServiceBoxKit

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

    @Test("of fills doesn't grow with each fill of a type that is matched anew each time")
    func unkept() {
        final class Reflecting: CustomReflectable {
            @Injected var cache: Cache?
            var customMirror: Mirror { Mirror(self, children: ["_cache": _cache]) }
        }
        let (box, cache) = (ServiceBox(), Cache())
        box.register(cache)
        let objects = (0..<1000).map { _ in Reflecting() }
        for object in objects { box.fill(object) }
        #expect(objects.allSatisfy { $0.cache === cache })
        #expect(box.ledger.state.withLock { $0.unread.count } <= 257)
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

    @Test("of a look-up in a child isn't counted for a later service of the name")
    func replaced() throws {
        let parent = ServiceBox()
        parent.register(Cache(), as: "cache")
        let child = parent.makeChild()
        let _: Cache = try child.resolve("cache")
        parent.register(Cache(), as: "cache")
        _ = child.uses
        #expect(parent.uses.filter { !$0.isUsed }.map(\.name) == ["cache"])
    }

    @Test("of a look-up of an inherited service in a copy is known to its original at once")
    func inheritedInCopy() throws {
        let parent = ServiceBox()
        parent.register(Cache(), as: "cache")
        let original = parent.makeChild()
        let copy = original.copy()
        let _: Cache = try copy.resolve("cache")
        #expect(original.uses.map(\.wasResolved) == [true])
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
