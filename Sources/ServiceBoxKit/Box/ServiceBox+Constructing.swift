// Part of ServiceBox, released under the MIT License.
// How a box creates services from recipes, and what happens once a service exists.

/// A source's link to the box that creates its service.
///
/// A provider may outlive the box, and must not keep it alive.
final class Creation: Sendable {
    fileprivate let recipe: Recipe
    let history: ServiceHistory
    /// Whether the box fills the service.
    let fills: Bool
    let home: WeakSupplier

    init(_ recipe: Recipe, _ history: ServiceHistory, fills: Bool, in home: WeakSupplier) {
        self.recipe = recipe
        self.history = history
        self.fills = fills
        self.home = home
    }

    var box: ServiceBox? { home.box }

    /// Creates the supplier of the recipe's service, which may wrap another one.
    func supplier(_ lifetime: Lifetime, wrapping wrapped: WrappedService? = nil) -> any ServiceSupplier {
        let make: Make
        var preparation: Preparation?
        var closure: (any AnyObject & Sendable)?
        switch recipe.factory {
        // Captures a single object, so the closure needs no allocation.
        case .here(_, let typed):
            closure = typed
            make = { [self] in try run { try recipe.make(in: $0) } }
        case .awaited(let factory):
            let awaited = Preparation(
                recipe.name, of: recipe.serviceType, recipe.lifetime, isPerBox: recipe.scope == .box,
                in: { [home] in home.registry?.name }
            ) { try await self.run(factory) }
            preparation = awaited
            make = { try awaited.take() }
        case .fromParameters(_, let makeSupplier): return makeSupplier(self)
        }
        return ProviderSupplier(
            makeSource(
                of: recipe.serviceType, lifetime, maker(preparation), closure: closure, wrapping: wrapped,
                make))
    }

    /// Runs the factory.
    func run(_ make: (ServiceBox) throws -> AnyCell) throws -> AnyCell {
        let box = try requireBox()
        let service = try withExtendedLifetime(self) { try RunningFactories.run(self) { try make(box) } }
        service.dynamicType.map(history.noteCreated)
        return service
    }

    /// Runs an asynchronous factory.
    nonisolated(nonsending) func run(_ make: @Sendable (ServiceBox) async throws -> AnyCell) async throws
        -> AnyCell
    {
        let box = try requireBox()
        let service = try await RunningFactories.run(self) { try await make(box) }
        service.dynamicType.map(history.noteCreated)
        return service
    }

    private func requireBox() throws(ServiceBoxError) -> ServiceBox {
        guard let box else { throw boxIsGone }
        if recipe.lifetime != .transient, history.isStopped {
            throw ServiceBoxError(.stopped(name: recipe.name, box: box.name))
        }
        return box
    }

    var boxIsGone: ServiceBoxError { ServiceBoxError(.boxIsGone(name: recipe.name)) }

    /// Whether services of this type, just created in a box, are known to have nothing to fill.
    ///
    /// Most services that are created again and again get what they need in their initialisers.
    func isBare(_ type: Any.Type, in box: ServiceBox) -> Bool {
        if recipe.lifetime != .transient || box.isCreationAwaited { return false }
        if !fills { return history.wasMade }
        guard let generation = box.crossFiller.filledGeneration else { return false }
        return history.lazyHabits.withObject { $0.isBare(type, for: generation) } ?? false
    }

    /// The maker of the service; with a preparation, if the service must be awaited.
    func maker(_ preparation: Preparation? = nil) -> Maker {
        Maker(isolation: recipe.isolation, preparation: preparation, delegate: self)
    }
}

extension Creation: FactoryRunner {
    var name: String { recipe.name }
    var homeID: ObjectIdentifier { ObjectIdentifier(home) }
}

