// Part of ServiceBox, released under the MIT License.
// Modules: groups of registrations.

import ServiceBoxKit
import Testing

private struct StorageModule: ServiceModule {
    func register(in box: ServiceBox) {
        box.register(as: ServiceKey<any Store>("store")) { _ in FileStore() }
    }
}

private struct SearchModule: ServiceModule {
    var journal = Journal()

    var requires: [any ServiceModule.Type] { [StorageModule.self] }

    func register(in box: ServiceBox) {
        journal.add(box.isRegistered("store") ? "store" : "nothing")
        box.register(Cache(), as: "search.cache")
    }
}

private struct LeftModule: ServiceModule {
    var requires: [any ServiceModule.Type] { [RightModule.self] }
    func register(in box: ServiceBox) {}
}

private struct RightModule: ServiceModule {
    var requires: [any ServiceModule.Type] { [LeftModule.self] }
    func register(in box: ServiceBox) {}
}

/// Adds another module, or itself.
private struct OuterModule: ServiceModule {
    let inner: any ServiceModule
    func register(in box: ServiceBox) throws {
        try box.add(inner)
        box.register(Page(), as: "outer")
        try (inner as? FailingModule)?.fail()
    }
}

/// Requires the module that adds it.
private struct BackModule: ServiceModule {
    var requires: [any ServiceModule.Type] { [OuterModule.self] }
    func register(in box: ServiceBox) {}
}

private struct RoundModule: ServiceModule {
    func register(in box: ServiceBox) throws { try box.add(RoundModule()) }
}

private struct RoundAddingModule: ServiceModule {
    func register(in box: ServiceBox) throws { try box.add(RoundModule()) }
}

/// Does all that a module can, and fails.
private struct FailingModule: ServiceModule {
    func register(in box: ServiceBox) throws {
        box.register(Cache(), as: "cache")
        box.register(Page(number: 2), as: "page")
        box.remove("clock")
        box.markLive("page", "old")
        box.teach(Plain.self, ["page": .keyPath(\Plain.page)])
        box.decorate(ServiceKey<Page>("page")) { page, _ in Page(number: page.number + 1) }
        box.decorate(ServiceKey<Page>("old")) { page, _ in Page(number: page.number + 1) }
        box.prefer("cache", for: Cache.self)
        try fail()
    }

    func fail() throws { throw Broken() }
}

private final class Searcher {
    @Injected("search.cache") var cache: Cache?
    @Injected var store: (any Store)?
}

private final class Wall: @unchecked Sendable {
    @InjectedAll var clocks: [Clock]
}

private final class Plain: @unchecked Sendable {
    var page: Page?
}

@Suite("Modules")
struct ModuleTests {
    private let box = ServiceBox(name: "app")

    private func failure(_ body: () throws(ServiceBoxError) -> Void) -> ServiceBoxError? {
        do { try body() } catch { return error }
        return nil
    }

    @Test("are added behind those that they require, and otherwise as given")
    func order() throws {
        let search = SearchModule()
        try box.add(search, StorageModule())
        #expect(search.journal.all == ["store"])
        #expect(box.isRegistered("search.cache"))
    }

    @Test("are added once, whichever comes first")
    func once() throws {
        let (first, second) = (SearchModule(), SearchModule())
        try box.add(StorageModule(), first, second)
        try box.add([second])
        try box.makeChild(name: "child").add(second)
        #expect(first.journal.all.count == 1)
        #expect(second.journal.all == [])
        box.clear()
        try box.add(StorageModule(), second)
        #expect(second.journal.all.count == 1)
    }

    @Test("find what they require in an ancestor")
    func ancestor() throws {
        try box.add(StorageModule())
        try box.makeChild(name: "child").add(SearchModule())
    }

