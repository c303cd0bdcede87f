// Part of ServiceBox, released under the MIT License.
// What a report says of one property.

/// What a fill did with one property, and why.
///
/// May be read from anywhere.
public struct PropertyReport: Sendable {
    /// How it went; more may come in later versions.
    ///
    /// May be used from anywhere.
    public struct Outcome: Hashable, Sendable, CustomStringConvertible {
        /// The outcome's name.
        public let description: String

        /// The property got the service.
        public static let filled = Outcome(description: "filled")
        /// The property held a value and was to keep it.
        public static let kept = Outcome(description: "kept")
        /// A hole: no service is registered under the name.
        public static let missing = Outcome(description: "missing")
        /// A hole: a registered service's property is empty, although there is a service for it.
        public static let empty = Outcome(description: "empty")
        /// A hole: the service could not be made; ``PropertyReport/error`` says why.
        public static let failed = Outcome(description: "failed")
        /// A hole: the property holds its service weakly, and nobody else keeps it, so it would be gone at once.
        public static let notKept = Outcome(description: "notKept")
        /// A hole: a service is registered under the name, but its type does not fit.
        public static let typeMismatch = Outcome(description: "typeMismatch")
        /// A hole: a table names a property that the type does not store, or was made for another type.
        public static let tableMismatch = Outcome(description: "tableMismatch")
        /// A hole: the property or the whole table belongs to an actor that the fill did not run on.
        public static let wrongIsolation = Outcome(description: "wrongIsolation")
        /// A hole: a struct's table cannot be written, because the struct was passed as a constant.
        public static let constant = Outcome(description: "constant")
        /// A hole: the object could not be looked into, or shows nothing that could be filled.
        public static let notWalkable = Outcome(description: "notWalkable")
        /// The whole build carries no names of properties, or no properties at all: a hole where that may
        /// leave something unfilled, and otherwise a note.
        public static let strippedBuild = Outcome(description: "strippedBuild")
        /// A note: a plain property, which no fill can write, has the name of a registered service.
        public static let plainProperty = Outcome(description: "plainProperty")
        /// A note: a plan knows the type by its table alone, because no box has seen an object of it.
        public static let tableAlone = Outcome(description: "tableAlone")
        /// A note: the property closes a strong cycle between services.
        public static let strongCycle = Outcome(description: "strongCycle")
    }

    private let record: PropertyRecord
    /// What is registered; nil if the box is gone, or nobody will ask.
    private let registered: Message.Listing?
    private let hint: Hint?
    /// Whether the service that was found is the one that was meant.
    private let isMeant: Bool

    /// The type that declares the property.
    public var owner: Any.Type { record.owner }
    /// The property's name, with dots for a property of a struct inside; `self` if the report is about the
    /// object as a whole.
    public var name: String { record.name }
    /// The name that a service for the property is registered under; empty if the report is about the whole
    /// object.
    public var serviceName: String { record.serviceName }
    /// The type that a service has to fit; the type of the object if the report is about the whole of it.
    public var wantedType: Any.Type { record.request.type }
    /// The type of the service that is registered under the name, if the fill found one.
    public var foundType: Any.Type? { record.finding.service?.type }
    /// Why the service could not be made, if that is why there is a hole.
    public var error: ServiceBoxError? {
        switch record.finding {
        case .failed(_, let error): error
        case .gatheredPartly(_, let failures): failures.first?.error
        default: nil
        }
    }
    /// How it went.
    public var outcome: Outcome { record.finding.outcome }
    var kind: Finding.Kind { record.finding.kind }

    /// The whole story: what is wrong, what was wanted and found, and what to do.
    public var explanation: String { explained.text }

    /// Whether the property should have been filled and was not.
    public var isHole: Bool { kind == .hole }
}

extension PropertyReport: CustomStringConvertible {
    /// The property and what happened to it, on one line.
    public var description: String { "\(subject): \(explained.line)" }

    /// What the report is about, as `Screen.cache`.
    var subject: String { TypeName.of(owner) + (name == "self" ? "" : ".\(name)") }
}

