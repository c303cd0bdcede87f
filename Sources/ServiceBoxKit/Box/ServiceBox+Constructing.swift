// Part of ServiceBox, released under the MIT License.
// How a box creates services: from a recipe to a registration, and what happens when a service is there.

/// How a box creates a service, from parameters or from nothing; shared by all that creates it.
final class Recipe: Sendable {
    /// What creates the service.
    enum Factory {
        /// Creates it, in a cell of the recipe's type; a transient one mostly by its ``TransientClosure``.
        case here(@Sendable (ServiceBox) throws -> AnyCell, (any AnyObject & Sendable)? = nil)
        /// The same for a service that must be awaited.
        case awaited(@Sendable (ServiceBox) async throws -> AnyCell)
        /// Creates what supplies it, which knows the types of its parameters.
        case fromParameters(supplier: @Sendable (Creation) -> any ServiceSupplier)
    }

    let name: String
    let serviceType: any Sendable.Type
    /// The actor that the factory belongs to, if it belongs to one.
    let isolation: (any Actor)?
    let factory: Factory
    // Behind what is larger, so that a recipe takes 16 bytes less.
    let lifetime: Lifetime
    let scope: ServiceScope

    init(
        name: String, serviceType: any Sendable.Type, lifetime: Lifetime = .transient,
        scope: ServiceScope = .family, isolation: (any Actor)? = nil, _ factory: Factory
    ) {
        self.name = name
        self.serviceType = serviceType
        self.lifetime = lifetime
        self.scope = scope
        self.isolation = isolation
        self.factory = factory
    }

    /// Creates the service, if that may be done here.
    func make(in box: ServiceBox) throws -> AnyCell {
        guard case .here(let make, _) = factory else { preconditionFailure("It isn't created here.") }
        return try make(box)
    }
}

extension Recipe.Factory: Sendable {
    /// Creates services from parameters.
    static func fromParameters<Service: Sendable, Parameters>(
        _ make: @escaping @Sendable (ServiceBox, Parameters) throws -> Service
    ) -> Self {
        .fromParameters(supplier: { creation in
            let provider = ServiceParametersProvider<Service, Parameters>(creation.maker()) { parameters in
                try creation.run { AnyCell.holding(try make($0, parameters)) }
            }
            return ParametersSupplier(provider)
        })
    }
}

// MARK: - From a recipe to a registration

extension Recipe: Inheritance {
    func makeSupplier(
        inheriting inherited: Registration, in child: Registry, _ history: ServiceHistory
    ) -> any ServiceSupplier {
        Creation(self, history, fills: inherited.fills, in: child).supplier(isInherited: true)
    }
}

/// What a source knows of the box that creates its service.
///
/// A provider may outlive the box, which must not keep itself alive through it.
final class Creation: Sendable {
    fileprivate let recipe: Recipe
    let history: ServiceHistory
    let home: ObjectIdentifier
    /// Whether the box fills the service.
    let fills: Bool
    private let weakBox: WeakSupplier?

    init(_ recipe: Recipe, _ history: ServiceHistory, fills: Bool, in registry: Registry) {
        self.recipe = recipe
        self.history = history
        self.fills = fills
        home = ObjectIdentifier(registry)
        weakBox = registry.weakBox
    }

    var box: ServiceBox? { weakBox?.box }

    /// Supplies what the recipe creates, and wraps something in.
    func supplier(isInherited: Bool, wrapping wrapped: WrappedService? = nil) -> any ServiceSupplier {
        let make: Make
        var preparation: Preparation?
        var closure: (any AnyObject & Sendable)?
        switch recipe.factory {
        // This captures one object, which takes no memory.
        case .here(_, let typed):
            closure = typed
            make = { [self] in try run(recipe.make(in:)) }
        case .awaited(let factory):
            let awaited = Preparation(recipe.name, recipe.lifetime) {
                try await self.run(factory)
            }
            preparation = awaited
            make = { try awaited.take() }
        case .fromParameters(let makeSupplier): return makeSupplier(self)
        }
        // An inherited service is created when the child first asks: a child sees what it inherits while it looks
        // for something, perhaps for something else.
        let lifetime = isInherited && recipe.lifetime == .eager ? .lazy : recipe.lifetime
        return ProviderSupplier(
            makeSource(
                of: recipe.serviceType, lifetime, maker(preparation), closure: closure, wrapping: wrapped,
                make))
    }

    /// Runs the factory.
    func run(_ make: (ServiceBox) throws -> AnyCell) throws -> AnyCell {
        let box = try requireBox()
        let outer = box.registry.factories.begin(self)
        defer { withExtendedLifetime(self) { box.registry.factories.end(backTo: outer) } }
        return try make(box)
    }

