// Part of ServiceBox, released under the MIT License.
// Who has taken a service.

import ServiceBoxKit
import Testing

private final class Reader: @unchecked Sendable { @Injected var clock: Clock? }

private final class Screen {
    @Injected var clock: Clock?
    @Injected("clock") var time: Clock?
    @Injected var cache: Cache?
}

private struct Settings {
    @Injected var clock: Clock?
}

@Suite("Use counts")
struct UseTests {
    private let box = ServiceBox()

    private func unused(in box: ServiceBox) -> [String] { box.uses.filter { !$0.isUsed }.map(\.name) }

    private func use(of name: String, in box: ServiceBox? = nil) throws -> ServiceUse {
        try #require((box ?? self.box).uses.first { $0.name == name })
    }

    @Test("include what a factory asks for in its box and in the parent, each under its name")
    func ownAndParents() throws {
        let child = box.makeChild(name: "child")
        box.register(Clock())
        child.register(Page())
        child.register { box in
            _ = (try box.resolve(Clock.self), try box.resolve(Page.self))
            return Cache()
        }
        _ = try child.resolve(Cache.self)
        for _ in 1...2 { #expect(try use(of: "page", in: child).factories == ["cache"]) }
        for box in [box, child] { #expect(try use(of: "clock", in: box).factories == ["cache"]) }
    }

    @Test("include what a parent's factory asks a child for, whether the child has created anything or not")
    func askedChild() throws {
        for isUsedBefore in [false, true] {
            let box = ServiceBox()
            let child = box.makeChild(name: "child")
            child.register { _ in Page() }
            box.register { [child] _ in
                _ = try child.resolve(Clock.self)
                return Cache()
            }
            box.register { _ in Clock() }
            if isUsedBefore { _ = try child.resolve(Page.self) }
            _ = try box.resolve(Cache.self)
            #expect(try use(of: "clock", in: box).factories == ["cache"])
        }
    }

    @Test("hold no more than ten thousand names, although each request's child has a service of its own name")
    func names() throws {
        box.register(Clock())
        for number in 0...10_000 {
            let request = box.makeChild(name: "request")
            request.register(as: ServiceKey<Page>("page\(number)"), lifetime: .transient) { box in
                _ = try box.resolve(Clock.self)
                return Page()
            }
            _ = try request.resolve(ServiceKey<Page>("page\(number)"))
        }
        #expect(try use(of: "clock").factories.count == 10_000)
    }

    @Test("of an ancestor's service stay when the box is cleared")
    func cleared() throws {
        box.register(Clock())
        let child = box.makeChild(name: "child")
        _ = try child.resolve(Clock.self)
        #expect(unused(in: child).isEmpty)
        child.clear()
        #expect(unused(in: child).isEmpty)
    }

    @Test("don't include a property that keeps its own value, until a fill replaces that")
    func keptValue() throws {
        box.register(Clock())
        box.register { _ in
            let reader = Reader()
            reader.clock = Clock()
            return reader
        }
        let reader = try box.resolve(Reader.self)
        #expect(unused(in: box) == ["clock"])
        for _ in 1...2 { box.fill(reader, keepingExisting: true) }
        #expect(unused(in: box) == ["clock"])
        box.fill(reader)
        #expect(try use(of: "clock").properties == ["Reader.clock"])
    }

    @Test("include a property that another object of its type has left empty")
    func keptByOne() throws {
        box.register(Clock())
        let screens = [Screen(), Screen(), Screen()]
        for screen in screens { screen.clock = Clock() }
        // The second is filled by what the box knows of the first.
        for screen in screens { box.fill(screen, keepingExisting: true) }
        #expect(try use(of: "clock").properties == ["Screen.time"])
        box.fill(Screen(), keepingExisting: true)
        #expect(try use(of: "clock").properties == ["Screen.clock", "Screen.time"])
        var settings = Settings()
        settings.clock = Clock()
        for _ in 1...2 { box.fill(&settings, keepingExisting: true) }
        #expect(try use(of: "clock").properties == ["Screen.clock", "Screen.time"])
        box.fill(&settings)
        #expect(try use(of: "clock").properties == ["Screen.clock", "Screen.time", "Settings.clock"])
    }

    @Test("of an ancestor's service include a property once it takes that in one child")
    func keptInChildren() throws {
        box.register(Clock())
        for isKept in [true, true, false] {
            let (child, screen) = (box.makeChild(name: "child"), Screen())
            screen.time = Clock()
            screen.clock = isKept ? Clock() : nil
            child.fill(screen, keepingExisting: true)
            let isKnown = try use(of: "clock").properties == ["Screen.clock"]
            #expect(isKnown != isKept)
        }
    }

    @Test("don't include services that a look-up by type can't choose from")
    func ambiguous() {
        box.register(Clock(), as: "first")
        box.register(Clock(), as: "second")
        #expect(throws: ServiceBoxError.self) { try box.resolve(Clock.self) }
        #expect(unused(in: box) == ["first", "second"])
    }

    @Test("don't include what another box's factory asks for amid one of this box", arguments: [false, true])
    func otherBox(isAwaited: Bool) async throws {
        let (box, other) = (ServiceBox(), ServiceBox())
        box.register(Clock())
        if isAwaited {
            other.register(as: "cache") { _ in
                await Task.yield()
                _ = try box.resolve("clock") as Clock
                return Cache()
            }
            box.register(as: "page") { _ in
                _ = try await other.prepare("cache") as Cache
                return Page()
            }
        } else {
            other.register(as: "cache") { _ in
                _ = try box.resolve("clock") as Clock
                return Cache()
            }
            box.register(as: "page") { _ in
                _ = try other.resolve("cache") as Cache
                return Page()
            }
        }
        _ = try await box.prepare("page") as Page
        #expect(box.uses.first { $0.name == "clock" }?.factories == [])
    }

    @Test("count the properties and types that took a service, once for all objects of a type")
    func properties() throws {
        box.register(Clock())
        box.register(Cache())
        box.register(Reader())
        for screen in [Screen(), Screen(), Screen()] { box.fill(screen) }
        box.fill(Settings())
        let use = try use(of: "clock")
        #expect(use.properties == ["Reader.clock", "Screen.clock", "Screen.time", "Settings.clock"])
        #expect(!use.wasResolved)
        #expect(unused(in: box) == ["reader"])
        #expect(
            box.uses.map(\.description) == [
                "'cache' (Cache): 1 property", "'clock' (Clock): 4 properties",
                "'reader' (Reader): unused",
            ])
    }

    @Test(
        "include look-ups by name, type, provider, all of a type and key",
        arguments: [
            { @Sendable in _ = try $0.resolve(ServiceKey<Clock>("clock")) },
            { _ = try $0.resolve(Clock.self) },
            { _ = try $0.provider(ServiceKey<Clock>("clock")) },
            { _ = try $0.resolveAll(Clock.self) },
            { _ = try $0[ServiceKey<Clock>("clock")] },
        ] as [@Sendable (ServiceBox) throws -> Void])
    func lookUps(_ lookUp: @Sendable (ServiceBox) throws -> Void) throws {
        for lifetime: Lifetime? in [nil, .eager, .lazy, .weak, .transient] {
            let box = ServiceBox()
            if let lifetime {
                box.register(as: "clock", lifetime: lifetime) { _ in Clock() }
            } else {
                box.register(Clock())
            }
            #expect(unused(in: box) == ["clock"])
            try lookUp(box)
            #expect(try use(of: "clock", in: box).wasResolved)
            #expect(unused(in: box).isEmpty)
        }
    }

    @Test("don't include plans, audits and graphs")
    func plans() {
        box.register(Clock())
        _ = box.plan(for: Screen())
        _ = box.audit(including: [Settings()])
        _ = box.graph(planned: true, including: [Screen()])
        _ = box.wiring(including: [Screen()])
        #expect(unused(in: box) == ["clock"])
    }

    @Test("restart with a registration that replaces another")
    func replaced() throws {
        box.register(Clock())
        box.fill(Screen())
        box.register(Clock())
        #expect(try !use(of: "clock").isUsed)
        box.fill(Screen())
        #expect(try use(of: "clock").isUsed)
    }

    @Test("read for overrides include what was taken before that and afterwards")
    func ofOverrides() throws {
        for isBefore in [false, true] {
            let box = ServiceBox()
            box.register(Clock())
            if isBefore { box.fill(Settings()) }
            let use = try #require(box.ownUses["clock"])
            if !isBefore { box.fill(Settings()) }
            #expect(use().properties == ["Settings.clock"])
        }
    }

    @Test("of a child count for the parent too")
    func child() throws {
        box.register(Clock())
        let first = box.makeChild(name: "first")
        let second = box.makeChild(name: "second")
        first.fill(Screen())
        #expect(try use(of: "clock", in: first).properties.count == 2)
        #expect(try !use(of: "clock", in: second).isUsed)
        #expect(try use(of: "clock").properties.count == 2)
        #expect(try !use(of: "clock", in: first).wasResolved)
        _ = try second.resolve(ServiceKey<Clock>("clock"))
        #expect(try use(of: "clock").wasResolved)
    }

    @Test("of a service per box count for the box that uses it, and for its parent")
    func perBox() throws {
        box.register(as: "clock", per: .box) { _ in Clock() }
        let child = box.makeChild(name: "child")
        child.fill(Screen())
        let properties = ["Screen.clock", "Screen.time"]
        #expect(try use(of: "clock", in: child).properties == properties)
        #expect(try use(of: "clock").properties == properties)
    }

    @Test("in children don't pass to what a parent registers in a service's place")
    func replacedInParent() throws {
        box.register(Clock())
        let children = (1...3).map { _ in box.makeChild(name: "child") }
        for child in children { child.fill(Settings()) }
        box.register(Clock())
        for child in children { #expect(try !use(of: "clock", in: child).isUsed) }
        #expect(try !use(of: "clock").isUsed)
    }
}
