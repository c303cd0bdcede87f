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
        var types = box.state.withLock { $0.filledTypes.inOrder }.map { entry in
            Subject(
                service: nil, type: entry.plan.type,
                properties: isPlanned
                    ? box.plannedProgram(for: entry.plan).program.record.properties : entry.record.latest,
                order: entry.order)
        }
        for other in others {
            let (type, properties, isStable) = box.planned(other)
            // An object that differs from others of its type counts for itself.
            guard !isStable || !types.contains(where: { $0.type == type }) else { continue }
            types.append(Subject(service: nil, type: type, properties: properties))
        }
        let byType = Dictionary(types.map { (ObjectIdentifier($0.type), $0) }) { first, _ in first }
        var generations: [Int] = []
        subjects = services.filter { !($0 is SelfRegistration) }.map { service in
            let filler = box.filler(of: service)
            generations.append(filler.generation)
            guard isPlanned else { return filler.actual(service) }
            return filler.planned(service, as: byType[ObjectIdentifier(service.implementation)])
        }
        let known = Set(subjects.lazy.filter(\.isKnown).map { ObjectIdentifier($0.type) })
        subjects += types.filter { !known.contains(ObjectIdentifier($0.type)) }.sorted {
            (TypeName.of($0.type), $0.order ?? .max) < (TypeName.of($1.type), $1.order ?? .max)
        }
        generations += Array(repeating: box.generation, count: subjects.count - generations.count)
        rank(generations)
    }

    /// Numbers what was filled through: each box counts for itself, and ancestors fill first.
    private mutating func rank(_ generations: [Int]) {
        let filled = subjects.indices.filter { subjects[$0].order != nil }
        let sorted = filled.sorted {
            (generations[$0], subjects[$0].order ?? 0) < (generations[$1], subjects[$1].order ?? 0)
        }
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
            properties: report?.findings ?? [], order: service.order,
            isKnown: report != nil || service.wiring != nil)
    }

    /// A service with what it would get.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - other: What is known of objects of its type, for a service that was never made.
    /// - Returns: The service and its properties.
    fileprivate func planned(_ service: Registration, as other: WiringMap.Subject?) -> WiringMap.Subject {
        let made = service.made?.lastFill?.subjectType
        let plan = service.wiring?.plan ?? made.flatMap(PlanStore.plan)
        var subject = WiringMap.Subject(
            service: service, type: plan?.type ?? made ?? service.implementation, properties: [],
            order: service.order)
        if let plan {
            subject.properties = plannedProgram(for: plan).program.record.properties
        } else if service.isOutOfReach {
            subject.properties = [PropertyRecord(subject.type, .notWalked)]
        } else if let other {
            subject.properties = other.properties
        } else {
            // What a type that some other box has seen looks like is not asked: answers must not depend on that.
            subject.isKnown = false
        }
        return subject
    }

    /// A type, or an object of the caller's isolation, with what it would get.
    fileprivate func planned(
        _ subject: Any
    ) -> (type: Any.Type, properties: [PropertyRecord], isStable: Bool) {
        let record = plan(for: subject).record
        let isStable = subject is Any.Type || PlanStore.plan(of: record.type)?.isStable == true
        return (record.type, record.properties, isStable)
    }
}
