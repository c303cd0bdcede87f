// Part of ServiceBox, released under the MIT License.
// Wirings that are as they should be: children and copies, and boxes whose registrations change.

import ServiceBoxKit

private struct User: Sendable {}
private final class Alarm { @Injected var clock: Clock }
private final class Tower: @unchecked Sendable { @Injected var clock: Clock }
private final class City { @Injected var tower: Tower }
private final class Repository: @unchecked Sendable { @Injected var user: User; @Injected var cache: Cache }
private final class Handler: @unchecked Sendable { @Injected var repository: Repository }
private final class PageScreen { @Injected var handler: Handler }
private final class Shelf { @InjectedAll var stores: [any Store] }
private final class Holder { @Injected var cache: Cache; @Injected var clock: Clock? }
private struct CachingStore: Store { let files: any Store }
private final class Editor { @Injected var store: any Store }

extension SilentWiring {
    static let families = [
        SilentWiring("a child that takes what its parent has") { box in
            box.register { _ in Clock() }
            box = box.makeChild(name: "child")
            return [Alarm()]
        },
        SilentWiring("a child with another service under a name") { box in
            box.register(Clock())
            box.fill(Alarm())
            box = box.makeChild(name: "child")
            box.register { _ in Clock() }
            return [Alarm()]
        },
        SilentWiring("a child with an own service that takes the parent's") { box in
            box.register(Clock())
            box = box.makeChild(name: "child")
            box.register(Tower())
            return [try box.resolve(Tower.self)]
        },
        SilentWiring("a grandchild") { box in
            box.register { _ in Clock() }
            box = box.makeChild(name: "child")
            box.register { _ in Tower() }
            box = box.makeChild(name: "grandchild")
            return [City()]
        },
        SilentWiring(
            "a service that those of each child take, in a box that no child was assumed for",
            unexamined: ["repository"]
        ) { box in
            box.register { _ in Cache() }
            box.register(per: .box) { _ in Repository() }
            return []
        },
        SilentWiring(
            "services of each child, which take what the child brings",
            assuming: { child in child.register(User()) }
        ) { box in
            box.register { _ in Cache() }
            box.register(per: .box) { _ in Repository() }
            box.register(per: .box) { _ in Handler() }
            return [PageScreen()]
        },
        SilentWiring("a child that brings what the services of each child need") { box in
            box.register { _ in Cache() }
            box.register(per: .box) { _ in Repository() }
            box.register(per: .box) { _ in Handler() }
            box = box.makeChild(name: "request")
            box.register(User())
            return [PageScreen()]
        },
        SilentWiring("all of a protocol in a family") { box in
            box.register(FileStore())
            box = box.makeChild(name: "child")
            box.register { _ in MemoryStore() }
            return [Shelf()]
        },
        SilentWiring("a copy, which shares the services") { box in
            box.register { _ in Clock() }
            box.register { _ in Tower() }
            box = box.copy()
            return [City()]
        },
        SilentWiring("a copy with another service under a name") { box in
            box.register { _ in Clock() }
            box = box.copy()
            box.register(Clock())
            return [Alarm()]
        },
        SilentWiring("a sealed box, and a child that has more") { box in
            box.register { _ in Clock() }
            box.seal()
            box = box.makeChild(name: "child")
            box.register(Cache())
            return [Alarm(), Holder()]
        },
        SilentWiring("objects of one type that two boxes fill") { box in
            let other = ServiceBox()
            other.register(Clock())
            other.fill(Alarm())
            box.register(Clock())
            return [Alarm()]
        },
        SilentWiring("a box that tracks its holders") { box in
            box.trackHolders()
            box.register { _ in Clock() }
            return [Alarm()]
        },
    ]

    static let changes = [
        SilentWiring("a service that was replaced before anything took it") { box in
            box.register(Clock())
            box.register(Clock())
            return [Alarm()]
        },
        SilentWiring("a service that was replaced by a subclass as the same type") { box in
            box.register(Cache(), as: ServiceKey<Cache>("cache"))
            box.register(DiskCache(), as: ServiceKey<Cache>("cache"))
            return [Holder()]
        },
        SilentWiring("an interface that a test replaces by a stub") { box in
            box.register(as: "store") { _ -> any Store in FileStore() }
            box.register(MemoryStore() as any Store, as: "store")
            return [Editor()]
        },
        SilentWiring("a service that wraps the one that it replaces") { box in
            box.register(as: "store") { _ -> any Store in FileStore() }
            let files = try box.provider(ServiceKey<any Store>("store"))
            box.register(as: "store") { _ -> any Store in CachingStore(files: try files.resolve()) }
            return [Editor()]
        },
        SilentWiring("an object that was registered again under its name") { box in
            let clock = Clock()
            box.register(clock)
            box.fill(Alarm())
            box.register(clock)
            return [Alarm()]
        },
        SilentWiring("a service that was replaced, and its holders refilled") { box in
            box.trackHolders()
            box.register(Clock())
            let alarm = Alarm()
            box.fill(alarm)
            box.register(Clock())
            try box.refill("clock")
            return [alarm]
        },
        SilentWiring("an eager service that is registered before what it needs") { box in
            box.register(lifetime: .eager) { _ in Tower() }
            box.register(Clock())
            return [City()]
        },
        SilentWiring("a service that was removed after its use, and that nothing requires") { box in
            box.register(Cache())
            box.register(Clock())
            box.fill(Holder())
            box.remove("clock")
            return [Holder()]
        },
        SilentWiring("a service that was removed and registered again") { box in
            box.register(Clock())
            box.fill(Alarm())
            box.remove("clock")
            box.register(Clock())
            return [Alarm()]
        },
        SilentWiring("a box that was cleared and filled again") { box in
            box.register(Cache())
            box.clear()
            box.register(Clock())
            return [Alarm()]
        },
        SilentWiring("a live service that something takes") { box in
            box.register(Clock())
            box.markLive("clock")
            return [Alarm()]
        },
        SilentWiring("an object that was filled twice") { box in
            box.register(Clock())
            let alarm = Alarm()
            box.fill(alarm)
            box.fill(alarm, keepingExisting: true)
            return [alarm]
        },
    ]
}
