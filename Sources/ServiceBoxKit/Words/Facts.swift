// Part of ServiceBox, released under the MIT License.
// What messages are about: services and properties, in plain facts.

/// A registered service; keeps neither the service nor its registration alive.
package struct ServiceDescription: Sendable {
    package let name: String
    let type: Any.Type
    /// The service's own type, as far as it is known.
    let implementation: Any.Type
    /// The type of the parameters that the service is made from, if it is.
    let parameters: Any.Type?
    let location: SourceLocation
    /// The name of the module that has registered it.
    let module: String?
    /// The position of the registration among those of its box.
    let number: Int
    /// What constructs the service, if something does; a mere number, which may outlive it.
    var provider: ObjectIdentifier?

    /// What tells registrations apart, also when they are gone and others lie where they were.
    var id: [Int] { [number, Int(location.line), ObjectIdentifier(type).hashValue] }

    /// `'cache' (DiskCache as Store, from StorageModule)`.
    package var phrase: String { "'\(name)' (\(typesAndModule))" }

    /// `DiskCache as Store, from StorageModule`, or without a module the types alone.
    var typesAndModule: String { module.map { "\(types), from \($0)" } ?? types }

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
    /// The name of the box that they are all the services of; nil if it has none.
    let box: String?

    /// - Parameters:
    ///   - services: The first services, or all of them.
    ///   - count: How many there are; as many as `services` if nil.
    ///   - box: The name of the box, if they are all its services.
    init(_ services: [ServiceDescription], of count: Int? = nil, in box: String? = nil) {
        first = Array(services.prefix(Self.limit))
        self.count = count ?? services.count
        self.box = box
    }

    var phrase: String {
        if first.isEmpty { return "nothing" }
        let names = first.map(\.phrase).joined(separator: ", ")
        return count > first.count ? "\(names) and \(count - first.count) more" : names
    }

    /// What is registered, and where.
    var facts: [Explanation.Fact] {
        Message.box(box) + [("Registered", phrase)]
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
    var wasHandedOut: Bool

    var isOfAnotherType: Bool { old.type != new.type }

    /// Whether it may be a mistake.
    var isDoubtful: Bool { isOfAnotherType || wasHandedOut }
}

/// What a property asks of a service: a value of its type, held strongly or weakly.
struct CellRequest: Hashable, Sendable {
    /// The declared type of the property, without optionals around it.
    let wanted: Any.Type
    /// How many optionals there are around it.
    let optionals: UInt8
    var isWeak = false
    /// The type of the elements, if the property takes all services that fit it; its own type is their array.
    var element: Any.Type?

    /// The declared type of the property, optional or not.
    ///
    /// The type of an optional takes the runtime long to create, so it is there only where somebody asks.
    var type: Any.Type {
        func optional<Wrapped>(of _: Wrapped.Type) -> Any.Type { Wrapped?.self }
        return (0..<optionals).reduce(wanted) { type, _ in _openExistential(type, do: optional) }
    }

    /// Whether the property can do without a service by its type: it is optional, or takes all that there are.
    var isOptional: Bool { isWeak || element != nil || optionals > 0 }

    static func == (left: Self, right: Self) -> Bool {
        left.wanted == right.wanted && left.optionals == right.optionals && left.isWeak == right.isWeak
            && left.element == right.element
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(wanted))
        hasher.combine(isWeak)
    }
}

extension CellRequest {
    init(type: Any.Type) {
        var (wanted, optionals) = (type, UInt8(0))
        while let wrapped = Metadata(wanted).wrapped { (wanted, optionals) = (wrapped, optionals + 1) }
        self.init(wanted: wanted, optionals: optionals)
    }
}

/// One property of a filled type, or the type as a whole, and what to say of it.
struct PropertyRecord: Sendable {
    /// What the record is about.
    enum Source: Equatable {
        /// A slot, with its position among the plan's slots.
        case slot(Int)
        /// A line of a table.
        case line
        /// A plain property without a line.
        case plain
        /// The object as a whole.
        case subject
    }

    let source: Source
    let owner: Any.Type
    /// `self` where the finding is about the subject as a whole.
    let name: String
    /// The name that a service for it is registered under.
    let serviceName: String
    /// What the property asks for; of a plain property its dynamic type.
    let request: CellRequest
    var need = Need.required
    var finding: Finding

    /// Whether a property can do without a service.
    enum Need {
        case required
        /// Its type is optional, it has a value of its own, or its line says so.
        case optional
        /// It may have a value of its own: no object was seen that could tell.
        case requiredUnlessDefaulted
    }

    /// Whether something is missing that the object can't do without.
    var isRequiredHole: Bool { finding.kind == .hole && need != .optional }

    func with(_ finding: Finding) -> PropertyRecord {
        var copy = self
        copy.finding = finding
        return copy
    }
}

extension PropertyRecord {
    /// A record about a type as a whole.
    init(_ type: Any.Type, _ finding: Finding) {
        self.init(
            source: .subject, owner: type, name: "self", serviceName: "", request: CellRequest(type: type),
            finding: finding)
    }

    /// `Screen.cache`.
    var path: String { "\(TypeName.of(owner)).\(name)" }

    /// Whether the service has the property's own name.
    var isNamedAsService: Bool { name == serviceName || name.hasSuffix(".\(serviceName)") }
}

/// Why a fill has left a slot empty.
struct EmptySlotReason: Sendable {
    let property: PropertyRecord
    /// Words it, when it is asked for.
    let explain: @Sendable () -> Explanation
}

extension Sequence {
    /// The elements sorted by their names, each asked for once; those with one name stay in their order.
    func sortedByName(_ name: (Element) -> String) -> [Element] {
        let elements = Array(self)
        return order(of: elements.map(name)).map { elements[$0] }
    }
}

/// The positions of names in alphabetical order; apart, so that one sorting function does for all types of elements.
private func order(of names: [String]) -> [Int] { names.indices.sorted { names[$0] < names[$1] } }
