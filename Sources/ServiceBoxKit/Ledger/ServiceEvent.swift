// Part of ServiceBox, released under the MIT License.
// What a box tells its observers. How it reads is in Reports/.

/// Something that happened in a box.
///
/// An event is told after the fact. It may be read from anywhere and keeps neither the box nor objects nor
/// services alive.
///
/// ```swift
/// let observation = box.observe { event in
///     if event.kind == .hole || event.kind == .failed { print(event) }
/// }
/// box.fill(SettingsScreen())
/// observation.cancel()
/// ```
public struct ServiceEvent: Sendable {
    /// What kind of thing happened; more may come in later versions.
    ///
    /// May be used from anywhere.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let description: String

        /// A service was registered under a new name.
        public static let registered = Kind(description: "registered")
        /// A service was registered under a name that another one had.
        public static let replaced = Kind(description: "replaced")
        /// A service was removed.
        public static let removed = Kind(description: "removed")
        /// An object or a registered service was filled; ``ServiceEvent/report`` says with what.
        public static let filled = Kind(description: "filled")
        /// A fill left a hole; ``ServiceEvent/hole`` says which.
        public static let hole = Kind(description: "hole")
        /// A service was made and filled, or first seen if a provider of your own made it.
        public static let made = Kind(description: "made")
        /// A service could not be made; ``ServiceEvent/error`` says why.
        ///
        /// One failure is told once, by the service whose factory failed first, however many wait for it.
        public static let failed = Kind(description: "failed")
        /// What a factory registered in the box had made was forgotten; of a provider of your own nothing is
        /// told.
        public static let reset = Kind(description: "reset")
        /// All services were dropped.
        public static let cleared = Kind(description: "cleared")
    }

    /// What kind of thing happened.
    public let kind: Kind
    /// The name of the service that it is about; nil if it is about an object that is none, or the whole box.
    public let serviceName: String?
    /// The type that the service is registered as, or the type of the object that was filled; nil if the
    /// whole box was cleared.
    public let type: Any.Type?
    /// The report of the fill, if one was done; nil where a property was refilled because its service was
    /// replaced.
    public let report: FillReport?
    /// Why a service could not be made, if that is what happened.
    public let error: ServiceBoxError?
    /// What a registration has replaced, if it has.
    let replacement: ServiceReplacement?
    /// The position of the hole among the report's properties, if it is about one.
    let holeIndex: Int?

    init(
        _ kind: Kind, serviceName: String? = nil, type: Any.Type? = nil, report: FillReport? = nil,
        error: ServiceBoxError? = nil, replacement: ServiceReplacement? = nil, holeIndex: Int? = nil
    ) {
        self.kind = kind
        self.serviceName = serviceName
        self.type = type
        self.report = report
        self.error = error
        self.replacement = replacement
        self.holeIndex = holeIndex
    }

    /// What happened to a registration.
    init(_ kind: Kind, about registration: Registration, replacement: ServiceReplacement? = nil) {
        self.init(
            kind, serviceName: registration.name, type: registration.serviceType, replacement: replacement)
    }
}
