// Part of ServiceBox, released under the MIT License.
// Tests of which services fit a type, by the type that they are registered as.

import ServiceBoxKit
import Testing

@Suite("Services that fit a type")
struct FitTests {
    @Test("a service with a conformance of the main actor fits there, not elsewhere, created or not")
    func isolatedConformance() async {
        let box = ServiceBox()
        box.register(as: "lazy", lifetime: .lazy) { _ in Lantern() }
        box.register(Lantern(), as: "instance")
        let elsewhere = Room()
        box.fill(elsewhere)
        #expect(elsewhere.lights.isEmpty)
        let count = await MainActor.run {
            let room = Room()
            box.fill(room)
            return room.lights.count
        }
        #expect(count == 2)
    }

    @Test("a conformance alone is not enough for a composition with a class, or for class instances alone")
    func compositions() throws {
        let box = ServiceBox()
        box.register(as: "value", lifetime: .lazy) { _ in PaperTool() }
        box.register(as: "object", lifetime: .lazy) { _ in SteelTool() }
        box.register(as: "device", lifetime: .lazy) { _ in Drill() }
        #expect(try box.resolveAll((any Tool).self).count == 3)
        #expect(try box.resolveAll((any Tool & AnyObject).self).count == 2)
        #expect(try box.resolve((any Device & Tool).self) is Drill)
    }

    @Test("whatever can be hashed fits AnyHashable, and everything fits Any")
    func hashable() throws {
        let box = ServiceBox()
        box.register(as: "number", lifetime: .lazy) { _ in 7 }
        box.register(as: "tool", lifetime: .lazy) { _ in SteelTool() }
        let shelf = Shelf()
        box.fill(shelf)
        #expect(shelf.hashables == [7])
        #expect(shelf.things.count == 2)
    }

    @Test("a conformance alone isn't the right type for a composition with a class, so another is suggested")
    func compositionByName() {
        let box = ServiceBox()
        box.register(as: "steel") { _ in SteelTool() }
        box.register(as: "drill") { _ in Drill() }
        let error = box.failure(of: ServiceKey<any Device & Tool>("steel"))
        #expect(error?.code == .typeMismatch)
        #expect(error?.description.contains("'drill'") == true)
    }
}

private protocol Light {}

@MainActor private final class Lantern { nonisolated init() {} }

extension Lantern: @MainActor Light {}

private final class Room {
    @InjectedAll var lights: [any Light]
}

private protocol Tool: Sendable {}
private struct PaperTool: Tool {}
private final class SteelTool: Tool {}
private class Device: @unchecked Sendable {}
private final class Drill: Device, Tool, @unchecked Sendable {}

private final class Shelf {
    @InjectedAll var hashables: [AnyHashable]
    @InjectedAll var things: [Any]
}
