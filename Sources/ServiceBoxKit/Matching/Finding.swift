// Part of ServiceBox, released under the MIT License.
// What there is to say of a property.

/// What happened to one property, or to the subject as a whole.
enum Finding: Sendable {
    case filled(ServiceDescription)
    /// The property takes all services that fit, and these do.
    case gathered([ServiceDescription])
    /// The property takes all services that fit; these arrived, and others could not be made.
    case gatheredPartly([ServiceDescription], [FailedService])
    case kept
    /// The service could not be made.
    case failed(ServiceDescription, ServiceBoxError)
    /// The property holds its service weakly, and nobody else keeps it.
    case notKept(ServiceDescription)
    case missing
    /// A registered service's property is empty although there is a service for it.
    case empty(ServiceDescription)
    case typeMismatch(ServiceDescription)
    /// A key path stands in the table under a name that is none of the stored properties'.
    case noSuchProperty([String])
    /// The property belongs to an actor that the fill did not run on.
    case wrongIsolation
    /// The whole table does.
    case tableOutOfReach
    /// The table was written for another type.
    case wrongRoot(Any.Type)
    /// A line of a struct's table, but the struct was not passed `inout`.
    case notInout
    /// The module of the type carries no name for the property.
    case nameless
    /// The module of the type carries no names for any property.
    case namesStripped
    /// The whole build lacks what Mirror reads; a hole where that may leave something unfilled.
    case strippedBuild(BuildReflection.Lack, isHole: Bool)
    /// A plain property under a registered name.
    case noChannel(ServiceDescription)
    /// A struct with slots lies in an optional.
    case outOfReach
    /// The property of a registered service has another wrapper than the one that the box has seen.
    case replaced
    /// A distributed actor that lives elsewhere.
    case remote
    /// The declaration of the property gives an empty name.
    case emptyName
    /// A type of which no box has seen an object.
    case notSeen
    /// The same, but its table is known, or what a box was taught of it; whether its own table is among that.
    case tableAlone(isOwnTableKnown: Bool)
    /// Not an object or a struct; says what it is.
    case unfillable(String)
    /// A custom mirror shows nothing to fill.
    case hiddenByMirror
    /// The type, or a class that it inherits from, has properties and shows none; a hole where no table was written
    /// for want of them.
    case noProperties(of: Any.Type, isHole: Bool)
    /// The names of the properties that lead from the service back to itself.
    case strongCycle([String])

    /// What a finding means for the completeness of a fill.
    enum Kind {
        case filled, kept, hole, note
    }

    /// Whether no service was found, or one that does not fit.
    var isOpen: Bool {
        if case .missing = self { true } else { isTypeMismatch }
    }

    var isTypeMismatch: Bool {
        if case .typeMismatch = self { true } else { false }
    }

    var kind: Kind {
        switch self {
        case .filled, .gathered: .filled
        case .kept: .kept
        case .noChannel, .strongCycle, .tableAlone, .strippedBuild(_, isHole: false),
            .noProperties(_, isHole: false):
            .note
        case .gatheredPartly, .failed, .notKept, .missing, .empty, .typeMismatch, .noSuchProperty,
            .wrongIsolation, .tableOutOfReach, .wrongRoot, .notInout, .nameless, .namesStripped,
            .strippedBuild, .outOfReach, .replaced, .remote, .emptyName, .notSeen, .unfillable,
            .hiddenByMirror, .noProperties:
            .hole
        }
    }
}

/// A service that could not be made.
struct FailedService: Sendable {
    let service: ServiceDescription
    let error: ServiceBoxError
}

extension Finding {
    /// What to say if the service is kept by somebody after all; nil where that was expected.
    var ifKept: Finding? {
        if case .notKept(let service) = self { .filled(service) } else { nil }
    }

    /// Whether the property was given anything.
    var hasGiven: Bool {
        if case .gatheredPartly = self { true } else { kind == .filled }
    }

    /// The names of the services that a property has or would get.
    var serviceNames: [String] {
        switch self {
        case .filled(let service), .failed(let service, _), .empty(let service),
            .notKept(let service):
            [service.name]
        case .gathered(let services), .gatheredPartly(let services, _): services.map(\.name)
        default: []
        }
    }
}