extension PropertyReport {
    /// Looks for what may have been meant; the words are made when they are read.
    ///
    /// - Parameters:
    ///   - record: The facts.
    ///   - search: Where to look for hints; nil if the box is gone.
    init(_ record: PropertyRecord, search: HintSearch?) {
        self.record = record
        let wish = Wish(request: record.request)
        switch record.finding {
        case .missing:
            registered = search?.registered
            hint = search?.hint(missing: record.serviceName, for: wish)
            isMeant = false
        case .typeMismatch(let service):
            registered = nil
            hint = search?.hint(insteadOf: service, for: wish)
            isMeant = wish.isMet(inSubstanceBy: service)
        default: (registered, hint, isMeant) = (nil, nil, false)
        }
    }

    var explained: Explanation {
        let property = record.inMessages
        return switch record.finding {
        case .filled(let service): Message.filled(property, with: service.inMessages)
        case .gathered(let services): Message.gathered(property, services: services.map(\.inMessages))
        case .gatheredPartly(_, let failures):
            Message.failed(property, failures: failures.map { ($0.service.inMessages, $0.error) })
        case .failed(let service, let error):
            Message.failed(property, failures: [(service.inMessages, error)])
        case .notKept(let service): Message.notKept(property, service: service.inMessages)
        case .kept: Message.kept(property)
        case .missing: Message.missing(property, registered: registered, hint: hint)
        case .empty(let service): Message.empty(property, found: service.inMessages)
        case .typeMismatch(let service):
            Message.typeMismatch(property, found: service.inMessages, isMeant: isMeant, hint: hint)
        case .noSuchProperty(let names):
            Message.noSuchProperty(property, nearest: NearestNames.to(record.name, among: names))
        case .wrongRoot(let root): Message.wrongRoot(property, root: root)
        case .wrongIsolation: Message.wrongIsolation(property)
        case .tableOutOfReach: Message.tableOutOfReach(record.owner)
        case .notInout: Message.notInout(property)
        case .nameless: Message.nameless(property)
        case .namesStripped: Message.namesStripped(record.owner)
        case .strippedBuild(.fields, let isHole): Message.metadataNotInBuild(record.owner, isHole: isHole)
        case .strippedBuild(.names, let isHole): Message.namesNotInBuild(record.owner, isHole: isHole)
        case .outOfReach: Message.outOfReach(property)
        case .replaced: Message.replaced(property)
        case .remote: Message.remote(record.owner)
        case .emptyName: Message.emptyName(property)
        case .notSeen: Message.notSeen(record.owner)
        case .tableAlone(let isOwnTableKnown):
            Message.tableAlone(record.owner, isOwnTableKnown: isOwnTableKnown)
        case .unfillable(let word): Message.unfillable(record.owner, as: word)
        case .hiddenByMirror: Message.hiddenByMirror(record.owner)
        case .noProperties(let layer, _): Message.noProperties(record.owner, of: layer)
        case .noChannel(let service): Message.noChannel(property, found: service.inMessages)
        case .strongCycle(let path): Message.strongCycle(property, path: path)
        }
    }
}

extension PropertyRecord {
    /// The property as messages name it.
    fileprivate var inMessages: Message.Property {
        let channel: Message.Property.Channel =
            if case .slot = source { request.isWeak ? .weakSlot : .slot } else { .line }
        return Message.Property(
            owner: owner, name: name, serviceName: serviceName, wanted: request.type, channel: channel)
    }
}

extension Finding {
    /// The service under the property's name, if the fill found one.
    fileprivate var service: ServiceDescription? {
        switch self {
        case .filled(let service), .failed(let service, _), .empty(let service), .typeMismatch(let service),
            .notKept(let service), .noChannel(let service):
            service
        default: nil
        }
    }

    /// The finding as reports name it.
    var outcome: PropertyReport.Outcome {
        switch self {
        case .filled, .gathered: .filled
        case .failed, .gatheredPartly: .failed
        case .notKept: .notKept
        case .kept: .kept
        case .missing: .missing
        case .empty: .empty
        case .typeMismatch: .typeMismatch
        case .noSuchProperty, .wrongRoot: .tableMismatch
        case .wrongIsolation, .tableOutOfReach: .wrongIsolation
        case .notInout: .constant
        case .nameless, .namesStripped, .outOfReach, .replaced, .remote, .emptyName, .notSeen, .unfillable,
            .hiddenByMirror, .noProperties:
            .notWalkable
        case .strippedBuild: .strippedBuild
        case .tableAlone: .tableAlone
        case .noChannel: .plainProperty
        case .strongCycle: .strongCycle
        }
    }
}
