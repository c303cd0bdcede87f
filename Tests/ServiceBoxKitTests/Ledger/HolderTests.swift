// Part of ServiceBox, released under the MIT License.
// Who holds a service, and reaching them.

import ServiceBoxKit
import Testing

private final class Depot: Store {}
private struct Failure: Error {}

private final class Screen {
    @Injected var store: (any Store)?
    @WeakInjected var depot: Depot?
}

private final class Keeper: @unchecked Sendable { @Injected var depot: Depot? }
private final class Collector: @unchecked Sendable { @InjectedAll var stores: [any Store] }
private final class Gallery { @InjectedAll var stores: [any Store] }
private struct Settings { @Injected var depot: Depot? }

private final class Panel: Injectable {
    var depot: Depot?
    static var injections: InjectionTable { ["depot": .keyPath(\Panel.depot)] }
}

private actor Vault {
    @Injected var depot: Depot?
    @Injected("depot") var depots: ServiceProvider<Depot>?
    var current: Depot? { depot }
}

@Suite("Holders of a service")
struct HolderTests {
    private let box = ServiceBox()

    init() { box.trackHolders() }

    @Test("are tracked on when the box is cleared")
    func cleared() throws {
        box.clear()
        box.register(Depot())
        let screen = Screen()
        box.fill(screen)
        #expect(try box.holders(of: "depot").map(\.property) == ["depot"])
        withExtendedLifetime(screen) {}
    }

    @Test("keep nothing that they lose, though they were refilled with what they had")
    func refilledAlike() throws {
        weak var depot: Depot?
        let settings = Screen()
        do {
            let new = Depot()
            depot = new
            box.register(new, as: "store")
            box.fill(settings)
            #expect(try box.refill("store").refilled.count == 1)
        }
        settings.store = nil
        box.remove("store")
        #expect(depot == nil)
    }

