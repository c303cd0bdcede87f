// Part of ServiceBox, released under the MIT License.
// How a box creates services: from a recipe to a registration, and what happens when a service is there.

/// How a box creates a service, from parameters or from nothing.
struct Recipe<Service: Sendable, Parameters>: Sendable {
    let name: String
    var lifetime = Lifetime.transient
    var scope = ServiceScope.family
    let location: SourceLocation
    /// The actor that the factory belongs to, if it belongs to one.
    var isolation: (any Actor)?
    let make: @Sendable (ServiceBox, Parameters) throws -> Service
}

// MARK: - From a recipe to a registration

extension ServiceBox {
    func register<Service: Sendable>(_ recipe: Recipe<Service, Void>) {
        let (provider, history) = provider(for: recipe)
        insert(recipe.name) { self.registration(of: recipe, provider, history, number: $0) }
        provider.source.makeIfEager()
    }

    func register<Service: Sendable, Parameters>(_ recipe: Recipe<Service, Parameters>) {
        insert(recipe.name) { self.registration(of: recipe, number: $0) }
    }

    private func provider<Service: Sendable>(
        for recipe: Recipe<Service, Void>
    ) -> (ServiceProvider<Service>, ServiceHistory) {
        let history = ServiceHistory()
        return (ServiceProvider(recipe.lifetime, maker(for: recipe, history)), history)
    }

    private func registration<Service: Sendable>(
        of recipe: Recipe<Service, Void>, _ provider: ServiceProvider<Service>, _ history: ServiceHistory,
        number: Int
    ) -> Registration {
        let inheritance = Registration.Inheritance(scope: recipe.scope) { registry in
            // Created when the child first asks: this runs while it looks for something, perhaps something else.
            var recipe = recipe
            if recipe.lifetime == .eager { recipe.lifetime = .lazy }
            return Self.box(of: registry).map { box in
                let (provider, history) = box.provider(for: recipe)
                return box.registration(of: recipe, provider, history, number: number)
            }
        }
        return Registration(
            name: recipe.name, type: Service.self,
            .provided(recipe.lifetime, by: ServiceProvider<Service>.self), ProviderSupplier(provider),
            number: number, location: recipe.location, home: registry, history: history,
            inheritance: inheritance, madeCell: provider.cell)
    }

    private func registration<Service: Sendable, Parameters>(
        of recipe: Recipe<Service, Parameters>, number: Int
    ) -> Registration {
        let history = ServiceHistory()
        let inheritance = Registration.Inheritance(scope: recipe.scope) { registry in
            Self.box(of: registry)?.registration(of: recipe, number: number)
        }
        let provider = ServiceParametersProvider(maker(for: recipe, history))
        return Registration(
            name: recipe.name, type: Service.self,
            .fromParameters(Parameters.self, provider: ServiceParametersProvider<Service, Parameters>.self),
            ParametersSupplier(provider), number: number, location: recipe.location, home: registry,
            history: history, inheritance: inheritance)
    }

    private static func box(of registry: Registry) -> ServiceBox? {
        (registry.entry?.supplier as? WeakSupplier<ServiceBox>)?.service
    }

    /// What creates and fills services. A provider may outlive the box, which must not keep itself alive through it.
    private func maker<Service: Sendable, Parameters>(
        for recipe: Recipe<Service, Parameters>, _ history: ServiceHistory
    ) -> Maker<Service, Parameters> {
        let name = recipe.name
        return Maker(
            isolation: recipe.isolation,
            finish: { [weak self] service in
                switch recipe.lifetime {
                case .lazy, .eager: self?.finish(kept: service, recipe.name, history)
                default: self?.finish(service, recipe.name, history)
                }
            },
            fail: { [weak self] error in
                self?.ledger.tell([ServiceEvent(.failed, serviceName: name, type: Service.self, error: error)])
            },
            reset: { [weak self] in
                self?.registry.noteReordering()
                self?.ledger.tell([ServiceEvent(.reset, serviceName: name, type: Service.self)])
            },
            make: { [weak self] parameters in
                guard let self else { throw ServiceBoxError(.boxIsGone(name: name), path: ServicePath([])) }
                return try recipe.make(self, parameters)
            })
    }
}

// MARK: - When a service is there

extension ServiceBox {
    /// Fills a service that was just created and that is kept.
    ///
    /// - Returns: What is left to do when others may see it.
    private func finish<Service: Sendable>(
        kept service: Service, _ name: String, _ history: ServiceHistory
    ) -> Announcement {
        let (report, wiring) = fill(kept: service)
        return { [weak self] in self?.announce(name, history, report, wiring) }
    }

    /// Fills a service that was just created and that isn't kept.
    ///
    /// - Returns: What is left to do when others may see it.
    private func finish<Service: Sendable>(
        _ service: Service, _ name: String, _ history: ServiceHistory
    ) -> Announcement? {
        let report = fill(fresh: service)
        let isNews = history.isNews(report.deviations.isEmpty ? report.record : nil)
        guard isNews || ledger.isWatched else { return nil }
        return { [weak self] in self?.announce(name, history, report, nil) }
    }

    /// Fills the empty slots of a service that a provider of somebody else's has created.
    func fillForeign(_ service: AnyObject, isAnother: Bool, _ name: String, _ history: ServiceHistory) {
        if isAnother { registry.noteReordering() }
        _ = fill(object: service, .outside, .shared)
        let lifetime = registry.registration(named: name, with: history)?.lifetime
        let isKept = lifetime == .lazy || lifetime == .eager
        announce(name, history, nil, isKept ? Wiring.look(at: service, .foreign).wiring : nil)
    }

    /// Lets others have a service that was just created, and it what is registered later if it is kept.
    ///
    /// - Parameters:
    ///   - name: The name that it was registered under.
    ///   - history: What happened to it.
    ///   - report: How it was filled, if the box creates it.
    ///   - wiring: Its slots and its table, if it is kept.
    private func announce(
        _ name: String, _ history: ServiceHistory, _ report: FillReport?, _ wiring: Wiring?
    ) {
        let isFirst = report.map { history.remember($0) == nil } ?? false
        let previous = wiring.flatMap(history.remember)
        guard let registration = registry.registration(named: name, with: history) else { return }
        if isFirst || wiring != nil, registration.parametersType == nil {
            if report != nil { history.noteOrder(ledger.counter.next) }
            crossFiller.offer(registration, isAnother: previous != nil)
        }
        // What was created before goes here, when no lock is held.
        withExtendedLifetime(previous) {
            ledger.tellCreated(name, registration.serviceType, report)
        }
    }
}