    @Test("say what they require that nobody has added, and on what way")
    func missing() {
        #expect(
            failure { () throws(ServiceBoxError) in try box.add(SearchModule()) }?.description == """
                Can't add SearchModule: it requires StorageModule, which was not added.
                To fix, add StorageModule before it, or add StorageModule together with it.
                """)
        struct AppModule: ServiceModule {
            var requires: [any ServiceModule.Type] { [SearchModule.self] }
            func register(in box: ServiceBox) {}
        }
        let error = failure { () throws(ServiceBoxError) in try box.add(AppModule(), SearchModule()) }
        #expect(error?.code == .missing)
        #expect(error?.path == ["AppModule", "SearchModule", "StorageModule"])
        #expect(
            error?.description == """
                Can't add AppModule: SearchModule requires StorageModule, which was not added.
                  Path: AppModule → SearchModule → StorageModule
                To fix, add StorageModule before it, or add StorageModule together with it.
                """)
        #expect(box.registrations.map(\.name) == ["serviceBox"])
    }

    @Test("say in what circle they require or add each other")
    func cycle() {
        let error = failure { () throws(ServiceBoxError) in try box.add(LeftModule(), RightModule()) }
        #expect(error?.code == .cycle)
        #expect(
            error?.description == """
                Can't add LeftModule: it is needed to add itself.
                  Path: LeftModule → RightModule → LeftModule
                To fix, move what both modules need into a third one.
                """)
        let round = failure { () throws(ServiceBoxError) in try box.add(RoundModule()) }
        #expect(round?.code == .cycle)
        #expect(round?.path == ["RoundModule", "RoundModule"])
        let outer = failure { () throws(ServiceBoxError) in try box.add(RoundAddingModule()) }
        #expect(outer?.path == ["RoundAddingModule"])
        #expect((outer?.underlying as? ServiceBoxError)?.code == .cycle)
        let back = failure { () throws(ServiceBoxError) in try box.add(OuterModule(inner: BackModule())) }
        #expect(back?.code == .cycle)
        #expect(back?.path == ["OuterModule", "BackModule", "OuterModule"])
    }

    @Test("that throw leave nothing behind of all that they have done, and can be added again")
    func failing() throws {
        let (clock, plain) = (Clock(), Plain())
        box.register(clock)
        box.register(Page(number: 1), as: "page")
        box.register(Page(number: 5), as: "old")
        box.register(plain)
        let error = failure { () throws(ServiceBoxError) in try box.add(StorageModule(), FailingModule()) }
        #expect(error?.code == .moduleFailed)
        #expect(error?.underlying is Broken)
        #expect(error?.path == ["FailingModule"])
        #expect(
            error?.description == """
                Can't add FailingModule: it failed to register.
                  Error: Broken() (Broken)
                To fix, correct what FailingModule reports, then add it again.
                """)
        #expect(box.registrations.map(\.name) == ["clock", "old", "page", "plain", "serviceBox", "store"])
        #expect(try box["clock"] === clock)
        #expect(try box["page"] == Page(number: 1))
        #expect(try box["old"] == Page(number: 5))
        box.fill(plain)
        #expect(plain.page == nil)
        box.register(Page(number: 9), as: "page")
        #expect(try box["page"] == Page(number: 9))
        #expect(throws: ServiceBoxError.self) { try box.resolve(Cache.self) }
        #expect(box.audit(including: []).findings.allSatisfy { $0.subject != "Cache" })
        #expect(failure { () throws(ServiceBoxError) in try box.add(FailingModule()) } != nil)
    }

    @Test("that throw leave a box unsealed that they have sealed, and sealed where it was before")
    func failingWithSeal() throws {
        struct Sealing: ServiceModule {
            func register(in box: ServiceBox) throws {
                box.seal()
                throw Broken()
            }
        }
        struct Adding: ServiceModule {
            func register(in box: ServiceBox) throws { try box.add(Sealing()) }
        }
        #expect(throws: ServiceBoxError.self) { try box.add(Sealing()) }
        #expect(!box.isSealed)
        #expect(throws: ServiceBoxError.self) { try box.add(Adding()) }
        #expect(!box.isSealed)
        box.register(Clock())
    }

    @Test("that throw leave what another thread has registered meanwhile, as it was registered")
    func anotherThread() throws {
        struct Interrupted: ServiceModule {
            func register(in box: ServiceBox) throws {
                box.register(Page(number: 2), as: "page")
                box.decorate(ServiceKey<Page>("page")) { page, _ in Page(number: page.number * 10) }
                onThreads([{ box.register(Page(number: 3), as: "page") }])
                box.register(Page(number: 4), as: "page")
                throw Broken()
            }
        }
        box.register(Page(number: 1), as: "page")
        #expect(throws: (any Error).self) { try box.add(Interrupted()) }
        #expect(try box.resolve(ServiceKey<Page>("page")) == Page(number: 3))
        #expect(box.remove(newest: "page"))
        #expect(try box.resolve(ServiceKey<Page>("page")) == Page(number: 1))
        #expect(box.remove(newest: "page"))
        #expect(!box.isRegistered("page"))
    }

    @Test("that throw leave lists as they were, also those that have got their services meanwhile")
    func lists() {
        struct Replacing: ServiceModule {
            func register(in box: ServiceBox) throws {
                box.register(Clock(), as: "clock")
                box.crossFill()
                throw Broken()
            }
        }
        let (wall, clock) = (Wall(), Clock())
        box.register(wall, as: "wall")
        box.register(clock, as: "clock")
        box.crossFill()
        #expect(throws: ServiceBoxError.self) { try box.add(Replacing()) }
        box.crossFill()
        #expect(wall.clocks.count == 1 && wall.clocks.first === clock)
    }

    @Test("that throw take back what they have marked, and leave what was marked before")
    func marks() {
        struct Marking: ServiceModule {
            func register(in box: ServiceBox) throws {
                box.markLive("clock")
                box.register(Page(number: 2), as: "page")
                throw Broken()
            }
        }
        box.register(Clock(), as: "clock")
        box.register(Page(number: 1), as: "page")
        box.markLive("page")
        #expect(throws: ServiceBoxError.self) { try box.add(Marking()) }
        #expect(!box.isLive("clock"))
        #expect(box.isLive("page"))
    }

    @Test("that throw report nothing of what they have left as it was")
    func leftAlone() {
        struct Marking: ServiceModule {
            func register(in box: ServiceBox) throws {
                box.markLive("clock")
                throw Broken()
            }
        }
        let journal = Journal()
        box.register(Clock(), as: "clock")
        let observation = box.observe { journal.add($0.description) }
        #expect(throws: ServiceBoxError.self) { try box.add(Marking()) }
        #expect(journal.all == [])
        observation.cancel()
    }

    @Test("that throw take back those that they have added")
    func nested() throws {
        struct Failing: ServiceModule {
            func register(in box: ServiceBox) throws {
                try box.add(StorageModule())
                throw Broken()
            }
        }
        #expect(failure { () throws(ServiceBoxError) in try box.add(Failing()) }?.path == ["Failing"])
        #expect(!box.isRegistered("store"))
        try box.add(OuterModule(inner: StorageModule()))
        #expect(box.isRegistered("store"))
        #expect(box.isRegistered("outer"))
        let other = ServiceBox()
        other.register(Page(), as: "old")
        let error = failure { () throws(ServiceBoxError) in try other.add(OuterModule(inner: FailingModule()))
        }
        #expect(error?.path == ["OuterModule", "FailingModule"])
        #expect(other.registrations.map(\.name) == ["old", "serviceBox"])
    }

    @Test("stand beside their services in a box's description and its graph, with a frame in drawings")
    func names() throws {
        try box.add(StorageModule(), SearchModule())
        box.register(as: "index") { box in (try box.resolve(ServiceKey<any Store>("store")), Page()).1 }
        let _: Page = try box["index"]
        #expect(
            box.description == """
                ServiceBox 'app', 3 services
                  index         lazy        Page
                  search.cache  ready-made  Cache, from SearchModule
                  store         lazy        Store, from StorageModule
                """)
        #expect(box.graph().nodes.map(\.module) == [nil, "SearchModule", "StorageModule"])
        #expect(
            box.graph().mermaid == """
                flowchart LR
                    n0["index<br/>Page<br/>lazy, filled 3rd"]
                    subgraph m0["SearchModule"]
                        n1["search.cache<br/>Cache<br/>filled 1st"]
                    end
                    subgraph m1["StorageModule"]
                        n2["store<br/>FileStore as Store<br/>lazy, filled 2nd"]
                    end
                    n0 -.->|"asked for"| n2
                """)
        #expect(
            box.graph().dot.contains(
                """
                    subgraph cluster_m0 { label="SearchModule";
                        n1 [label="search.cache\\nCache\\nfilled 1st"];
                    }
                """))
    }

    @Test("stand beside their services in reports and errors")
    func reports() throws {
        try box.add(StorageModule(), SearchModule())
        #expect(
            box.fill(Searcher()).properties.map(\.description) == [
                "Searcher.cache: filled with 'search.cache' (Cache, from SearchModule)",
                "Searcher.store: filled with 'store' (Store, from StorageModule)",
            ])
        let error = failure { () throws(ServiceBoxError) in _ = try box.resolve("store") as Page }
        #expect(error?.description.contains("Found: 'store' (Store, from StorageModule)") == true)
    }

    @Test("can't be added to a sealed box")
    func sealed() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let box = ServiceBox()
            box.seal(fileID: "App/Main.swift", line: 1)
            try box.add(StorageModule(), fileID: "App/Main.swift", line: 2)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Can't add modules to a sealed box."))
    }

    @Test("are those of a copy, too, if its original had them")
    func copied() throws {
        let app = ServiceBox()
        try app.add(StorageModule())
        let copy = app.copy()
        try copy.add(SearchModule(), StorageModule())
        let (store, own): (any Store, any Store) = (try app["store"], try copy["store"])
        #expect(store as? FileStore === own as? FileStore)
        #expect(copy.isRegistered("search.cache"))
        try app.add(SearchModule())
        #expect(app.isRegistered("search.cache"))
    }

    @Test("that fail leave a child's decorations of what it inherits")
    func decorations() throws {
        struct Redecorating: ServiceModule {
            let key: ServiceKey<Page>
            func register(in box: ServiceBox) throws {
                box.clear()
                box.decorate(key) { page, _ in Page(number: page.number + 100) }
                #expect(try box[key].number == 101)
                throw Broken()
            }
        }
        let (parent, key) = (ServiceBox(), ServiceKey<Page>("page"))
        parent.register(Page(number: 1), as: key)
        let child = parent.makeChild(name: "child")
        child.decorate(key) { page, _ in Page(number: page.number + 10) }
        #expect(try child[key].number == 11)
        #expect(throws: (any Error).self) { try child.add(Redecorating(key: key)) }
        #expect(try child[key].number == 11)
    }
}
