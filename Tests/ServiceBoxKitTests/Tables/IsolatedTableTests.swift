// Part of ServiceBox, released under the MIT License.
// Tests of tables that belong to an actor.

import ServiceBoxKit
import Testing

@Suite("Tables that belong to an actor")
struct IsolatedTableTests {
    @Test("a main-actor table is written on the main actor")
    @MainActor func onMainActor() {
        let box = themedBox()
        let panel = Panel()
        let report = box.fill(panel)
        #expect(panel.theme == "dark")
        #expect(panel.size == 3)
        #expect(report.isComplete)
    }

    @Test("elsewhere its slots are filled and the table is reported as out of reach")
    func elsewhere() async {
        let box = themedBox()
        let panel = NewPanel()
        let report = box.fill(panel)
        #expect(report.holes.map(\.outcome) == [.wrongIsolation])
        #expect(report.outcome(of: "size") == .filled)
        #expect(await panel.theme == nil)
        #expect(await panel.size == 3)
    }

    @Test("a type first filled elsewhere is filled completely on the main actor afterwards")
    func elsewhereThenHere() async {
        let box = themedBox()
        let panel = LatePanel()
        box.fill(panel)
        box.fill(panel)
        await MainActor.run {
            let report = box.fill(panel)
            #expect(report.outcome(of: "theme") == .filled)
            #expect(report.isComplete)
            #expect(panel.theme == "dark")
        }
    }

    @Test("a type first filled on the main actor is filled without its table elsewhere")
    func hereThenElsewhere() async {
        let box = themedBox()
        let panel = EarlyPanel()
        await MainActor.run { _ = box.fill(EarlyPanel()) }
        let report = box.fill(panel)
        #expect(report.outcomes == ["size": .filled, "theme": .wrongIsolation])
        #expect(await panel.theme == nil)
        #expect(await panel.size == 3)
    }

    @Test("what a main-actor table has written isn't read elsewhere, to keep it")
    func notReadElsewhere() async {
        let box = themedBox()
        let panel = EarlyPanel()
        await MainActor.run { _ = box.fill(panel) }
        let report = box.fill(panel, keepingExisting: true)
        #expect(report.outcomes == ["size": .kept, "theme": .wrongIsolation])
        #expect(ServiceBox().plan(for: panel).outcomes == ["size": .kept, "theme": .missing])
    }

    @Test("a service's main-actor table is deferred to a use on the main actor")
    func crossFillWaits() async {
        let box = themedBox()
        let panel = ServicePanel()
        box.register(panel, as: "panel")
        let outside = box.crossFill().report(on: ServicePanel.self)
        #expect(outside?.holes.map(\.outcome) == [.wrongIsolation])
        #expect(await panel.size == 3)
        #expect(await panel.theme == nil)
        await MainActor.run {
            let inside = box.crossFill().report(on: ServicePanel.self)
            #expect(inside?.outcomes == ["size": .filled, "theme": .filled])
            #expect(panel.theme == "dark")
        }
    }

    @Test("a table taught on the main actor is used there only")
    func taughtOnMainActor() async {
        let box = themedBox()
        await MainActor.run { box.teach(Poster.self, ["theme": .keyPath(\Poster.theme)]) }
        let poster = Poster()
        #expect(box.fill(poster).outcome(of: "theme") == .wrongIsolation)
        #expect(poster.theme == nil)
        await MainActor.run {
            let onMain = Poster()
            #expect(box.fill(onMain).outcome(of: "theme") == .filled)
            #expect(onMain.theme == "dark")
        }
    }

    @Test("a table of another global actor is written on that actor only")
    func otherGlobalActor() async {
        let box = themedBox()
        let engraving = Engraving()
        #expect(box.fill(engraving).holes.map(\.outcome) == [.wrongIsolation])
        #expect(await engraving.filledTheme(from: box) == "dark")
    }

    private nonisolated func themedBox() -> ServiceBox {
        let box = ServiceBox()
        box.register("dark", as: "theme")
        box.register(3, as: "size")
        return box
    }
}

@MainActor private final class Panel {
    @Injected var size: Int?
    var theme: String?
}

extension Panel: @MainActor Injectable {
    static var injections: InjectionTable { ["theme": .keyPath(\Panel.theme)] }
}

@MainActor private final class NewPanel {
    @Injected var size: Int?
    var theme: String?
}

extension NewPanel: @MainActor Injectable {
    static var injections: InjectionTable { ["theme": .keyPath(\NewPanel.theme)] }
}

@MainActor private final class LatePanel {
    @Injected var size: Int?
    var theme: String?
}

extension LatePanel: @MainActor Injectable {
    static var injections: InjectionTable { ["theme": .keyPath(\LatePanel.theme)] }
}

@MainActor private final class EarlyPanel {
    @Injected var size: Int?
    var theme: String?
}

extension EarlyPanel: @MainActor Injectable {
    static var injections: InjectionTable { ["theme": .keyPath(\EarlyPanel.theme)] }
}

@MainActor private final class ServicePanel {
    @Injected var size: Int?
    var theme: String?
}

extension ServicePanel: @MainActor Injectable {
    static var injections: InjectionTable { ["theme": .keyPath(\ServicePanel.theme)] }
}

private final class Poster {
    var theme: String?
}

@Engraver private final class Engraving {
    var theme: String?

    func filledTheme(from box: ServiceBox) -> String? {
        box.fill(self)
        return theme
    }
}

extension Engraving: @Engraver Injectable {
    static var injections: InjectionTable { ["theme": .keyPath(\Engraving.theme)] }
}
