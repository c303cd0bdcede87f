// Part of ServiceBox, released under the MIT License.
// Which registered services still have to be filled with which others.

import Synchronization

/// A property of a registered service that a cross-fill may still fill.
struct OpenProperty: Hashable, Sendable {
    enum Channel: Sendable {
        /// A slot by its position among the slots of the wiring.
        case slot(Int, CellRequest)
        case line(TableLine)
    }

    /// Tells the properties of one service apart.
    enum Key: Hashable {
        case slot(Int)
        case line(String)
    }

    let owner: Registration
    let wiring: Wiring
    let propertyName: String
    /// The name that a service for it is registered under; empty if it takes all that fits.
    let name: String
    let channel: Channel

    /// The property as a tally of uses names it.
    var taker: UseTally.Property { UseTally.Property(type: wiring.plan.type, name: propertyName) }

    var key: Key {
        switch channel {
        case .slot(let position, _): .slot(position)
        case .line(let line): .line(line.name)
        }
    }

    static func == (left: Self, right: Self) -> Bool {
        left.wiring === right.wiring && left.key == right.key
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(wiring))
        hasher.combine(key)
    }
}

/// The bookkeeping of cross-fills, kept under the lock of the box.
///
/// A registration is *pending* until a use of the box has offered it to the properties that wait for its
/// name, and its own properties everything that is registered. A property that found nothing *waits* for its
/// name. A cross-fill works on a batch outside the lock and commits the outcome: two threads may work on the
/// same batch, since filling a slot that is filled does nothing and a line of a table is claimed by one.
struct CrossFill: Sendable {
    private struct Ticket: Sendable {
        let registration: Registration
        let number: Int
        /// Whether it came after all others of the box.
        let isAddition: Bool
    }

    private var pending: [ObjectIdentifier: Ticket] = [:]
    private var lastTicket = 0
    private var waiting: [String: Set<OpenProperty>] = [:]
    /// The services that could not be read or written where the box was used, until it is used on the main actor.
    private var postponed: [Registration] = []

    /// What is left to do, for those who only want to know whether it is nothing.
    enum Work: UInt8, AtomicRepresentable {
        case none
        /// Something that waits for the main actor, and nothing else.
        case onMainActor
        case some
    }

    var work: Work {
        guard pending.isEmpty else { return .some }
        return postponed.isEmpty ? .none : .onMainActor
    }

    /// Whether a use of the box, here and now, has nothing to fill.
    var isSettled: Bool { pending.isEmpty && dueOnMainActor.isEmpty }

    /// The postponed services, if the box is used on the main actor.
    private var dueOnMainActor: [Registration] {
        postponed.isEmpty || !Isolation.isMainActor ? [] : postponed
    }

    /// What to try, and with what.
    struct Batch: Sendable {
        let registrations: [Registration]
        /// Those that came after all others of the box, in their order.
        let added: [Registration]
        let waiting: Set<OpenProperty>
        /// The last registration that the batch has seen.
        let lastNumber: Int
        fileprivate let lastTicket: Int
    }

    /// What came of a batch.
    struct Outcome: Sendable {
        var closed: Set<OpenProperty> = []
        var open: Set<OpenProperty> = []
        private(set) var postponed: [Registration] = []
        /// The services of which a property was filled, in order.
        private(set) var filled: [Registration] = []
        private var isFilled: Set<ObjectIdentifier> = []

        mutating func close(_ property: OpenProperty, isFilled: Bool) {
            closed.insert(property)
            guard isFilled, self.isFilled.insert(ObjectIdentifier(property.owner)).inserted else { return }
            filled.append(property.owner)
        }

        /// Has a service tried again on the main actor.
        mutating func postpone(_ registration: Registration) {
            if postponed.contains(where: { $0 === registration }) { return }
            postponed.append(registration)
        }
    }

    /// Puts a registration among the pending ones: a new one, or one whose service or table is news.
    mutating func add(_ registration: Registration, isAddition: Bool = false) {
        lastTicket += 1
        let key = ObjectIdentifier(registration)
        pending[key] = Ticket(
            registration: registration, number: lastTicket,
            isAddition: isAddition || pending[key]?.isAddition == true)
    }

    /// Makes a registration pending whose service was made, and whose properties start anew.
    mutating func renew(_ registration: Registration) {
        let isAddition = pending[ObjectIdentifier(registration)]?.isAddition == true
        forget(registration)
        add(registration, isAddition: isAddition)
    }

    mutating func forget(_ registration: Registration) {
        pending[ObjectIdentifier(registration)] = nil
        postponed.removeAll { $0 === registration }
        // What a provider made and forgot may still wait.
        guard registration.wiring != nil || registration.made != nil else { return }
        for (name, properties) in waiting where properties.contains(where: { $0.owner === registration }) {
            waiting[name] = properties.filter { $0.owner !== registration }
        }
    }

    /// What is to be done.
    ///
    /// - Parameters:
    ///   - lastNumber: The number of the last registration.
    ///   - isForAll: Whether to try every waiting property, and not only those that a new service may suit.
    /// - Returns: What to try, or nil if there is nothing.
    func batch(lastNumber: Int, isForAll: Bool) -> Batch? {
        let tickets = pending.values.sorted { $0.number < $1.number }
        var names = tickets.map(\.registration.name)
        // A property that takes all that fits waits under no name.
        if !names.isEmpty { names.append("") }
        if isForAll { names = Array(waiting.keys) }
        let waitingForPending = names.reduce(into: Set<OpenProperty>()) { open, name in
            open.formUnion(waiting[name] ?? [])
        }
        if isSettled, waitingForPending.isEmpty { return nil }
        return Batch(
            registrations: tickets.map(\.registration) + dueOnMainActor,
            added: tickets.filter(\.isAddition).map(\.registration).sorted { $0.number < $1.number },
            waiting: waitingForPending, lastNumber: lastNumber, lastTicket: lastTicket)
    }

    /// Takes in what came of a batch.
    ///
    /// A service that was registered while the batch ran may have been offered to the waiting properties
    /// before this batch's were among them; then it is pending again.
    ///
    /// - Parameters:
    ///   - outcome: What came of it.
    ///   - batch: What was tried.
    ///   - registrations: The box's own registrations by now.
    ///   - lastNumber: The number of the last one.
    ///   - isUsed: Whether the box still fills a service.
    mutating func commit(
        _ outcome: Outcome, of batch: Batch, _ registrations: [String: Registration], lastNumber: Int,
        isUsed: (Registration) -> Bool
    ) {
        let worked = Set(batch.registrations.map(ObjectIdentifier.init))
        for key in worked {
            // What became news while the batch ran may have come too late for it.
            if let ticket = pending[key], ticket.number <= batch.lastTicket { pending[key] = nil }
        }
        postponed.removeAll { worked.contains(ObjectIdentifier($0)) }
        postponed += outcome.postponed.filter(isUsed)
        for property in outcome.closed { waiting[property.name]?.remove(property) }
        for property in outcome.open where isUsed(property.owner) {
            waiting[property.name, default: []].insert(property)
            if property.name.isEmpty, lastNumber > batch.lastNumber {
                for later in registrations.values where later.number > batch.lastNumber {
                    add(later, isAddition: true)
                }
            }
            guard let later = registrations[property.name], later.number > batch.lastNumber,
                pending[ObjectIdentifier(later)] == nil
            else { continue }
            add(later)
        }
    }
}
