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

    @Test("slots of a struct in a property of an interface type are left alone, whatever came first")
    func structsBehindInterfaces() {
        let box = box()
        let dark = Themed(Dark())
        for object in [Themed(Plain()), dark] { #expect(box.fill(object).properties.isEmpty) }
        #expect(box.fill(ThemedValue(theme: Dark())).properties.isEmpty)
        box.register(dark, as: "service")
        box.crossFill()
        #expect((dark.theme as? Dark)?.first == nil)
    }

    private func box() -> ServiceBox {
        let box = ServiceBox()
        box.register(1, as: "first")
        box.register(2, as: "second")
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
        if let name { _value = Injected(ServiceKey(name)) }
    }
}

private protocol Theme: Sendable {}

private struct Dark: Theme {
    @Injected var first: Int?
}

private struct Plain: Theme {
    let size = 3
}

private final class Themed: Sendable {
    let theme: any Theme

    init(_ theme: any Theme) { self.theme = theme }
}

private struct ThemedValue {
    let theme: any Theme
}