    /// Runs the factory of a service that must be awaited.
    nonisolated(nonsending) func run(_ make: @Sendable (ServiceBox) async throws -> AnyCell) async throws
        -> AnyCell
    {
        let box = try requireBox()
        return try await box.registry.factories.run(self) { try await make(box) }
    }

    private func requireBox() throws(ServiceBoxError) -> ServiceBox {
        guard let box else { throw boxIsGone }
        if recipe.lifetime != .transient, history.isStopped {
            throw ServiceBoxError(.stopped(name: recipe.name, box: box.name), path: ServicePath([]))
        }
        return box
    }

    var boxIsGone: ServiceBoxError {
        ServiceBoxError(.boxIsGone(name: recipe.name), path: ServicePath([]))
    }

    /// Whether a service of a type, which was created just now in a box, is known to have nothing to fill.
    ///
    /// By far most services that are created again and again get what they need in their initialisers.
    func isBare(_ type: Any.Type, in box: ServiceBox) -> Bool {
        if recipe.lifetime.isKept || box.isCreationAwaited { return false }
        if !fills { return history.wasMade }
        guard let generation = box.crossFiller.filledGeneration else { return false }
        return history.lazyHabits.withObject { $0.isBare(type, for: generation) } ?? false
    }

    /// How the service is created, and what it is made of if that must be awaited.
    func maker(_ preparation: Preparation? = nil) -> Maker {
        Maker(isolation: recipe.isolation, preparation: preparation, delegate: self)
    }
}

extension Creation: FactoryRunner {
    var name: String { recipe.name }
}

extension Creation: MakerDelegate {
    func hasNothingToFill(_ service: AnyCell) -> Bool {
        // A transient service may be held weakly by what takes it, and alone by its construction.
        guard recipe.lifetime != .transient, let box, !box.isCreationAwaited else { return false }
        return needsNoFilling(service, in: box)
    }

    /// Whether a service needn't be filled, or its type says that there is nothing to fill, as most do, and nobody has
    /// taught the box better.
    fileprivate func needsNoFilling(_ service: AnyCell, in box: ServiceBox) -> Bool {
        !fills
            || recipe.lifetime.isKept && box.registry.teachings == 0
                && service.dynamicType.map(PlanStore.isBare) ?? false
    }

    func finish(_ service: AnyCell) throws -> (any Filling)? {
        guard let box, let type = service.dynamicType, !isBare(type, in: box) else { return nil }
        return try box.finish(service, self)
    }

    func makerFailed(_ error: ServiceBoxError) -> Bool {
        tell(.failed, error)
        return true
    }

    var serviceName: String? { recipe.name }
    var generation: Int? { weakBox?.registry?.generation }

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
    var box: ServiceBox? { object.map { unsafeDowncast($0, to: ServiceBox.self) } }
}

// MARK: - When a service is there

extension Lifetime {
    /// Whether a provider keeps its service.
    var isKept: Bool { self == .lazy || self == .eager }
}

extension ServiceBox {
    /// Whether somebody wants to be told of each service that is created.
    fileprivate var isCreationAwaited: Bool { ledger.isWatched || !registry.arrivals.isEmpty }

    /// Fills a service that was just created.
    ///
    /// - Returns: What is left to do when others may see it: they may have it, and a kept one gets what is registered
    ///   later.
    /// - Throws: What it lacks.
    fileprivate func finish(
        _ cell: AnyCell, _ creation: Creation
    ) throws(ServiceBoxError) -> (any Filling)? {
        let (name, isKept, history) = (creation.name, creation.recipe.lifetime.isKept, creation.history)
        if creation.needsNoFilling(cell, in: self) { return creation }
        let generation = isKept || isCreationAwaited ? nil : crossFiller.filledGeneration
        guard let service = cell.subject else { return nil }
        let stack = ConstructionStack.current
        let (taken, postponed) = (stack.pointee.taken.count, stack.pointee.postponed.count)
        let (report, wiring) = isKept ? fill(service, keptIn: cell) : (fill(service: service, .fresh), nil)
        let writes = stack.pointee.takePostponed(downTo: postponed)
        do throws(ServiceBoxError) { try requireWhole(report, name, history) } catch {
            report.clearLists(of: service) { wiring?.list(at: $0) }
            throw error
        }
        let isEarly = stack.pointee.taken.count > taken
        let isObserver = report.record.traits.observesFills
        if let generation, !isObserver, report.record.properties.isEmpty, generation == registry.generation,
            let type = cell.dynamicType
        {
            history.habits.noteBare(type, for: generation)
        }
        let isNews =
            isKept || isObserver || history.habits.isNews(report.deviations.isEmpty ? report.record : nil)
        if !isEarly, !isNews, !isCreationAwaited { return nil }
        return FinishedService(cell, creation, report, wiring, writes: writes, isEarly: isEarly)
    }

