// Part of ServiceBox, released under the MIT License.
// Wirings that are as they should be: factories and code that look services up.

import ServiceBoxKit

private final class Tower: Sendable {
    let clock: Clock
    init(_ clock: Clock) { self.clock = clock }
}
private final class City: Sendable {
    init(_ tower: Tower) {}
}
private final class Library: Sendable {
    init(_ stores: [any Store]) {}
}
private final class Careful: Sendable {
    let clock: Clock?
    init(_ clock: Clock?) { self.clock = clock }
}
private final class Patient: Sendable {
    let clock: ServiceProvider<Clock>
    init(_ clock: ServiceProvider<Clock>) { self.clock = clock }
}
private final class Book: Sendable {
    init(_ page: Page) {}
}
private final class Lent { @Injected var cache: Cache }

extension SilentWiring {
    static let factories = [
        SilentWiring("factories that ask for others by type and by name") { box in
            box.register { _ in Clock() }
            box.register { Tower(try $0.resolve()) }
            box.register(as: "city") { City(try $0["tower"]) }
            _ = try box.resolve("city") as City
            return []
        },
        SilentWiring("code that looks the only service of a type up") { box in
            box.register(Clock())
            _ = try box.resolve(Clock.self)
            return []
        },
        SilentWiring("code that looks up by an interface, as which one service of several is registered") {
            box in
            box.register(FileStore())
            box.register(MemoryStore() as any Store, as: "store")
            _ = try box.resolve((any Store).self)
            _ = try box.resolve(FileStore.self)
            return []
        },
        SilentWiring("a factory that asks for all of a protocol") { box in
            box.register(FileStore())
            box.register { _ in MemoryStore() }
            box.register { Library(try $0.resolveAll()) }
            _ = try box.resolve(Library.self)
            return []
        },
        SilentWiring("a factory that can do without what isn't registered") { box in
            box.register { box in Careful(box.isRegistered("clock") ? try box["clock"] : nil) }
            _ = try box.resolve(Careful.self)
            return []
        },
        SilentWiring("a factory that tries to get what isn't registered") { box in
            box.register { box in Careful(try? box["clock"]) }
            _ = try box.resolve(Careful.self)
            return []
        },
        SilentWiring("a factory that takes a provider, of a service that needs its own") { box in
            box.register { Patient(try $0.provider("clock")) }
            box.register { box -> Clock in
                _ = try box.resolve(Patient.self)
                return Clock()
            }
            return []
        },
        SilentWiring("a factory that asks for a service with parameters") { box in
            box.register(as: "page") { (_, number: Int) in Page(number: number) }
            box.register { Book(try $0.resolve("page", with: 1)) }
            _ = try box.resolve(Book.self)
            return []
        },
        SilentWiring("a service with parameters that code asks for") { box in
            box.register(as: "page") { (_, number: Int, title: String) in Page(number: number, title: title) }
            let _: Page = try box.resolve("page", with: 1, "one")
            return []
        },
        SilentWiring("a factory that fills what it hands out") { box in
            box.register(Cache())
            box.register(lifetime: .transient) { box in
                box.fill(Lent())
                return Clock()
            }
            _ = try box.resolve(Clock.self)
            return []
        },
        SilentWiring("a factory that failed, and then didn't") { box in
            let tries = Counter()
            box.register { _ in
                if tries.next() == 1 { throw Broken() }
                return Cache()
            }
            _ = try? box.resolve(Cache.self)
            return [Lent()]
        },
    ]
}
