// Part of ServiceBox, released under the MIT License.
// The owner of cross-fills: which registered services wait for what, and when they are filled.

import Synchronization

/// Fills the registered services of a box with each other.
///
/// Thread-safe. A registration is *pending* until a use of the box has offered it to the properties that wait
/// for its name, and has offered all registrations to its own properties. A property that found no service
/// *waits* for its name. A cross-fill works on a batch under no lock and commits the outcome. Two threads may
/// work on the same batch, since filling a filled slot does nothing and each line of a table is claimed once.
final class CrossFiller: Sendable {
    let registry: Registry
    let filler: Filler
    let ledger: Ledger
    /// The cross-filler of the original or the parent, whose services are filled first.
    let elder: CrossFiller?
    private let state: Guarded<State>
    private let work = Atomic(Work.none)
    private let lacksAny = Atomic(false)
    private let completions = Atomic(0)
    /// The names of the kept services that have anything to fill, by their addresses or those of their first slots;
    /// empty for their types, and once it was noticed that one is gone, whose address may come again.
    let kept = Guarded(AddressTable<String>())
    /// Counts the services that became available here.
    private let offerCount = Atomic(0)
    /// The elders' count when their services were offered here last, while some couldn't be supplied; otherwise -1.
    private let elderOffers = Atomic(-1)
    /// The generation of the registry that the services are filled for, with and without its ancestors'.
    private let doneGeneration = Atomic(0)
    private let doneOwnGeneration = Atomic(0)

    init(_ registry: Registry, _ filler: Filler, _ ledger: Ledger, elder: CrossFiller?) {
        self.registry = registry
        self.filler = filler
        self.ledger = ledger
        self.elder = elder
        // The services that a copy takes over are filled by the original.
        let (lastNumber, teachings) = (registry.state.withLock(\.lastNumber), registry.teachings)
        state = Guarded(
            State(lastNumber: lastNumber, teachings: teachings, latestTeachings: teachings))
    }

    /// The registry's generation, if nothing in the family can be filled by a use here and now; mostly loads.
    @inline(__always)
    var filledGeneration: Int? {
        let generation = registry.generation
        return doneGeneration.load(ordering: .acquiring) == generation && hasDoneAll ? generation : nil
    }

    private var hasDoneAll: Bool { hasDoneOwn && elder?.hasDoneAll ?? true }

    /// Whether the services are filled for a generation or a later one.
    func isFilled(for generation: Int) -> Bool { doneGeneration.load(ordering: .acquiring) >= generation }

    /// Whether the box's own services have nothing left to fill, regardless of ancestors.
    @inline(__always)
    private var hasDoneOwn: Bool {
        guard doneOwnGeneration.load(ordering: .acquiring) == registry.ownGeneration, !hasLateOffers
        else { return false }
        return switch work.load(ordering: .acquiring) {
        case .none: true
        case .onMainActor: !Isolation.isMainActor
        case .some: false
        }
    }

    /// Whether an elder's service may have become available that couldn't be supplied here before.
    @inline(__always)
    private var hasLateOffers: Bool {
        let known = elderOffers.load(ordering: .acquiring)
        return known >= 0 && known != elder?.allOffers
    }

    private var allOffers: Int { offerCount.load(ordering: .acquiring) + (elder?.allOffers ?? 0) }

    /// Has what the elders couldn't supply offered again.
    private func takeLateOffers() {
        guard hasLateOffers else { return }
        elderOffers.store(-1, ordering: .releasing)
        change { state in
            state.lose(state.refused)
            state.refused = []
        }
    }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            defer {
                work.store(state.work, ordering: .releasing)
                lacksAny.store(!state.lacking.isEmpty, ordering: .releasing)
            }
            return body(&state)
        }
    }
}

// MARK: - Work to do

extension CrossFiller {
    /// The wiring and position of each slot in registered services, also replaced ones.
    var slotPlaces: [ObjectIdentifier: (wiring: Wiring, position: Int)] {
        let services = registry.hiddenServices + registry.services
        return services.flatMap(\.layers).compactMap(\.knownHistory?.wiring).reduce(into: [:]) {
            places, wiring in
            for (position, slot) in wiring.slots.enumerated() {
                if let slot = slot.object { places[ObjectIdentifier(slot)] = (wiring, position) }
            }
        }
    }

