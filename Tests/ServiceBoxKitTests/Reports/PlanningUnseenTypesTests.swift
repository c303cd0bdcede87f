// Part of ServiceBox, released under the MIT License.
// What a fill would do to an object of a type, before there is one.

import ServiceBoxKit
import Testing

private class Panel: Injectable {
    @Injected var clock: Clock?
    var volume: Int?
    var title: String?
    class var injections: InjectionTable {
        ["volume": .keyPath(\Panel.volume), "title": .keyPath(\Panel.title)]
    }
}

private final class WidePanel: Panel {
    var width: Double?
    override class var injections: InjectionTable {
        ["title": .setter { (panel: WidePanel, width: Double) in panel.width = width }]
    }
}

@MainActor private final class Screen {
    @Injected var clock: Clock?
    var volume: Int?
    nonisolated init() {}
}

extension Screen: @MainActor Injectable {
    static var injections: InjectionTable { ["volume": .keyPath(\Screen.volume)] }
}

@MainActor private final class LateScreen {
    @Injected var clock: Clock?
    var volume: Int?
    nonisolated init() {}
}

extension LateScreen: @MainActor Injectable {
    static var injections: InjectionTable { ["volume": .keyPath(\LateScreen.volume)] }
}

private struct Knob: Injectable {
    var volume: Int?
    static var injections: InjectionTable { ["volume": .keyPath(\Knob.volume)] }
}

private actor Safe: Injectable {
    var clock: Clock?
    static var injections: InjectionTable {
        ["clock": .setter { (safe: isolated Safe, clock: Clock) in safe.clock = clock }]
    }
}

private final class Holder<Content>: Injectable {
    var content: Content?
    static var injections: InjectionTable { ["content": .keyPath(\Holder.content)] }
}

private final class Misnamed: Injectable {
    var volume: Int?
    static var injections: InjectionTable { ["volumne": .keyPath(\Misnamed.volume)] }
}

private class Radio {
    var volume: Int?
    var clock: Clock?
}

private final class PocketRadio: Radio {}

@Suite("Plans for types that no box has seen an object of")
struct PlanningUnseenTypesTests {
    private let box = ServiceBox()

    init() {
        box.register(7, as: "volume")
        box.register(Clock())
    }

    @Test("know slots, and on the main actor the table that belongs to it")
    @MainActor func mainActorTable() {
        #expect(box.plan(for: Screen.self).outcomes == ["clock": .filled, "volume": .filled])
    }

    @Test("say off the main actor that a table there is out of reach")
    func tableOfAnotherActor() {
        #expect(
            box.plan(for: Screen.self as Any.Type).outcomes == [
                "clock": .filled, "self": .wrongIsolation,
            ])
    }

    @Test("complete the table of an object that was examined off its actor, for fills too")
    func tableOutOfReach() async {
        let screen = LateScreen()
        box.fill(screen)
        #expect(
            box.plan(for: LateScreen.self as Any.Type).outcomes == [
                "clock": .filled, "self": .wrongIsolation,
            ])
        await MainActor.run {
            #expect(box.plan(for: LateScreen.self).outcomes == ["clock": .filled, "volume": .filled])
        }
        #expect(box.fill(screen).outcomes == ["clock": .filled, "volume": .wrongIsolation])
        await MainActor.run {
            box.fill(screen)
            #expect(screen.volume == 7)
        }
    }

    @Test("know the tables of structs, actors and generic types")
    func kinds() {
        box.register("text", as: "content")
        #expect(box.plan(for: Knob.self).outcomes == ["volume": .filled])
        #expect(box.plan(for: Safe.self).outcomes == ["clock": .filled])
        #expect(box.plan(for: Holder<String>.self).outcomes == ["content": .filled])
        #expect(box.plan(for: Holder<Int>.self).outcomes == ["content": .typeMismatch])
    }

    @Test("know the tables of superclasses, of which the nearest wins a name, as a fill does")
    func superclassTables() {
        box.register(2.5, as: "title")
        let plan = box.plan(for: WidePanel.self)
        #expect(plan.outcomes == ["clock": .filled, "volume": .filled, "title": .filled])
        #expect(box.plan(for: Panel.self).outcome(of: "title") == .typeMismatch)
        let panel: Panel = WidePanel()
        #expect(box.plan(for: type(of: panel)).outcomes == plan.outcomes)
        #expect(
            box.fill(panel).outcomes == ["clock": .filled, "volume": .filled, "title": .filled])
        #expect(box.plan(for: WidePanel.self).outcomes == box.fill(panel).outcomes)
    }

    @Test("compare a key path's name with the stored properties")
    func misnamedLine() {
        box.register(7, as: "volumne")
        #expect(
            box.plan(for: Misnamed.self).outcomes == ["volumne": .tableMismatch, "volume": .plainProperty])
    }

    @Test("know what the box and its ancestors were taught, of superclasses too; the nearest wins a name")
    func taught() {
        box.teach(Radio.self, ["volume": .keyPath(\Radio.volume), "clock": .keyPath(\Radio.clock)])
        let child = box.makeChild(name: "child")
        #expect(
            child.plan(for: PocketRadio.self).outcomes == [
                "volume": .filled, "clock": .filled,
            ])
        child.teach(PocketRadio.self, ["volume": .setter { (_: PocketRadio, _: String) in }])
        #expect(child.plan(for: PocketRadio.self).outcome(of: "volume") == .typeMismatch)
        #expect(box.plan(for: PocketRadio.self).outcome(of: "volume") == .filled)
        #expect(ServiceBox().plan(for: PocketRadio.self).properties.isEmpty)
    }

    @Test("have what was taught beside a table that is out of reach")
    func taughtBesideTable() {
        box.teach(Screen.self, ["clock": .setter { (_: Screen, _: Clock) in }])
        let plan = box.plan(for: Screen.self as Any.Type)
        #expect(plan.outcomes == ["clock": .filled, "self": .wrongIsolation])
    }

    @Test("take a slot by its property's name, since an explicit one is known from an object only")
    func explicitName() {
        final class Renamed {
            @Injected("clock") var time: Clock?
        }
        #expect(box.plan(for: Renamed.self).outcomes == ["time": .missing])
        #expect(box.plan(for: Renamed()).outcomes == ["time": .filled])
        #expect(box.plan(for: Renamed.self).outcomes == ["time": .filled])
    }

    @Test("say of a type that reflects itself that an object of it is needed")
    func reflectsItself() {
        struct Veiled: CustomReflectable {
            @Injected var clock: Clock?
            var customMirror: Mirror { Mirror(self, children: ["clock": _clock]) }
        }
        #expect(
            box.plan(for: Veiled.self).holes.map(\.explanation) == [
                """
                Can't fill a Veiled: its properties are known from an object only, and no box has seen one.
                To fix, pass an object, or fill one first.
                """
            ])
    }
}