extension Creation: MakerDelegate {
    func bareFilling(of service: AnyCell) -> (any Filling)? {
        // A transient service may be held weakly by its user, and strongly only by its construction.
        guard recipe.lifetime != .transient, let box else { return nil }
        return needsNoFilling(service, in: box) ? self : nil
    }

    /// Whether, as for most, a service needn't be filled, or has nothing to fill and no table was taught.
    fileprivate func needsNoFilling(_ service: AnyCell, in box: ServiceBox) -> Bool {
        !fills
            || recipe.lifetime != .transient
                && service.dynamicType.map { PlanStore.isBare($0) && !box.registry.isTaught($0) } ?? false
    }

    /// Throws an error for what the service lacks; its report is kept, to explain why.
    fileprivate func requireWhole(_ report: FillReport) throws(ServiceBoxError) {
        let lacks = report.lacks(of: name)
        if lacks.isEmpty { return }
        history.noteFill(report)
        // Whoever can wait goes there, and tries again.
        if report.waitsForMainActor { ConstructionStack.here.value.note(.isolation(MainActor.shared)) }
        throw ServiceBoxError(Lacks(all: lacks))
    }

    func finish(_ service: AnyCell) throws -> (any Filling)? {
        guard let type = service.dynamicType else { return nil }
        guard let box else {
            // It went while the factory ran.
            if !fills || PlanStore.isBare(type) { return nil }
            throw boxIsGone
        }
        return isBare(type, in: box) ? nil : try box.finish(service, self)
    }

    func makerFailed(_ error: ServiceBoxError) -> Bool {
        tell(.failed, error)
        return true
    }

    var serviceName: String? { recipe.name }
    var decoration: SourceLocation? {
        box?.registry.registration(named: recipe.name, with: history)?.decoration?.location
    }
    var generation: Int? { home.registry?.generation }

    func makerWasReset(tells: Bool) {
        box?.registry.noteReordering()
        if tells { tell(.reset) }
    }

    private func tell(_ kind: ServiceEvent.Kind, _ error: ServiceBoxError? = nil) {
        box?.ledger.tell([
            ServiceEvent(kind: kind, serviceName: recipe.name, type: recipe.serviceType, error: error)
        ])
    }
}

extension WeakSupplier {
    /// The box whose entry it supplies.
    var box: ServiceBox? { object.map { unsafe unsafeDowncast($0, to: ServiceBox.self) } }
}

// MARK: - Created services

extension ServiceBox {
    /// Whether observers or waiting slots need to know about each transient service.
    fileprivate var isCreationAwaited: Bool {
        ledger.isWatched || Arrival.areUnsettled && !registry.arrivals.isEmpty
    }

    /// Fills a service that was just created.
    ///
    /// - Returns: What is left to do when others may see it: publish it, and offer later registrations to one
    ///   that is kept.
    /// - Throws: An error for what it lacks.
    fileprivate func finish(
        _ cell: AnyCell, _ creation: Creation
    ) throws(ServiceBoxError) -> (any Filling)? {
        let (lifetime, history) = (creation.recipe.lifetime, creation.history)
        let isKept = lifetime != .transient
        if creation.needsNoFilling(cell, in: self) { return creation }
        let generation = isKept ? nil : crossFiller.filledGeneration
        guard let service = cell.subject else { return nil }
        if let keeper = crossFiller.keeper(of: service) {
            try keeper.registration.requireWhole()
            return HandedOnService(in: self) {
                $0.announce(
                    creation.name, history, isFilled: true, isKept: isKept, service: cell,
                    wiring: keeper.ownWiring)
            }
        }
        let stack = ConstructionStack.here
        let (taken, postponed) = (stack.value.taken.count, stack.value.postponed.count)
        let (report, wiring) =
            isKept
            ? fill(service, keptIn: lifetime == .weak ? nil : cell)
            : (fill(service, .fresh, .shared), nil)
        let writes = stack.value.postponed.take(downTo: postponed)
        do throws(ServiceBoxError) { try creation.requireWhole(report) } catch {
            report.clearLists(of: service) { wiring?.list(at: $0) }
            crossFiller.undo(writes, of: service)
            throw error
        }
        let isEarly = stack.value.taken.count > taken
        let isObserver = report.record.traits.observesFills
        if let generation, report.record.isOfBareType, !isObserver, generation == registry.generation,
            let type = cell.dynamicType
        {
            history.habits.noteBare(type, for: generation)
        }
        let isNews =
            isKept || isObserver || history.habits.isNews(report.deviations.isEmpty ? report.record : nil)
        if !isEarly, !isNews, !isCreationAwaited { return nil }
        return FinishedService(cell, creation, report, wiring, writes: writes, isEarly: isEarly)
    }

