// Part of ServiceBox, released under the MIT License.
// The services that are filled in, and a box that holds them.

import ServiceBoxKit

/// A service; its number tells it from its sisters.
final class Service: Sendable {
    let number: Int

    init(_ number: Int) {
        self.number = number
    }
}

/// The sixteen services that all measures share, named as hand-written code names them.
final class Services {
    static let count = 16

    let service0 = Service(0), service1 = Service(1), service2 = Service(2), service3 = Service(3)
    let service4 = Service(4), service5 = Service(5), service6 = Service(6), service7 = Service(7)
    let service8 = Service(8), service9 = Service(9), service10 = Service(10), service11 = Service(11)
    let service12 = Service(12), service13 = Service(13), service14 = Service(14), service15 = Service(15)

    var all: [Service] {
        [
            service0, service1, service2, service3, service4, service5, service6, service7, service8,
            service9, service10, service11, service12, service13, service14, service15,
        ]
    }

    /// Registers the services in a box as `service0` to `service15`.
    func register(in box: ServiceBox) {
        for service in all { box.register(service, as: "service\(service.number)") }
    }
}

/// Something to fill, seen as the services it holds.
protocol Subject: AnyObject {
    init()
    var held: [Service?] { get }
    /// Drops the services, so that the next fill starts anew.
    func empty()
}

extension Subject {
    /// Whether each property holds its own service.
    var isFilled: Bool { held.enumerated().allSatisfy { $1?.number == $0 } }
}
