// Part of ServiceBox, released under the MIT License.
// Wirings that are as they should be: services and objects of every kind.

import ServiceBoxKit

private protocol Reading: Sendable {}
private protocol Writing: Sendable {}
private final class File: Reading, Writing {}
private final class Desk { @Injected var reader: any Reading; @Injected var writer: any Writing }
private final class Pen {
    @Injected var file: any Reading & Writing; @Injected var files: AnyObject?; @Injected("file") var any: Any
}
private final class Holder { @Injected var cache: Cache }

private enum Mode: Sendable { case live, demo }
private final class Form {
    @Injected var limit: Int
    @Injected var title: String?
    @Injected var mode: Mode
    @Injected var tags: [String]
    @Injected var now: @Sendable () -> Int
    @Injected("limit") var key: AnyHashable
}

private final class Repository<Element: Sendable>: @unchecked Sendable { @Injected var clock: Clock }
private final class Users<Element: Sendable> { @Injected("users") var repository: Repository<Element> }

private struct Settings: @unchecked Sendable { @Injected var clock: Clock; @Injected var theme: Theme? }
private struct Theme: Sendable {}
private struct Outer: @unchecked Sendable { var settings = Settings(); @Injected var cache: Cache }
private final class Nested { let outer = Outer(); @Injected var settings: Settings? }
private final class Scheduler: Sendable { private let settings = SendableNeeds() }
private struct SendableNeeds: Sendable { @Injected var clock: Clock? }

private actor Vault { @Injected var clock: Clock; @Injected var cache: Cache? }
private actor Safe: Injectable {
    @Injected var clock: Clock
    init(_ box: ServiceBox) { fillWithDependencies(from: box) }
}
private final class Bank { @Injected var vault: Vault }

private protocol Machine: Sendable {}
private protocol Clockwork: Machine {}
private final class Pendulum: Clockwork {}
private final class Case { @Injected var machine: any Machine; @Injected("machine") var pendulum: Pendulum? }
private final class Scribe {
    @Injected var numbers: any Collection<Int>; @Injected var mode: Mode??;
    @Injected var serviceBox: ServiceBox
}
private class Frame<Content: Sendable> { @Injected var clock: Clock; @Injected var content: Content? }
private final class TextFrame: Frame<String> { @InjectedAll var frames: [String] }
private final class WindingCache: Cache, @unchecked Sendable { @Injected var clock: Clock }

extension SilentWiring {
    static let values = [
        SilentWiring("a subclass for a property of its superclass") { box in
            box.register(DiskCache(), as: "cache")
            return [Holder()]
        },
        SilentWiring("two interfaces of one object") { box in
            let file = File()
            box.register(file as any Reading, as: "reader")
            box.register(file as any Writing, as: "writer")
            return [Desk()]
        },
        SilentWiring("two interfaces of one lazy service") { box in
            box.register { _ in File() }
            box.register(as: "reader") { box -> any Reading in try box.resolve(File.self) }
            box.register(as: "writer") { box -> any Writing in try box.resolve(File.self) }
            return [Desk()]
        },
        SilentWiring("a composition, any object and anything") { box in
            box.register(File())
            return [Pen()]
        },
        SilentWiring("numbers, words, enums, arrays and closures") { box in
            box.register(7, as: "limit")
            box.register("ServiceBox", as: "title")
            box.register(Mode.demo)
            box.register(["a", "b"], as: "tags")
            box.register(as: "now") { _ -> @Sendable () -> Int in { 12 } }
            return [Form()]
        },
        SilentWiring("generic services in generic objects") { box in
            box.register(Clock())
            box.register(as: "users") { _ in Repository<String>() }
            return [Users<String>()]
        },
        SilentWiring("structs in structs, and a struct as a service") { box in
            box.register(Clock())
            box.register(Cache())
            box.register(Settings())
            return [Outer(), Nested()]
        },
        SilentWiring("a class that is Sendable, with its properties in a struct") { box in
            box.register(Clock())
            box.register(Scheduler())
            return [try box.resolve(Scheduler.self)]
        },
        SilentWiring("an actor as a service, and one that fills itself") { box in
            box.register(Clock())
            box.register(Vault())
            box.register(Safe(box))
            return [Bank(), try box.resolve(Safe.self)]
        },
        SilentWiring("a refined interface for a plain one, and for the class behind it") { box in
            box.register(as: "machine") { _ -> any Clockwork in Pendulum() }
            return [Case()]
        },
        SilentWiring("a parameterised interface, an optional of an optional, and the box") { box in
            box.register([1, 2], as: "numbers")
            box.register(as: "mode") { _ in Mode.live }
            return [Scribe()]
        },
        SilentWiring("a generic superclass") { box in
            box.register(Clock())
            box.register("text", as: "content")
            return [TextFrame()]
        },
        SilentWiring("a factory of a class that returns a subclass with properties of its own") { box in
            box.register(Clock())
            box.register { _ -> Cache in WindingCache() }
            return [Holder()]
        },
        SilentWiring("a lazy actor") { box in
            box.register { _ in Clock() }
            box.register { _ in Vault() }
            return [Bank()]
        },
    ]
}
