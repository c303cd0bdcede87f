// Part of ServiceBox, released under the MIT License.
// Tests of objects of one type that do not all show the same slots.

import ServiceBoxKit
import Testing

@Suite("Instances of one type that differ")
struct VaryingInstancesTests {
    @Test("each object of a class gets what its own slot's explicit name says")
    func namesPerObject() {
        let box = box()
        let objects = ["first", "second", "first"].map(Renamed.init)
        for object in objects { box.fill(object) }
        #expect(objects.map(\.value) == [1, 2, 1])
    }

    @Test("each struct of a type gets what its own slot's explicit name says")
    func namesPerStruct() {
        let box = box()
        let values = ["first", "second", "first"].map(RenamedValue.init)
        for value in values { box.fill(value) }
        #expect(values.map(\.value) == [1, 2, 1])
    }

    @Test("each registered service gets what its own slot's explicit name says")
    func namesPerService() {
        let box = box()
        let services = ["first", "second", "first"].map(Renamed.init)
        for (index, service) in services.enumerated() { box.register(service, as: "service\(index)") }
        box.crossFill()
        #expect(services.map(\.value) == [1, 2, 1])
    }

    @Test("an object with a named slot and one without are each filled by their own names")
    func namedAndUnnamed() {
        let box = box()
        box.register(3, as: "value")
        let objects = [Renamed(nil), Renamed("second"), Renamed(nil)]
        for object in objects { box.fill(object) }
        #expect(objects.map(\.value) == [3, 2, 3])
    }

    @Test("an existential property may hold structs with different slots in different objects")
    func otherStructsInside() {
        let box = box()
        let dark = Themed(Dark())
        let light = Themed(Light())
        let plain = Themed(Plain())
        let darkAgain = Themed(Dark())
        for object in [dark, light, plain, darkAgain] { box.fill(object) }
        #expect((dark.theme as? Dark)?.first == 1)
        #expect((light.theme as? Light)?.text == "text")
        #expect((darkAgain.theme as? Dark)?.first == 1)
    }

    @Test("whether a property of an interface type holds slots is decided by the first object of the class")
    func slotsOnlyLater() {
        let box = box()
        let plain = Skinned(Plain())
        let dark = Skinned(Dark())
        box.fill(plain)
        box.fill(dark)
        #expect((dark.theme as? Dark)?.first == nil)
    }

    @Test("registered services may hold structs with different slots, too")
    func otherStructsInsideServices() {
        let box = box()
        let services = [Themed(Dark()), Themed(Light()), Themed(Plain())]
        for (index, service) in services.enumerated() { box.register(service, as: "service\(index)") }
        box.crossFill()
        #expect((services[0].theme as? Dark)?.first == 1)
        #expect((services[1].theme as? Light)?.text == "text")
    }

    @Test("structs may hold structs with different slots, too")
    func otherStructsInsideStructs() {
        let box = box()
        let plain = ThemedValue(theme: Plain())
        let dark = ThemedValue(theme: Dark())
        let light = ThemedValue(theme: Light())
        for value in [plain, dark, light] { box.fill(value) }
        #expect((dark.theme as? Dark)?.first == 1)
        #expect((light.theme as? Light)?.text == "text")
    }

    private func box() -> ServiceBox {
        let box = ServiceBox()
        box.register(1, as: "first")
        box.register(2, as: "second")
        box.register("text", as: "text")
        return box
    }
}

private final class Renamed: Sendable {
    private let storage: RenamedValue
    var value: Int? { storage.value }

    init(_ name: String?) { storage = RenamedValue(name) }
}

private struct RenamedValue: Sendable {
    @Injected var value: Int?

    init(_ name: String?) {
        if let name { _value = Injected(name) }
    }
}

private protocol Theme: Sendable {}

private struct Dark: Theme {
    @Injected var first: Int?
}

private struct Light: Theme {
    @Injected var text: String?
}

private struct Plain: Theme {
    let size = 3
}

private final class Themed: Sendable {
    let theme: any Theme

    init(_ theme: any Theme) { self.theme = theme }
}

private final class Skinned {
    let theme: any Theme

    init(_ theme: any Theme) { self.theme = theme }
}

private struct ThemedValue {
    let theme: any Theme
}
