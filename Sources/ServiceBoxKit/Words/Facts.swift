// Part of ServiceBox, released under the MIT License.
// The facts that messages are built from: services and properties.

/// A description of a registered service; keeps neither the service nor its registration alive.
package struct ServiceDescription: Sendable {
    package let name: String
    let type: Any.Type
    /// The service's own type, as far as known.
    let implementation: Any.Type
    /// The type of the parameters that the service is created from, if any.
    let parameters: Any.Type?
    let location: SourceLocation
    /// The name of the module that registered it.
    let module: String?
    /// The number of the registration in its box.
    let number: Int
    /// The identity of the provider that constructs the service, if any; just a number, which may outlive it.
    var provider: ObjectIdentifier?

    /// Distinguishes registrations, even after they are gone and others have their addresses.
    var id: [Int] { [number, Int(location.line), ObjectIdentifier(type).hashValue] }

    /// `'cache' (DiskCache as Store, from StorageModule)`.
    package var phrase: String { "'\(name)' (\(typesAndModule))" }

    /// `DiskCache as Store, from StorageModule`; without a module, just the types.
    var typesAndModule: String { module.map { "\(types), from \($0)" } ?? types }

    /// `DiskCache as Store`, or `Store` if only that is known.
    var types: String { types(named: TypeName.of) }

    /// Its types, with names of a certain form.
    func types(named name: (Any.Type) -> String) -> String {
        let (type, implementation) = (name(type), name(implementation))
        return implementation == type ? type : "\(implementation) as \(type)"
    }
}

/// A list of services that counts those beyond a limit.
struct ServiceListing: Sendable {
    /// The maximum number of services in one message.
    static let limit = 8

    let first: [ServiceDescription]
    let count: Int
    /// The name of the box, if the list shows its services and it has a name.
    let box: String?

    /// - Parameters:
    ///   - services: The first services, or all of them.
    ///   - count: The total number; that of `services` if nil.
    ///   - box: The name of the box, if the list shows its services.
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

    /// The registered services, and the box.
    var facts: [Explanation.Fact] {
        Message.box(box) + [("Registered", phrase)]
    }
}

/// A service that couldn't be created.
struct FailedService: Sendable {
    let service: ServiceDescription
    let error: ServiceBoxError
}

/// A service that replaced another one under its name.
struct ServiceReplacement: Sendable {
    let old: ServiceDescription
    let new: ServiceDescription
    /// Whether a property or code had taken the old service.
    let wasHandedOut: Bool
    /// Where the new one was declared to wrap the old one, if it is a decoration.
    let decoration: SourceLocation?

    var isOfAnotherType: Bool { old.type != new.type }

    /// Whether it may be a mistake.
    var isDoubtful: Bool { isOfAnotherType || wasHandedOut }
}

/// What a property requests from a service: a value of its type, held strongly or weakly.
struct CellRequest: Hashable, Sendable {
    /// The property's declared type, without optionals around it.
    let wanted: Any.Type
    /// The number of optionals around it.
    let optionals: UInt8
    var isWeak = false
    /// The type of the elements, if the property takes all services that fit it; its own type is their array.
    var element: Any.Type?
    /// Whose isolated conformances fit: nil for those of the current actor, or else only those of an actor of
    /// this type.
    ///
    /// An actor's property is read on that actor, wherever it is filled.
    var actor: Any.Type?

    /// The declared type of the property, optional or not.
    ///
    /// The runtime takes long to create an optional type, so that is created on demand.
    var type: Any.Type {
        func optional<Wrapped>(of _: Wrapped.Type) -> Any.Type { Wrapped?.self }
        return (0..<optionals).reduce(wanted) { type, _ in _openExistential(type, do: optional) }
    }

    /// Whether the property's type lets it do without a service: an optional, or all services of a type.
    var isOptional: Bool { isWeak || element != nil || optionals > 0 }

    static func == (left: Self, right: Self) -> Bool {
        left.wanted == right.wanted && left.optionals == right.optionals && left.isWeak == right.isWeak
            && left.element == right.element && left.actor == right.actor
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

/// A property of a filled type, or the type as a whole, with its finding.
struct PropertyRecord: Sendable {
    /// The subject of a record.
    enum Source: Equatable {
        /// A slot, by its position among the plan's slots.
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
    /// `self` for a finding about the subject as a whole.
    let name: String
    /// The name that a service for it is registered under.
    let serviceName: String
    /// The request; for a plain property, of its dynamic type.
    let request: CellRequest
    var need = Need.required
    var finding: Finding
    /// Whether a fill has found a value of the property's own.
    var hasValue = false
    /// Whether the property is looked up when it is read, which its finding may tell no longer.
    var isOnRead = false

    /// Whether a property can do without a service.
    enum Need {
        case required
        /// Its type is optional, it has a value of its own, or its line says so.
        case optional
        /// It may have a value of its own, but no instance was seen that could tell.
        case requiredUnlessDefaulted
    }

    /// Whether the object can't do without a service for the property.
    var isRequired: Bool { need != .optional && !hasValue }

    /// Whether the object lacks something that it requires.
    var isRequiredHole: Bool { finding.kind == .hole && isRequired }

    /// Whether the property has a value of its own, found by a fill or given by its declaration.
    var isDefaulted: Bool { hasValue || need == .optional && !request.isOptional && source != .line }

    /// The names of the services that the property has, would get, or couldn't get, perhaps only on read.
    var wantedNames: [String] {
        finding.isOnRead || finding.isUnwritten ? [serviceName] : finding.serviceNames
    }

    /// The names of the services that the property has, or looks up when it is read.
    var takenNames: [String] { finding.hasGiven || finding.isOnRead ? wantedNames : [] }

    func with(_ finding: Finding) -> PropertyRecord { changing(self) { $0.finding = finding } }
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

    /// What it is about: its path, or its owner as a whole.
    var subject: String { source == .subject ? TypeName.of(owner) : path }

    /// Whether the service has the property's own name.
    var isNamedAsService: Bool { name == serviceName || name.hasSuffix(".\(serviceName)") }
}

/// What a property without a slot has to become before a box can fill it.
enum PlainProperty {
    case variable, constant
    /// A variable of an `@Observable` class, which the macro has made computed.
    case observed
}

/// Why a property doesn't have the service under its name.
enum Refusal: Sendable {
    /// It keeps a value of its own.
    case kept(PropertyRecord)
    case misfit(PropertyRecord)
    /// Another box fills it.
    case foreign(PropertyRecord)
}

/// Why a fill has left a slot empty.
struct EmptySlotReason: Sendable {
    let property: PropertyRecord
    /// Builds the text, on demand.
    let explain: @Sendable () -> Explanation
}

extension Sequence {
    /// The elements sorted stably by name; the closure runs once for each.
    func sortedByName(_ name: (Element) -> String) -> [Element] {
        let elements = Array(self)
        return order(of: elements.map(name)).map { elements[$0] }
    }
}

/// The positions of names in alphabetical order; separate, so that all types share one specialised sort.
private func order(of names: [String]) -> [Int] { names.indices.sorted { names[$0] < names[$1] } }
