// Part of ServiceBox, released under the MIT License.
// A service that took the name of another one.

/// What a new registration has replaced.
///
/// May be read from anywhere; keeps no service alive.
public struct ServiceReplacement: Sendable {
    /// The type that the replaced service was registered as.
    public let replacedType: Any.Type
    /// Where the replaced service was registered, as `Module/File.swift:12`.
    public var replacedPlace: String { "\(oldPlace)" }
    /// Where the new service was registered.
    public var place: String { "\(newPlace)" }
    /// Whether a property or code had taken the replaced service, and may still hold it.
    public let wasHandedOut: Bool
    /// The new service.
    let service: Message.Service
    private let oldPlace: Place
    private let newPlace: Place

    init(of old: Registration, by new: Registration) {
        replacedType = old.serviceType
        oldPlace = old.place
        newPlace = new.place
        wasHandedOut = old.wasHandedOut
        service = new.inMessages
    }

    /// Whether the name stands for something else now: `Foo.Bar` and `Baz.Bar` are both named `bar`.
    var isOfAnotherType: Bool { inMessages.isOfAnotherType }

    /// The replacement as messages name it.
    var inMessages: Message.Replacement {
        Message.Replacement(
            service: service, place: place, replacedType: replacedType, replacedPlace: replacedPlace,
            wasHandedOut: wasHandedOut)
    }
}