    /// Schedules a created service to be offered to others, and all services to its properties.
    ///
    /// - Parameters:
    ///   - registration: The service.
    ///   - isAnother: Whether it replaces another one, whose properties no longer wait.
    ///   - isFull: Whether it is known to have nothing left to fill unless the box is taught a table.
    func offer(_ registration: Registration, isAnother: Bool, isFull: Bool = false) {
        offerCount.add(1, ordering: .releasing)
        let isSettled = !isTaught(registration) && (isFull || registration.hasAll)
        let old = change { state -> [OpenProperty] in
            if isSettled, !isAnother, state.isIdle(for: [registration]) { return [] }
            state.add(registration)
            return isAnother ? state.waiting.removeAll(of: ObjectIdentifier(registration)) : []
        }
        withExtendedLifetime(old) {}
    }

    /// Has copies offer again a service that only they show.
    func offerToCopies() { offerCount.add(1, ordering: .releasing) }

    /// Has the next use offer what is there under some names to the properties that wait for it; under an empty
    /// name wait those for all services of a type.
    func offerAgain(_ names: some Sequence<String>) { change { $0.lose(names) } }

    /// Has services tried again that lack the one which a removal shows under a name, here or in an ancestor.
    func offerShown(_ name: String) {
        guard let shown = registry.registration(named: name) else { return }
        let fed = state.withLock(\.starved).names(metBy: [shown])
        if !fed.isEmpty { change { $0.release(fed) } }
    }

    /// Has the next batch collect all services of a type again, since one couldn't be supplied to a service.
    ///
    /// - Parameters:
    ///   - wiring: The service's slots.
    ///   - position: The slot, if known.
    func noteIncompleteCollection(of wiring: Wiring, at position: Int? = nil) {
        wiring.distrustCollection(at: position)
        change { state in
            state.collectedOrder = nil
            state.incompleteCount += 1
        }
    }

    /// Drops registrations; the caller keeps them, and with them everything dropped here, until no lock is held.
    func forget(_ registrations: [Registration]) {
        let gone = Set(registrations.map(ObjectIdentifier.init))
        let old = change { state in
            for key in gone { (state.pending[key], state.lacking[key]) = (nil, nil) }
            for provider in registrations.lazy.compactMap(\.creatingProvider) {
                state.encircled[provider] = nil
            }
            state.postponed.removeAll { gone.contains(ObjectIdentifier($0)) }
            state.lose(registrations.map(\.name).filter(state.waiting.awaits))
            return gone.flatMap { state.waiting.removeAll(of: $0) }
        }
        withExtendedLifetime(old) {}
    }
}

// MARK: - Filling

