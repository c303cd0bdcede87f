// Part of ServiceBox, released under the MIT License.
// The facts of a look-up that failed.

/// The facts of a look-up that failed.
///
/// Creating it costs the same however much is registered: registrations and hints are searched when the error
/// is read, or when the box is deinitialised before that.
final class FailedLookUp: RefusalFacts, RegistryReader {
    /// Why nothing was found.
    indirect enum Reason {
        case missing
        /// Several services fit.
        case ambiguous(count: Int)
        /// The service under the name doesn't fit.
        case mismatch(ServiceDescription)
        /// No service is registered under the name that is preferred for the type, or it doesn't fit.
        case preferred(Preference, found: ServiceDescription?)

        /// The reason why a look-up by type alone found no service, or several.
        init(found count: Int, fitting type: Any.Type, in registry: Registry) {
            let preference = registry.preference(for: unwrapped(type))
            self = count > 1 ? .ambiguous(count: count) : preference.map(registry.preferred) ?? .missing
        }
    }

    private let reason: Reason
    let query: ServiceQuery
    /// The name that was asked for; nil for a look-up by type alone.
    let name: String?
    /// The generation of the registry at the time of the look-up.
    private let generation: Int
    /// A reference to the box that was asked.
    let weakBox: WeakSupplier
    /// The services under construction, which can't be the ones that were meant, and the history of the one whose
    /// factory runs here.
    private let makers: Set<ObjectIdentifier>
    private let maker: ObjectIdentifier?
    /// The explanation, saved when the box was deinitialised.
    private let lastWords = LazyReference<ConstantObject<Explanation>>()

    init(_ reason: Reason, of query: ServiceQuery, named name: String?, in registry: Registry) {
        self.reason = reason
        // Another actor may read it, where other conformances count.
        self.query = ServiceQuery(request: query.request.here, form: query.form)
        self.name = name
        weakBox = registry.weakBox
        generation = registry.generation
        makers = Set(ConstructionStack.here.value.steps.map(\.provider))
        maker = RunningFactories.history.map { ObjectIdentifier($0) }
        registry.add(self)
    }

    func readLast(of registry: Registry) {
        _ = lastWords.object(orCreate: ConstantObject(explanation(from: registry, isGone: true)))
    }

    var code: ServiceBoxError.Code {
        switch reason {
        case .missing, .preferred(_, found: nil): .missing
        case .ambiguous: .ambiguous
        case .mismatch, .preferred: .typeMismatch
        }
    }

    var path: [String] { [name ?? TypeName.of(query.request.type)] }

    var explained: Explanation {
        if let lastWords = lastWords.object { return lastWords.value }
        let registry = weakBox.registry
        return explanation(from: registry, isGone: registry == nil)
    }

    private func explanation(from registry: Registry?, isGone: Bool) -> Explanation {
        let isOld = registry.map { $0.generation != generation } ?? false
        var explanation = words(from: registry, isOld: isOld)
        if isOld || registry == nil {
            explanation.facts.append(Message.laterBox(isGone: isGone, wasSeen: isOld))
        }
        return explanation
    }

    private func words(from registry: Registry?, isOld: Bool) -> Explanation {
        let type: Any.Type = query.request.type
        let search = registry.map(HintSearch.init)
        let claimed =
            makers.isEmpty && maker == nil ? [] : registry?.names(madeBy: makers, or: maker) ?? []
        switch reason {
        case .missing:
            let made = name == nil ? registry?.services(madeFromParametersFor: query.request) : nil
            if let made, !made.isEmpty { return Message.madeFromParameters(type, found: made) }
            let services = name == nil ? registry?.sorted.lazy.map(ServiceDescription.init) : nil
            if let isolated = services?.first(where: query.isIsolated) {
                return Message.conformsElsewhere(type, found: isolated)
            }
            return Message.notRegistered(
                type, name: name, registered: search?.registered,
                hint: search.flatMap { search in
                    name.map { search.hint(missing: $0, for: query, claimed: claimed) }
                        ?? search.hint(behindInterfacesOf: type) ?? search.elements(of: query)
                        ?? search.replaced(for: query)
                } ?? search?.forChildren(claimed), isOld: isOld)
        case .ambiguous(let count):
            let candidates = registry?.registrations(fitting: query.request.type).services.map(
                ServiceDescription.init)
            return Message.ambiguous(
                type, count: count, candidates: candidates.map { ServiceListing($0) }, except: claimed)
        case .mismatch(let found):
            let given: Any.Type? = if case .parameters(let given) = query.form { given } else { nil }
            let service = CellRequest(type: query.request.provider?.serviceType ?? type)
            if given != found.parameters, service.fit(found.type).isPossible {
                return Message.otherParameters(type, found: found, given: given)
            }
            if query.isIsolated(found) { return Message.conformsElsewhere(type, found: found) }
            let provided: Any.Type? =
                if found.parameters != nil { nil } else if case .provider = query.form { type } else {
                    query.request.provider.flatMap { $0.takesParameters ? nil : $0.serviceType }
                }
            return Message.registeredOtherwise(
                provided ?? type, found: found,
                hint: search?.hint(insteadOf: found, for: query, claimed: claimed),
                isProvider: provided != nil)
        case .preferred(let preference, let found):
            return Message.preferred(
                preference.name, for: type, at: "\(preference.location)", found: found,
                registered: search?.registered,
                hint: search.flatMap { search in
                    found.map { search.hint(insteadOf: $0, for: query, claimed: claimed) }
                        ?? search.hint(missing: preference.name, for: query, claimed: claimed)
                }, isOld: isOld)
        }
    }
}

