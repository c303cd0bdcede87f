// Part of ServiceBox, released under the MIT License.
// Properties that take every service of a type, some of which can't be created.

import ServiceBoxKit
import Testing

private protocol Plugin: Sendable {}
private protocol Notes: Sendable {}
private final class Loud: Plugin {}
private struct Quiet: Plugin {}
private struct Diary: Notes, Plugin {}
private final class Editor: Notes, @unchecked Sendable { @InjectedAll var plugins: [any Plugin] }
private final class Panel: Plugin, @unchecked Sendable { @InjectedAll var plugins: [any Plugin] }
private final class Booklet: Sendable {}
private final class Shelf: @unchecked Sendable {
    @InjectedAll var plugins: [any Plugin]
    @InjectedAll var booklets: [Booklet]
}
private struct Lined: Plugin, @unchecked Sendable { @Injected var clock: Clock }

@Suite("A property that takes all services of a type, some of which can't be created,")
struct InjectedAllFailureTests {
    private let box = ServiceBox()

    @Test("takes what is registered as its type alone, so an owner of another interface is no element")
    func ownerOfInterface() throws {
        box.register(as: ServiceKey<any Notes>("editor")) { _ in Editor() }
        box.register(Quiet())
        let editor = try #require(try box.resolve(ServiceKey<any Notes>("editor")) as? Editor)
        #expect(editor.plugins.count == 1)
        #expect(box.audit().findings.filter { $0.kind == .strongCycle }.isEmpty)
        #expect(!box.wiring().contains("Editor.plugins: [Plugin] with 'editor'"))
        #expect(box.wiring().contains("Editor.plugins: [Plugin] with 'quiet'"))
    }

    @Test("leaves another list of its owner as it is")
    func otherList() throws {
        box.register(as: "quiet", lifetime: .transient) { _ in Quiet() }
        box.register(as: "diary", lifetime: .transient) { _ in Booklet() }
        box.register(as: "broken") { _ -> any Plugin in throw Broken() }
        let shelf = Shelf()
        box.register(shelf, as: "shelf")
        _ = try? box.resolve("shelf") as Shelf
        let first = try #require(shelf.booklets.first)
        for number in 0..<3 {
            let key = ServiceKey<Page>("page\(number)")
            box.register(Page(), as: key)
            _ = try box.resolve(key)
        }
        #expect(shelf.booklets.count == 1 && shelf.booklets.first === first)
    }

    @Test("is refused with its owner if a value among them lacks something")
    func lackingValue() {
        box.register(as: "lined") { _ in Lined() }
        box.register(as: "editor") { _ in Editor() }
        let error = #expect(throws: ServiceBoxError.self) { try box.resolve("editor") as Editor }
        #expect(error?.code == .incomplete)
    }

    @Test("gets those that can be created, and is one hole with the error of the first other")
    func failing() throws {
        box.register(Quiet(), as: "quiet")
        box.register(as: "loud") { _ -> Loud in throw Broken() }
        box.register(as: "diary") { _ -> Diary in throw Broken() }
        box.register(Quiet(), as: "last")
        let editor = Editor()
        let report = box.fill(editor)
        #expect(editor.plugins.count == 2)
        #expect(report.outcome(of: "plugins") == .failed)
        let hole = try #require(report.holes.first)
        #expect(report.holes.count == 1)
        #expect(hole.error?.code == .factoryFailed)
        #expect(hole.error?.path == ["Loud"])
    }

    @Test("of a registered service is such a hole too, and gets what can be created later")
    func crossFilled() throws {
        let isBroken = Locked(true)
        let editor = Editor()
        box.register(editor)
        box.register(Quiet())
        box.register(as: "loud") { _ -> Loud in
            if isBroken.withLock({ $0 }) { throw Broken() }
            return Loud()
        }
        let report = try #require(box.crossFill().first { $0.serviceName == "editor" })
        #expect(report.outcome(of: "plugins") == .failed)
        #expect(editor.plugins.count == 1)
        isBroken.withLock { $0 = false }
        box.register(Quiet(), as: "later")
        #expect(box.crossFill().first { $0.serviceName == "editor" }?.outcome(of: "plugins") == .filled)
        #expect(editor.plugins.count == 3)
    }

    @Test("of a transient service that is one of them gets the others, and reports a cycle")
    func transientOwner() throws {
        box.register(Quiet())
        box.register(as: "panel", lifetime: .transient) { _ in Panel() }
        let holes = Locked<[PropertyReport]>([])
        let observation = box.observe { event in
            if event.kind == .hole, let hole = event.hole { holes.withLock { $0.append(hole) } }
        }
        let panel: Panel = try box.resolve("panel")
        #expect(panel.plugins.count == 1)
        let hole = try #require(holes.withLock { $0.first })
        #expect(hole.outcome == .failed)
        #expect(hole.error?.code == .cycle)
        observation.cancel()
    }

    @Test("fails as a whole where code asks for all of them")
    func resolvingAll() {
        box.register(Quiet())
        box.register(as: "loud") { _ -> Loud in throw Broken() }
        #expect(throws: ServiceBoxError.self) { try box.resolveAll((any Plugin).self) }
    }
}
