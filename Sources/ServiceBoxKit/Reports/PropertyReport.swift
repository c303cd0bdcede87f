// Part of ServiceBox, released under the MIT License.
// The result of a fill for one property, with the reason.

/// The result of a fill for one property, with the reason.
///
/// Thread-safe.
public struct PropertyReport: Sendable {
    /// The kind of result; later versions may add outcomes.
    public struct Outcome: Hashable, Sendable, CustomStringConvertible {
        /// The outcome's name.
        public let description: String

        /// The property got the service.
        public static let filled = Outcome(description: "filled")
        /// The property kept the value that it held: as asked, or since there was no service to replace it with.
        public static let kept = Outcome(description: "kept")
        /// A hole: no service is registered under the name.
        public static let missing = Outcome(description: "missing")
        /// A hole: the property of a registered service is empty although its service is registered.
        public static let empty = Outcome(description: "empty")
        /// A hole: the service couldn't be created; ``PropertyReport/error`` says why.
        public static let failed = Outcome(description: "failed")
        /// A hole: the property holds its service weakly, and nothing else keeps it.
        public static let notKept = Outcome(description: "notKept")
        /// A hole: the service that is registered under the name doesn't fit the property.
        public static let typeMismatch = Outcome(description: "typeMismatch")
        /// A hole: a table names a property that the type doesn't store, or was made for another type.
        public static let tableMismatch = Outcome(description: "tableMismatch")
        /// A hole: the property or the whole table is isolated to an actor on which the fill didn't run.
        public static let wrongIsolation = Outcome(description: "wrongIsolation")
        /// A hole: a struct's table can't be written, because the struct was passed as a constant.
        public static let constant = Outcome(description: "constant")
        /// A hole, or a note about an optional struct with properties inside: the property or the whole object
        /// can't be reached, or its declaration gives an empty name; the explanation says which.
        public static let notWalkable = Outcome(description: "notWalkable")
        /// The module's build lacks reflection metadata: a hole, or a note if a table was written instead.
        public static let strippedBuild = Outcome(description: "strippedBuild")
        /// A note: a plain optional property, which fills can't write, has the name of a fitting service.
        public static let plainProperty = Outcome(description: "plainProperty")
        /// A note: the property is looked up when it is first read.
        public static let onRead = Outcome(description: "onRead")
        /// A note: the property closes a strong cycle between services.
        public static let strongCycle = Outcome(description: "strongCycle")
        /// A note of a plan: the object's property holds, or may hold, a service that was replaced, removed or
        /// hidden since.
        public static let stale = Outcome(description: "stale")
        /// In an audit: a service that all boxes share takes one that each child creates for itself.
        public static let captive = Outcome(description: "captive")
        /// In an audit: code has looked up a service by a type that several services now fit.
        public static let ambiguousType = Outcome(description: "ambiguousType")
        /// In an audit: a service replaced one of another type, or one that had already been handed out, or was
        /// decorated after that.
        public static let replaced = Outcome(description: "replaced")
        /// In an audit: a service was registered and removed without being used.
        public static let removed = Outcome(description: "removed")
        /// In an audit: an object is registered under another name too, as the same type.
        public static let duplicate = Outcome(description: "duplicate")
        /// In an audit: nothing has used the service, and no known property would take it; or a decoration wraps
        /// nothing.
        public static let unused = Outcome(description: "unused")
    }

    let record: PropertyRecord
    private var context: PropertyRecord.Context

    /// Searches for hints; the text is built when it is read.
    ///
    /// - Parameters:
    ///   - record: The facts.
    ///   - service: The name of the service that has the property, if it is one.
    ///   - search: The search for hints; nil if the box is gone.
    ///   - claimed: The names of services that other properties have.
    ///   - captivity: Set if the asking box has the service and the box that fills hasn't.
    @inline(never)
    init(
        _ record: PropertyRecord, of service: String?, search: HintSearch?, claimed: Set<String>,
        _ captivity: Captivity? = nil
    ) {
        self.record = record.seen(by: search?.registry)
        context = record.context(search, claimed: claimed, of: service)
        if let captivity { context.hint = .captive(captivity, lacking: record.serviceName) }
    }

    init(_ lack: Lack) {
        (record, context) = (lack.record, lack.contextOfAsker)
    }
}

extension PropertyReport {
    /// The type that declares the property.
    public var owner: Any.Type { record.owner }

    /// The property's name, with dots for one inside a struct property; `self` if the report is about the
    /// whole object.
    public var name: String { record.name }

    /// The name that the property's service is registered under; empty if the report is about the whole
    /// object.
    public var serviceName: String { record.serviceName }

    /// The type that a service has to fit; the type of the object if the report is about the whole object.
    public var wantedType: Any.Type { record.request.type }

    /// The type of the service that is registered under the name, if the fill found one.
    public var foundType: Any.Type? {
        switch record.finding {
        case .typeMismatch(let service), .noChannel(let service, _): service.type
        case .gathered, .gatheredPartly: nil
        default: record.finding.services.first?.type
        }
    }

    /// The error of creating the service, if that caused the hole.
    public var error: ServiceBoxError? {
        switch record.finding {
        case .failed(_, let error): error
        case .gatheredPartly(_, let failures): failures.first?.error
        default: nil
        }
    }

    /// The result.
    public var outcome: Outcome { record.finding.outcome }

    /// Whether the property should have been filled and wasn't.
    public var isHole: Bool { kind == .hole }

    /// Whether the object can't do without a service for the property.
    ///
    /// True if its type isn't optional and its declaration gives it no value, unless the fill has found one there;
    /// and for an optional struct if a slot inside is required. Never for an ``InjectedAll``, nor for a line of a
    /// table that is marked `optional`, except where it writes a slot that is required itself. In a plan for a type
    /// of which no instance was seen, declarations give no values.
    public var isRequired: Bool { record.isRequired }

    /// Whether the property is optional and got nothing, but was probably meant to get a service.
    ///
    /// False if simply no service has its name, which is fine. True if a similar name is registered or services
    /// fit the elements of its array, also for a property that keeps a value, if only the asking child has the
    /// service, if that doesn't fit, fails or isn't kept, and if the property can't be reached.
    public var isWarning: Bool {
        if isRequired { return false }
        return switch (record.finding, context.hint) {
        case (.missing, .near?), (.missing, .elements?), (.missing, .captive?), (.kept, _?): true
        case (.missing, _), (.kept, nil): false
        default: isHole
        }
    }

    /// The full explanation: what is wrong, what was wanted and found, and what to do.
    public var explanation: String { explained.text }

    var kind: Finding.Kind { record.finding.kind }
    var explained: Explanation { record.explained(context) }
    /// The subject of the report, such as `Screen.cache`.
    var subject: String { record.subject }
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
        case .stale, .outdated: .stale
        case .outOfReach, .replaced, .remote, .needsInstance, .emptyName, .unfillable, .hiddenByMirror:
            .notWalkable
        }
    }
}