extension Registry {
    /// The reason why look-ups by a type can't find its preferred service; nil if they may.
    func problem(with preference: Preference) -> FailedLookUp.Reason? {
        let fit = registration(named: preference.name)?.fit(CellRequest(type: preference.type)) ?? .no
        return fit == .no ? preferred(preference) : nil
    }

    fileprivate func preferred(_ preference: Preference) -> FailedLookUp.Reason {
        .preferred(preference, found: registration(named: preference.name).map(ServiceDescription.init))
    }

    /// The names of the services that some providers create, and of the one with a history.
    fileprivate func names(
        madeBy makers: Set<ObjectIdentifier>, or history: ObjectIdentifier?
    ) -> Set<String> {
        let made = all.filter { service in
            service.creatingProvider.map(makers.contains) ?? false
                || history != nil
                    && service.layers.contains { $0.knownHistory.map { ObjectIdentifier($0) } == history }
        }
        return Set(made.map(\.name))
    }

    /// The services that would fit if they weren't created from parameters, sorted by name.
    fileprivate func services(madeFromParametersFor request: CellRequest) -> [ServiceDescription] {
        sorted.filter { $0.parametersType != nil && request.fit($0.serviceType).isCertain }
            .map(ServiceDescription.init)
    }
}

// MARK: - Queries

/// The query of a look-up or a property.
struct ServiceQuery {
    /// The form in which a service is requested.
    enum Form {
        case service
        case provider
        /// A service that is created from parameters of a type.
        case parameters(Any.Type)
    }

    let request: CellRequest
    var form = Form.service

    /// Whether a service certainly fits; creates nothing.
    func fits(_ registration: Registration) -> Bool {
        switch form {
        case .service:
            registration.fit(request).isCertain && !registration.isDropped(by: request)
                && !registration.isMisfit(for: request)
        case .provider:
            registration.parametersType == nil && registration.serviceType == request.type
        case .parameters(let parameters):
            registration.parametersType == parameters && request.fit(registration.serviceType).isCertain
        }
    }

    /// Whether a service that doesn't fit has the right type: it can't be held weakly, needs parameters, also
    /// where a provider of it is wanted, or conforms on an actor.
    func isRightType(_ service: ServiceDescription) -> Bool {
        let provided = service.parameters.flatMap { _ in self.request.provider?.serviceType }
        let request = CellRequest(type: provided ?? request.type)
        return request.fits(service).contains { $0.isCertain || $0 == .isolated }
    }

    /// Whether a service would fit on an actor.
    func isIsolated(_ service: ServiceDescription) -> Bool {
        guard case .service = form, service.parameters == nil else { return false }
        return request.fits(service).contains(.isolated)
    }

    /// Whether a service that fits is probably the intended one, whatever its name.
    ///
    /// Classes and protocols are specific to a purpose; `Int`, `[String]` and `Any` aren't.
    var isTelling: Bool {
        let wanted = request.wanted
        if wanted is AnyClass { return true }
        return TypeName.isProtocol(wanted) && !Conformance.isImplied(wanted, by: AnyObject.self)
    }
}

extension CellRequest {
    /// Whether the type that a service is registered as fits, and whether its own does.
    fileprivate func fits(_ service: ServiceDescription) -> [Fit] {
        [service.type, service.implementation].map(fit)
    }
}
