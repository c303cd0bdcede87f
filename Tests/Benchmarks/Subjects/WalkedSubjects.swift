// Part of ServiceBox, released under the MIT License.
// Types that have to be read with Mirror at each fill.

import ServiceBoxKit

/// A class with four slots that shows them through a mirror of its own.
final class MirroredSlots4: Subject, CustomReflectable {
    @Injected var service0: Service?
    @Injected var service1: Service?
    @Injected var service2: Service?
    @Injected var service3: Service?

    var held: [Service?] { [service0, service1, service2, service3] }

    func empty() { (service0, service1, service2, service3) = (nil, nil, nil, nil) }

    var customMirror: Mirror {
        let children: [Mirror.Child] = [
            ("_service0", _service0), ("_service1", _service1), ("_service2", _service2),
            ("_service3", _service3),
        ]
        return Mirror(self, children: children)
    }
}

/// A struct with four slots.
struct SlotStruct4 {
    @Injected var service0: Service?
    @Injected var service1: Service?
    @Injected var service2: Service?
    @Injected var service3: Service?

    var isFilled: Bool {
        [service0, service1, service2, service3].enumerated().allSatisfy { $1?.number == $0 }
    }
}

/// An object whose four slots lie in a struct inside it.
final class InnerSlots4: Subject {
    private var inner = SlotStruct4()

    var held: [Service?] { [inner.service0, inner.service1, inner.service2, inner.service3] }

    func empty() {
        (inner.service0, inner.service1, inner.service2, inner.service3) = (nil, nil, nil, nil)
    }
}
