// Part of ServiceBox, released under the MIT License.
// Properties that take every service of a type.

import ServiceBoxKit
import Testing

private protocol Plugin: Sendable {
    var name: String { get }
}
private struct Named: Plugin {
    let name: String
}
private final class Loud: Plugin {
    let name: String
    init(_ name: String) { self.name = name }
}

private final class Editor: @unchecked Sendable {
    @InjectedAll var plugins: [any Plugin]
    @Injected var number: Int?
    var names: [String] { plugins.map(\.name) }
}

@Suite("A property that takes all services of a type")
struct InjectedAllTests {
    private let box = ServiceBox()

    @Test("gets every implementation in the order of registration")
    func order() throws {
        box.register(Named(name: "1"), as: "z")
        box.register(as: "m") { _ in Loud("2") }
        box.register(3, as: "number")
        box.register(Named(name: "3"), as: ServiceKey<any Plugin>("a"))
        box.register(as: ServiceKey<any Plugin>("b")) { _ in Loud("4") }
        box.register(provider: ServiceProvider { Loud("5") })
        let editor = Editor()
        let report = box.fill(editor)
        #expect(report.isComplete)
        #expect(editor.names == ["1", "2", "3", "4", "5"])
        #expect(try box.resolveAll((any Plugin).self).map(\.name) == editor.names)
        #expect(try box.resolve(ServiceKey<Loud>("m")) === editor.plugins[1] as? Loud)
        box.register(Named(name: "6"), as: "z")
        box.fill(editor)
        #expect(editor.names == ["2", "3", "4", "5", "6"])
    }

    @Test("is empty before a fill and where nothing fits")
    func empty() {
        let editor = Editor()
        #expect(editor.plugins.isEmpty)
        #expect(!editor.$plugins.isFilled)
        box.fill(editor)
        #expect(editor.plugins.isEmpty)
        #expect(editor.$plugins.isFilled)
    }

    @Test("can be set in code, which a fill keeps on request")
    func byHand() {
        let editor = Editor()
        editor.plugins = [Named(name: "own")]
        box.register(Named(name: "1"))
        #expect(box.fill(editor, keepingExisting: true).outcome(of: "plugins") == .kept)
        #expect(editor.names == ["own"])
        box.fill(editor)
        #expect(editor.names == ["1"])
        let service = Editor()
        service.plugins = []
        box.register(service)
        box.crossFill()
        #expect(service.names.isEmpty)
    }

    @Test("of a registered service gets what is registered later")
    func later() {
        let editor = Editor()
        box.register(editor)
        box.register(Named(name: "1"), as: "1")
        box.crossFill()
        #expect(editor.names == ["1"])
        box.register(Named(name: "2"), as: "2")
        box.register(3, as: "number")
        box.fill(Editor())
        #expect(editor.names == ["1", "2"])
    }

    @Test("of a created service gets what is registered later", arguments: [Lifetime.lazy, .eager, .weak])
    func laterOfMade(_ lifetime: Lifetime) throws {
        box.register(Named(name: "1"), as: "1")
        box.register(as: "editor", lifetime: lifetime) { _ in Editor() }
        let editor: Editor = try box.resolve("editor")
        #expect(editor.names == ["1"])
        box.register(Named(name: "2"), as: "2")
        box.fill(Editor())
        #expect(editor.names == ["1", "2"])
    }

    @Test("of a created struct gets what is registered later")
    func laterOfStruct() throws {
        struct Panel: Sendable {
            @InjectedAll var plugins: [any Plugin]
        }
        box.register(Named(name: "1"), as: "1")
        box.register(as: "panel") { _ in Panel() }
        let panel: Panel = try box.resolve("panel")
        box.register(Named(name: "2"), as: "2")
        box.crossFill()
        #expect(panel.plugins.map(\.name) == ["1", "2"])
    }

    @Test("of a child's service gets what is registered in its parent later")
    func laterInParent() {
        let child = box.makeChild(name: "child")
        let editor = Editor()
        child.register(editor)
        box.register(Named(name: "1"), as: "1")
        child.crossFill()
        #expect(editor.names == ["1"])
        box.register(Named(name: "2"), as: "2")
        child.register(Named(name: "3"), as: "3")
        child.fill(Editor())
        #expect(editor.names == ["1", "2", "3"])
    }

    @Test("works in structs and actors")
    func elsewhere() async {
        struct Plain {
            @InjectedAll var plugins: [any Plugin]
        }
        actor Keeper {
            @InjectedAll var plugins: [any Plugin]
            var count: Int { plugins.count }
        }
        box.register(Named(name: "1"))
        var plain = Plain()
        #expect(box.fill(&plain).isComplete)
        #expect(plain.plugins.count == 1)
        let keeper = Keeper()
        await box.fill(keeper)
        #expect(await keeper.count == 1)
    }

    @Test("is a hole with the error of a service that can't be created; other properties are filled")
    func failing() throws {
        box.register(Named(name: "1"), as: "fine")
        box.register(as: "loud") { _ -> Loud in throw Broken() }
        box.register(3, as: "number")
        let editor = Editor()
        let report = box.fill(editor)
        #expect(report.outcomes == ["plugins": .failed, "number": .filled])
        let hole = try #require(report.holes.first)
        #expect(hole.error?.code == .factoryFailed)
        #expect(hole.error?.path == ["Loud"])
    }

    @Test("never takes the box itself")
    func notTheBox() throws {
        final class Everything {
            @InjectedAll var all: [any Sendable]
        }
        box.register(1, as: "one")
        let everything = Everything()
        box.fill(everything)
        #expect(everything.all.count == 1)
        #expect(try box.resolveAll((any Sendable).self).count == 1)
    }

    @Test("creates no service whose type doesn't fit")
    func makesNothing() throws {
        let makes = Counter()
        box.register(as: "lazy") { _ in
            makes.next()
            return 1
        }
        box.fill(Editor())
        #expect(makes.value == 0)
    }
}
