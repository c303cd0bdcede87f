// Part of ServiceBox, released under the MIT License.
// Properties that hold services which were replaced.

import ServiceBoxKit
import Testing

private final class Screen { @Injected var cache: Cache? }

private final class Home {
    @Injected var cache: Cache?
    @Injected var clock: Clock?
}

private final class ListedHome: Injectable {
    var cache: Cache?
    @Injected var clock: Clock?
    static var injections: InjectionTable { ["cache": .keyPath(\ListedHome.cache)] }
}

@Suite("A property that holds a service which was replaced since")
struct StaleHolderTests {
    private let box = ServiceBox()
    private let screen = Screen()

    private func fillAndReplace(_ box: ServiceBox) {
        box.register(Cache(), as: "cache", fileID: "App/Old.swift", line: 1)
        box.fill(screen)
        box.register(Cache(), as: "cache", fileID: "App/New.swift", line: 2)
    }

    private func notes(_ report: FillReport) -> [String] {
        report.properties.filter { $0.outcome == .stale }.map(\.explanation)
    }

    @Test("is refilled in a service that was replaced too, whose list goes on when that is back")
    func ofReplaced() throws {
        final class Wall: @unchecked Sendable { @InjectedAll var clocks: [Clock] }
        let wall = Wall()
        box.trackHolders()
        box.register(Clock(), as: "clock")
        box.register(wall)
        box.crossFill()
        box.register(Wall())
        box.register(Clock(), as: "clock")
        try box.refill("clock")
        #expect(try wall.clocks.first === box.resolve("clock" as ServiceKey<Clock>))
        box.remove(newest: "wall")
        box.register(Clock(), as: "another")
        box.crossFill()
        #expect(wall.clocks.count == 2)
    }

    @Test(
        "is noted also if it was filled on read, or takes all services of a type", arguments: [true, false])
    func readOrListed(isTracked: Bool) {
        final class Tower {
            @Injected(when: .read) var clock: Clock?
            @InjectedAll var clocks: [Clock]
        }
        let tower = Tower()
        if isTracked { box.trackHolders() }
        box.register(Clock(), as: "clock")
        box.fill(tower)
        #expect(tower.clock != nil)
        box.register(Clock(), as: "clock")
        let stale = box.plan(for: tower).properties.filter { $0.outcome == .stale }
        #expect(stale.map(\.name) == ["clock", "clocks"])
    }

    @Test("isn't one that holds the service of a child")
    func ofChild() {
        let child = box.makeChild(name: "child")
        fillAndReplace(box)
        child.register(Cache())
        child.fill(screen)
        #expect(notes(child.plan(for: screen)).isEmpty)
    }

    @Test("is one too if a factory replaced the service amid the fill, whether a slot or a table has it")
    func amidFill() throws {
        box.trackHolders()
        box.register(Cache())
        box.register { box in
            box.register(Cache())
            return Clock()
        }
        let (home, list) = (Home(), ListedHome())
        box.fill(home)
        #expect(try box.holders(of: "cache").map(\.isStale) == [true])
        #expect(try box.holders(of: "clock").map(\.isStale) == [false])
        try box.provider("clock" as ServiceKey<Clock>).reset()
        box.fill(list)
        #expect(try box.holders(of: "cache").map(\.isStale) == [true, true])
        box.fill(home)
        #expect(try box.holders(of: "cache").map(\.isStale) == [false, true])
    }

    @Test(
        "is one too if the service's own factory replaced it, whether it was waited for or taken by a service"
    )
    func byItself() throws {
        final class Lister: @unchecked Sendable { @InjectedAll var caches: [Cache] }
        final class Keeper: Injectable, @unchecked Sendable {
            var cache: Cache?
            static var injections: InjectionTable {
                ["cache": .setter { (keeper: Keeper, cache: Cache) in keeper.cache = cache }]
            }
        }
        final class Wearer: @unchecked Sendable { @Injected var cache: Cache? }
        func isStale(_ register: (ServiceBox) -> Void) throws -> [Bool] {
            let (box, count) = (ServiceBox(), Counter())
            box.trackHolders()
            register(box)
            box.register { box in
                if count.next() == 1 { box.register(Cache()) }
                return Cache()
            }
            box.crossFill()
            return try box.holders(of: "cache").map(\.isStale)
        }
        #expect(try isStale { $0.fill(screen, waiting: true) } == [true])
        #expect(try isStale { $0.register(Wearer()) } == [true])
        #expect(try isStale { $0.register(Keeper()) } == [true])
        #expect(try isStale { $0.register(Lister()) } == [true])
    }

