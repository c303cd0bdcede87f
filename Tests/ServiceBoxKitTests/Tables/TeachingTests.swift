// Part of ServiceBox, released under the MIT License.
// Tests of teaching a box to write types that one does not own.

import ServiceBoxKit
import Testing

@Suite("Teaching")
struct TeachingTests {
    @Test("a taught type and its subclasses are filled; its superclass is not")
    func subclasses() {
        let box = loudBox()
        box.teach(Player.self, ["volume": .keyPath(\Player.volume)])
        let device = Device()
        let player = Player()
        let loud = LoudPlayer()
        for object in [device, player, loud] { box.fill(object) }
        #expect(device.volume == nil)
        #expect(player.volume == 5)
        #expect(loud.volume == 5)
    }

    @Test("what is taught for a subclass wins over what is taught for its superclass")
    func nearest() {
        let box = loudBox()
        box.teach(
            LoudPlayer.self,
            ["volume": .setter { (player: LoudPlayer, volume: Int) in player.volume = 2 * volume }])
        box.teach(Player.self, ["volume": .keyPath(\Player.volume)])
        let player = Player()
        let loud = LoudPlayer()
        box.fill(player)
        box.fill(loud)
        #expect(player.volume == 5)
        #expect(loud.volume == 10)
    }

    @Test("taught tables add up, and the latest wins a name")
    func addsUp() {
        let box = loudBox()
        box.teach(Player.self, ["volume": .setter { (player: Player, _: Int) in player.volume = -1 }])
        box.teach(Player.self, ["name": .keyPath(\Player.name)])
        box.teach(Player.self, ["volume": .keyPath(\Player.volume)])
        let player = Player()
        #expect(box.fill(player).outcomes == ["name": .filled, "volume": .filled])
        #expect(player.volume == 5)
        #expect(player.name == "loud")
    }

    @Test("what a box is taught wins over what the type lists, name by name")
    func overListed() {
        let box = loudBox()
        box.teach(
            Listed.self, ["volume": .setter { (listed: Listed, volume: Int) in listed.volume = -volume }])
        let listed = Listed()
        #expect(box.fill(listed).outcomes == ["volume": .filled, "name": .filled])
        #expect(listed.volume == -5)
        #expect(listed.name == "loud")
    }

    @Test("a child fills what its parent is taught after another child has filled its type")
    func afterOtherChild() {
        final class Deck {
            @Injected var volume: Int?
            var name: String?
        }
        let box = loudBox()
        box.makeChild(name: "first").fill(Deck())
        box.teach(Deck.self, ["name": .keyPath(\Deck.name)])
        let deck = Deck()
        box.makeChild(name: "second").fill(deck)
        #expect(deck.name == "loud")
    }

    @Test("children fill by what their ancestors are taught now, also once the table was cleared")
    func cleared() {
        let root = ServiceBox()
        root.teach(Player.self, ["volume": .keyPath(\Player.volume)])
        let parent = root.makeChild()
        parent.register(5, as: "volume")
        let players = (Player(), Player())
        parent.makeChild().fill(players.0)
        root.clear()
        parent.makeChild().fill(players.1)
        #expect(players.0.volume == 5)
        #expect(players.1.volume == nil)
    }

    @Test("children fill by what their ancestors are taught now, also once a module is taken back")
    func takenBack() {
        let root = ServiceBox()
        let parent = root.makeChild()
        parent.register(5, as: "volume")
        let players = (Player(), Player())
        let module = InterruptedModule { root in
            root.teach(Player.self, ["volume": .keyPath(\Player.volume)])
            parent.makeChild().fill(players.0)
        }
        #expect(throws: (any Error).self) { try root.add(module) }
        parent.makeChild().fill(players.1)
        #expect(players.0.volume == 5)
        #expect(players.1.volume == nil)
    }

    @Test("a copy fills its own services by what its original was taught")
    func copied() throws {
        let box = loudBox()
        box.teach(Player.self, ["volume": .keyPath(\Player.volume)])
        let copy = box.copy()
        copy.register(as: "player") { _ in Player() }
        #expect(try copy.resolve(Player.self).volume == 5)
        let ready = Player()
        copy.register(ready, as: "ready")
        copy.crossFill()
        #expect(ready.volume == 5)
    }

