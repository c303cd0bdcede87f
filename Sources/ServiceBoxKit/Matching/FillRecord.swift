// Part of ServiceBox, released under the MIT License.
// The facts of a fill, kept as data until somebody reads them.

import Synchronization

extension ServiceDescription {
    init(_ registration: Registration) {
        self.init(
            name: registration.name, type: registration.serviceType,
            implementation: registration.implementation, parameters: registration.parametersType,
            place: registration.place, number: registration.number)
    }
}

/// One property of a filled type and what to say of it.
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
    let serviceName: String
    /// What the property asks for; of a plain property its dynamic type.
    let request: CellRequest
    var finding: Finding

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
            source: .subject, owner: type, name: "self", serviceName: "",
            request: CellRequest(type: type), finding: finding)
    }
}

/// What a fill of a type comes to with one set of registrations; shared by all its reports.
final class FillRecord: Sendable {
    let type: Any.Type
    /// The name of the service that was filled, if it was one.
    let serviceName: String?
    let properties: [PropertyRecord]
    weak let box: ServiceBox?
    private let lazyFailures = AtomicLazyReference<Failures>()

    private final class Failures: Sendable {
        let findings = Guarded<[Int: Finding]>([:])
    }

    init(type: Any.Type, serviceName: String? = nil, properties: [PropertyRecord], box: ServiceBox?) {
        self.type = type
        self.serviceName = serviceName
        self.properties = properties
        self.box = box
    }

    func adding(_ notes: [PropertyRecord]) -> FillRecord {
        FillRecord(type: type, serviceName: serviceName, properties: properties + notes, box: box)
    }

    /// Notes that the service of a property was not to be had, or with nil that it was.
    func note(_ finding: Finding?, at index: Int) {
        if finding == nil, lazyFailures.load() == nil { return }
        (lazyFailures.load() ?? lazyFailures.storeIfNil(Failures())).findings.withLock { $0[index] = finding }
    }

    /// The properties with what the latest fill could not get for them.
    var latest: [PropertyRecord] {
        guard let failures = lazyFailures.load()?.findings.withLock({ $0 }), !failures.isEmpty else {
            return properties
        }
        return properties.enumerated().map { index, property in failures[index].map(property.with) ?? property
        }
    }
}

/// Where one fill differed from its record.
struct Deviation: Sendable {
    let index: Int
    let finding: Finding
}
