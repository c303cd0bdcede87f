// Part of ServiceBox, released under the MIT License.
// A registered service seen as something to fill.

/// The slots and the table of a registered service, gathered in its own isolation, so that a cross-fill from any
/// thread touches slot references alone.
///
/// `Sendable` is unchecked because of `object`: registered services are `Sendable`.
final class Wiring: @unchecked Sendable {
    private let learntPlan: TypePlan
    /// In the order of the plan's `slotIndices`.
    let slots: [Slot]
    /// The service itself, if it is a class instance, whose table can be written.
    let object: AnyObject?
    /// What a cross-fill has put into the slots that take all services of a type.
    private let gatheredCells = Guarded<[ObjectIdentifier: AnyCell]>([:])
    private let lineStates = Guarded<[String: LineState]>([:])

    /// What a cross-fill did with a line of the table.
    enum LineState {
        case written
        case kept
    }

    /// Looks at a service in its own isolation, or at an actor of a known type from anywhere.
    ///
    /// Fails if an actor of an unknown type is seen from outside.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - isFresh: Whether nobody else has the service yet, so that even an actor may be looked into.
    init?<Service: Sendable>(of service: Service, isFresh: Bool = false) {
        object = classInstance(in: service)
        guard let object else {
            (learntPlan, slots) = PlanStore.learn(service)
            return
        }
        let known = PlanStore.plan(of: Swift.type(of: object))
        if let known, let offsets = known.offsets {
            slots = offsets.slots(of: object)
            learntPlan = known.naming(as: slots)
        } else if let known, known.isStable, known.slotIndices.isEmpty {
            (learntPlan, slots) = (known, [])
        } else if object is any Actor, !isFresh {
            return nil
        } else {
            (learntPlan, slots) = PlanStore.learn(object)
        }
    }

    /// The plan; a better one if the table was out of reach at first and is known by now.
    var plan: TypePlan {
        if learntPlan.tableIsKnown { return learntPlan }
        guard let better = PlanStore.plan(of: learntPlan.type)?.naming(as: slots),
            better.hasSameSlots(as: learntPlan)
        else { return learntPlan }
        return better
    }

    /// Reads the table if it was out of reach before and is not here.
    func rereadTable() {
        guard let object, !plan.tableIsKnown, object is any Injectable else { return }
        _ = PlanStore.learn(object)
    }

    /// Fills a slot if it is empty or holds what this method wrote there before.
    func replaceGathered(in slot: Slot, with cell: AnyCell) {
        gatheredCells.withLock { cells in
            let key = ObjectIdentifier(slot)
            if let known = cells[key] {
                if slot.replace(known, with: cell) { cells[key] = cell }
            } else if slot.fillIfEmpty(with: cell) {
                cells[key] = cell
            }
        }
    }

    /// Claims a line of the table, which a cross-fill deals with once for a service.
    ///
    /// - Returns: Whether nobody has claimed it before.
    func claim(_ line: TypePlan.TableLine, as state: LineState) -> Bool {
        lineStates.withLock { states in
            if states[line.name] != nil { return false }
            states[line.name] = state
            return true
        }
    }

    /// What became of a line, or nil if no cross-fill has dealt with it.
    func state(ofLine name: String) -> LineState? {
        lineStates.withLock { $0[name] }
    }
}