    @Test("a child's copy keeps what it was taught from other children")
    func copiedChild() {
        let box = loudBox()
        let child = box.makeChild()
        child.teach(Player.self, ["volume": .keyPath(\Player.volume)])
        let players = (Player(), Player())
        child.copy().fill(players.0)
        box.makeChild().fill(players.1)
        #expect(players.0.volume == 5)
        #expect(players.1.volume == nil)
    }

    @Test("a struct is taught like a class, and filled as a variable")
    func structs() {
        let box = loudBox()
        box.teach(Setting.self, ["volume": .keyPath(\Setting.volume)])
        var setting = Setting()
        #expect(box.fill(&setting).outcome(of: "volume") == .filled)
        #expect(setting.volume == 5)
        #expect(box.fill(setting).outcome(of: "volume") == .constant)
    }

    @Test("an entry created by generic code, which doesn't know that its root is a class, is written")
    func genericLines() {
        let box = loudBox()
        teach(box, \Player.volume, as: "volume")
        teach(box, \Setting.volume, as: "volume")
        let player = Player()
        var setting = Setting()
        #expect(box.fill(player).outcome(of: "volume") == .filled)
        #expect(box.fill(&setting).outcome(of: "volume") == .filled)
        #expect(player.volume == 5)
        #expect(setting.volume == 5)
        let kept = Player()
        kept.volume = 1
        #expect(box.fill(kept, keepingExisting: true).outcome(of: "volume") == .kept)
    }

    @Test("a taught type's registered services are cross-filled by the taught table")
    func services() {
        let box = loudBox()
        box.teach(Player.self, ["volume": .keyPath(\Player.volume)])
        let player = LoudPlayer()
        box.register(player, as: "player")
        box.crossFill()
        #expect(player.volume == 5)
    }

    @Test("an object is filled by what was taught since the last fill of its type")
    func taughtLate() {
        let box = loudBox()
        let player = Player()
        #expect(box.fill(player).outcome(of: "volume") == .plainProperty)
        box.teach(Player.self, ["volume": .keyPath(\Player.volume)])
        #expect(box.fill(player).outcome(of: "volume") == .filled)
        #expect(player.volume == 5)
    }

    @Test("a registered service is cross-filled by what is taught after an earlier use")
    func taughtLateService() {
        let box = loudBox()
        let player = Player()
        box.register(player, as: "player")
        box.crossFill()
        box.teach(Player.self, ["volume": .keyPath(\Player.volume)])
        let report = box.crossFill().report(on: Player.self)
        #expect(report?.outcome(of: "volume") == .filled)
        #expect(player.volume == 5)
    }

    @Test("a registered service of a subclass is cross-filled by what was taught for its superclass later")
    func taughtLateSuperclass() {
        let box = loudBox()
        let player = LoudPlayer()
        box.register(player, as: "player")
        box.crossFill()
        box.teach(Player.self, ["volume": .keyPath(\Player.volume)])
        box.crossFill()
        #expect(player.volume == 5)
    }

    @Test("a transient service that had nothing to fill is filled by what is taught later")
    func nothingBefore() throws {
        let (box, key, journal) = (loudBox(), ServiceKey<Horn>("horn"), Journal())
        box.register(as: key, lifetime: .transient) { _ in Horn() }
        for _ in 0..<3 { _ = try box[key] }
        box.teach(Horn.self, ["volume": .setter { (_: Horn, volume: Int) in journal.add("\(volume)") }])
        _ = try box[key]
        #expect(journal.all == ["5"])
    }

    @Test("a service without properties is filled by a taught table", arguments: [Lifetime.lazy, .weak])
    func noProperties(_ lifetime: Lifetime) throws {
        let (box, journal) = (loudBox(), Journal())
        box.teach(Horn.self, ["volume": .setter { (_: Horn, volume: Int) in journal.add("\(volume)") }])
        box.register(as: "horn", lifetime: lifetime) { _ in Horn() }
        let horn: Horn = try box["horn"]
        #expect(journal.all == ["5"])
        withExtendedLifetime(horn) {}
    }

