// Part of ServiceBox, released under the MIT License.
// What a fill did with one property, and why.

/// What a fill did with one property, and why.
///
/// Thread-safe.
public struct PropertyReport: Sendable {
    /// How it went; later versions may add outcomes.
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
        /// A hole: the service couldn't be made; ``PropertyReport/error`` says why.
        public static let failed = Outcome(description: "failed")
        /// A hole: the property holds its service weakly, and nothing else keeps it.
        public static let notKept = Outcome(description: "notKept")
        /// A hole: the service that is registered under the name doesn't fit the property.
        public static let typeMismatch = Outcome(description: "typeMismatch")
        /// A hole: a table names a property that the type doesn't store, or was made for another type.
        public static let tableMismatch = Outcome(description: "tableMismatch")
        /// A hole: the property or the whole table belongs to an actor on which the fill didn't run.
        public static let wrongIsolation = Outcome(description: "wrongIsolation")
        /// A hole: a struct's table can't be written, because the struct was passed as a constant.
        public static let constant = Outcome(description: "constant")
        /// A hole: the object can't be looked into, or shows nothing to fill.
        public static let notWalkable = Outcome(description: "notWalkable")
        /// The module was built without reflection metadata: a hole, or a note where a table was written instead.
        public static let strippedBuild = Outcome(description: "strippedBuild")
        /// A note: a plain optional property, which no fill can write, has the name of a registered service that fits.
        public static let plainProperty = Outcome(description: "plainProperty")
        /// A note: the property is looked up when it is first read.
        public static let onRead = Outcome(description: "onRead")
        /// A note: the property closes a strong cycle between services.
        public static let strongCycle = Outcome(description: "strongCycle")
        /// A note of a plan: the object's property holds a service that was replaced since, or may do so.
        public static let stale = Outcome(description: "stale")
        /// Of an audit: code has looked a service up by a type that several services fit by now.
        public static let ambiguousType = Outcome(description: "ambiguousType")
        /// Of an audit: a service took the name of one of another type, or of one that was already handed out.
        public static let replaced = Outcome(description: "replaced")
        /// Of an audit: a service was registered and removed, and nothing had asked for it.
        public static let removed = Outcome(description: "removed")
        /// Of an audit: an object is registered under another name too, as the same type.
        public static let duplicate = Outcome(description: "duplicate")
        /// Of an audit: nothing has asked for the service, and no property that is known would ask for it.
        public static let unused = Outcome(description: "unused")
    }

    let record: PropertyRecord
    private let context: PropertyRecord.Context

    /// Looks for what may have been meant; the words are made when they are read.
    ///
    /// - Parameters:
    ///   - record: The facts.
    ///   - search: Where to look for hints; nil if the box is gone.
    ///   - claimed: The names of services that other properties have.
    ///   - captivity: Why the box that asks has the service and the one that fills hasn't, if that is so.
    @inline(never)
    init(
        _ record: PropertyRecord, search: HintSearch?, claimed: Set<String>, _ captivity: Captivity? = nil
    ) {
        self.record = record.seen(by: search?.registry)
        var context = record.context(search, claimed: claimed)
        if let captivity { context.hint = .captive(captivity, lacking: record.serviceName) }
        self.context = context
    }
}

extension PropertyReport {
    /// The type that declares the property.
    public var owner: Any.Type { record.owner }

    /// The property's name, with dots for a property of a struct inside; `self` if the report is about the object
    /// as a whole.
    public var name: String { record.name }

    /// The name that a service for the property is registered under; empty if the report is about the object as a
    /// whole.
    public var serviceName: String { record.serviceName }

    /// The type that a service has to fit; the type of the object if the report is about the whole of it.
    public var wantedType: Any.Type { record.request.type }

    /// The type of the service that is registered under the name, if the fill found one.
    public var foundType: Any.Type? {
        switch record.finding {
        case .typeMismatch(let service), .noChannel(let service): service.type
        case .gathered, .gatheredPartly: nil
        default: record.finding.services.first?.type
        }
    }

    /// Why the service couldn't be made, if that is why there is a hole.
    public var error: ServiceBoxError? {
        switch record.finding {
        case .failed(_, let error): error
        case .gatheredPartly(_, let failures): failures.first?.error
        default: nil
        }
    }

    /// How it went.
    public var outcome: Outcome { record.finding.outcome }

    /// Whether the property should have been filled and wasn't.
    public var isHole: Bool { kind == .hole }

    /// Whether the object can't do without a service for the property.
    ///
    /// Its type isn't optional, and its declaration gives it no value. In a plan for a type of which no object was seen, a property whose type isn't optional
    /// counts as required.
    public var isRequired: Bool { record.need != .optional }

    /// Whether the property is optional and empty, and was probably meant to have a service.
    ///
    /// A service with a similar name is registered, the one under its name doesn't fit, or nothing keeps what it would
    /// hold weakly. One for which nothing is registered is what optional properties are for.
    public var isWarning: Bool {
        guard isHole, !isRequired else { return false }
        guard case .missing = record.finding else { return true }
        return if case .near = context.hint { true } else { false }
    }

    /// The whole story: what is wrong, what was wanted and found, and what to do.
    public var explanation: String { explained.text }

    var kind: Finding.Kind { record.finding.kind }
    var explained: Explanation { record.explained(context) }
    /// What the report is about, as `Screen.cache`.
    var subject: String { record.source == .subject ? TypeName.of(owner) : record.path }
}

extension PropertyReport: CustomStringConvertible {
    /// The property and what happened to it, on one line.
    public var description: String { "\(subject): \(explained.line)" }
}

extension Finding {
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
        case .wrongIsolation: .wrongIsolation
        case .notInout: .constant
        case .strippedBuild: .strippedBuild
        case .noChannel: .plainProperty
        case .onRead: .onRead
        case .strongCycle: .strongCycle
        case .stale: .stale
        case .outOfReach, .replaced, .remote, .needsInstance, .emptyName, .unfillable, .hiddenByMirror:
            .notWalkable
        }
    }
}