    @Test("are the living properties that the box filled")
    func holders() throws {
        box.register(Depot())
        box.register(Keeper())
        let screen = Screen()
        box.fill(screen)
        do {
            let short = Screen()
            box.fill(short)
            #expect(try box.holders(of: "depot").count == 3)
        }
        let holders = try box.holders(of: "depot")
        #expect(holders.map(\.description) == ["Keeper.depot", "Screen.depot"])
        #expect(holders.last?.object == ObjectIdentifier(screen))
        #expect(
            holders.map { ObjectIdentifier($0.type) }
                == ([Keeper.self, Screen.self] as [Any.Type]).map { ObjectIdentifier($0) })
        #expect(try box.holders(of: "store").isEmpty)
        withExtendedLifetime(screen) {}
    }

    @Test("are those too that were created with the service")
    func createdTogether() throws {
        box.register(as: "depot") { _ in Depot() }
        box.register(as: "keeper") { _ in Keeper() }
        let keeper: Keeper = try box["keeper"]
        #expect(try box.holders(of: "depot").map(\.description) == ["Keeper.depot"])
        withExtendedLifetime(keeper) {}
    }

    @Test("don't count where the owner set something else, and count once however often they are filled")
    func setByHand() throws {
        box.register(Depot())
        let keeper = Keeper()
        box.fill(keeper)
        box.fill(keeper)
        #expect(try box.holders(of: "depot").count == 1)
        keeper.depot = Depot()
        #expect(try box.holders(of: "depot").isEmpty)
    }

    @Test("stay known when a fill keeps what they have")
    func keptByFill() throws {
        box.register(as: "depot") { _ in Depot() }
        let keeper = Keeper()
        box.fill(keeper)
        box.fill(keeper, keepingExisting: true)
        #expect(try box.holders(of: "depot").count == 1)
    }

    @Test("aren't kept alive by being tracked, however many there are")
    func notKept() throws {
        box.register(Depot())
        weak var gone: Keeper?
        for _ in 0..<1_000 {
            let keeper = Keeper()
            box.fill(keeper)
            gone = keeper
        }
        #expect(gone == nil)
        #expect(try box.holders(of: "depot").isEmpty)
    }

    @Test("keep no service alive by being tracked, whether released or set to something else")
    func servicesNotKept() {
        box.register(as: "depot", lifetime: .weak) { _ in Depot() }
        weak var service: Depot?
        var keeper = Keeper()
        box.fill(keeper)
        service = keeper.depot
        #expect(service != nil)
        keeper.depot = nil
        #expect(service == nil)
        box.fill(keeper)
        service = keeper.depot
        keeper = Keeper()
        #expect(service == nil)
    }

    @Test("get the new service when a registration is replaced and refilled", arguments: [false, true])
    func refilling(isMade: Bool) throws {
        box.register(Depot())
        let keeper = Keeper()
        let registered = Keeper()
        let settings = Settings()
        box.register(registered)
        box.fill(keeper)
        box.fill(settings)
        box.crossFill()
        let new = Depot()
        if isMade {
            box.register(as: "depot") { _ in new }
        } else {
            box.register(new, as: "depot")
        }
        try box.refill("depot")
        #expect(keeper.depot === new)
        #expect(registered.depot === new)
        #expect(settings.depot === new)
        #expect(
            box.crossFill().map(\.description) == [
                "'keeper' (Keeper): 1 of 1 filled.\n  Keeper.depot: filled with 'depot' (Depot)"
            ])
        #expect(try box.holders(of: "depot").count == 3)
    }

    @Test("keep what they have when a registration is replaced without a refill")
    func withoutRefilling() throws {
        let old = Depot()
        box.register(old)
        let keeper = Keeper()
        box.fill(keeper)
        box.register(Depot())
        #expect(keeper.depot === old)
        #expect(try box.refill("depot").refilled.map(\.description) == ["Keeper.depot"])
        #expect(keeper.depot !== old)
    }

    @Test("are left alone where their owner set the property")
    func ownersValue() throws {
        box.register(Depot())
        let keeper = Keeper()
        box.fill(keeper)
        let own = Depot()
        keeper.depot = own
        box.register(Depot(), as: "depot")
        try box.refill("depot")
        #expect(keeper.depot === own)
    }

    @Test("that a table writes are known, and left to their owner")
    func tables() throws {
        box.register(Depot())
        let panel = Panel()
        box.fill(panel)
        let old = panel.depot
        #expect(try box.holders(of: "depot").map(\.description) == ["Panel.depot"])
        box.register(Depot())
        let refill = try box.refill("depot")
        #expect(panel.depot === old)
        #expect(refill.refilled.isEmpty)
        #expect(refill.left.map(\.property) == ["depot"])
    }

    @Test("keep what they have if the new service doesn't fit, can't be created, or is released")
    func unfit() throws {
        let old = Depot()
        box.register(old)
        let keeper = Keeper()
        box.fill(keeper)
        box.register(Clock(), as: "depot")
        #expect(try box.refill("depot").left.map(\.property) == ["depot"])
        box.register(as: ServiceKey<Depot>("depot")) { _ in throw Failure() }
        #expect(try box.refill("depot").left.map(\.property) == ["depot"])
        box.remove("depot")
        #expect(try box.refill("depot").left.map(\.property) == ["depot"])
        #expect(keeper.depot === old)
    }

    @Test("of a collection get the current services")
    func collections() throws {
        box.register(Depot(), as: "first")
        box.register(Collector())
        let gallery = Gallery()
        box.fill(gallery)
        box.crossFill()
        #expect(try box.holders(of: "first").map(\.description) == ["Collector.stores", "Gallery.stores"])
        box.register(FileStore(), as: "second")
        try box.refill("second")
        #expect(gallery.stores.count == 2)
        let new = Depot()
        box.register(new, as: "first")
        try box.refill("first")
        #expect(gallery.stores.contains { $0 as AnyObject === new })
        box.register(FileStore(), as: "third")
        try box.refill("third")
        #expect(gallery.stores.count == 3)
    }

    @Test("of a collection aren't those of a service that can't be created")
    func failedInCollection() throws {
        box.register(Depot(), as: "first")
        box.register(Collector())
        let gallery = Gallery()
        box.fill(gallery)
        box.crossFill()
        box.register(as: "second") { _ -> any Store in throw Failure() }
        try box.refill("second")
        #expect(gallery.stores.count == 1)
        #expect(try box.holders(of: "second").isEmpty)
        #expect(try box.holders(of: "first").map(\.description) == ["Collector.stores", "Gallery.stores"])
    }

    @Test("aren't weak properties whose service is gone")
    func goneService() throws {
        box.register(as: "depot", lifetime: .weak) { _ in Depot() }
        let screen = Screen()
        var depot: Depot? = try box["depot"]
        box.fill(screen)
        #expect(try box.holders(of: "depot").map(\.description) == ["Screen.depot"])
        withExtendedLifetime(depot) {}
        depot = nil
        #expect(try box.holders(of: "depot").isEmpty)
    }

    @Test("in an actor are refilled from any isolation")
    func actors() async throws {
        box.register(Depot())
        let vault = Vault()
        await box.fill(vault)
        let new = Depot()
        box.register(new, as: "depot")
        try box.refill("depot")
        #expect(await vault.current === new)
    }

    @Test("in an actor have providers too")
    func providersInActors() async throws {
        box.register { _ in Depot() }
        let vault = Vault()
        await box.fill(vault)
        let names = try box.holders(of: "depot").map(\.property)
        #expect(names.sorted() == ["depot", "depots"])
    }

    @Test("with weak properties are refilled too")
    func weakly() throws {
        let old = Depot()
        box.register(old)
        let screen = Screen()
        box.fill(screen)
        let new = Depot()
        box.register(new, as: "depot")
        try box.refill("depot")
        #expect(screen.depot === new)
        withExtendedLifetime(old) {}
    }

    @Test("aren't known to a box that doesn't track them")
    func notTracking() {
        let told = #expect(throws: ServiceBoxError.self) { try ServiceBox().holders(of: "depot") }
        #expect(told?.code == .notTracked)
        let refilled = #expect(throws: ServiceBoxError.self) { try ServiceBox().refill("depot") }
        #expect(refilled?.code == .notTracked)
    }

    @Test("may be filled and read on eight tasks while services are replaced")
    func stress() async throws {
        for _ in 0..<20 {
            let box = ServiceBox()
            box.trackHolders()
            box.register(Depot())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        let keeper = Keeper()
                        box.fill(keeper)
                        if task % 2 == 0 {
                            box.register(Depot())
                            try box.refill("depot")
                        }
                        #expect(keeper.depot != nil)
                        _ = try box.holders(of: "depot")
                        keeper.depot = task % 3 == 0 ? nil : keeper.depot
                    }
                }
                try await group.waitForAll()
            }
            #expect(try box.holders(of: "depot").isEmpty)
        }
    }

    @Test("are those of a struct that was created with the service", arguments: ["model", "view"])
    func createdStruct(_ first: String) throws {
        struct Pane: @unchecked Sendable { @Injected var model: Mold }
        final class Mold: @unchecked Sendable { @Injected("view") var view: Pane }
        box.register(as: "model") { _ in Mold() }
        box.register(as: "view") { _ in Pane() }
        if first == "model" { _ = try box["model"] as Mold } else { _ = try box["view"] as Pane }
        #expect(try box.holders(of: "model").map(\.description) == ["Pane.model"])
    }

    @Test("that take all of a type lose a service that was removed")
    func removedFromList() throws {
        box.register(Depot(), as: "first")
        box.register(FileStore(), as: "second")
        let gallery = Gallery()
        box.fill(gallery)
        box.remove("first")
        #expect(try box.refill("first").refilled.map(\.description) == ["Gallery.stores"])
        #expect(gallery.stores.count == 1)
    }

    @Test("get nothing created that doesn't fit")
    func unfitNotMade() throws {
        let makes = Counter()
        box.register(Depot())
        let keeper = Keeper()
        box.fill(keeper)
        box.register(as: "depot") { _ in
            makes.next()
            return Clock()
        }
        #expect(try box.refill("depot").left.count == 1)
        #expect(makes.value == 0)
    }

    @Test("are registered services too that were never filled, at a refill")
    func unfilled() throws {
        box.register(Depot())
        let keeper = Keeper()
        box.register(keeper)
        try box.refill("clock")
        #expect(keeper.depot != nil)
    }

    @Test("aren't lists of other services")
    func otherLists() throws {
        box.register(FileStore(), as: "file")
        box.register(Clock())
        let gallery = Gallery()
        box.fill(gallery)
        let (refilled, left) = try box.refill("clock")
        #expect(refilled.isEmpty && left.isEmpty)
        withExtendedLifetime(gallery) {}
    }

    @Test("are reported as filled after a refill, also with what is created for each ask")
    func refilledWithTransient() throws {
        box.register(as: "depot", lifetime: .transient) { _ in Depot() }
        box.register(Keeper())
        box.crossFill()
        #expect(try box.refill("depot").refilled.count == 1)
        box.fill(Screen())
        box.fill(Settings())
        #expect(box.crossFill().report(on: Keeper.self)?.outcome(of: "depot") == .filled)
    }
}
