// Part of ServiceBox, released under the MIT License.
// The public view of reports and events.

extension FillReport {
    /// The type that was filled.
    public var subjectType: Any.Type { record.type }

    /// The name of the service that was filled, in a report of ``ServiceBox/crossFill()`` or of an event about a
    /// created service; otherwise nil.
    public var serviceName: String? { record.serviceName }

    /// What happened to each property: superclasses first, each type's properties in source order; then the
    /// lines of the table.
    ///
    /// - Complexity: O(*n*) for *n* properties; for each without a service that fits, also O(*m*) for *m*
    ///   registrations.
    public var properties: [PropertyReport] { reports(on: findings) }

    /// The properties that weren't filled, optional ones too, which the summary counts as left empty.
    public var holes: [PropertyReport] { reports(on: findings.filter { $0.finding.kind == .hole }) }

    /// The names of the services that properties were given.
    package var givenNames: [String] {
        findings.flatMap { $0.finding.hasGiven ? $0.finding.serviceNames : [] }
    }

    /// Whether every required property holds a service, or a value that was to be kept.
    ///
    /// See ``PropertyReport/isRequired``; one that is looked up when it is first read doesn't count.
    public var isComplete: Bool { !findings.contains(where: \.isRequiredHole) }

    /// Throws if there is a hole in a required property.
    ///
    /// - Parameter includingOptionals: Whether a hole in an optional property counts too.
    /// - Throws: ``ServiceBoxError`` with the code ``ServiceBoxError/Code/incomplete``, whose text lists
    ///   every hole that counts.
    public func requireComplete(includingOptionals: Bool = false) throws(ServiceBoxError) {
        let holes = findings.filter {
            $0.finding.kind == .hole && (includingOptionals || $0.isRequiredHole)
        }
        // Hints and names are only for readers.
        if holes.isEmpty { return }
        let (type, reports) = (subjectType, reports(on: holes))
        throw ServiceBoxError(.incomplete, about: holes.map(\.path)) {
            let problem = "Can't complete \(TypeName.withArticle(of: type))"
            return Message.list(problem, "holes are left", reports.map(\.explained))
        }
    }

    /// The reports on some of its properties.
    fileprivate func reports(on properties: [PropertyRecord]) -> [PropertyReport] {
        let claimed = findings.claimedNames(of: serviceName)
        let search = record.registry.map(HintSearch.init)
        return properties.map { PropertyReport($0, of: serviceName, search: search, claimed: claimed) }
    }

    /// The filled type and the result, in one sentence.
    var summary: String { Message.summary(of: subjectType, name: serviceName, findings) }
}

extension FillReport: CustomStringConvertible {
    private static let lineLimit = 24

    /// A summary, then a line for each property: holes first, then notes, what was kept and what was filled.
    ///
    /// Fits one screen: the end of a very long list is only counted. ``properties`` has all.
    public var description: String {
        let all = properties
        let kinds: [Finding.Kind] = [.hole, .note, .kept, .filled]
        let sorted = kinds.flatMap { kind in all.filter { $0.kind == kind } }
        var lines = sorted.prefix(Self.lineLimit).map { "  \($0)" }
        if sorted.count > Self.lineLimit { lines.append("  \(Message.more(sorted.count - Self.lineLimit))") }
        return ([summary] + lines).joined(separator: "\n")
    }
}

// MARK: - Events

extension ServiceEvent {
    /// The property that wasn't filled, with the reason, if the event is about a hole.
    public var hole: PropertyReport? {
        guard let holeIndex, let report else { return nil }
        return report.reports(on: [report.findings[holeIndex]]).first
    }
}

extension ServiceEvent: CustomStringConvertible {
    /// What happened, on one line; an observer of a parent first reads in which child.
    public var description: String {
        isOfChild ? Message.event(happening, inChild: boxName ?? "") : happening
    }

    private var happening: String {
        let subject = type.map { Message.subject(of: $0, name: serviceName) } ?? ""
        return switch kind {
        case .filled: "\(kind) \(report?.summary ?? subject)"
        case .hole: "\(kind) \(hole?.description ?? subject)"
        case .failed: "\(kind) \(subject): \(error?.explained.line ?? "")"
        case .missed: "\(kind) \(subject): \(error?.headline ?? "")"
        case .replaced: "\(kind) \(subject)\(replacement.map(Message.replaced) ?? "")"
        default: subject.isEmpty ? "\(kind)" : "\(kind) \(subject)"
        }
    }
}
