// Part of ServiceBox, released under the MIT License.
// Tests of services that are created in rare constellations.

import ServiceBoxKit
import Testing

private final class Supply: Sendable {}

@Suite("A box that creates services, at the edges,")
struct CreationEdgeTests {
    private let box = ServiceBox()

    @Test("lets go of a service that was reset while it was created")
    func released() throws {
        weak var gone: Cache?
        box.register { box in
            try box.provider("cache" as ServiceKey<Cache>).reset()
            return Cache()
        }
        do {
            let cache = try box.resolve(Cache.self)
            gone = cache
        }
        #expect(gone == nil)
    }

    @Test("fills a transient service of a type with a table after one of another type")
    func types() throws {
        final class First: Store {}
        let (isFirst, writes) = (Locked(true), Counter())
        box.register(as: "store", lifetime: .transient) { _ -> any Store in
            isFirst.withLock { $0 } ? First() : FileStore()
        }
        box.register(Cache())
        func create() throws { _ = try box.resolve("store") as any Store }
        try create()
        isFirst.withLock { $0 = false }
        try create()
        box.teach(First.self, ["cache": .setter { (_: First, _: Cache) in writes.next() }])
        for _ in 0..<2 { try create() }
        isFirst.withLock { $0 = true }
        try create()
        #expect(writes.value == 1)
    }

    @Test("takes a failed service out of one in a child, though another child has the like")
    func likeChildren() throws {
        final class Host: @unchecked Sendable { @Injected var bad: Bad? }
        final class Bad: @unchecked Sendable {
            @Injected var host: Host
            @Injected var supply: Supply
        }
        for _ in 0..<2 {
            let child = box.makeChild()
            child.register { _ in Host() }
            child.register { _ in Bad() }
            #expect(try child.resolve(Host.self).bad == nil)
        }
    }
}
