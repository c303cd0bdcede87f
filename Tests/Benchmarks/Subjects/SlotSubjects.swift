// Part of ServiceBox, released under the MIT License.
// Objects with one, four and sixteen slots.

import ServiceBoxKit

/// An object with one slot.
final class Slots1: Subject, Injectable {
    @Injected var service0: Service?

    var held: [Service?] { [service0] }

    func empty() { service0 = nil }
}

/// An object with four slots.
final class Slots4: Subject, Injectable {
    @Injected var service0: Service?
    @Injected var service1: Service?
    @Injected var service2: Service?
    @Injected var service3: Service?

    var held: [Service?] { [service0, service1, service2, service3] }

    func empty() { (service0, service1, service2, service3) = (nil, nil, nil, nil) }
}

/// An object with sixteen slots.
final class Slots16: Subject, Injectable {
    @Injected var service0: Service?
    @Injected var service1: Service?
    @Injected var service2: Service?
    @Injected var service3: Service?
    @Injected var service4: Service?
    @Injected var service5: Service?
    @Injected var service6: Service?
    @Injected var service7: Service?
    @Injected var service8: Service?
    @Injected var service9: Service?
    @Injected var service10: Service?
    @Injected var service11: Service?
    @Injected var service12: Service?
    @Injected var service13: Service?
    @Injected var service14: Service?
    @Injected var service15: Service?

    var held: [Service?] {
        [
            service0, service1, service2, service3, service4, service5, service6, service7,
            service8, service9, service10, service11, service12, service13, service14,
            service15,
        ]
    }

    func empty() {
        (service0, service1, service2, service3) = (nil, nil, nil, nil)
        (service4, service5, service6, service7) = (nil, nil, nil, nil)
        (service8, service9, service10, service11) = (nil, nil, nil, nil)
        (service12, service13, service14, service15) = (nil, nil, nil, nil)
    }
}

/// An object with four slots that fills itself.
final class SelfFilling: Subject, Injectable {
    private static let box = {
        let box = ServiceBox()
        Services().register(in: box)
        return box
    }()

    @Injected var service0: Service?
    @Injected var service1: Service?
    @Injected var service2: Service?
    @Injected var service3: Service?

    init() { fillWithDependencies(from: Self.box) }

    var held: [Service?] { [service0, service1, service2, service3] }

    func empty() { (service0, service1, service2, service3) = (nil, nil, nil, nil) }
}