    /// Fills the empty slots of a service that a provider from outside has created.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - isAnother: Whether it replaces one that still exists.
    ///   - isKept: Whether the provider keeps or holds it, so that it gets later registrations.
    ///   - isOfBox: Whether the provider is a box's, which has filled the service itself.
    ///   - name: The name that it is registered under.
    ///   - history: Its history.
    /// - Returns: The filling to finish when everything that it requires is complete.
    /// - Throws: An error for what it lacks; its creator is responsible for its table.
    func fillForeign(
        _ service: Any, isAnother: Bool, isKept: Bool, isOfBox: Bool, _ name: String,
        _ history: ServiceHistory
    ) throws(ServiceBoxError) -> any Filling {
        if isAnother { registry.noteReordering() }
        if let keeper = crossFiller.keeper(of: service) {
            try keeper.registration.requireWhole()
            return HandedOnService(in: self) {
                $0.announce(name, history, isFilled: false, isKept: isKept, wiring: keeper.ownWiring)
            }
        }
        let (wiring, slots) = Wiring.look(at: service, hasTable: false) { .weak(WeakCell($0)) }
        if isKept { crossFiller.noteKept(wiring, as: name) }
        // Others may have it.
        let report = ConstructionStack.crossFilling {
            if isKept { crossFiller.fillCollections(of: wiring, by: .code) }
            return fill(service, slots, of: wiring, .outside)
        }
        if !isKept, !isOfBox { history.noteFill(report) }
        return try crossFiller.complete(name, history, wiring) { [weak self] in
            self?.announce(name, history, isFilled: false, isKept: isKept, wiring: wiring)
        }
    }

    /// Publishes a service that was just created, and offers it later registrations if it is kept.
    ///
    /// - Parameters:
    ///   - name: The name that it was registered under.
    ///   - history: Its history.
    ///   - isFilled: Whether the box has filled it, or it has nothing to fill.
    ///   - isKept: Whether it gets later registrations.
    ///   - service: The service, if the box has filled it.
    ///   - report: The report of its fill, if it had anything to fill.
    ///   - wiring: Its slots and its table, if it is kept and has any.
    fileprivate func announce(
        _ name: String, _ history: ServiceHistory, isFilled: Bool, isKept: Bool, service: AnyCell? = nil,
        report: FillReport? = nil, wiring: Wiring? = nil
    ) {
        let registration = registry.registration(named: name, with: history)
        // After a reset, another one may be kept by now.
        let isKept =
            isKept
            && registration.map { service == nil || $0.present?.identity === service?.identity } ?? true
        // That of a kept one was noted before it was visible.
        if wiring == nil, let report { history.noteFill(report) }
        let previous = isKept ? history.note(wiring) : nil
        guard let registration else {
            // A replaced service that may come back stops with the box.
            if let hidden = registry.keptService(where: { $0.knownHistory === history }) {
                noteLifecycle(of: hidden)
                ledger.tell([ServiceEvent(.made, about: hidden)])
            }
            // A copy may show it still.
            crossFiller.offerToCopies()
            if isKept || !Arrival.isTrying { arrived(name) }
            return
        }
        noteLifecycle(of: registration)
        let isFirst = isFilled && registration.order == nil
        if isFirst || isKept || registration.lifetime == .weak, registration.parametersType == nil {
            if isFilled { registration.noteOrder(ledger.nextOrder, isAnother: isKept) }
            crossFiller.offer(
                registration, isAnother: previous != nil, isFull: report?.isFull ?? false)
        }
        // The previous service is released here, while no lock is held.
        withExtendedLifetime(previous) {
            ledger.tell((report?.about(name).events ?? []) + [ServiceEvent(.made, about: registration)])
        }
        // Waits may have tried it in vain. What a try creates for itself alone is of no use to the others.
        if registration.lifetime != .transient || !Arrival.isTrying { arrived(name) }
    }
}