    /// Throws what a service lacks; how it was filled is remembered, for those who want to know why.
    fileprivate func requireWhole(
        _ report: FillReport, _ name: String, _ history: ServiceHistory
    ) throws(ServiceBoxError) {
        let lacks = report.lacks(of: name)
        if lacks.isEmpty { return }
        history.noteFill(report)
        throw ServiceBoxError(Lacks(lacks))
    }

    /// Fills the empty slots of a service that a provider of somebody else's has created.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - isAnother: Whether it takes the place of one that somebody still has.
    ///   - isKept: Whether the provider keeps it, so that it gets what is registered later.
    ///   - name: The name that it is registered under.
    ///   - history: What happens to it.
    /// - Returns: What is left to do when what it requires is complete.
    /// - Throws: What it lacks; its table is up to whoever has created it.
    func fillForeign(
        _ service: Any, isAnother: Bool, isKept: Bool, _ name: String, _ history: ServiceHistory
    ) throws(ServiceBoxError) -> any Filling {
        if isAnother { registry.noteReordering() }
        let wiring = Wiring.look(at: service, value: .foreign(nil)) { .foreign(WeakCell($0)) }.wiring
        // Others may have it.
        ConstructionStack.crossFilling {
            if isKept { fillCollections(of: wiring, by: .code) }
            _ = fill(service: service, .outside)
        }
        return try crossFiller.complete(name, history, wiring) { [weak self] in
            self?.announce(
                name, history, isFilled: false, isKept: isKept, wiring: isKept ? wiring : nil)
        }
    }

    /// Lets others have a service that was just created, and it what is registered later if it is kept.
    ///
    /// - Parameters:
    ///   - name: The name that it was registered under.
    ///   - history: What happened to it.
    ///   - isFilled: Whether the box has filled it, or it has nothing to fill.
    ///   - isKept: Whether it gets what is registered later.
    ///   - report: How it was filled, if there was anything to fill.
    ///   - wiring: Its slots and its table, if it is kept and has any.
    ///   - observer: The service, if it wants to know.
    fileprivate func announce(
        _ name: String, _ history: ServiceHistory, isFilled: Bool, isKept: Bool, report: FillReport? = nil,
        wiring: Wiring? = nil, observer: Any? = nil
    ) {
        if let observer { report?.tell(observer) }
        if let report { wiring?.noteLines(of: report) }
        let isFirst = isFilled && history.order == nil
        if let report { history.noteFill(report) }
        let previous = isKept ? history.note(wiring) : nil
        guard let registration = registry.registration(named: name, with: history) else {
            // What was replaced and may come back ends with the box.
            registry.keptServices.first { $0.history === history }.map(noteEnd)
            return
        }
        noteEnd(of: registration)
        if isFirst || isKept, registration.parametersType == nil {
            if isFilled { history.noteOrder(ledger.nextOrder) }
            crossFiller.offer(
                registration, isAnother: previous != nil, isFull: report?.isFull ?? false)
        }
        // What was created before goes here, when no lock is held.
        withExtendedLifetime(previous) {
            ledger.tellCreated(registration, report)
        }
        // What waits for it may have asked while it couldn't be created.
        arrived(name)
    }
}

/// A service that was filled, until all that it was filled with is complete.
private final class FinishedService: Filling {
    private let service: AnyCell
    private let creation: Creation
    private let latestReport: Guarded<FillReport>
    private let wiring: Wiring?
    let writes: [PostponedWrite]
    /// Whether it was filled with services that weren't complete.
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
        let report = report
        creation.box?.announce(
            creation.name, creation.history, isFilled: true, isKept: wiring != nil, report: report,
            wiring: wiring, observer: report.record.traits.observesFills ? service.content : nil)
    }

    func withdraw(_ failed: [Construction]) throws(ServiceBoxError) {
        guard let box = creation.box, let subject = service.subject else { return }
        var report = report
        let slots = PlanStore.learn(subject, .shared).slots
        let known = report.deviations.count
        do throws(ServiceBoxError) {
            for construction in failed {
                try report.withdraw(construction, from: slots) { wiring?.list(at: $0) }
            }
            // Another thread may take others back.
            let latest = latestReport.withLock { [new = report.deviations[known...]] latest in
                latest.deviations += new
                return latest
            }
            wiring?.distrustCollections()
            try box.requireWhole(latest, creation.name, creation.history)
        } catch {
            throw creation.announced(error)
        }
    }

    func release() {
        if isEarly, let subject = service.subject {
            report.clearLists(of: subject) { wiring?.list(at: $0) }
        }
    }

    func wants(_ write: PostponedWrite) -> Bool {
        write.index.map { report.fills(at: $0) } ?? true
    }
}

// A service that has nothing to fill is known by how it was created alone.
extension Creation: Filling {
    func announce() {
        if !fills { history.noteMade() }
        box?.announce(name, history, isFilled: fills, isKept: fills)
    }
}
