// Part of ServiceBox, released under the MIT License.
// Everything that a box fills, and with what: what the audit, the graph and the wiring text are made from.

/// The registered services and the types that a box fills, with what each of their properties has or would get.
///
/// Making one fills nothing and makes nothing.
struct WiringMap {
    /// A registered service or a type of other objects, with its properties.
    struct Subject {
        /// The registration, if it is a service.
        let service: Registration?
        let type: Any.Type
        var properties: [PropertyRecord]
        /// Its place among all of these that were filled, from one, if it was.
        var order: Int?
        /// Whether its properties are known.
        var isKnown = true
    }

    /// All registrations that the box sees, sorted by name, its own entry among them.
    let services: [Registration]
    /// The services in the same order, then the types, sorted by name.
    private(set) var subjects: [Subject]

    /// Reads what was filled, or plans what would be.
    ///
    /// - Parameters:
    ///   - box: The box.
    ///   - isPlanned: Whether to say what fills would do now; otherwise, what they did.
    ///   - others: Types, and objects of the caller's isolation, to plan for besides.
    init(of box: ServiceBox, isPlanned: Bool, including others: [Any] = []) {
        services = box.sortedRegistrations
        var fillers: [Int] = []
        subjects = services.filter { !($0 is SelfRegistration) }.map { service in
            let filler = box.filler(of: service)
            fillers.append(filler.generation)
            return isPlanned ? filler.planned(service) : filler.actual(service)
        }
        var known = Set(subjects.map { ObjectIdentifier($0.type) })
        var types: [Subject] = []
        for entry in box.state.withLock({ $0.filledTypes.inOrder })
        where known.insert(ObjectIdentifier(entry.plan.type)).inserted {
            let properties =
                isPlanned
                ? box.plannedProgram(for: entry.plan).program.record.properties : entry.record.latest
            types.append(
                Subject(service: nil, type: entry.plan.type, properties: properties, order: entry.order))
        }
        for other in others {
            let (type, properties, isStable) = box.planned(other)
            // An object that differs from others of its type counts for itself.
            guard known.insert(ObjectIdentifier(type)).inserted || !isStable else { continue }
            types.append(Subject(service: nil, type: type, properties: properties))
        }
        subjects += types.sorted {
            (TypeName.of($0.type), $0.order ?? .max) < (TypeName.of($1.type), $1.order ?? .max)
        }
        fillers += Array(repeating: box.generation, count: types.count)
        rank(fillers)
    }

    /// Numbers what was filled through: each box counts for itself, and ancestors fill first.
    private mutating func rank(_ generations: [Int]) {
        let filled = subjects.indices.filter { subjects[$0].order != nil }
        let sorted = filled.sorted { (generations[$0], subjects[$0].order ?? 0) < (generations[$1], subjects[$1].order ?? 0) }
        for (place, index) in sorted.enumerated() { subjects[index].order = place + 1 }
    }
}

extension ServiceBox {
    /// The box of the family that fills a service: this one, its original or an ancestor.
    fileprivate func filler(of service: Registration) -> ServiceBox {
        if fills(service) { return self }
        if let original, original.sees(service) { return original.filler(of: service) }
        return parent?.filler(of: service) ?? self
    }

    /// How many ancestors the box has.
    fileprivate var generation: Int { parent.map { $0.generation + 1 } ?? 0 }

    private func sees(_ service: Registration) -> Bool { registration(named: service.name) === service }

    /// A service with what it has got.
    fileprivate func actual(_ service: Registration) -> WiringMap.Subject {
        let report = wiringReport(of: service) ?? service.made?.lastFill
        return WiringMap.Subject(
            service: service, type: report?.subjectType ?? service.implementation,
            properties: report?.findings ?? [], order: service.order)
    }

    /// A service with what it would get.
    fileprivate func planned(_ service: Registration) -> WiringMap.Subject {
        let type = service.wiring?.plan.type ?? service.made?.lastFill?.subjectType ?? service.implementation
        var subject = WiringMap.Subject(service: service, type: type, properties: [], order: service.order)
        if let plan = service.wiring?.plan ?? PlanStore.plan(of: type) {
            subject.properties = plannedProgram(for: plan).program.record.properties
        } else if service.isOutOfReach {
            subject.properties = [PropertyRecord(type, .notWalked)]
        } else {
            subject.isKnown = false
        }
        return subject
    }

    /// A type, or an object of the caller's isolation, with what it would get.
    fileprivate func planned(
        _ subject: Any
    ) -> (type: Any.Type, properties: [PropertyRecord], isStable: Bool) {
        if let type = subject as? Any.Type {
            guard let plan = PlanStore.plan(of: type) else {
                return (type, [PropertyRecord(type, .notSeen)], true)
            }
            return (type, plannedProgram(for: plan).program.record.properties, true)
        }
        let record = plan(for: subject).record
        let isStable = PlanStore.plan(of: record.type)?.isStable ?? false
        return (record.type, record.properties, isStable)
    }
}
