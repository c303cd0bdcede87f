// Part of ServiceBox, released under the MIT License.
// Searches for the intended service if none was found, or one that doesn't fit.

/// A search for hints among the registrations of a box, for any number of questions.
///
/// A hint must name a service that certainly fits and that no other property has already: a box with one of
/// two caches knows nothing of the other. A service and its provider may be in two properties, though.
final class HintSearch {
    /// How many services may fit under other names and still make a useful hint.
    private static let limit = 3

    let registry: Registry
    private lazy var names = registry.names
    private lazy var services = registry.all
    /// The names near each requested name, searched once.
    private var near: [String: [String]] = [:]
    /// The services that fit each request, searched once.
    private var fitting: [CellRequest: [Registration]] = [:]

    init(in registry: Registry) {
        self.registry = registry
    }

    /// All registrations, as messages list them.
    var registered: ServiceListing { names.listing }

    /// Searches for the intended service if none has the name; nil if nothing is certain enough.
    ///
    /// Other properties have the services of the claimed names.
    ///
    /// - Complexity: O(*n*) for *n* services.
    func hint(missing name: String, for query: ServiceQuery, claimed: Set<String> = []) -> Hint? {
        if let service = registry.registration(named: name), query.fits(service) {
            return .present(ServiceDescription(service))
        }
        return other(than: name, for: query, claimed, atMost: Self.limit) ?? elements(of: query)
    }

    /// Searches for what a property that keeps its value was probably meant to get, if no service has the name.
    ///
    /// - Complexity: O(*n*) for *n* services.
    func hint(keepingValueOf name: String, for query: ServiceQuery, claimed: Set<String>) -> Hint? {
        // A list has what its elements would.
        if query.request.element != nil || registry.registration(named: name) != nil { return nil }
        let hint = other(than: name, for: query, claimed, atMost: 0)
        return if case .near? = hint { hint } else { elements(of: query) }
    }

    /// Searches for the intended service if the one under a name doesn't fit.
    ///
    /// - Complexity: O(*n*) for *n* services.
    func hint(
        insteadOf found: ServiceDescription, for query: ServiceQuery, claimed: Set<String> = []
    ) -> Hint? {
        let isCurrent = isCurrent(found)
        if !isCurrent, let current = registry.registration(named: found.name), query.fits(current) {
            return .present(ServiceDescription(current))
        }
        if query.isRightType(found) { return nil }
        let made = CellRequest(type: query.request.provider?.serviceType ?? query.request.type)
        if let (label, service) = found.made, made.fit(service).isCertain {
            return .maker(label: label, of: service)
        }
        if isCurrent {
            let others = registry.registrations(named: found.name).dropFirst()
            if let hidden = others.first(where: { query.fits($0.registration) }) {
                return .hidden(ServiceDescription(hidden.registration), isParents: hidden.distance == 1)
            }
            if let hint = replaced(named: found.name, for: query) { return hint }
        }
        return other(than: found.name, for: query, claimed, atMost: 1)
    }

    /// Searches for a service that fits and was replaced, under a name or under any.
    func replaced(named name: String? = nil, for query: ServiceQuery) -> Hint? {
        let replaced = registry.state.withLock { state in
            name.map { state.replaced[$0] ?? [] } ?? state.replaced.values.flatMap { $0 }.inOrder
        }
        return replaced.last(where: query.fits).map { .replaced(ServiceDescription($0)) }
    }

    /// Whether a service is still the one under its name.
    func isCurrent(_ found: ServiceDescription) -> Bool {
        registry.registration(named: found.name).map { ServiceDescription($0).id == found.id } ?? false
    }