    @Test("a service gets what is taught later alone: nothing is created for a line that was written")
    func writtenBefore() throws {
        let (box, volumes) = (ServiceBox(), Counter())
        box.register("loud", as: "name")
        box.register(as: "volume", lifetime: .transient) { _ in volumes.next() }
        box.teach(Horn.self, ["volume": .setter { (_: Horn, _: Int) in }])
        box.register { _ in Horn() }
        _ = try box.resolve(Horn.self)
        box.teach(Horn.self, ["name": .setter { (_: Horn, _: String) in }])
        _ = try box.resolve(Horn.self)
        #expect(volumes.value == 1)
    }

    @Test("a service that isn't to be filled isn't filled by a taught table either")
    func notToBeFilled() throws {
        let (box, journal) = (loudBox(), Journal())
        box.teach(Horn.self, ["volume": .setter { (_: Horn, volume: Int) in journal.add("\(volume)") }])
        box.register(Horn(), as: "ready", fills: false)
        box.register(as: "created", fills: false) { _ in Horn() }
        for name in ["ready", "created"] { _ = try box[ServiceKey<Horn>(name)] }
        box.crossFill()
        #expect(journal.all == [])
    }

    @Test("a created service without properties gets what is registered later, by a taught table")
    func noPropertiesYet() throws {
        let (box, journal) = (ServiceBox(), Journal())
        box.teach(
            Horn.self,
            ["volume": .setter(optional: true) { (_: Horn, volume: Int) in journal.add("\(volume)") }])
        box.register { _ in Horn() }
        _ = try box.resolve(Horn.self)
        box.register(5, as: "volume")
        #expect(try box["volume"] == 5)
        #expect(journal.all == ["5"])
    }

    @Test("a table that names a property twice traps")
    func twice() async {
        await #expect(processExitsWith: .failure) {
            ServiceBox().teach(
                Setting.self, ["volume": .keyPath(\Setting.volume), "volume": .keyPath(\Setting.volume)])
        }
    }

    private func loudBox() -> ServiceBox {
        let box = ServiceBox()
        box.register(5, as: "volume")
        box.register("loud", as: "name")
        return box
    }

    private func teach<Root>(_ box: ServiceBox, _ path: WritableKeyPath<Root, Int?>, as name: String) {
        let line: Injection = .keyPath(path)
        switch name {
        case "volume": box.teach(Root.self, ["volume": line])
        default: Issue.record("unknown name")
        }
    }

    @Test(
        "what was taught before a service came that has nothing else to fill is required of it, too",
        arguments: [false, true])
    func requiredOfBare(_ isOfParent: Bool) {
        final class Quiet: Sendable {}
        final class Quieter: Sendable {}
        let parent = ServiceBox()
        parent.teach(Quiet.self, ["horn": .setter { (_: Quiet, _: Horn) in }])
        let child = parent.makeChild(name: "child")
        child.teach(Quieter.self, ["horn": .setter { (_: Quieter, _: Horn) in }])
        let box = isOfParent ? child : parent
        box.crossFill()
        box.register(Quiet(), as: "quiet")
        #expect(box.failure(of: ServiceKey<Quiet>("quiet"))?.code == .incomplete)
        box.register(Horn())
        #expect(box.failure(of: ServiceKey<Quiet>("quiet")) == nil)
    }

    @Test("what was taught before a service came is required of it, too")
    func requiredOfLater() {
        let box = ServiceBox()
        box.teach(Player.self, ["horn": .setter { (_: Player, _: Horn) in }])
        box.crossFill()
        box.register(Player(), as: "player")
        #expect(box.failure(of: ServiceKey<Player>("player"))?.code == .incomplete)
        box.register(Horn())
        #expect(box.failure(of: ServiceKey<Player>("player")) == nil)
    }
}

private final class Horn: Sendable {}

private class Device: @unchecked Sendable {
    var volume: Int?
}

private class Player: Device, @unchecked Sendable {
    var name: String?
}

private final class LoudPlayer: Player, @unchecked Sendable {}

private final class Listed: Injectable {
    var volume: Int?
    var name: String?

    static var injections: InjectionTable {
        ["volume": .keyPath(\Listed.volume), "name": .keyPath(\Listed.name)]
    }
}

private struct Setting {
    var volume: Int?
}