extension CrossFiller {
    /// Fills everything that can be filled among the registered services of the family.
    ///
    /// - Parameter isRetry: Whether to retry properties whose service couldn't be created before.
    /// - Returns: Whether that is done; false if this thread is already filling them.
    @discardableResult
    func fillServices(isRetry: Bool = false) -> Bool {
        if !isRetry, filledGeneration != nil { return true }
        elder?.fillServices(isRetry: isRetry)
        takeLateOffers()
        // Read first: later changes are news for the next use.
        let (generation, own) = (registry.generation, registry.ownGeneration)
        if !isRetry, isFilled(for: generation), hasDoneOwn { return true }
        let thread = CurrentThread.id
        let (ancestors, teachings, news) = (registry.ancestorsGeneration, registry.teachings, registry.news)
        // From here on, no service is noted as complete on the strength of earlier tables.
        let (hasNewTables, hasOldCaches, starved) = state.withLock { state in
            state.latestTeachings = max(state.latestTeachings, teachings)
            let hasOldCaches = state.ancestors > 0 && state.ancestors < ancestors
            return (state.teachings < teachings, hasOldCaches, state.starved)
        }
        // Only by what is registered, not by what is created again: what still fails would be created each time.
        let fed = starved.names(metBy: news)
        if hasOldCaches {
            // They would keep what the ancestors have dropped.
            registry.lookUps.forget(isAddition: true)
            filler.forgetPrograms()
        }
        let wired = hasNewTables ? registry.filledServices.filter { wiring(of: $0) != nil } : []
        let areInert =
            !isRetry && !ledger.isWatched && wired.isEmpty && news.allSatisfy { $0.hasAll && !isTaught($0) }
        // Before any thread can take them for filled.
        for service in wired { service.note(isWhole: false) }
        let (batch, isMine) = change { state -> (Batch?, Bool) in
            // A service created for this very purpose may use the box itself.
            if state.threads.contains(thread) { return (nil, false) }
            state.teachings = max(state.teachings, teachings)
            if areInert, fed.isEmpty, state.isIdle(for: news),
                state.waiting.isEmpty || state.ancestors == ancestors
            {
                state.ancestors = max(state.ancestors, ancestors)
                state.lastNumber = max(state.lastNumber, news.last?.number ?? 0)
                return (nil, true)
            }
            for registration in news where registration.number > state.lastNumber {
                state.add(registration, isAddition: true)
                state.lastNumber = registration.number
            }
            state.release(fed)
            // New tables may concern services that found nothing in their own.
            for service in wired { state.add(service) }
            let batch = state.batch(isForAll: isRetry || state.ancestors != ancestors, order: reorderings)
            if batch != nil {
                state.threads.append(thread)
            } else {
                (state.ancestors, state.lost) = (ancestors, [:])
            }
            return (batch, true)
        }
        guard isMine else { return false }
        if let batch {
            let offers = elder?.allOffers ?? -1
            let outcome = ConstructionStack.crossFilling {
                ConstructionStack.rememberingFailures { fill(batch) }
            }
            commit(outcome, of: batch, for: ancestors, on: thread)
            if !outcome.refused.isEmpty, elderOffers.load(ordering: .acquiring) < 0 {
                elderOffers.store(offers, ordering: .releasing)
            }
        } else {
            noteOrder(of: news)
        }
        registry.dropNews(upTo: state.withLock { $0.lastNumber })
        doneGeneration.store(generation, ordering: .releasing)
        doneOwnGeneration.store(own, ordering: .releasing)
        return true
    }

    /// Offers what was created since the last use, unless more is being created on this thread; mostly one load
    /// for each box of the family.
    func fillPending() {
        elder?.fillPending()
        // Twice, for what is created on the way; a factory that registers something would never let it end.
        for _ in 0..<2 where work.load(ordering: .acquiring) == .some {
            guard ConstructionStack.here.value.steps.isEmpty else { return }
            fillServices()
        }
    }

    /// Whether the tables of services are still to be written on the main actor; a load for each box of the family.
    var waitsForMainActor: Bool {
        work.load(ordering: .acquiring) == .onMainActor || elder?.waitsForMainActor ?? false
    }

    private func commit(_ outcome: Outcome, of batch: Batch, for ancestors: Int, on thread: UInt) {
        let later = registry.news.filter { $0.number > batch.lastNumber }
        let postponed = outcome.postponed.values.filter(registry.has).inOrder
        let readyMade = batch.registrations.filter { $0.isWhole == false && registry.has($0) }
        // What is removed from the state here is kept by the batch or returned until the lock is free.
        let (old, hasNews) = change { state in
            let worked = Set(batch.registrations.map(ObjectIdentifier.init))
            // Tickets added while the batch ran may have come too late for it.
            for key in worked where (state.pending[key]?.number ?? .max) <= batch.lastTicket {
                state.pending[key] = nil
            }
            state.postponed.removeAll { worked.contains(ObjectIdentifier($0)) }
            state.postponed += postponed
            let old =
                outcome.closed.compactMap { state.waiting.remove($0) }
                + outcome.open.compactMap { state.waiting.insert($0) }
            // Services registered meanwhile may have been offered before these properties waited.
            for registration in later { state.add(registration, isAddition: true) }
            // Not earlier: properties waiting for the ancestors aren't pending, and would count as filled; what
            // is lost isn't either.
            state.ancestors = max(state.ancestors, ancestors)
            state.lost = state.lost.filter { $0.value > batch.lastTicket }
            if let order = batch.collectedOrder, state.incompleteCount == batch.incompleteCount {
                state.collectedOrder = order
            }
            state.threads.removeAll { $0 == thread }
            state.encircled.merge(outcome.encircled) { $0.union($1) }
            state.addStarved(outcome.starved)
            state.refused.formUnion(outcome.refused)
            // A thread that completes one notes it under this lock, and offers it to the properties waiting.
            for registration in readyMade where registration.isWhole == false {
                let id = ObjectIdentifier(registration)
                state.lacking[id] = Lacking(registration: registration, names: outcome.lackedNames[id])
            }
            return (old, state.lastTicket > batch.lastTicket)
        }
        withExtendedLifetime(old) {}
        // Another thread's batch may have offered what these properties lack before they waited.
        if hasNews {
            offerAgain(
                outcome.open.map(\.serviceName).filter { name in
                    registry.own(name).map { $0.number > batch.lastNumber } ?? name.isEmpty
                })
        }
        // Another thread may just be taking up what these services lack.
        let fed = outcome.starved.names(metBy: registry.ownServices.filter { $0.number > batch.lastNumber })
        if !fed.isEmpty { change { $0.release(fed) } }
        // Those removed before they were added here were forgotten too early.
        let gone = (readyMade + outcome.open.compactMap(\.owner)).filter { !registry.has($0) }
        if !gone.isEmpty { forget(gone) }
        noteOrder(of: batch.registrations)
        // Tells observers about services that were inspected for the first time, or got something; a created
        // service is announced by its source.
        guard ledger.isWatched else { return }
        let seen = batch.registrations.filter { $0.kind == .instance }
        let news = seen.reduce(into: outcome.filled) { $0[ObjectIdentifier($1)] = $1 }
        for registration in Array(news.values).inOrder {
            ledger.tell(report(on: registration)?.events ?? [])
        }
    }

