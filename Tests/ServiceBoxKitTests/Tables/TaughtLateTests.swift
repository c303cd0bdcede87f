// Part of ServiceBox, released under the MIT License.
// Tests of tables that a box is taught after it was used.

import ServiceBoxKit
import Testing

@Suite("Teaching after the first use")
struct TaughtLateTests {
    @Test("an object is filled by what was taught since its type was last filled")
    func objects() {
        let box = ServiceBox()
        box.register(5, as: "volume")
        let player = Player()
        #expect(box.fill(player).outcome(of: "volume") == .plainProperty)
        box.teach(Player.self, ["volume": .keyPath(\Player.volume)])
        #expect(box.fill(player).outcome(of: "volume") == .filled)
        #expect(player.volume == 5)
    }

    @Test("a registered service is cross-filled by what was taught after an earlier use")
    func services() {
        let box = ServiceBox()
        let player = Player()
        box.register(5, as: "volume")
        box.register(player, as: "player")
        box.crossFill()
        box.teach(Player.self, ["volume": .keyPath(\Player.volume)])
        let report = box.crossFill().report(on: Player.self)
        #expect(report?.outcome(of: "volume") == .filled)
        #expect(player.volume == 5)
    }

    @Test("a registered service of a subclass is cross-filled by what was taught of its superclass")
    func subclassService() {
        let box = ServiceBox()
        let player = LoudPlayer()
        box.register(5, as: "volume")
        box.register(player, as: "player")
        box.crossFill()
        box.teach(Player.self, ["volume": .keyPath(\Player.volume)])
        box.crossFill()
        #expect(player.volume == 5)
    }
}

private class Player: @unchecked Sendable {
    var volume: Int?
}

private final class LoudPlayer: Player, @unchecked Sendable {}
