// Part of ServiceBox, released under the MIT License.
// Wirings that are as they should be: properties that can do without a service, and how they are named.

import Observation
import ServiceBoxKit

private final class Visitor {
    @Injected var clock: Clock?
    @Injected var store: (any Store)?
    @Injected("userCache") var cache: Cache?
    @WeakInjected var owner: Cache?
    @InjectedAll var stores: [any Store]
    @Injected var limit: Int?
}

private final class Defaulted {
    @Injected var limit: Int = 3
    @Injected var clock: Clock = Clock()
}

private final class Prepared: @unchecked Sendable {
    @Injected var clock: Clock
    init(_ clock: Clock) { self.clock = clock }
}

private final class Caches {
    @Injected var cache: Cache
    @Injected var caches: Cache?
    @Injected var userCache: Cache
}

private final class Scores { @Injected var score: Int?; @Injected var store: (any Store)? }
private final class Named {
    @Injected("userCache") var cache: Cache; @Injected(.archive) var store: any Store
}

extension ServiceKey where Service == any Store {
    fileprivate static var archive: Self { "archive" }
}

/// Its initialiser takes what others have injected.
private final class Constructed: Sendable {
    let clock: Clock
    let cache: Cache
    init(_ clock: Clock, _ cache: Cache) { (self.clock, self.cache) = (clock, cache) }
}

private final class Plain {
    var clock = Clock()
    var cache: String?
    lazy var store = FileStore()
}

private class Base { @Injected private var clock: Clock }
private class Middle: Base { @Injected fileprivate var cache: Cache }
private final class Leaf: Middle { @Injected private var clock: Clock }

@Observable private final class Watched {
    var count = 0
    @ObservationIgnored @Injected var clock: Clock
}

@propertyWrapper private struct Logged<Value> {
    var wrappedValue: Value
    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

private final class Wrapped { @Logged @Injected("clock") var clock: Clock? }

private final class Mirrored: @unchecked Sendable, CustomReflectable {
    @Injected var clock: Clock
    var customMirror: Mirror { Mirror(self, children: ["title": "mirrored"]) }
}

private final class Shelf { @InjectedAll var stores: [any Store] }

extension SilentWiring {
    static let properties = [
        SilentWiring("properties that can do without, and nothing registered") { _ in [Visitor()] },
        SilentWiring("properties that can do without, of which some get something") { box in
            box.register(Clock())
            box.register(7, as: "limit")
            return [Visitor()]
        },
        SilentWiring("properties that have a value, and nothing registered") { _ in [Defaulted()] },
        SilentWiring("properties that have a value, and a service for one") { box in
            box.register(Clock())
            return [Defaulted()]
        },
        SilentWiring("a required property that the initialiser sets, and nothing registered") { box in
            box.register(Prepared(Clock()))
            return [try box.resolve(Prepared.self)]
        },
        SilentWiring("an optional property with a name like that of another one's service") { box in
            box.register(Cache())
            box.register(DiskCache(), as: "userCache")
            return [Caches()]
        },
        SilentWiring("an optional property with a name like that of a service of another type") { box in
            box.register(7, as: "score")
            return [Scores()]
        },
        SilentWiring("properties that name their services") { box in
            box.register(Cache(), as: "userCache")
            box.register(MemoryStore(), as: .archive)
            return [Named()]
        },
        SilentWiring("services that an initialiser takes, and a property of their names") { box in
            box.register(Clock())
            box.register(Cache())
            box.register { Constructed(try $0.resolve(), try $0["cache"]) }
            return [try box.resolve(Constructed.self)]
        },
        SilentWiring("plain properties of the names of services that others take") { box in
            box.register(Clock())
            box.register(Cache())
            box.register(FileStore(), as: "store")
            return [Plain(), Leaf(), Scores()]
        },
        SilentWiring("private and inherited properties, two of one name") { box in
            box.register(Clock())
            box.register(Cache())
            return [Leaf()]
        },
        SilentWiring("an observable object") { box in
            box.register(Clock())
            return [Watched()]
        },
        SilentWiring("a property with a second wrapper around") { box in
            box.register(Clock())
            return [Wrapped()]
        },
        SilentWiring("a service with a mirror of its own") { box in
            box.register(Clock())
            box.register(Mirrored())
            _ = try box.resolve(Mirrored.self).clock
            return []
        },
        SilentWiring("all of a protocol, of which there are none") { _ in [Shelf()] },
        SilentWiring("all of a protocol, ready-made, lazy and transient ones") { box in
            box.register(FileStore())
            box.register { _ in MemoryStore() }
            box.register(as: "other", lifetime: .transient) { _ -> any Store in MemoryStore() }
            return [Shelf()]
        },
    ]
}
