// Part of ServiceBox, released under the MIT License.
// A service is judged by the type that it is registered as, and never made to find out what it is.

import ServiceBoxKit
import Testing

private protocol Cache: Sendable {}
private protocol Plugin: Sendable {}
private protocol LoudPlugin: Plugin {}
private protocol Notes: Sendable {}
private final class Connection: Sendable {}
private struct RedisCache: Cache { let connection: Connection }
private final class Loud: LoudPlugin {}
private struct Quiet: Plugin {}
private struct Diary: Notes, Plugin {}
private struct Broken: Error {}

private final class Editor: Notes, @unchecked Sendable { @InjectedAll var plugins: [any Plugin] }

private final class Panel: Plugin, @unchecked Sendable {
    @InjectedAll var plugins: [any Plugin]
}

@Suite("A service that is looked for by type")
struct RegisteredTypeTests {
    private let box = ServiceBox()

    private func error<Result>(_ body: () throws(ServiceBoxError) -> Result) -> ServiceBoxError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }

    private func registerDiary() {
        box.register(as: ServiceKey<any Notes>("diary")) { _ in
            Issue.record("made")
            return Diary()
        }
    }

    @Test("is missing where only a factory of an unrelated interface is there, the one that asks included")
    func missing() throws {
        box.register(as: ServiceKey<any Cache>("cache")) { box in RedisCache(connection: try box.resolve()) }
        let found = try #require(error { () throws(ServiceBoxError) in try box.resolve((any Cache).self) })
        #expect(found.code != .cycle)
        let root = found.underlying as? ServiceBoxError ?? found
        #expect(root.code == .missing)
        #expect(root.path.last == "Connection")
        #expect(root.description.contains("Can't find a Connection: no registered service fits."))
    }

    @Test("is not ambiguous because of factories of unrelated interfaces, and makes none of them")
    func ambiguous() {
        registerDiary()
        box.register(as: ServiceKey<any Plugin>("plugin")) { _ in
            Issue.record("made")
            return Quiet()
        }
        #expect(error { () throws(ServiceBoxError) in try box.resolve(Connection.self) }?.code == .missing)
        #expect(error { () throws(ServiceBoxError) in try box.resolve((any Cache).self) }?.code == .missing)
        #expect(error { () throws(ServiceBoxError) in try box.resolve(Diary.self) }?.code == .missing)
        #expect(box.audit().findings.filter { $0.kind == .ambiguousType }.isEmpty)
    }

    @Test(
        "is found by an interface that its own refines, a class it inherits, or its own type if it is there")
    func fitting() throws {
        let quiet = Quiet()
        box.register(as: ServiceKey<any LoudPlugin>("loud")) { _ in Loud() }
        box.register(RedisCache(connection: Connection()), as: ServiceKey<any Cache>("cache"))
        box.register(as: ServiceKey<any Screen & Notes>("screen")) { _ in HomeScreen() }
        #expect(try box.resolve((any Plugin).self) is Loud)
        #expect(try box.resolve((any Plugin & Sendable).self) is Loud)
        #expect(try box.resolve(RedisCache.self).connection === box.resolve(RedisCache.self).connection)
        #expect(try box.resolve(Screen.self) is HomeScreen)
        #expect(try box.resolve((any Notes).self) is HomeScreen)
        #expect(try box.resolveAll(AnyObject.self).count == 1)
        box.register(quiet, as: "quiet")
        #expect(try box.resolveAll((any Plugin).self).count == 2)
    }

    @Test("is tried by its name as what its interface does not tell")
    func byName() throws {
        box.register(as: ServiceKey<any Notes>("diary")) { _ in Diary() }
        _ = try box.resolve(ServiceKey<Diary>("diary"))
        _ = try box.resolve(ServiceKey<any Plugin>("diary"))
        #expect(
            error { () throws(ServiceBoxError) in try box.resolve(ServiceKey<any Cache>("diary")) }?
                .code == .typeMismatch)
    }
}

private class Screen: @unchecked Sendable {}
private final class HomeScreen: Screen, Notes, @unchecked Sendable {}

@Suite("A property that takes all services of a type, some of which make trouble,")
struct TroubledCollectionTests {
    private let box = ServiceBox()

    @Test("takes what is registered as its type alone, so an owner of another interface is no element")
    func ownerOfInterface() throws {
        box.register(as: ServiceKey<any Notes>("editor")) { _ in Editor() }
        box.register(Quiet())
        let editor = try #require(try box.resolve(ServiceKey<any Notes>("editor")) as? Editor)
        #expect(editor.plugins.count == 1)
        #expect(box.audit().findings.filter { $0.kind == .strongCycle }.isEmpty)
        #expect(!box.wiring().contains("Editor.plugins: 'editor'"))
        #expect(box.wiring().contains("Editor.plugins: 'quiet'"))
    }

    @Test("gets those that can be made, and is one hole that names the others")
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
        #expect(hole.error?.path == ["Loud"])
        #expect(
            hole.explanation == """
                Can't fill 'plugins' of Editor: 2 of its services could not be made.
                  Property: Editor.plugins, an Array<Plugin>
                  Found:    'loud' (Loud)
                  Error:    Can't make a Loud: its factory failed.
                  Found:    'diary' (Diary)
                  Error:    Can't make a Diary: its factory failed.
                To fix, correct what the errors name; the report keeps the first one whole.
                """)
    }

    @Test("of a registered service says so too, and gets what is made later")
    func crossFilled() throws {
        let isBroken = Flag(true)
        let editor = Editor()
        box.register(editor)
        box.register(Quiet())
        box.register(as: "loud") { _ -> Loud in
            if isBroken.value { throw Broken() }
            return Loud()
        }
        let report = try #require(box.crossFill().first { $0.serviceName == "editor" })
        #expect(report.outcome(of: "plugins") == .failed)
        #expect(editor.plugins.count == 1)
        isBroken.value = false
        box.register(Quiet(), as: "later")
        #expect(box.crossFill().first { $0.serviceName == "editor" }?.outcome(of: "plugins") == .filled)
        #expect(editor.plugins.count == 3)
    }

    @Test("of a transient service that is one of them gets the others, and says why not that one")
    func transientOwner() throws {
        box.register(Quiet())
        box.register(as: "panel", lifetime: .transient) { _ in Panel() }
        let report = Reports()
        let observation = box.observe { if $0.kind == .hole { report.append($0) } }
        let panel: Panel = try box.resolve("panel")
        #expect(panel.plugins.count == 1)
        let hole = try #require(report.all.first?.hole)
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

private final class Flag: @unchecked Sendable {
    var value: Bool
    init(_ value: Bool) { self.value = value }
}

private final class Reports: @unchecked Sendable {
    private(set) var all: [ServiceEvent] = []
    func append(_ event: ServiceEvent) { all.append(event) }
}
