// Part of ServiceBox, released under the MIT License.
// Which properties to make weak.

extension WiringMap {
    /// A property that closes a strong cycle, with what speaks for making it weak.
    private struct Closer {
        let record: PropertyRecord
        let label: String
        let path: [String]
        /// Smaller is better: class instances first, for which there are weak properties; then what refers
        /// back to the services that came first, since a part refers back to its whole; then what the latest
        /// services hold.
        let rank: (Int, Int, Int)
    }

    /// One property for each strong cycle between services, as notes that name the cycle.
    ///
    /// A cycle that another's property breaks too is not named.
    var cycleClosers: [PropertyRecord] {
        let cycles = StrongCycles(in: self)
        var closers: [Set<String>: [Closer]] = [:]
        var order: [Set<String>] = []
        for subject in subjects {
            guard let service = subject.service else { continue }
            for property in subject.properties {
                guard let path = cycles.path(through: property.name, of: service) else { continue }
                let circle = Set(path.dropLast())
                if closers[circle] == nil { order.append(circle) }
                closers[circle, default: []].append(
                    closer(property, of: service, targets: subject.targets(of: property), path: path))
            }
        }
        var broken: Set<String> = []
        return order.compactMap { circle in
            guard circle.isDisjoint(with: broken), let best = closers[circle]?.min(by: { $0.rank < $1.rank })
            else {
                return nil
            }
            broken.insert(best.label)
            return best.record.with(.strongCycle(best.path))
        }
    }

    private func closer(
        _ property: PropertyRecord, of service: Registration, targets: [Registration], path: [String]
    ) -> Closer {
        let isClass = targets.allSatisfy { $0.implementation is AnyClass }
        return Closer(
            record: property, label: "\(service.name).\(property.name)", path: path,
            rank: (isClass ? 0 : 1, targets.map(\.number).min() ?? 0, -service.number))
    }
}