    /// Searches for services that may have a type that none is registered as: a factory's service is known
    /// only by its registered type.
    ///
    /// - Complexity: O(*n*) for *n* services.
    func hint(behindInterfacesOf type: Any.Type) -> Hint? {
        let wanted = unwrapped(type)
        let found = services.filter { service in
            guard service.lifetime != nil else { return false }
            guard let interface = Interface(service.serviceType) else {
                return CellRequest(type: wanted).fit(service.serviceType) == .unknown
            }
            return !interface.protocols.isEmpty
                && Conformance.isDeclared(by: wanted, to: service.serviceType) == true
        }
        if found.isEmpty || found.count > Self.limit { return nil }
        return .behind(found.sortedByName(\.name).map(ServiceDescription.init), wanted)
    }

    /// Says that the services that couldn't be created are meant for children; nil unless all are.
    func forChildren(_ failed: some Collection<String>) -> Hint? {
        let areMeant = failed.allSatisfy {
            registry.registration(named: $0).map(registry.isLeftToChildren) ?? false
        }
        return failed.isEmpty || !areMeant ? nil : .forChildren(failed.sorted())
    }

    /// A service under another name.
    private func other(
        than name: String, for query: ServiceQuery, _ claimed: Set<String>, atMost limit: Int
    ) -> Hint? {
        func isCandidate(_ service: Registration) -> Bool {
            let isTaken = claimed.contains(service.name) && !service.isProvider(wantedBy: query.request)
            return !isTaken && (!service.isBox || service.serviceType == query.request.wanted)
        }
        let nearest = self.near.value(for: name, orInsert: names.search.names(nearestTo: name))
        let near = nearest.lazy.compactMap(registry.registration)
            .filter { isCandidate($0) && query.fits($0) }.prefix(Self.limit)
        if !near.isEmpty { return .near(near.map(\.name)) }
        let fitting = services(fitting: query).lazy.filter(isCandidate)
        // Of several that fit, the preferred one is meant.
        if let preference = registry.preference(for: unwrapped(query.request.wanted)),
            let preferred = fitting.first(where: { $0.name == preference.name })
        {
            return .elsewhere([ServiceDescription(preferred)])
        }
        let others = Array(fitting.prefix(limit + 1))
        if others.isEmpty || others.count > limit { return nil }
        return .elsewhere(others.sortedByName(\.name).map(ServiceDescription.init))
    }

    /// The services that fit the elements of an array; nil if no array is wanted, or none fits.
    func elements(of query: ServiceQuery) -> Hint? {
        let list = Metadata(query.request.wanted)
        guard case .service = query.form, list.declaration == Metadata([Int].self).declaration,
            let element = list.parts?.first
        else { return nil }
        let all = services(fitting: ServiceQuery(request: CellRequest(type: element)))
        return all.isEmpty ? nil : .elements(count: all.count)
    }

    private func services(fitting query: ServiceQuery) -> [Registration] {
        guard query.isTelling else { return [] }
        guard case .service = query.form else { return services.filter(query.fits) }
        return fitting.value(
            for: query.request,
            orInsert: ([registry.entry] + registry.services(fitting: query.request).services)
                .filter(query.fits))
    }
}

extension FillRecord {
    /// The explanation of a property; its hint is searched when it is read.
    func explained(_ property: PropertyRecord) -> Explanation {
        let property = property.seen(by: registry)
        let claimed = properties.claimedNames(of: serviceName)
        return property.explained(
            property.context(registry.map(HintSearch.init), claimed: claimed, of: serviceName))
    }
}