    /// The wiring of a service; nil if its type has nothing to fill and no table was taught.
    func wiring(of service: Registration) -> Wiring? {
        guard isTaught(service) else { return service.knownHistory?.wiring }
        // Who fills a service of another type was found out when it came into the box.
        if let elder, let subject = service.present?.subject, PlanStore.isBare(type(of: subject)),
            elder.keeper(of: subject, isTaughtBelow: true) != nil
        {
            return nil
        }
        let wiring = service.wiring
        if let wiring { noteKept(wiring, as: service.name) }
        return wiring
    }

    /// Whether a table was taught that may concern a service.
    func isTaught(_ service: Registration) -> Bool {
        // One that isn't there yet has nothing to fill.
        registry.teachings != 0 && service.present?.dynamicType.map(registry.isTaught) ?? false
    }

    private func noteOrder(of services: [Registration]) {
        for service in services
        where service.kind == .instance ? service.fills : service.knownHistory?.wiring != nil {
            service.noteOrder(ledger.nextOrder)
        }
    }
}

extension Registration {
    /// Whether the service has nothing left to fill unless a table is taught, as most services.
    fileprivate var hasAll: Bool { knownHistory?.wiring?.isFull ?? true }
}

// MARK: - Ready-made services that lack something

extension CrossFiller {
    /// Whether a ready-made service of the family lacks something that an explicit fill might give it; costs loads.
    var hasLacking: Bool { lacksAny.load(ordering: .acquiring) || elder?.hasLacking ?? false }

    /// Counts the ready-made services that have got what they had lacked, which others may get then.
    var completionCount: Int { completions.load(ordering: .acquiring) }

    /// Notes that a ready-made service has everything that it requires.
    ///
    /// - Parameters:
    ///   - registration: The service.
    ///   - teachings: The count of taught tables that this was determined for.
    func noteWhole(_ registration: Registration, for teachings: Int) {
        change { state in
            guard state.latestTeachings == teachings else { return }
            registration.note(isWhole: true)
            // Offer it again, since it was refused before.
            if state.lacking.removeValue(forKey: ObjectIdentifier(registration)) != nil {
                offerCount.add(1, ordering: .releasing)
                completions.add(1, ordering: .releasing)
                state.add(registration)
            }
        }
        // New programs may store its fixed cells.
        filler.forgetPrograms()
    }

    /// Notes the lines that an explicit fill wrote in ready-made services.
    func noteFill(of object: AnyObject, _ report: FillReport) {
        let id = UInt(bitPattern: ObjectIdentifier(object))
        for filler in sequence(first: self, next: \.elder) where filler.kept.withLock({ $0[id] != nil }) {
            let lacking = filler.state.withLock { $0.lacking.values.map(\.registration) }
            let wirings = lacking.compactMap { $0.knownHistory?.wiring }
            for wiring in wirings where wiring.object === object { wiring.noteFill(report) }
        }
    }
}
