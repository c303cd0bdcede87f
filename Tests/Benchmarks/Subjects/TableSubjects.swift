// Part of ServiceBox, released under the MIT License.
// Objects that are filled through tables, and their plain likes.

import ServiceBoxKit

/// An object whose table lists four setter closures.
final class SetterSubject: Subject {
    var service0: Service?
    var service1: Service?
    var service2: Service?
    var service3: Service?

    var held: [Service?] { [service0, service1, service2, service3] }

    func empty() { (service0, service1, service2, service3) = (nil, nil, nil, nil) }

    /// The closures that the table lists, to be called by hand.
    static let setters: [@Sendable (SetterSubject, Service) -> Void] = [
        { $0.service0 = $1 }, { $0.service1 = $1 }, { $0.service2 = $1 }, { $0.service3 = $1 },
    ]
}

extension SetterSubject: Injectable {
    static var injections: InjectionTable {
        [
            "service0": .setter(setters[0]), "service1": .setter(setters[1]),
            "service2": .setter(setters[2]), "service3": .setter(setters[3]),
        ]
    }
}

/// An object whose table lists four key paths.
final class KeyPathSubject: Subject {
    var service0: Service?
    var service1: Service?
    var service2: Service?
    var service3: Service?

    var held: [Service?] { [service0, service1, service2, service3] }

    func empty() { (service0, service1, service2, service3) = (nil, nil, nil, nil) }
}

extension KeyPathSubject: Injectable {
    static var injections: InjectionTable {
        [
            "service0": .keyPath(\KeyPathSubject.service0), "service1": .keyPath(\KeyPathSubject.service1),
            "service2": .keyPath(\KeyPathSubject.service2), "service3": .keyPath(\KeyPathSubject.service3),
        ]
    }
}
