// Part of ServiceBox, released under the MIT License.
// Registering services that are made when they are needed.

import Synchronization

extension ServiceBox {
    /// Registers a factory.
    ///
    /// The closure receives the box and may look up what it needs. The service is filled from the box before
    /// anyone sees it, so lazy services may refer to each other. A closure that throws leaves a hole in the
    /// report of a fill, with its error; other properties are filled.
    ///
    /// ```swift
    /// struct Report: Sendable { let cache: Cache }
    /// @MainActor final class Dashboard {}
    ///
    /// box.register { _ in Cache() }                       // as "cache", after its type
    /// box.register(as: "report", lifetime: .transient) { box in Report(cache: try box["cache"]) }
    /// box.register { @MainActor _ in Dashboard() }        // on its actor
    /// ```
    ///
    /// The closure runs where the service is first asked for, under no lock. One that belongs to an actor runs
    /// on that actor only: asked for elsewhere before it is made, the service is a hole that says so. Once
    /// made, it is handed out anywhere. An eager service is made as soon as it is registered, and keeps its
    /// error if that fails.
    ///
    /// What traps for an instance traps here too, before anything is made.
    ///
    /// - Parameters:
    ///   - key: The name that properties ask for, and the type to keep the service as. Without a key, the
    ///     service is named after the type that the closure returns.
    ///   - lifetime: When the service is made, and how long the box keeps it.
    ///   - scope: Whether child boxes share the service.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - make: Makes the service.
    public func register<Service: Sendable>(
        as key: ServiceKey<Service>? = nil, lifetime: Lifetime = .lazy, per scope: ServiceScope = .family,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @isolated(any) @Sendable (_ box: ServiceBox) throws -> Service
    ) {
        let place = Place(file: fileID, line: line)
        // What isolation an `@isolated(any)` function has lies beside its captures (SE-0431); called, it is a
        // function as any other. A maker runs it in the `isolation` that it carries only.
        let run = unsafeBitCast(make, to: (@Sendable (ServiceBox) throws -> Service).self)
        register(
            Recipe(
                name: name(of: key, at: place), lifetime: lifetime, scope: scope, place: place,
                isolation: make.isolation, make: run))
    }

    /// Registers a factory that makes services from parameters.
    ///
    /// The closure receives the box and what ``resolve(_:with:_:)`` was given. It makes a new service each
    /// time, which is filled from the box. Properties of type ``ServiceParametersProvider`` receive a provider.
    ///
    /// ```swift
    /// struct Page: Sendable { let number: Int, cache: Cache }
    ///
    /// box.register { (box, number: Int) in Page(number: number, cache: try box["cache"]) }
    /// let page: Page = try box.resolve("page", with: 3)
    /// ```
    ///
    /// What traps for an instance traps here too.
    ///
    /// - Parameters:
    ///   - key: The name that the service is asked for by, and its type. Without a key, it is named after the
    ///     type that the closure returns.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - make: Makes a service.
    public func register<Service: Sendable, First, each Rest>(
        as key: ServiceKey<Service>? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ make:
            @escaping @isolated(any) @Sendable (
                _ box: ServiceBox, _ first: First, _ rest: repeat each Rest
            ) throws -> Service
    ) {
        let factory = ClosureFactory<Service, First, repeat each Rest>(IsolatedClosure(run: make))
        register(factory, as: key, isolation: make.isolation, at: Place(file: fileID, line: line))
    }
}

/// How a box makes a service.
struct Recipe<Service: Sendable>: Sendable {
    let name: String
    var lifetime: Lifetime
    let scope: ServiceScope
    let place: Place
    let isolation: (any Actor)?
    let make: @Sendable (ServiceBox) throws -> Service
}

extension ServiceBox {
    func register<Service: Sendable>(_ recipe: Recipe<Service>) {
        let (provider, made) = provider(for: recipe)
        insert { registration(of: recipe, provider, made: made, number: $0) }
        provider.source.makeIfEager()
    }

    /// A child's own registration of what an ancestor's registration makes.
    private func inherited<Service: Sendable>(_ recipe: Recipe<Service>, number: Int) -> Registration {
        // Made when the child first asks: this runs while the child looks for something, perhaps something
        // else.
        var recipe = recipe
        if recipe.lifetime == .eager { recipe.lifetime = .lazy }
        let (provider, made) = provider(for: recipe)
        return registration(of: recipe, provider, made: made, number: number)
    }

