// Part of ServiceBox, released under the MIT License.
// Tests of putting services into a box and asking what is there.

import ServiceBoxKit
import Testing

@Suite("Registering")
struct RegisteringTests {
    @Test("keeps a ready instance under a name and returns that very instance")
    func keepsInstance() {
        let box = ServiceBox()
        let depot = Depot()
        box.register(depot, as: "depot")
        let first = Screen()
        let second = Screen()
        box.fill(first)
        box.fill(second)
        #expect(first.depot === depot)
        #expect(second.depot === depot)
    }

    @Test("replaces a service for later fills, and filled objects keep the earlier one")
    func replaces() {
        let box = ServiceBox()
        let early = Depot()
        let late = Depot()
        let before = Screen()
        let after = Screen()
        box.register(early, as: "depot")
        box.fill(before)
        box.register(late, as: "depot")
        box.fill(after)
        #expect(before.depot === early)
        #expect(after.depot === late)
        #expect(box.registrations.count { $0.name == "depot" } == 1)
    }

    @Test("a replacement may be of another type")
    func replacesType() {
        let box = ServiceBox()
        box.register(1, as: "depot")
        #expect(box.fill(Screen()).outcome(of: "depot") == .typeMismatch)
        box.register(Depot(), as: "depot")
        #expect(box.fill(Screen()).outcome(of: "depot") == .filled)
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
        box.register(Depot(), as: "zebra")
        box.register(7, as: "ape")
        #expect(box.isRegistered("zebra"))
        #expect(!box.isRegistered("Zebra"))
        #expect(box.isRegistered("serviceBox"))
        #expect(box.registrations.map(\.name) == ["ape", "serviceBox", "zebra"])
        #expect(
            box.registrations.map { ObjectIdentifier($0.type) }
                == [Int.self, ServiceBox.self, Depot.self].map { ObjectIdentifier($0) })
        #expect(box.remove("zebra"))
        #expect(!box.remove("zebra"))
        #expect(!box.isRegistered("zebra"))
        #expect(box.fill(Screen()).outcome(of: "depot") == .missing)
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
        let depot = Depot()
        let screen = Screen()
        box.register(depot, as: "depot")
        box.fill(screen)
        box.remove("depot")
        let later = Screen()
        #expect(box.fill(later).outcome(of: "depot") == .missing)
        #expect(later.depot == nil)
        #expect(screen.depot === depot)
    }

    @Test(
        "derives a name from the type: leading capitals lowercased, no nesting, no arguments",
        arguments: [
            Derived("urlCache") { $0.register(URLCache()) },
            Derived("depot") { $0.register(Depot()) },
            Derived("disk") { $0.register(Outer.Disk<Int>()) },
            Derived("url") { $0.register(Outer.URL()) },
            Derived("mp3Player") { $0.register(MP3Player()) },
            Derived("nsLog") { $0.register(NSLog()) },
            Derived("lower") { $0.register(Outer.lower()) },
            Derived("äÖü") { $0.register(ÄÖü()) },
        ])
    fileprivate func derivesName(_ sample: Derived) {
        let box = ServiceBox()
        sample.register(box)
        #expect(box.registrations.map(\.name).filter { $0 != "serviceBox" } == [sample.name])
    }

    @Test("keeps a service as the interface it was registered as")
    func keepsInterface() {
        let box = ServiceBox()
        box.register(Depot(), as: ServiceKey<any Storing>("store"))
        #expect(isSame(box.registrations.first { $0.name == "store" }?.type, (any Storing).self))
    }
}

private protocol Storing: Sendable {}

private final class Depot: Storing {}

private struct URLCache {}

private struct MP3Player {}

private struct NSLog {}

private struct ÄÖü {}

private enum Outer {
    struct Disk<Page: Sendable> {}
    struct URL {}
    // swift-format-ignore: TypeNamesShouldBeCapitalized
    struct lower {}
}

private final class Screen {
    @Injected var depot: Depot?
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