/// A filled service, until everything that it was filled with is complete.
private final class FinishedService: Filling {
    private let service: AnyCell
    private let creation: Creation
    private let latestReport: Guarded<FillReport>
    private let wiring: Wiring?
    let writes: [PostponedWrite]
    /// Whether it was filled with incomplete services.
    private let isEarly: Bool

    init(
        _ service: AnyCell, _ creation: Creation, _ report: FillReport, _ wiring: Wiring?,
        writes: [PostponedWrite], isEarly: Bool
    ) {
        self.service = service
        self.creation = creation
        latestReport = Guarded(report)
        self.wiring = wiring
        self.writes = writes
        self.isEarly = isEarly
    }

    private var report: FillReport { latestReport.withLock { $0 } }

    func announce() {
        guard let box = creation.box else { return }
        let report = report
        report.tell(service.content)
        box.announce(
            creation.name, creation.history, isFilled: true, isKept: wiring != nil, service: service,
            report: report, wiring: wiring)
    }

    func noteNeeds() {
        guard let wiring else { return }
        let report = report
        wiring.noteFill(report)
        creation.history.noteFill(report)
        creation.box?.crossFiller.noteKept(wiring, as: creation.name)
    }

    func offerRest() { creation.offerRest() }

    func withdraw(_ failed: [Construction]) throws(ServiceBoxError) {
        guard let subject = service.subject else { return }
        var report = report
        let slots = PlanStore.learn(subject, .shared).slots
        let known = report.deviations.count
        do throws(ServiceBoxError) {
            for construction in failed {
                try report.withdraw(construction, from: slots) { wiring?.list(at: $0) }
            }
            // Another thread may withdraw others.
            let latest = latestReport.withLock { [new = report.deviations[known...]] latest in
                latest.deviations += new
                return latest
            }
            if let wiring { creation.box?.crossFiller.noteIncompleteCollection(of: wiring) }
            try creation.requireWhole(latest)
        } catch {
            throw creation.announced(error)
        }
    }

    func release() {
        guard let subject = service.subject else { return }
        creation.box?.crossFiller.undo(writes, of: subject)
        if isEarly { report.clearLists(of: subject) { wiring?.list(at: $0) } }
    }

    func wants(_ write: PostponedWrite) -> Bool { report.fills(at: write.index) }
}

/// A service that is kept already, here or by an elder, which fills it.
private final class HandedOnService: Filling {
    private let box: WeakReference<ServiceBox>
    private let announcement: @Sendable (ServiceBox) -> Void

    init(in box: ServiceBox, thenAnnounce announcement: @escaping @Sendable (ServiceBox) -> Void) {
        self.box = WeakReference(box)
        self.announcement = announcement
    }

    func announce() { box.object.map(announcement) }

    func offerRest() { box.object?.crossFiller.fillPending() }
}

// For a service with nothing to fill, its creation is all there is to report.
extension Creation: Filling {
    func announce() {
        if !fills { history.noteMade() }
        box?.announce(name, history, isFilled: fills, isKept: fills)
    }

    /// A service that its factory looked up may have a property for it.
    func offerRest() { box?.crossFiller.fillPending() }
}