extension PropertyRecord {
    /// The present context of the property, with hints unless the box is gone, and with it the search.
    func context(_ search: HintSearch?, claimed: Set<String>, of service: String?) -> Context {
        let query = ServiceQuery(request: request)
        switch finding {
        case .missing:
            let provider = request.provider
            return Context(
                registered: search?.registered,
                hint: search?.hint(missing: serviceName, for: query, claimed: claimed),
                providedType: provider?.serviceType, takesParameters: provider?.takesParameters ?? false,
                isPast: search?.registry.registration(named: serviceName) != nil)
        case .kept:
            return Context(
                hint: search?.hint(keepingValueOf: serviceName, for: query, claimed: claimed),
                isOfService: service != nil)
        case .typeMismatch(let service):
            let provider = request.provider
            return Context(
                hint: search?.hint(insteadOf: service, for: query, claimed: claimed),
                isRightType: query.isRightType(service), isIsolated: query.isIsolated(service),
                providedType: provider?.serviceType,
                fitsProvider: !TypeName.isProtocol(service.type)
                    && (provider.map { CellRequest(type: $0.serviceType).fit(service.type).isPossible }
                        ?? false),
                takesParameters: provider?.takesParameters ?? false,
                isPast: search?.isCurrent(service) == false)
        case .wrongIsolation, .notInout:
            return Context(
                origin: service.map {
                    guard let found = search?.registry.registration(named: $0)?.innermost else {
                        return .factory
                    }
                    return found.kind == .instance ? .readyMade : found.recipe == nil ? .provider : .factory
                },
                tableActor: Conformance.actor(of: owner, to: (any Injectable).self))
        default: return Context(isOfService: service != nil)
        }
    }
}

/// The context of properties that a service lacks, for when the error is read or the box is deinitialised.
final class LackedProperties: RegistryReader {
    private let properties: [PropertyRecord]
    /// The name of the service that has them.
    private let service: String
    /// The report on it.
    private let report: FillReport
    /// The contexts, saved when the box was deinitialised.
    private let lastContexts = LazyReference<ConstantObject<[PropertyRecord.Context]>>()

    init(_ properties: [PropertyRecord], of service: String, in report: FillReport) {
        self.properties = properties
        self.service = service
        self.report = report
        if !properties.isEmpty { report.record.registry?.add(self) }
    }

    func readLast(of registry: Registry) {
        let (search, claimed) = (HintSearch(in: registry), claimed)
        let all = properties.map { context(of: $0, search, claimed) }
        _ = lastContexts.object(orCreate: ConstantObject(all))
    }

    func context(at index: Int) -> PropertyRecord.Context {
        lastContexts.object?.value[index]
            ?? context(of: properties[index], report.record.registry.map(HintSearch.init), claimed)
    }

    /// The names of services that other properties have.
    private var claimed: Set<String> { report.findings.claimedNames(of: service) }

    private func context(
        of property: PropertyRecord, _ search: HintSearch?, _ claimed: Set<String>
    ) -> PropertyRecord.Context {
        var context = property.context(search, claimed: claimed, of: service)
        if property.finding.isOpen { context.hint = context.hint ?? search?.forChildren([service]) }
        return context
    }
}

// MARK: - Providers and factories as services

/// A provider, by its type alone.
protocol ProviderType {
    static var serviceType: Any.Type { get }
    static var takesParameters: Bool { get }
}

extension ServiceProvider: ProviderType {
    static var serviceType: Any.Type { Service.self }
    static var takesParameters: Bool { false }
}

extension ServiceParametersProvider: ProviderType {
    static var serviceType: Any.Type { Service.self }
    static var takesParameters: Bool { true }
}

extension CellRequest {
    /// The type of provider that is wanted, if one is.
    var provider: (any ProviderType.Type)? { wanted as? any ProviderType.Type }
}

extension ServiceDescription {
    /// The type of the services that a provider or a factory makes, and the label to register it with.
    fileprivate var made: (label: String, service: Any.Type)? {
        func service<Maker: ServiceFactory>(of _: Maker.Type) -> Any.Type { Maker.Service.self }
        func service<Maker: ServiceParametersFactory>(of _: Maker.Type) -> Any.Type { Maker.Service.self }
        return switch implementation {
        case let type as any ProviderType.Type: ("provider", type.serviceType)
        case let type as any ServiceFactory.Type: ("factory", service(of: type))
        case let type as any ServiceParametersFactory.Type: ("factory", service(of: type))
        default: nil
        }
    }
}
