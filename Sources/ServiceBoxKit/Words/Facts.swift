// Part of ServiceBox, released under the MIT License.
// What messages are about: services and properties, in plain facts.

/// A registered service; keeps neither the service nor its registration alive.
struct ServiceDescription: Sendable {
    let name: String
    let type: Any.Type
    /// The service's own type, as far as it is known.
    let implementation: Any.Type
    /// The type of the parameters that the service is made from, if it is.
    let parameters: Any.Type?
    let location: SourceLocation
    /// The position of the registration among those of its box.
    let number: Int

    /// What tells registrations apart, also when they are gone and others lie where they were.
    var id: [Int] { [number, Int(location.line), ObjectIdentifier(type).hashValue] }

    /// `'cache' (DiskCache as Store)`.
    var phrase: String { "'\(name)' (\(types))" }

    /// `DiskCache as Store`, or `Store` where only that is known.
    var types: String {
        let type = TypeName.of(type)
        let implementation = TypeName.of(implementation)
        return implementation == type ? type : "\(implementation) as \(type)"
    }
}

/// Services in a row, the last ones counted.
struct ServiceListing: Sendable {
    /// The most services that one message lists.
    static let limit = 8

    let first: [ServiceDescription]
    let count: Int

    /// - Parameters:
    ///   - services: The first services, or all of them.
    ///   - count: How many there are; as many as `services` if nil.
    init(_ services: [ServiceDescription], of count: Int? = nil) {
        first = Array(services.prefix(Self.limit))
        self.count = count ?? services.count
    }

    var phrase: String {
        if first.isEmpty { return "nothing" }
        let names = first.map(\.phrase).joined(separator: ", ")
        return count > first.count ? "\(names) and \(count - first.count) more" : names
    }
}

/// A service that couldn't be made.
struct FailedService: Sendable {
    let service: ServiceDescription
    let error: ServiceBoxError
}

/// A service that took the name of another one.
struct ServiceReplacement: Sendable {
    let old: ServiceDescription
    let new: ServiceDescription
    /// Whether a property or code had taken the old service.
    let wasHandedOut: Bool

    var isOfAnotherType: Bool { old.type != new.type }
}

/// A property, or an object as a whole.
struct PropertyDescription {
    /// How the property is written.
    enum Channel {
        case slot
        case weakSlot
        /// A line of a table, or none for a plain property.
        case line
        /// It is no property: the object as a whole.
        case whole
    }

    let owner: Any.Type
    let name: String
    /// The name that a service for it is registered under.
    let serviceName: String
    let wanted: Any.Type
    let channel: Channel

    /// Whether the service has the property's own name.
    var isNamedAsService: Bool { name == serviceName || name.hasSuffix(".\(serviceName)") }

    var phrase: String { "\(TypeName.of(owner)).\(name), \(TypeName.withArticle(of: wanted))" }

    /// What a headline is about: `'cache' of Screen`, or `a Screen`.
    var subject: String {
        channel == .whole ? TypeName.withArticle(of: owner) : "'\(name)' of \(TypeName.of(owner))"
    }
}
