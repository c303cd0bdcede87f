// Part of ServiceBox, released under the MIT License.
// Cross-filling on demand, and what the services got from each other.

extension ServiceBox {
    /// Fills the registered services with each other now, and reports on each.
    ///
    /// Every use of the box does this for whatever was registered since the last one; call it yourself to decide
    /// when, or to read the reports. Only empty slots are written, so it may be called from anywhere, whatever the
    /// services do meanwhile. A line of a table is written once; it is left alone if its property holds a value, and
    /// waits for a use on its actor if it belongs to one.
    ///
    /// A child leaves its parent's services to the parent, and a copy leaves shared ones to the original.
    ///
    /// - Returns: A report for each service of the box that has something to fill, sorted by their names. A
    ///   strong cycle that slots close is noted there; what a table's closure or key path keeps is not known.
    /// - Complexity: O(*n*) for *n* properties of services, and as much again for each property in a cycle.
    @discardableResult
    public func crossFill() -> [FillReport] {
        settle(isRetry: true)
        let services = sortedRegistrations
        let cycles = StrongCycles(among: services, of: self)
        return services.compactMap { crossFillReport(of: $0, cycles: cycles) }
    }

    private func crossFillReport(of registration: Registration, cycles: StrongCycles) -> FillReport? {
        guard fills(registration) else { return nil }
        guard let wiring = registration.wiring else {
            // A service that is not made yet, or not kept, has nothing to be filled now.
            guard registration.isOutOfReach else { return nil }
            return notWalkedReport(of: registration.implementation, serviceName: registration.name)
        }
        let program = program(for: wiring.plan)
        let record = program.record
        // A service with nothing to fill is no news.
        guard record.properties.contains(where: { $0.source != .subject }) else { return nil }
        let writes = Dictionary(uniqueKeysWithValues: program.slotWrites.map { ($0.index, $0) })
        var deviations: [Deviation] = []
        var notes: [PropertyRecord] = []
        for (index, property) in record.properties.enumerated() {
            let finding: Finding? =
                switch property.source {
                case .slot(let position): writes[index].finding(in: wiring.slots[position], of: wiring)
                case .line where wiring.object == nil:
                    property.finding.kind == .filled ? .notInout : nil
                case .line:
                    wiring.failure(for: .line(property.name))
                        ?? wiring.state(ofLine: property.name).finding(planned: property.finding)
                case .plain, .subject: nil
                }
            if let finding { deviations.append(Deviation(index: index, finding: finding)) }
            if let path = cycles.path(through: property.name, of: registration) {
                notes.append(property.with(.strongCycle(path)))
            }
        }
        let whole = FillRecord(
            type: record.type, serviceName: registration.name, properties: record.properties + notes,
            box: self)
        return FillReport(whole, deviations: deviations)
    }
}

extension Optional<FillProgram.SlotWrite> {
    /// What is to be said of a slot beside what was planned for it.
    fileprivate func finding(in slot: Slot, of wiring: Wiring) -> Finding? {
        if slot.isEmpty {
            return self == nil ? nil : wiring.failure(for: .slot(ObjectIdentifier(slot))) ?? .missing
        }
        if let self, wiring.holdsFill(slot, from: self.source) { return nil }
        guard let write = self, let cell = write.fixedCell ?? write.source.present(write.request) else {
            return .kept
        }
        return slot.holds(cell) ? nil : .kept
    }
}

extension Wiring.LineState? {
    /// What is to be said of a line beside what was planned for it.
    fileprivate func finding(planned: Finding) -> Finding? {
        switch (self, planned) {
        case (.written, .filled): nil
        case (.written, _), (.kept, _): .kept
        case (nil, .filled): .wrongIsolation
        case (nil, _): nil
        }
    }
}
