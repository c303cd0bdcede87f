// Part of ServiceBox, released under the MIT License.
// What a fill found out about one property, in plain facts.

/// What happened to one property, or to the object as a whole; indirect, since it is copied far more often than made.
indirect enum Finding: Sendable {
    case filled(ServiceDescription)
    /// The property takes all services that fit.
    case gathered([ServiceDescription])
    /// The property takes all services that fit; some of them couldn't be made.
    case gatheredPartly([ServiceDescription], [FailedService])
    /// The property kept the value that it held.
    case kept
    /// The service couldn't be made.
    case failed(ServiceDescription, ServiceBoxError)
    /// The property holds its service weakly, and nothing else keeps it.
    case notKept(ServiceDescription)
    /// No service is registered under the name.
    case missing
    /// A registered service's property is empty although there is a service for it.
    case empty(ServiceDescription)
    case typeMismatch(ServiceDescription)
    /// A table names a property that is none of the stored ones.
    case noSuchProperty([String])
    /// The property, or the whole table, belongs to an actor on which the fill didn't run.
    case wrongIsolation
    /// The line of the table was written for another type.
    case wrongRoot(Any.Type)
    /// A line of a struct's table, but the struct wasn't passed `inout`.
    case notInout
    /// The build of the module lacks reflection metadata; a hole where that leaves something unfilled.
    case strippedBuild(isHole: Bool)
    /// A plain optional property has the name of a registered service that fits.
    case noChannel(ServiceDescription)
    /// An optional may wrap a struct with slots; a hole where a fill has seen one.
    case outOfReach(isHole: Bool)
    /// The service is looked up when the property is first read.
    case onRead
    /// A registered service's property has another wrapper than the one that the box has seen.
    case replaced
    /// Properties of the type are known from its objects only.
    case needsInstance
    /// The object is a remote distributed actor.
    case remote
    /// The declaration of the property gives an empty name.
    case emptyName
    /// The subject isn't an object or a struct; says what it is.
    case unfillable(String)
    /// A custom mirror shows nothing to fill.
    case hiddenByMirror
    /// The property closes a strong cycle; the properties on the way, and the service that it starts from.
    case strongCycle([String])

    /// The property holds a service that was replaced since, or may do so.
    case stale(ServiceReplacement, isKnown: Bool)

    /// What a finding means for the completeness of a fill.
    enum Kind { case filled, kept, hole, note }

    var kind: Kind {
        switch self {
        case .filled, .gathered: .filled
        case .kept: .kept
        case .noChannel, .strongCycle, .stale, .onRead, .strippedBuild(isHole: false),
            .outOfReach(isHole: false):
            .note
        default: .hole
        }
    }

    /// Whether no service was found, or one that doesn't fit.
    var isOpen: Bool {
        if case .missing = self { true } else { isTypeMismatch }
    }

    /// Whether it says of a value that it can't be looked into, which a registered service needn't be: a number may
    /// well be one.
    var isOfOpaqueValue: Bool {
        switch self {
        case .unfillable, .hiddenByMirror, .remote: true
        default: false
        }
    }

    var isOnRead: Bool { if case .onRead = self { true } else { false } }

    var isTypeMismatch: Bool {
        if case .typeMismatch = self { true } else { false }
    }

    /// The finding if something keeps the service after all; nil if that was expected.
    var ifKept: Finding? {
        if case .notKept(let service) = self { .filled(service) } else { nil }
    }

    /// Whether the property received anything.
    var hasGiven: Bool {
        if case .gatheredPartly = self { true } else { kind == .filled }
    }

    /// The services that the property has or would get, or that can't be had.
    var services: [ServiceDescription] {
        switch self {
        case .filled(let service), .failed(let service, _), .empty(let service), .notKept(let service):
            [service]
        case .gathered(let services), .gatheredPartly(let services, _): services
        default: []
        }
    }

    /// The names of ``services``.
    var serviceNames: [String] { services.map(\.name) }
}
