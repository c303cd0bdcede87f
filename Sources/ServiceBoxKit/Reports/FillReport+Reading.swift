// Part of ServiceBox, released under the MIT License.
// Reading a report: its properties, its holes, its text.

extension FillReport {
    /// The type that was filled.
    public var subjectType: Any.Type { record.type }

    /// The name of the service that was filled, in a report of ``ServiceBox/crossFill()``; otherwise nil.
    public var serviceName: String? { record.serviceName }

    /// What happened to each property, superclass first, each type's in the order of its source; then the
    /// lines of the table.
    ///
    /// - Complexity: O(*n*) for *n* properties; for each without a service that fits, also O(*m*) for *m*
    ///   registrations.
    public var properties: [PropertyReport] { word { _ in true } }

    /// The properties that got their service.
    public var filled: [PropertyReport] { word { $0 == .filled } }

    /// The properties that held a value and kept it.
    public var kept: [PropertyReport] { word { $0 == .kept } }

    /// What should have been filled and was not.
    public var holes: [PropertyReport] { word { $0 == .hole } }

    /// What is worth knowing and no hole: plain properties under registered names, strong cycles.
    public var notes: [PropertyReport] { word { $0 == .note } }

    /// Whether there is no hole: every injectable property holds a service, or a value that was to be kept.
    public var isComplete: Bool { !findings.contains { $0.finding.kind == .hole } }

    /// Throws if there is a hole.
    ///
    /// - Throws: ``ServiceBoxError`` with the code ``ServiceBoxError/Code/incomplete``, whose text lists
    ///   every hole.
    public func requireComplete() throws(ServiceBoxError) {
        if isComplete { return }
        throw ServiceBoxError(findings: Holes(type: subjectType, properties: holes))
    }
}

/// What an error says that lists holes.
private struct Holes: ErrorFacts {
    let type: Any.Type
    let properties: [PropertyReport]

    var code: ServiceBoxError.Code { .incomplete }
    var subjects: [String] { properties.map { "\(TypeName.of($0.owner)).\($0.name)" } }
    var explained: Explanation { Message.incomplete(type, explanations: properties.map(\.explained)) }
}

extension FillReport {
    private func word(_ isWanted: (Finding.Kind) -> Bool) -> [PropertyReport] {
        let all = findings
        let wanted = all.filter { isWanted($0.finding.kind) }
        let isOpen = wanted.contains { $0.finding.isOpen }
        let search =
            isOpen ? record.registry.map { HintSearch(in: $0, claimed: all.claimedNames(of: serviceName)) } : nil
        return wanted.map { PropertyReport($0, search: search) }
    }

}

extension [PropertyRecord] {
    /// The services that no other property can have meant: those that properties have, and the filled one
    /// itself.
    func claimedNames(of serviceName: String?) -> Set<String> {
        var names = Set(lazy.filter { !$0.finding.isOpen }.map(\.serviceName))
        if let serviceName { names.insert(serviceName) }
        return names
    }
}

extension FillReport {
    /// What was filled and how it went, as one sentence.
    var summary: String {
        let kinds = findings.map(\.finding.kind)
        func count(_ kind: Finding.Kind) -> Int { kinds.count { $0 == kind } }
        return Message.summary(
            of: subjectType, name: serviceName, filled: count(.filled), kept: count(.kept),
            holes: count(.hole))
    }
}

extension FillReport: CustomStringConvertible {
    /// How many lines a report shows.
    private static let lineLimit = 24

    /// A summary, then a line for each property: holes first, then notes, what was kept and what was filled.
    ///
    /// Fits one screen: of a very long list the last lines are counted instead. ``properties`` has all.
    public var description: String {
        let all = properties
        let kinds: [Finding.Kind] = [.hole, .note, .kept, .filled]
        let sorted = kinds.flatMap { kind in all.filter { $0.kind == kind } }
        var lines = sorted.prefix(Self.lineLimit).map { "  \($0)" }
        if sorted.count > Self.lineLimit { lines.append("  \(Message.more(sorted.count - Self.lineLimit))") }
        return ([summary] + lines).joined(separator: "\n")
    }
}
