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
    /// service on the way closes a cycle, which is named once. A box keeps its services alive, so a property that
    /// holds the box closes one too. What a table's closure or key path keeps isn't known.
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
                    let reference = Reference(record: record, owner: owner, target: identity(of: target))
                    if target.isBox {
                        close(reference, ["\(target.name).\(owner.name)"])
                    } else {
                        references[identity(of: owner), default: []].append(reference)
                    }
                }
            }
        }
        var visited: Set<ObjectIdentifier> = []
        /// The services on the way, each with the reference that led there and the number of those it has followed.
        var way: [(service: ObjectIdentifier, from: Reference?, followed: Int)] = []
        var positions: [ObjectIdentifier: Int] = [:]
        func enter(_ service: ObjectIdentifier, from reference: Reference?) {
            guard visited.insert(service).inserted else { return }
            positions[service] = way.count
            way.append((service, reference, 0))
        }
        for root in owners.map({ identity(of: $0.0) }) {
            enter(root, from: nil)
            while let last = way.last {
                guard let outgoing = references[last.service], last.followed < outgoing.count else {
                    positions[last.service] = nil
                    way.removeLast()
                    continue
                }
                way[way.count - 1].followed += 1
                let reference = outgoing[last.followed]
                if let start = positions[reference.target] {
                    close(reference, way[(start + 1)...].compactMap(\.from?.label))
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
    /// Whether a property that has what it asked for keeps the service: a provider keeps what it creates once.
    fileprivate func isKept(by request: CellRequest) -> Bool {
        switch kind {
        case .provided(let lifetime):
            !supplier.isProvider(wantedBy: request) || lifetime != .weak && lifetime != .transient
        case .fromParameters: false
        case .instance, .box: true
        }
    }
}

extension WiringMap {
    /// What a service is: the object, however often it is registered, or the registration of a value.
    private func identity(of service: Registration) -> ObjectIdentifier {
        ObjectIdentifier(service.wiring?.object ?? service)
    }
}
