// Part of ServiceBox, released under the MIT License.
// Objects with one, four and sixteen plain properties, assigned by hand.

/// An object that hand-written code fills.
protocol PlainSubject: Subject {
    /// Assigns the services one by one, as an initialiser or its caller would.
    func assign(_ services: Services)
}

/// An object with one plain property.
final class Plain1: PlainSubject {
    var service0: Service?

    @inline(never)
    func assign(_ services: Services) {
        service0 = services.service0
    }

    var held: [Service?] { [service0] }

    func empty() { service0 = nil }
}

/// An object with four plain properties.
final class Plain4: PlainSubject {
    var service0: Service?
    var service1: Service?
    var service2: Service?
    var service3: Service?

    @inline(never)
    func assign(_ services: Services) {
        service0 = services.service0
        service1 = services.service1
        service2 = services.service2
        service3 = services.service3
    }

    var held: [Service?] { [service0, service1, service2, service3] }

    func empty() { (service0, service1, service2, service3) = (nil, nil, nil, nil) }
}

/// An object with sixteen plain properties.
final class Plain16: PlainSubject {
    var service0: Service?
    var service1: Service?
    var service2: Service?
    var service3: Service?
    var service4: Service?
    var service5: Service?
    var service6: Service?
    var service7: Service?
    var service8: Service?
    var service9: Service?
    var service10: Service?
    var service11: Service?
    var service12: Service?
    var service13: Service?
    var service14: Service?
    var service15: Service?

    @inline(never)
    func assign(_ services: Services) {
        service0 = services.service0
        service1 = services.service1
        service2 = services.service2
        service3 = services.service3
        service4 = services.service4
        service5 = services.service5
        service6 = services.service6
        service7 = services.service7
        service8 = services.service8
        service9 = services.service9
        service10 = services.service10
        service11 = services.service11
        service12 = services.service12
        service13 = services.service13
        service14 = services.service14
        service15 = services.service15
    }

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
