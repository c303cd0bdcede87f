// Part of ServiceBox, released under the MIT License.
// Whether ready-made services have all that they require.

extension CrossFiller {
    /// Fills what a ready-made service still needs, and throws what it lacks then.
    ///
    /// The same is done for ready-made services that it requires, and that may require it. What this thread constructs
    /// isn't missing: if its construction fails, nobody gets it, and nobody what was refused for it.
    func complete(_ registration: Registration) throws(ServiceBoxError) {
        let lacks = lacks(of: registration, isFilling: true)
        if !lacks.isEmpty { throw ServiceBoxError(lacks) }
    }

    /// What a ready-made service lacks; what was found out of it is noted.
    ///
    /// - Parameters:
    ///   - root: The service; of one that isn't ready-made nothing is known.
    ///   - isFilling: Whether to fill it first, as far as possible.
    /// - Returns: What it lacks, and what ready-made services lack that it requires.
    @discardableResult
    func lacks(of root: Registration, isFilling: Bool = false) -> [Lack] {
        guard root.supplier.wholeness?.isCertain == false else { return [] }
        let stack = ConstructionStack.current
        var (lacks, isCertain): ([Lack], Bool) = ([], true)
        var reached = [(service: root, way: [String]())]
        var next = 0
        while next < reached.count {
            let (service, way) = reached[next]
            next += 1
            guard service.isFilled(by: registry) else {
                // An ancestor's, whose services can't require this box's.
                do throws(ServiceBoxError) {
                    try service.supplier.wholeness?.require()
                } catch {
                    lacks += (error.lacks ?? []).map { way.reversed().reduce($0) { $0.reached(from: $1) } }
                }
                continue
            }
            if isFilling { offerRest(to: service, on: stack) }
            guard let report = report(on: service) else { continue }
            let isPending = report.pending(on: stack, registry)
            isCertain = isCertain && isPending.isEmpty
            let own = report.lacks(of: service.name, except: isPending)
            service.history.wiring?.note(report, except: isPending)
            lacks += own.map { way.reversed().reduce($0) { $0.reached(from: $1) } }
            for property in report.findings {
                guard case .filled(let required) = property.finding,
                    let other = registry.registration(named: required.name),
                    other.supplier.wholeness?.isCertain == false,
                    !reached.contains(where: { $0.service === other })
                else { continue }
                reached.append((other, way + [service.name]))
            }
        }
        note(root, reached.map(\.service), isWhole: lacks.isEmpty, isCertain: isCertain)
        return lacks
    }

    /// Offers a service what it requires and hasn't.
    ///
    /// What it can do without it gets from cross-fills: of all services of a type it may be one itself.
    private func offerRest(to service: Registration, on stack: UnsafeMutablePointer<ConstructionStack>) {
        guard let wiring = service.history.wiring, stack.pointee.hasRoom else { return }
        let step = ServicePath.Step(provider: ObjectIdentifier(service), type: service.implementation)
        wiring.rereadTable()
        var outcome = Outcome()
        let frame = stack.pointee.enter(step, .crossFill)
        for property in openProperties(of: service, wiring) where property.isRequired {
            offer(to: property, &outcome)
        }
        stack.pointee.leave(to: frame)
        Completion.completeRest(on: stack)
        if ledger.isWatched, !outcome.filled.isEmpty { ledger.tell(report(on: service)?.events ?? []) }
    }
}

extension OpenProperty {
    fileprivate var isRequired: Bool {
        switch channel {
        case .slot(_, let request): !request.isOptional
        case .line(let line): line.injection.isRequired
        }
    }
}

extension FillReport {
    /// The properties that wait for what this thread constructs.
    fileprivate func pending(
        on stack: UnsafeMutablePointer<ConstructionStack>, _ registry: Registry
    ) -> Set<Int> {
        if stack.pointee.steps.isEmpty { return [] }
        return Set(
            findings.indices.filter { index in
                switch findings[index].finding {
                case .failed(_, let error): error.code == .cycle
                case .empty(let service):
                    registry.registration(named: service.name)?.supplier.step
                        .map { stack.pointee.count(of: $0) > 0 } ?? false
                default: false
                }
            })
    }
}
