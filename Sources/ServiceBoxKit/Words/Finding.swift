// Part of ServiceBox, released under the MIT License.
// The result of a fill for one property, as facts.

/// The result for a property, or the object as a whole; indirect, since mostly it is copied.
indirect enum Finding: Sendable {
    case filled(ServiceDescription)
    /// The property takes all services that fit.
    case gathered([ServiceDescription])
    /// The property takes all services that fit, and some of them couldn't be created.
    case gatheredPartly([ServiceDescription], [FailedService])
    /// The property kept the value that it held.
    case kept
    /// The service couldn't be created.
    case failed(ServiceDescription, ServiceBoxError)
    /// The property holds its service weakly, and nothing else keeps it.
    case notKept(ServiceDescription)
    /// No service is registered under the name.
    case missing
    /// The property of a registered service is empty although its service is registered.
    case empty(ServiceDescription)
    case typeMismatch(ServiceDescription)
    /// A table names a property that isn't a stored one.
    case noSuchProperty([String])
    /// The property or the whole table is isolated to an actor on which the fill didn't run.
    case wrongIsolation
    /// The line of the table was written for another type.
    case wrongRoot(Any.Type)
    /// A line of a struct's table, but the struct wasn't passed `inout`.
    case notInout
    /// The module's build lacks reflection metadata; a hole if something stays unfilled because of it.
    case strippedBuild(isHole: Bool)
    /// A plain optional property has the name of a registered service that fits.
    case noChannel(ServiceDescription, PlainProperty)
    /// An optional may wrap a struct with slots; a hole if a fill has found one.
    case outOfReach(isHole: Bool)
    /// The service is looked up when the property is first read.
    case onRead
    /// A registered service's property has another wrapper than the one that the box has seen.
    case replaced
    /// The type's properties are known only from its instances.
    case needsInstance
    /// The object is a remote distributed actor.
    case remote
    /// The declaration of the property gives an empty name.
    case emptyName
    /// The subject isn't an object or a struct; the string says what it is.
    case unfillable(String)
    /// A custom mirror shows nothing to fill.
    case hiddenByMirror
    /// The property closes a strong cycle; the properties on it, and the service that it starts from.
    case strongCycle([String])

    /// The property holds, or may hold, a service that was replaced since.
    case stale(ServiceReplacement, isKnown: Bool)
    /// The property holds a service that was replaced, removed or hidden since, and would get this one.
    case outdated(ServiceDescription)

    /// What a finding means for the completeness of a fill.
    enum Kind { case filled, kept, hole, note }

    var kind: Kind {
        switch self {
        case .filled, .gathered: .filled
        case .kept: .kept
        case .noChannel, .strongCycle, .stale, .outdated, .onRead, .strippedBuild(isHole: false),
            .outOfReach(isHole: false):
            .note
        default: .hole
        }
    }

    /// Whether no service was found, or one that doesn't fit.
    var isOpen: Bool {
        if case .missing = self { true } else { isTypeMismatch }
    }

    /// Whether it says that a value can't be inspected, which is fine for a registered service: that may be a
    /// number.
    var isOfOpaqueValue: Bool {
        switch self {
        case .unfillable, .hiddenByMirror, .remote: true
        default: false
        }
    }

    var isOnRead: Bool { if case .onRead = self { true } else { false } }

    var isWrongIsolation: Bool { if case .wrongIsolation = self { true } else { false } }

    /// Whether the box has a service for the property, but can't write there.
    var isUnwritten: Bool {
        switch self {
        case .wrongIsolation, .notInout, .replaced: true
        default: false
        }
    }

    var isTypeMismatch: Bool {
        if case .typeMismatch = self { true } else { false }
    }

    /// The finding if something keeps the service after all; nil if that was expected.
    var ifKept: Finding? {
        if case .notKept(let service) = self { .filled(service) } else { nil }
    }

    /// Whether the property received anything.
    var hasGiven: Bool {
        if case .gatheredPartly(let services, _) = self { !services.isEmpty } else { kind == .filled }
    }

    /// The services that the property has, would get, or couldn't get.
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