    private func registration<Service: Sendable>(
        of recipe: Recipe<Service>, _ provider: ServiceProvider<Service>, made: MadeService, number: Int
    ) -> Registration {
        ProviderRegistration(
            provider, made: made, name: recipe.name, number: number, place: recipe.place, scope: recipe.scope,
            makeInherited: { $0.inherited(recipe, number: number) })
    }

    private func provider<Service: Sendable>(
        for recipe: Recipe<Service>
    ) -> (ServiceProvider<Service>, MadeService) {
        let made = MadeService()
        let livesOn = recipe.lifetime == .lazy || recipe.lifetime == .eager
        // The provider may outlive the box, which must not keep itself alive through it.
        let maker = Maker<Service, Void>(
            isolation: recipe.isolation,
            finish: { [weak self] service in
                self?.finish(service, of: recipe, made, livesOn: livesOn)
            },
            fail: { [weak self] error in
                self?.tell([ServiceEvent(.failed, serviceName: recipe.name, type: Service.self, error: error)]
                )
            },
            reset: { [weak self] in
                self?.reorderings.add(1, ordering: .releasing)
                self?.tell([ServiceEvent(.reset, serviceName: recipe.name, type: Service.self)])
            },
            make: { [weak self] in
                guard let self else {
                    throw ServiceBoxError(.boxIsGone(name: recipe.name), path: ServicePath([]))
                }
                return try recipe.make(self)
            })
        return (ServiceProvider(recipe.lifetime, maker), made)
    }

    /// Fills a service that was just made.
    ///
    /// - Returns: What is left to do when others may see it.
    private func finish<Service: Sendable>(
        _ service: Service, of recipe: Recipe<Service>, _ made: MadeService, livesOn: Bool
    ) -> Announcement? {
        let name = recipe.name
        if livesOn {
            let wiring = Wiring(of: service, isKept: false)
            let report = fill(livingOn: service, wiring)
            return { [weak self] in
                made.note(report)
                made.become(wiring)
                self?.reconsider(made, named: name)
                self?.tellMade(name, Service.self, report)
            }
        }
        let report = fill(fresh: service)
        let isFirst = made.note(report)
        guard isFirst || hasObservers else { return nil }
        return { [weak self] in
            if isFirst { self?.reconsider(made, named: name) }
            self?.tellMade(name, Service.self, report)
        }
    }

    /// Lets a service that was just made have what is registered later, if it lives on, and others have it.
    func reconsider(_ made: MadeService, named name: String) {
        state.withLock { state in
            guard let registration = state.registrations[name] ?? state.inherited[name]?.own,
                registration.made === made
            else { return }
            if !made.seesServices { noteOrder(of: registration) }
            changeCrossFill(in: &state) { $0.renew(registration) }
        }
    }

    /// Fills a service that nobody else has yet.
    @discardableResult
    func fill<Service: Sendable>(fresh service: Service) -> FillReport {
        guard let object = classInstance(in: service) else { return fill(slotsOf: service, mode: .fresh) }
        return fill(object: object, mode: .fresh, .shared)
    }

    /// Fills a service that nobody else has yet and that lives on, and notes what is left for cross-fills.
    private func fill<Service: Sendable>(livingOn service: Service, _ wiring: Wiring) -> FillReport {
        if wiring.plan.takesAllServices {
            settle()
            wiring.forEachEmptyCollection { position, request, element, taker in
                offerAll(
                    of: element, toSlotAt: position, request: request, of: taker, wiring: wiring,
                    isEarly: true)
            }
        }
        let empty = wiring.emptySlots
        let report = fill(fresh: service)
        for (position, name) in empty { wiring.noteFilled(at: position, from: registration(named: name)) }
        // A cross-fill must not write again what others can see by then.
        for (line, state) in report.lineStates { wiring.claim(line, as: state) }
        return report
    }

    /// Fills the empty slots of a service that others may have.
    func fill(newlySeen object: AnyObject) {
        _ = fill(object: object, mode: .outside, .shared)
    }
}