    @Test("is one too if a factory replaced the service amid the refill")
    func amidRefill() throws {
        box.trackHolders()
        box.register(Cache())
        box.fill(screen)
        box.register { box in
            box.register(DiskCache() as Cache)
            return Cache()
        }
        try box.refill("cache")
        #expect(try box.holders(of: "cache").map(\.isStale) == [true])
        try box.refill("cache")
        #expect(screen.cache is DiskCache)
        #expect(try box.holders(of: "cache").map(\.isStale) == [false])
    }

    @Test("is told by its holder, the plan and the audit, if the box tracks holders")
    func tracked() throws {
        box.trackHolders()
        fillAndReplace(box)
        let holder = try #require(try box.holders(of: "cache").first)
        #expect(holder.isStale)
        #expect(holder.description == "Screen.cache, whose service was replaced or removed since")
        #expect(
            notes(box.plan(for: screen)) == [
                """
                Note on 'cache' of Screen: it holds a service that was replaced since.
                  Property:   Screen.cache, a Cache?
                  Replaced:   'cache' (Cache), App/Old.swift:1
                  Registered: 'cache' (Cache), App/New.swift:2
                To fix, fill the object again, or call refill("cache").
                """
            ])
        #expect(
            box.audit().findings.map(\.explanation) == [
                """
                Can't tell what 'cache' stands for: a Cache replaced another one that was handed out before.
                  Replaced:   Cache, App/Old.swift:1
                  Registered: Cache, App/New.swift:2
                  Held by:    Screen.cache
                To fix, register it before anything takes the first one, or refill the holders of the first one.
                """
            ])
    }

    @Test("is unknown to the plan and to the audit, and they say so, if the box doesn't track holders")
    func untracked() throws {
        fillAndReplace(box)
        #expect(
            notes(box.plan(for: screen)) == [
                """
                Note on 'cache' of Screen: it may hold a service that was replaced; the fill was not tracked.
                  Property:   Screen.cache, a Cache?
                  Replaced:   'cache' (Cache), App/Old.swift:1
                  Registered: 'cache' (Cache), App/New.swift:2
                To fix, fill the object again, or call trackHolders() on the box that fills it, before it does, to know.
                """
            ])
        let finding = try #require(box.audit().findings.first)
        #expect(
            finding.explanation.contains(
                "Held by:    unknown, since not all fills were tracked"))
    }

    @Test("isn't one that is empty, nor one of a name whose service was replaced before it was handed out")
    func untouched() {
        fillAndReplace(box)
        #expect(notes(box.plan(for: Screen())).isEmpty)
        let other = ServiceBox()
        for _ in 1...2 { other.register(Cache()) }
        other.fill(screen)
        #expect(notes(other.plan(for: screen)).isEmpty)
    }

    @Test("is stale no longer when it is filled again, set by hand, or gone", arguments: [0, 1, 2, 3])
    func cured(_ way: Int) throws {
        box.trackHolders()
        var other: Screen? = Screen()
        box.register(Cache())
        if let other { box.fill(other) }
        box.register(Cache())
        switch way {
        case 0: other.map { _ = box.fill($0) }
        case 1: try box.refill("cache")
        case 2: other?.cache = Cache()
        default: other = nil
        }
        #expect(try box.holders(of: "cache").allSatisfy { !$0.isStale })
        #expect(box.audit().findings.isEmpty)
        if let other { #expect(notes(box.plan(for: other)).isEmpty) }
    }

    @Test(
        "holds a struct that a factory has created, also optionally and as an interface",
        arguments: [Lifetime.lazy, .eager], [false, true])
    func createdStruct(lifetime: Lifetime, isHolderCreated: Bool) throws {
        struct Size: CustomStringConvertible, Sendable { var description: String }
        final class Frame: @unchecked Sendable {
            @Injected var size: Size
            @Injected("size") var maybe: Size?
            @Injected("size") var shown: any CustomStringConvertible & Sendable
        }
        func register(_ text: String) {
            box.register(as: "size", lifetime: lifetime) { _ in Size(description: text) }
        }
        box.trackHolders()
        register("old")
        if isHolderCreated {
            box.register { _ in Frame() }
        } else {
            box.register(Frame())
        }
        let frame: Frame = try box["frame"]
        #expect(try box.holders(of: "size").map(\.property) == ["maybe", "shown", "size"])
        register("new")
        #expect(try box.refill("size").refilled.count == 3)
        #expect(
            [frame.size.description, frame.maybe?.description, "\(frame.shown)"] == ["new", "new", "new"])
        #expect(try box.holders(of: "size").allSatisfy { !$0.isStale })
    }

    @Test("may be a service whose factory has asked for the old one, until that is made again")
    func askedFor() throws {
        box.trackHolders()
        box.register(Cache(), fileID: "App/Old.swift", line: 1)
        box.register(as: "title") { box in "\(try box["cache"] as Cache)" }
        _ = try box["title"] as String
        box.register(Cache(), fileID: "App/New.swift", line: 2)
        #expect(
            box.audit().findings.map(\.explanation) == [
                """
                Can't tell what 'cache' stands for: a Cache replaced another one that was handed out before.
                  Replaced:   Cache, App/Old.swift:1
                  Registered: Cache, App/New.swift:2
                  Held by:    perhaps 'title', whose factory asked for it
                To fix, register it before anything takes the first one, or reset() the provider of 'title'.
                """
            ])
        box.decorate("title" as ServiceKey<String>) { title, _ in title + "!" }
        _ = try box["title"] as String
        #expect(box.audit().findings.first?.explanation.contains("perhaps 'title', whose") == true)
        try box.provider(ServiceKey<String>("title")).reset()
        #expect(box.audit().findings.filter { $0.subject == "cache" }.isEmpty)
        _ = try box["title"] as String
        #expect(box.audit().findings.filter { $0.subject == "cache" }.isEmpty)
    }

    @Test("may be in a transient service whose factory has asked for it, and that another one has")
    func askedForByTransient() throws {
        final class Wall: @unchecked Sendable { @Injected var clock: Clock }
        box.trackHolders()
        box.register(Cache())
        box.register(lifetime: .transient) { box in
            let _: Cache = try box.resolve()
            return Clock()
        }
        box.register(as: "outer", lifetime: .transient) { box in "\(try box.resolve(Clock.self))" }
        box.register(as: "title") { box in try box["outer"] as String + "." }
        box.register { _ in Wall() }
        box.register(as: "other") { _ in 1 }
        _ = (try box.resolve(Wall.self), try box["title"] as String, try box["other"] as Int)
        box.register(Cache())
        let findings = box.audit().findings.filter { $0.subject == "cache" }
        #expect(findings.first?.explanation.contains("perhaps 'title'") == true)
        #expect(findings.first?.explanation.contains("perhaps 'wall'") == true)
        #expect(findings.first?.explanation.contains("'other'") == false)
    }

    @Test("is no service whose factory has asked for the parent's, before the child had one")
    func askedForParents() throws {
        box.register(Cache())
        let child = box.makeChild(name: "child")
        child.trackHolders()
        child.register(as: "title") { box in "\(try box["cache"] as Cache)" }
        _ = try child["title"] as String
        for _ in 1...2 {
            child.register(Cache())
            _ = try child["cache"] as Cache
        }
        #expect(child.audit().findings.filter { $0.subject == "cache" }.isEmpty)
    }

    @Test("is told of a service of the parent by the child that has filled it")
    func child() throws {
        let child = box.makeChild(name: "child")
        child.trackHolders()
        box.register(Cache())
        child.fill(screen)
        box.register(Cache())
        #expect(try child.holders(of: "cache").map(\.isStale) == [true])
        #expect(notes(child.plan(for: screen)).count == 1)
    }

    @Test("may be a child's that doesn't track")
    func filledByChild() throws {
        box.trackHolders()
        box.register(Cache())
        for _ in 1...2 {
            // The second child fills from the program of the first.
            let home = Home()
            box.makeChild(name: "child").fill(home)
            box.register(Cache())
            #expect(notes(box.plan(for: home)).map { $0.contains("the fill was not tracked") } == [true])
            let findings = box.audit().findings.filter { $0.kind == .replaced }
            #expect(findings.map { $0.explanation.contains("since not all fills were tracked") } == [true])
        }
        box.register(Cache())
        box.fill(screen)
        box.remove("cache")
        box.register(Cache())
        box.fill(screen)
        box.register(Cache())
        let findings = box.audit().findings.filter { $0.kind == .replaced }
        #expect(findings.map { $0.explanation.contains("Held by:    Screen.cache") } == [true])
    }

    @Test("is told of a service that was removed")
    func removed() throws {
        box.trackHolders()
        box.register(Cache())
        box.fill(screen)
        box.remove("cache")
        #expect(try box.holders(of: "cache").map(\.isStale) == [true])
    }

    @Test("is told by the plan too if its service was removed, and an earlier one is back")
    func cameBack() throws {
        box.trackHolders()
        box.register(Cache(), fileID: "App/Old.swift", line: 1)
        box.withRegistration(Cache()) { _ = box.fill(screen) }
        #expect(try box.holders(of: "cache").map(\.isStale) == [true])
        #expect(
            notes(box.plan(for: screen)) == [
                """
                Note on 'cache' of Screen: it holds a service that was replaced, removed or hidden since.
                  Property:   Screen.cache, a Cache?
                  Registered: 'cache' (Cache), App/Old.swift:1
                To fix, fill the object again, or call refill("cache").
                """
            ])
    }

    @Test("is told by the plan of a child that has its own service since")
    func hidden() throws {
        let child = box.makeChild(name: "child")
        child.trackHolders()
        box.register(Cache())
        child.fill(screen)
        child.register(Cache())
        #expect(try child.holders(of: "cache").map(\.isStale) == [true])
        #expect(notes(child.plan(for: screen)).count == 1)
    }

    @Test("is known for each property that has got a transient service of its own, or a value")
    func transients() throws {
        final class Client: @unchecked Sendable {
            @Injected("cache") var first: Cache
            @Injected("cache") var second: Cache
            @Injected var page: Page
        }
        box.register(as: "cache", lifetime: .transient) { _ in Cache() }
        box.register(as: "page", lifetime: .transient) { _ in Page() }
        box.register { _ in Client() }
        box.trackHolders()
        let client: Client = try box.resolve()
        #expect(try box.holders(of: "cache").map(\.property).sorted() == ["first", "second"])
        #expect(try box.holders(of: "page").map(\.property) == ["page"])
        let new = Cache()
        box.register(new, as: "cache")
        #expect(try box.refill("cache").refilled.count == 2)
        #expect(client.first === new && client.second === new)
    }

    @Test(
        "in a service's list is refilled with the provider's next service, though nobody has asked for that yet"
    )
    func listOfProvider() throws {
        final class Shelf: @unchecked Sendable { @InjectedAll var caches: [Cache] }
        let provider = ServiceProvider<Cache> { Cache() }
        box.trackHolders()
        box.register(provider: provider, as: "cache")
        box.register { _ in Shelf() }
        let shelf: Shelf = try box.resolve()
        let old = try #require(shelf.caches.first)
        provider.reset()
        #expect(try box.refill("cache").refilled.count == 1)
        #expect(shelf.caches.count == 1)
        #expect(shelf.caches.first !== old)
        #expect(try box.resolve(Cache.self) === shelf.caches.first)
    }
}
