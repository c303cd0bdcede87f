// Part of ServiceBox, released under the MIT License.
// Which registered services still have to be filled with which others.

/// A property of a registered service that a cross-fill may still fill.
struct OpenProperty: Hashable, Sendable {
    enum Channel: Sendable {
        case slot(Slot, CellRequest)
        case line(TypePlan.TableLine)
    }

    private enum Identity: Hashable {
        case slot(ObjectIdentifier)
        case line(ObjectIdentifier, String)
    }

    let owner: Registration
    let wiring: Wiring
    /// The name that a service for it is registered under.
    let name: String
    let channel: Channel

    private var identity: Identity {
        switch channel {
        case .slot(let slot, _): .slot(ObjectIdentifier(slot))
        case .line(let line): .line(ObjectIdentifier(wiring), line.name)
        }
    }

    static func == (left: Self, right: Self) -> Bool { left.identity == right.identity }

    func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// The bookkeeping of cross-fills, kept under the lock of the box.
///
/// A registration is *pending* until a use of the box has offered it to the properties that wait for its name, and
/// its own properties everything that is registered. A property that found nothing *waits* for its name. A
/// cross-fill works on a batch outside the lock and commits the outcome: two threads may work on the same batch,
/// since filling a slot that is filled does nothing and a line of a table is claimed by one.
struct CrossFill: Sendable {
    private(set) var pending: [Registration] = []
    private var waiting: [String: Set<OpenProperty>] = [:]
    /// Services that could not be read or written where the box was used.
    ///
    /// They are actors of unknown types, and those whose tables belong to an actor. Each is tried again at the next use.
    private(set) var postponed: [Registration] = []
    /// Counts how often the box was taught something about registered services.
    private var lessons = 0

    var isSettled: Bool { pending.isEmpty && postponed.isEmpty }

    /// What to try, and with what.
    struct Batch: Sendable {
        let registrations: [Registration]
        let waiting: Set<OpenProperty>
        /// The last registration that the batch has seen.
        let lastNumber: Int
        fileprivate let lessons: Int
    }

    /// What came of a batch.
    struct Outcome: Sendable {
        var closed: Set<OpenProperty> = []
        var open: Set<OpenProperty> = []
        private(set) var postponed: [Registration] = []

        mutating func postpone(_ registration: Registration) {
            if !postponed.contains(where: { $0 === registration }) { postponed.append(registration) }
        }
    }

    mutating func add(_ registration: Registration) {
        pending.append(registration)
    }

    /// Puts services that may have got new lines in their tables among the pending ones again.
    mutating func reconsider(_ registrations: [Registration]) {
        lessons += 1
        let known = Set(pending.map(ObjectIdentifier.init))
        pending += registrations.filter { !known.contains(ObjectIdentifier($0)) }
    }

    mutating func forget(_ registration: Registration) {
        pending.removeAll { $0 === registration }
        postponed.removeAll { $0 === registration }
        guard registration.wiring != nil else { return }
        for (name, properties) in waiting where properties.contains(where: { $0.owner === registration }) {
            waiting[name] = properties.filter { $0.owner !== registration }
        }
    }

    func batch(lastNumber: Int) -> Batch? {
        guard !isSettled else { return nil }
        let waitingForPending = pending.reduce(into: Set<OpenProperty>()) { open, registration in
            open.formUnion(waiting[registration.name] ?? [])
        }
        return Batch(
            registrations: pending + postponed, waiting: waitingForPending, lastNumber: lastNumber,
            lessons: lessons)
    }

    /// Takes in what came of a batch.
    ///
    /// A service that was registered while the batch ran may have been offered to the waiting properties before
    /// this batch's were among them; then it is pending again.
    mutating func commit(_ outcome: Outcome, of batch: Batch, registrations: [String: Registration]) {
        let worked = Set(batch.registrations.map(ObjectIdentifier.init))
        // What was taught while the batch ran may have come too late for it.
        if batch.lessons == lessons { pending.removeAll { worked.contains(ObjectIdentifier($0)) } }
        postponed.removeAll { worked.contains(ObjectIdentifier($0)) }
        postponed += outcome.postponed.filter { registrations[$0.name] === $0 }
        for property in outcome.closed { waiting[property.name]?.remove(property) }
        for property in outcome.open where registrations[property.owner.name] === property.owner {
            waiting[property.name, default: []].insert(property)
            guard let later = registrations[property.name], later.number > batch.lastNumber,
                !pending.contains(where: { $0 === later })
            else { continue }
            pending.append(later)
        }
    }
}
