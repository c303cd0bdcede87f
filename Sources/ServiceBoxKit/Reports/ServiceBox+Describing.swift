// Part of ServiceBox, released under the MIT License.
// A box as text.

extension ServiceBox: CustomStringConvertible {
    /// The services of the box and those of its ancestors that it sees, and what lacks something that it requires.
    ///
    /// A service has a line with its name, its lifetime, its type and what it replaced. Below stand the services that
    /// the box has looked into or created, and the types that it has filled, whose required properties are empty. It
    /// fills and creates nothing.
    ///
    /// - Complexity: O(*n* log *n*) for *n* services, types and their properties.
    public var description: String {
        let services = registry.sorted.filter { !$0.isBox }
        let boxes = Array(sequence(first: self, next: \.parent))
        let distances = services.map { registry.registrations(named: $0.name).first?.distance ?? 0 }
        let rows = zip(services, distances).map { boxes[$1].row(of: $0) }
        let sections = Dictionary(grouping: zip(Message.aligned(rows), distances), by: \.1)
        let hasStopped = registry.isStopped
        var lines = [
            Message.boxSummary(
                name: name, count: services.count, isSealed: isSealed, hasStopped: hasStopped)
        ]
        for (distance, box) in boxes.enumerated() {
            guard let section = sections[distance] else { continue }
            if distance > 0 { lines.append(Message.inherited(from: box.name, isParent: distance == 1)) }
            lines += section.map(\.0)
        }
        let unfilled = WiringMap(of: self, isPlanned: false).subjects.compactMap { subject in
            let holes = subject.knownHoles.map { ($0.name, $0.finding.outcome.description) }
            return holes.isEmpty
                ? nil : Message.row(unfilled: subject.type, name: subject.service?.name, holes)
        }
        if !unfilled.isEmpty { lines += [Message.unfilled] + Message.aligned(unfilled) }
        return lines.joined(separator: "\n")
    }

    /// A service that the box or a child of it has, in columns.
    private func row(of service: Registration) -> [String] {
        Message.row(
            of: ServiceDescription(service), kind: service.kindInWords,
            isPerBox: service.inheritance?.scope == .box,
            replacement: ledger.state.withLock { $0.replacements[service.name] })
    }
}

extension WiringMap.Subject {
    /// The required properties that are known to be empty; what the next use of the box fills in a service isn't.
    fileprivate var knownHoles: [PropertyRecord] {
        properties.filter { property in
            guard property.isRequiredHole, service != nil else { return property.isRequiredHole }
            switch property.finding {
            case .missing, .typeMismatch, .empty:
                let found = filler.registry.registration(named: property.serviceName)
                return found?.fit(property.request).isPossible != true
            case .wrongIsolation: return filler.crossFiller.filledGeneration != nil
            default: return true
            }
        }
    }
}
