// Part of ServiceBox, released under the MIT License.
// Whether ready-made services have all that they require.

extension CrossFiller {
    /// Fills what a ready-made service still needs, and throws what it lacks then.
    ///
    /// The same is done for ready-made services that it requires, and that may require it. What this thread constructs
    /// isn't missing: if its construction fails, nobody gets it, and nobody what was refused for it.
    func complete(_ registration: Registration) throws(ServiceBoxError) {
        let judged = judge([registration], isFilling: true)
        let lacks = judged.flatMap { service in
            // The way back to the first one, through whoever required each.
            let way = sequence(first: service) { $0.from.map { judged[$0] } }.dropFirst()
            return service.lacks.map { way.reduce($0) { $0.reached(from: $1.registration.name) } }
        }
        if !lacks.isEmpty { throw ServiceBoxError(lacks) }
    }

    /// A ready-made service, and what was found out of it.
    struct JudgedService {
        let registration: Registration
        var lacks: [Lack] = []
        /// Whether it lacks nothing and nothing was left out.
        var isWhole = true
        /// The position of the one through which it was reached.
        let from: Int?
        /// The positions of those that require it.
        var requiredBy: [Int]
    }

    /// Finds out what ready-made services lack, and those that they require; notes which are whole.
    ///
    /// - Parameters:
    ///   - roots: The services; those that aren't ready-made, or are known to be whole, are left out.
    ///   - isFilling: Whether to fill them first, as far as possible.
    /// - Returns: The services and those that they require, without what is known to be whole.
    /// - Complexity: O(*n*) for *n* services and their properties.
    @discardableResult
    func judge(_ roots: [Registration], isFilling: Bool = false) -> [JudgedService] {
        let stack = ConstructionStack.current
        var judged: [JudgedService] = []
        var positions: [ObjectIdentifier: Int] = [:]
        func reach(_ service: Registration, from owner: Int?) {
            guard service.supplier.wholeness?.isCertain == false else { return }
            let by = owner.map { [$0] } ?? []
            if let known = positions[ObjectIdentifier(service)] { return judged[known].requiredBy += by }
            positions[ObjectIdentifier(service)] = judged.count
            judged.append(JudgedService(registration: service, from: owner, requiredBy: by))
        }
        for root in roots { reach(root, from: nil) }
        var next = 0
        while next < judged.count {
            let (service, position) = (judged[next].registration, next)
            next += 1
            guard service.isFilled(by: registry) else {
                // An ancestor's, whose services can't require this box's.
                do throws(ServiceBoxError) {
                    try service.supplier.wholeness?.require()
                } catch {
                    judged[position].lacks = error.lacks ?? []
                    judged[position].isWhole = false
                }
                continue
            }
            if isFilling { offerRest(to: service, on: stack) }
            guard let report = report(on: service) else { continue }
            let pending = report.pending(on: stack, registry)
            judged[position].lacks = report.lacks(of: service.name, except: pending)
            judged[position].isWhole = judged[position].lacks.isEmpty && pending.isEmpty
            service.history.wiring?.note(report, except: pending)
            for property in report.findings {
                guard case .filled(let required) = property.finding,
                    let other = registry.registration(named: required.name)
                else { continue }
                reach(other, from: position)
            }
        }
        // Who requires one that isn't whole isn't either.
        var partial = judged.indices.filter { !judged[$0].isWhole }
        while let position = partial.popLast() {
            for owner in judged[position].requiredBy where judged[owner].isWhole {
                judged[owner].isWhole = false
                partial.append(owner)
            }
        }
        note(judged)
        return judged
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
