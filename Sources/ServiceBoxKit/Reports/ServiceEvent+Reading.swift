// Part of ServiceBox, released under the MIT License.
// Reading an event.

extension ServiceEvent {
    /// What was not filled and why, if the event is about a hole.
    public var hole: PropertyReport? {
        guard let report, let holeIndex else { return nil }
        let claimed = report.findings.claimedNames(of: serviceName)
        let search = report.record.registry.map { HintSearch(in: $0, claimed: claimed) }
        return PropertyReport(report.findings[holeIndex], search: search)
    }
}

extension ServiceEvent: CustomStringConvertible {
    /// What happened, on one line.
    public var description: String {
        let subject = type.map { Message.subject(of: $0, name: serviceName) } ?? ""
        return switch kind {
        case .filled: "\(kind) \(report?.summary ?? subject)"
        case .hole: "\(kind) \(hole?.description ?? subject)"
        case .failed: "\(kind) \(subject): \(error?.headline ?? "")"
        case .replaced: "\(kind) \(subject)\((replacement?.inMessages).map(Message.replacement) ?? "")"
        default: subject.isEmpty ? "\(kind)" : "\(kind) \(subject)"
        }
    }
}
