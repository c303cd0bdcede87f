// Part of ServiceBox, released under the MIT License.
// Services that keep each other alive.

extension WiringMap {
    /// A property that holds a registered service strongly.
    private struct Reference {
        let record: PropertyRecord
        let owner: Registration
        let target: ObjectIdentifier

        var label: String { "\(owner.name).\(record.name)" }
    }

    /// The properties that close a strong cycle between registered services, with their owners.
    ///
    /// A depth-first walk follows the references in the order of registration; each one that leads back to a
    /// service on the path closes a cycle, which is reported once. A box keeps its services alive, so a
    /// property that holds the box closes one too. References kept by a table's closure or key path are
    /// unknown.
    ///
    /// - Complexity: O(*n*) for *n* services and properties, and the length of each cycle.
    var strongCycles: [(owner: Registration, note: PropertyRecord)] {
        let owners = subjects.compactMap { subject in subject.service.map { ($0, subject) } }
            .sorted { ($0.0.number, $0.0.name) < ($1.0.number, $1.0.name) }
        var references: [ObjectIdentifier: [Reference]] = [:]
        var cycles: [(owner: Registration, note: PropertyRecord)] = []
        func close(_ reference: Reference, _ way: [String]) {
            let path = [reference.label] + way + [reference.owner.name]
            cycles.append((reference.owner, reference.record.with(.strongCycle(path))))
        }
        for (owner, subject) in owners {
            for record in subject.properties where record.holdsStrongly {
                for target in subject.targets(of: record) where target.isKept(by: record.request) {
                    let reference = Reference(record: record, owner: owner, target: target.node)
                    if target.isBox {
                        close(reference, ["\(target.name).\(owner.name)"])
                    } else {
                        references[owner.node, default: []].append(reference)
                    }
                }
            }
        }
        var visited: Set<ObjectIdentifier> = []
        /// The services on the path, each with the reference that led to it and those left to follow.
        var way: [(service: ObjectIdentifier, from: Reference?, rest: ArraySlice<Reference>)] = []
        var positions: [ObjectIdentifier: Int] = [:]
        func enter(_ service: ObjectIdentifier, from reference: Reference?) {
            guard visited.insert(service).inserted else { return }
            positions[service] = way.count
            way.append((service, reference, references[service, default: []][...]))
        }
        for (root, _) in owners {
            enter(root.node, from: nil)
            while !way.isEmpty {
                guard let reference = way[way.count - 1].rest.popFirst() else {
                    positions[way.removeLast().service] = nil
                    continue
                }
                if let start = positions[reference.target] {
                    let rest = way[(start + 1)...].compactMap(\.from)
                    // Of transient services alone the box makes no cycle: the last property stays empty.
                    if (rest + [reference]).contains(where: { $0.owner.lifetime != .transient }) {
                        close(reference, rest.map(\.label))
                    }
                } else {
                    enter(reference.target, from: reference)
                }
            }
        }
        return cycles
    }
}

extension PropertyRecord {
    fileprivate var holdsStrongly: Bool {
        if case .slot = source { (finding.hasGiven || finding.isOnRead) && !request.isWeak } else { false }
    }
}

extension Registration {
    /// Whether a filled property keeps the service: a provider keeps only a service that it caches.
    fileprivate func isKept(by request: CellRequest) -> Bool {
        switch kind {
        case .provided(let lifetime):
            !supplier.isProvider(wantedBy: request) || lifetime != .weak && lifetime != .transient
        case .fromParameters: false
        case .instance, .box: true
        }
    }

    /// Identifies the service: by its object, however often it is registered, or by a value's registration.
    fileprivate var node: ObjectIdentifier { ObjectIdentifier(wiring?.object ?? self) }
}
