// Part of ServiceBox, released under the MIT License.
// Tests of slots that an initialiser names, directly in a class.

import ServiceBoxKit
import Testing

@Suite("Slots named by an initialiser")
struct RenamedSlotTests {
    @Test("each object gets what its own slot says, also once offsets are known")
    func objects() {
        let box = box()
        let objects = ["first", "second", nil, "first", "second", nil].map(Renamed.init)
        for object in objects { box.fill(object) }
        #expect(objects.map(\.value) == [1, 2, 3, 1, 2, 3])
    }

    @Test("each registered service gets what its own slot says")
    func services() {
        let box = box()
        let services = ["first", "second", nil, "first", "second", nil].map(Renamed.init)
        for (index, service) in services.enumerated() { box.register(service, as: "service\(index)") }
        box.crossFill()
        #expect(services.map(\.value) == [1, 2, 3, 1, 2, 3])
    }

    @Test("each actor filled from outside gets what its own slot says")
    func actors() async {
        let box = box()
        await box.fill(RenamedActor("first"))
        let second = RenamedActor("second")
        let unnamed = RenamedActor(nil)
        box.fill(second as AnyObject)
        box.fill(unnamed as AnyObject)
        #expect(await second.value == 2)
        #expect(await unnamed.value == 3)
    }

    private func box() -> ServiceBox {
        let box = ServiceBox()
        box.register(1, as: "first")
        box.register(2, as: "second")
        box.register(3, as: "value")
        return box
    }
}

private final class Renamed: @unchecked Sendable {
    @Injected var value: Int?

    init(_ name: String?) {
        if let name { _value = Injected(ServiceKey(name)) }
    }
}

private actor RenamedActor {
    @Injected var value: Int?

    init(_ name: String?) {
        if let name { _value = Injected(ServiceKey(name)) }
    }
}
