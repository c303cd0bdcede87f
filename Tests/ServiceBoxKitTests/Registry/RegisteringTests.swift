// Part of ServiceBox, released under the MIT License.
// Tests of putting services into a box and asking what is there.

import ServiceBoxKit
import Testing

@Suite("Registering")
struct RegisteringTests {
    @Test("keeps a ready instance under a name and returns that very instance")
    func keepsInstance() {
        let box = ServiceBox()
        let cache = Cache()
        box.register(cache, as: "cache")
        let first = Screen()
        let second = Screen()
        box.fill(first)
        box.fill(second)
        #expect(first.cache === cache)
        #expect(second.cache === cache)
    }

    @Test("replaces a service for later fills, and filled objects keep the earlier one")
    func replaces() {
        let box = ServiceBox()
        let early = Cache()
        let late = Cache()
        let before = Screen()
        let after = Screen()
        box.register(early, as: "cache")
        box.fill(before)
        box.register(late, as: "cache")
        box.fill(after)
        #expect(before.cache === early)
        #expect(after.cache === late)
        #expect(box.registrations.count { $0.name == "cache" } == 1)
    }

    @Test("a replacement may be of another type")
    func replacesType() {
        let box = ServiceBox()
        box.register(1, as: "cache")
        #expect(box.fill(Screen()).outcome(of: "cache") == .typeMismatch)
        box.register(Cache(), as: "cache")
        #expect(box.fill(Screen()).outcome(of: "cache") == .filled)
    }

    @Test("an empty name traps; nil doesn't compile")
    func emptyName() async {
        await #expect(processExitsWith: .failure) { ServiceBox().register(1, as: "") }
    }

    @Test("an optional service traps")
    func optionalService() async {
        await #expect(processExitsWith: .failure) {
            let nothing: Int? = nil
            ServiceBox().register(nothing, as: "number")
        }
    }

    @Test("the name of the box itself is reserved")
    func reservedName() async {
        await #expect(processExitsWith: .failure) { ServiceBox().register(1, as: "serviceBox") }
        await #expect(processExitsWith: .failure) { ServiceBox().register(ServiceBox()) }
    }

    @Test("tells whether a name is registered, lists names with types, and removes single entries")
    func looksUp() {
        let box = ServiceBox()
        box.register(Cache(), as: "zebra")
        box.register(7, as: "ape")
        #expect(box.isRegistered("zebra"))
        #expect(!box.isRegistered("Zebra"))
        #expect(box.isRegistered("serviceBox"))
        #expect(box.registrations.map(\.name) == ["ape", "serviceBox", "zebra"])
        #expect(
            box.registrations.map { ObjectIdentifier($0.type) }
                == [Int.self, ServiceBox.self, Cache.self].map { ObjectIdentifier($0) })
        #expect(box.remove("zebra"))
        #expect(!box.remove("zebra"))
        #expect(!box.isRegistered("zebra"))
        #expect(box.fill(Screen()).outcome(of: "cache") == .missing)
    }

    @Test("the box's own entry can't be removed")
    func keepsOwnEntry() {
        let box = ServiceBox()
        #expect(!box.remove("serviceBox"))
        #expect(box.isRegistered("serviceBox"))
    }

    @Test("removing a service leaves it where it was filled, and later objects get nothing")
    func removes() {
        let box = ServiceBox()
        let cache = Cache()
        let screen = Screen()
        box.register(cache, as: "cache")
        box.fill(screen)
        box.remove("cache")
        let later = Screen()
        #expect(box.fill(later).outcome(of: "cache") == .missing)
        #expect(later.cache == nil)
        #expect(screen.cache === cache)
    }

    @Test(
        "derives a name from the type: leading capitals lowercased, no nesting, no arguments",
        arguments: [
            Derived("urlCache") { $0.register(URLCache()) },
            Derived("cache") { $0.register(Cache()) },
            Derived("disk") { $0.register(Outer.Disk<Int>()) },
            Derived("url") { $0.register(Outer.URL()) },
            Derived("mp3Player") { $0.register(MP3Player()) },
            Derived("lower") { $0.register(Outer.lower()) },
        ])
    fileprivate func derivesName(_ sample: Derived) {
        let box = ServiceBox()
        sample.register(box)
        #expect(box.registrations.map(\.name).filter { $0 != "serviceBox" } == [sample.name])
    }

    @Test("keeps a service as the interface it was registered as")
    func keepsInterface() {
        let box = ServiceBox()
        box.register(Cache(), as: ServiceKey<any Storing>("store"))
        #expect(isSame(box.registrations.first { $0.name == "store" }?.type, (any Storing).self))
    }
}

private protocol Storing: Sendable {}

private final class Cache: Storing {}

private struct URLCache {}

private struct MP3Player {}

private enum Outer {
    struct Disk<Page: Sendable> {}
    struct URL {}
    // swift-format-ignore: TypeNamesShouldBeCapitalized
    struct lower {}
}

private final class Screen {
    @Injected var cache: Cache?
}

private struct Derived: Sendable, CustomTestStringConvertible {
    let name: String
    let register: @Sendable (ServiceBox) -> Void

    init(_ name: String, register: @escaping @Sendable (ServiceBox) -> Void) {
        self.name = name
        self.register = register
    }

    var testDescription: String { name }
}
