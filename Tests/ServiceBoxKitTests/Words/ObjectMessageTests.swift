// Part of ServiceBox, released under the MIT License.
// What the report says of objects that cannot be looked into, and of tables that do not fit.

import Distributed
import ServiceBoxKit
import Testing

private enum Direction { case north }

private struct Veiled: CustomReflectable {
    @Injected var cache: Cache?
    var customMirror: Mirror { Mirror(self, children: ["nothing": 0]) }
}

private final class Drawer: Injectable {
    var cache: Cache?
    static var injections: InjectionTable {
        ["cahce": .keyPath(\Drawer.cache), "cache": .keyPath(\Shelf.cache)]
    }
}

private final class Shelf: Injectable {
    var cache: Cache?
}

private struct Settings: Injectable {
    var cache: Cache?
    static var injections: InjectionTable { ["cache": .keyPath(\Settings.cache)] }
}

@MainActor private final class Palette {
    @Injected var cache: Cache?
    var theme: Cache?
    nonisolated init() {}
}

extension Palette: @MainActor Injectable {
    static var injections: InjectionTable { ["theme": .keyPath(\Palette.theme)] }
}

@MainActor private final class Mural {
    var theme: Cache?
    nonisolated init() {}
}

private struct Inner {
    @Injected var cache: Cache?
}

@Suite("Objects that cannot be filled, in words")
struct ObjectMessageTests {
    private let box = ServiceBox()

    init() { box.register(Cache()) }

    private func explanations(of report: FillReport) -> [String] { report.holes.map(\.explanation) }

    @Test("an enum, a tuple, a collection, a function and an optional")
    func unfillable() {
        func expected(_ type: String, _ word: String) -> [String] {
            [
                """
                Can't fill \(type): it is \(word), and only class instances, actors and structs have properties to fill.
                To fix, pass the object itself; fill the objects of a sequence one by one.
                """
            ]
        }
        #expect(explanations(of: box.fill(Direction.north)) == expected("a Direction", "an enum"))
        #expect(explanations(of: box.fill(5)) == expected("an Int", "a value of the standard library"))
        #expect(explanations(of: box.fill((1, "two"))) == expected("an (Int, String)", "a tuple"))
        #expect(explanations(of: box.fill([Cache()])) == expected("an Array<Cache>", "a collection"))
        #expect(
            explanations(of: box.fill({ () -> Void in }))
                == expected("a () -> ()", "a function or a metatype"))
        #expect(explanations(of: box.fill(Int?.none)) == expected("an Int?", "an optional"))
    }

    @Test("a variable enum")
    func unfillableVariable() {
        var direction = Direction.north
        #expect(box.fill(&direction).holes.map(\.outcome) == [.notWalkable])
    }

    @Test("a custom mirror that shows nothing to fill")
    func customMirror() {
        #expect(
            explanations(of: box.fill(Veiled())) == [
                """
                Can't fill a Veiled: its custom mirror shows no property to fill.
                To fix, list the properties in an injection table, those declared with @Injected as setters, or \
                let the custom mirror show their storage, as ("_cache", _cache).
                """
            ])
    }

    @Test("an object, an actor and a struct without any property have no hole")
    func noProperties() throws {
        actor Idle {}
        struct Nothing {}
        try box.fill(Cache()).requireComplete()
        try box.fill(Nothing()).requireComplete()
        let idle = Idle()
        #expect("\(box.fill(Cache()))" == "Cache: nothing to fill.")
        #expect("\(box.fill(idle as AnyObject))" == "Idle: nothing to fill.")
    }

    @Test("a distributed actor that lives elsewhere")
    func remoteActor() throws {
        let telescope = try Telescope.resolve(id: "7", using: NodeSystem("here"))
        #expect(
            explanations(of: box.fill(telescope)) == [
                """
                Can't fill a Telescope: it is a remote distributed actor, whose properties are elsewhere.
                To fix, fill it where it lives.
                """
            ])
    }

    @Test("a property whose declaration gives an empty name")
    func emptyName() {
        struct Nameless {
            @Injected("") var cache: Cache?
        }
        #expect(
            explanations(of: box.fill(Nameless())) == [
                """
                Can't fill 'cache' of Nameless: its declaration gives an empty name.
                  Property: Nameless.cache, a Cache?
                To fix, give the name that the service is registered under, or none if it is the property's own.
                """
            ])
    }

    @Test("a table with a name that no property has, and a line made for another type")
    func tableDrift() {
        #expect(
            explanations(of: box.fill(Drawer())) == [
                """
                Can't fill 'cahce' of Drawer: the table names a property that the type does not store.
                  Property: Drawer.cahce, a Cache?
                  Did you mean 'cache'?
                To fix, name the line 'cache', or use a setter, whose line may have any name.
                """,
                """
                Can't fill 'cache' of Drawer: the line was made for Shelf.
                  Property: Drawer.cache, a Cache?
                To fix, make it for Drawer or a superclass.
                """,
            ])
    }

    @Test("the table of a constant struct")
    func constant() {
        #expect(
            explanations(of: box.fill(Settings())) == [
                """
                Can't fill 'cache' of Settings: a constant can't be written through a table.
                  Property: Settings.cache, a Cache?
                To fix, pass a variable of the struct's own type: fill(&value).
                """
            ])
    }

    @Test("the table of a main-actor type that was not met on the main actor")
    func tableOutOfReach() {
        #expect(
            explanations(of: box.fill(Palette())) == [
                """
                Can't fill a Palette: its table belongs to an actor on which this fill did not run.
                To fix, fill the object on its actor; an actor itself with 'await box.fill(actor)'.
                """
            ])
    }

    @Test("a property of the main actor's that was taught there and filled elsewhere")
    func lineOutOfReach() async {
        await MainActor.run { box.teach(Mural.self, ["theme": .keyPath(\Mural.theme)]) }
        box.register(Cache(), as: "theme")
        #expect(
            explanations(of: box.fill(Mural())) == [
                """
                Can't fill 'theme' of Mural: its table belongs to an actor on which this fill did not run.
                  Property: Mural.theme, a Cache?
                To fix, fill the object on its actor; an actor itself with 'await box.fill(actor)'.
                """
            ])
    }

    @Test("a struct with injected properties in an optional")
    func optionalStruct() {
        struct Outer {
            let inner: Inner? = Inner()
        }
        #expect(
            explanations(of: box.fill(Outer())) == [
                """
                Can't fill 'inner' of Outer: it is optional or lazy, with injected properties inside, where a fill \
                does not look.
                  Property: Outer.inner, an Inner?
                To fix, declare it neither optional nor lazy, or fill its value itself.
                """
            ])
    }
}

private distributed actor Telescope {
    typealias ActorSystem = NodeSystem

    @Injected var cache: Cache?
}
