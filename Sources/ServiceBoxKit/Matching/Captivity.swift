// Part of ServiceBox, released under the MIT License.
// Services of an ancestor, or of a copy's original, that lack what the asking box has.

extension Registry {
    /// An error as this registry's box sees it, which may have what an ancestor's or its original's service lacks.
    func seen(_ error: ServiceBoxError) -> ServiceBoxError {
        guard let refusal = error.refusal else { return error }
        var error = error
        let known = refusal as? CaptiveLookUp
        if let lacks = refusal as? Lacks {
            let makers = error.makers
            error.refusal = Lacks(all: lacks.all.map { seen($0, neededBy: makers) })
        } else if let failed = known?.failed ?? refusal as? FailedLookUp {
            error.refusal = CaptiveLookUp(failed, by: error.makers, seenFrom: self, after: known) ?? refusal
        }
        return error
    }

    /// The lack as this registry's box sees it, of a service that some services' factories have asked for.
    private func seen(_ lack: Lack, neededBy makers: [ServicePath.Step]) -> Lack {
        changing(lack) {
            $0.captivity =
                lack.captivity ?? captivity(of: lack.services, neededBy: makers, lacking: lack.record)
        }
    }

    /// The services that were under construction.
    fileprivate func services(createdBy makers: [ServicePath.Step]) -> [Registration] {
        if makers.isEmpty { return [] }
        let all = sorted
        return makers.compactMap { maker in all.first { $0.maker == maker.provider } }
    }

    /// Explains why services lack what this registry has, if it is because they belong to an ancestor or an original.
    ///
    /// - Parameters:
    ///   - services: The names of services, each of which needs the next.
    ///   - makers: Services whose factories have asked for the first one.
    ///   - property: The empty property of the last one.
    /// - Returns: The explanation; nil if this registry doesn't have it either, or the service is its own.
    func captivity(
        of services: @autoclosure () -> [String], neededBy makers: [ServicePath.Step] = [],
        lacking property: PropertyRecord
    ) -> Captivity? {
        guard property.finding.isOpen else { return nil }
        return captivity(
            of: self.services(createdBy: makers) + services().compactMap(registration(named:)),
            lacking: property.serviceName, property.request,
            hasOther: property.finding.isTypeMismatch)
    }

    fileprivate func captivity(
        of services: @autoclosure () -> [Registration], lacking name: String, _ request: CellRequest,
        hasOther: Bool
    ) -> Captivity? {
        guard let found = registration(named: name), found.fit(request).isPossible else { return nil }
        let captives = services().map(\.innermost).filter { !$0.isFilled(by: self) }
        guard let owner = captives.last else { return nil }
        let ancestors = sequence(first: self, next: \.parent).dropFirst()
        let home = ancestors.first(where: owner.isFilled)
        // The same has failed there, whatever the registered type may promise.
        let failed = home?.registration(named: name)?.innermost
        if failed.map({ ServiceDescription($0).id }) == ServiceDescription(found.innermost).id { return nil }
        return Captivity(
            services: captives.map(\.name), box: self.name,
            owner: home == nil ? .original : home === parent ? .parent : .ancestor,
            isMade: captives.allSatisfy { $0.lifetime != nil && $0.recipe != nil }, hasOther: hasOther)
    }
}

extension PropertyRecord {
    /// The record as a box sees it, which may have what an ancestor's service lacks.
    func seen(by registry: Registry?) -> PropertyRecord {
        guard let registry else { return self }
        return switch finding {
        case .failed(let service, let error): with(.failed(service, registry.seen(error)))
        case .gatheredPartly(let services, let failures):
            with(
                .gatheredPartly(
                    services,
                    failures.map { FailedService(service: $0.service, error: registry.seen($0.error)) }))
        default: self
        }
    }
}

/// The facts of a look-up that failed in an ancestor's factory, as seen by a box that may have the service.
private final class CaptiveLookUp: RefusalFacts, RegistryReader {
    fileprivate let failed: FailedLookUp
    /// The same as seen by a box that the error has passed before.
    private let earlier: CaptiveLookUp?
    /// The services under construction, outermost first.
    private let makers: [ServicePath.Step]
    /// A reference to the asking box.
    private let weakBox: WeakSupplier
    /// The hint, saved when that box was deinitialised.
    private let lastHint = LazyReference<ConstantObject<Hint?>>()

    /// Fails if the look-up was the box's own, or if the error has just passed the box.
    init?(
        _ failed: FailedLookUp, by makers: [ServicePath.Step], seenFrom registry: Registry,
        after earlier: CaptiveLookUp?
    ) {
        if failed.weakBox === registry.weakBox || earlier?.weakBox === registry.weakBox { return nil }
        self.failed = failed
        self.earlier = earlier
        self.makers = makers
        weakBox = registry.weakBox
        registry.add(self)
    }

    func readLast(of registry: Registry) {
        _ = lastHint.object(orCreate: ConstantObject(hint(from: registry)))
    }

    var code: ServiceBoxError.Code { failed.code }
    var path: [String] { failed.path }

    var explained: Explanation {
        var explanation = failed.explained
        guard let hint, case .captive(let captivity, let name) = hint else { return explanation }
        explanation.hint = hint.clause
        explanation.instruction = Message.instruction(to: "fix", captivity.ways(to: name))
        return explanation
    }

    /// The hint about captivity, if that is the cause.
    fileprivate var hint: Hint? {
        earlier?.hint ?? lastHint.object.map(\.value) ?? weakBox.registry.flatMap { hint(from: $0) }
    }

    private func hint(from registry: Registry) -> Hint? {
        let request = failed.query.request
        let fitting = failed.code == .missing ? registry.registrations(fitting: request.type).services : []
        guard let name = failed.name ?? (fitting.count == 1 ? fitting[0].name : nil) else { return nil }
        return registry.captivity(
            of: registry.services(createdBy: makers), lacking: name, request,
            hasOther: failed.code == .typeMismatch
        ).map { .captive($0, lacking: name) }
    }
}

extension Registration {
    /// Identifies the provider that has been asked to create the service.
    fileprivate var maker: ObjectIdentifier? {
        parametersType == nil
            ? creatingProvider
            : knownSupplier?.provider?.instance.map { ObjectIdentifier($0) }
    }
}
