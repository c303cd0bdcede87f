// Part of ServiceBox, released under the MIT License.
// Scopes whose factories look live services up in a box that they have captured, or fill objects from there.

import ServiceBoxKit
import ServiceBoxTesting
import Testing

private struct Wire: Sendable {}
private struct Screen: Sendable { let wire: Wire }
private final class Watcher: @unchecked Sendable { @Injected var wire: Wire? }
private final class Form { @Injected var wire: Wire? }
private final class Panel { @InjectedAll var wires: [Wire] }
private final class Sheet { @Injected(when: .read) var wire: Wire? }

@Suite("A live service that a factory looks up in a box that it has captured")
struct CapturedBaseTests {
    private let root = ServiceBox(name: "root")

    init() {
        root.register(as: "wire") { _ in Wire() }
        root.markLive("wire")
        root.register(as: "screen") { [root] _ in Screen(wire: try root["wire"]) }
    }

    /// The live services that a scope has used.
    private func liveServices(
        of base: ServiceBox?,
        operation: () throws -> Void = { _ = try ServiceBox.default["screen"] as Screen }
    ) throws -> [String] {
        do {
            try withServiceBox(basedOn: base, requiring: .nothingLiveIsUsed, operation: operation)
            return []
        } catch let error as ServiceOverrideError { return error.usedLiveServices }
    }

    @Test("is found in a scope")
    func scope() throws { #expect(try liveServices(of: root) == ["wire"]) }

    @Test("is found where code of the scope fills an object there, though the service was created before")
    func filled() throws {
        _ = try root["wire"] as Wire
        #expect(try liveServices(of: root) { root.fill(Form()) } == ["wire"])
        #expect(try liveServices(of: root) { root.fill(Panel()) } == ["wire"])
        let form = Form()
        root.fill(form)
        for object in [form, Sheet()] as [AnyObject] {
            #expect(try liveServices(of: root) { root.fill(object, keepingExisting: true) } == [])
        }
        let found = try liveServices(of: root) {
            ServiceBox.withDefault(root) { _ = root.fill(Form()) }
        }
        #expect(found.isEmpty)
    }

    @Test(
        "is found though another scope, or a child of one, has looked its own up before",
        arguments: [true, false])
    func otherScope(isChild: Bool) throws {
        try withServiceBox(basedOn: root) {
            let box = isChild ? ServiceBox.default.makeChild() : .default
            _ = try box.resolve("wire" as ServiceKey<Wire>)
        }
        #expect(try liveServices(of: root) == ["wire"])
    }

    @Test(
        "isn't what the base gives its ready-made service, though another scope has looked up its own before")
    func readyMade() throws {
        try withServiceBox(basedOn: root) { _ = try ServiceBox.default["wire"] as Wire }
        root.register(Watcher(), as: "watcher")
        try withOverrides(of: root, requiring: .nothingLiveIsUsed) {
            $0.register(Wire(), as: "wire")
        } operation: {
            _ = try ServiceBox.default["wire"] as Wire
        }
    }

    @Test("counts no more once code has looked it up in that box")
    func before() throws {
        _ = try root["wire"] as Wire
        try root.provider("wire" as ServiceKey<Wire>).reset()
        #expect(try liveServices(of: root) == [])
    }

    @Test("is found in a scope inside another, and by the outer one")
    func nested() throws {
        var inner: [String] = []
        let outer = try liveServices(of: root) { inner = try liveServices(of: nil) }
        #expect(inner == ["wire"])
        #expect(outer == ["wire"])
    }

    @Test("is found in a scope that is based on a child or a copy of that box", arguments: [true, false])
    func family(isChild: Bool) throws {
        let base = isChild ? root.makeChild(name: "child") : root.copy()
        #expect(try liveServices(of: base) == ["wire"])
    }

    @Test("is found where a child of the scope is the default box")
    func child() throws {
        let found = try liveServices(of: root) {
            try ServiceBox.withDefault(ServiceBox.default.makeChild(name: "child")) {
                _ = try ServiceBox.default["screen"] as Screen
            }
        }
        #expect(found == ["wire"])
    }

    @Test("isn't found where another default box holds")
    func otherDefault() throws {
        let found = try liveServices(of: root) {
            try ServiceBox.withDefault(root) { _ = try root["screen"] as Screen }
        }
        #expect(found.isEmpty)
    }

    @Test("isn't found if a child of that box hides it")
    func hidden() throws {
        let base = root.makeChild(name: "child")
        base.register(Wire(), as: "wire")
        base.register(as: "screen") { [base] _ in Screen(wire: try base["wire"]) }
        #expect(try liveServices(of: base).isEmpty)
    }
}
