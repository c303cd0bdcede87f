// Part of ServiceBox, released under the MIT License.
// Filling registered services with each other.

import Synchronization

extension ServiceBox {
    /// Fills what is not yet filled among the registered services.
    func settle() {
        let (batch, registrations) = state.withLock { state in
            (state.crossFill.batch(lastNumber: state.lastNumber), state.registrations)
        }
        guard let batch else { return }
        var outcome = CrossFill.Outcome()
        for registration in batch.registrations {
            guard let wiring = registration.rewired() else {
                outcome.postpone(registration)
                continue
            }
            let open = openProperties(of: registration, wiring: wiring)
            for property in open { offer(registrations, to: property, outcome: &outcome) }
            if !wiring.plan.tableIsKnown { outcome.postpone(registration) }
        }
        for property in batch.waiting { offer(registrations, to: property, outcome: &outcome) }
        let committed = outcome
        state.withLock { $0.crossFill.commit(committed, of: batch, registrations: $0.registrations) }
    }

    private func openProperties(of registration: Registration, wiring: Wiring) -> [OpenProperty] {
        let plan = wiring.plan
        let lines = wiring.object == nil ? [] : plan.lines(with: taughtLines(of: plan))
        let names = Set(lines.map(\.name))
        var open: [OpenProperty] = []
        for (index, slot) in zip(plan.slotIndices, wiring.slots) {
            let property = plan.properties[index]
            guard case .slot(let request, _) = property.kind, !names.contains(property.name) else { continue }
            open.append(
                OpenProperty(
                    owner: registration, wiring: wiring, name: property.serviceName,
                    channel: .slot(slot, request)))
        }
        for line in lines {
            open.append(
                OpenProperty(owner: registration, wiring: wiring, name: line.name, channel: .line(line)))
        }
        return open
    }

    private func offer(
        _ registrations: [String: Registration], to property: OpenProperty, outcome: inout CrossFill.Outcome
    ) {
        let found =
            property.name == SelfRegistration.reservedName ? selfRegistration : registrations[property.name]
        switch property.channel {
        case .slot(let slot, let request):
            if slot.isEmpty {
                guard let cell = found?.cell(for: request) else {
                    outcome.open.insert(property)
                    return
                }
                _ = slot.fillIfEmpty(with: cell)
            }
            outcome.closed.insert(property)
        case .line(let line):
            // An actor's table is written by `fill(on:)` alone: nothing here runs in the actor's isolation.
            guard let object = property.wiring.object, property.wiring.plan.shape != .actor,
                property.wiring.plan.problem(with: line) == nil
            else { return }
            guard line.isUsable(on: object) else {
                outcome.postpone(property.owner)
                return
            }
            guard let cell = found?.cell(for: line.injection.request) else {
                outcome.open.insert(property)
                return
            }
            outcome.closed.insert(property)
            // What is no optional always holds something; only a value in an optional is worth keeping.
            let isKept = line.injection.isOptional && line.injection.isSet?(object) == true
            if property.wiring.claim(line, as: isKept ? .kept : .written), !isKept {
                line.injection.write(to: object, cell)
            }
        }
    }
}

extension Registration {
    /// The wiring of the service, looked for again if it was out of reach.
    fileprivate func rewired() -> Wiring? {
        rewire()
        wiring?.rereadTable()
        return wiring
    }
}
