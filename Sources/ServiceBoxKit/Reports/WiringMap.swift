// Part of ServiceBox, released under the MIT License.
// Everything that a box fills, the basis of audits, graphs and the wiring text.

/// The registered services and the types that a box fills, with what each of their properties has or would get.
///
/// Creating a map fills and creates nothing.
struct WiringMap {
    /// A registered service or a type of other objects, with its properties.
    struct Subject {
        /// The registration, if it is a service.
        let service: Registration?
        let type: Any.Type
        var properties: [PropertyRecord]
        /// The box that fills it with its own services.
        let filler: ServiceBox
        /// Its place in the order of fills, from one, if it was filled; nil in a plan.
        var order: Int?
        var isKnown = true

        /// The services that its factory has looked up or filled something with, in order; without those that
        /// its properties show, since a service may fill itself.
        var asked: [Registration] {
            let shown = Set(properties.flatMap(\.wantedNames))
            return service?.knownHistory?.asks.map(\.name).filter { !shown.contains($0) }
                .compactMap(filler.registry.registration(named:)) ?? []
        }
    }

    /// All registrations visible in the box, sorted by name, including its own entry.
    let services: [Registration]
    /// The services and the box in the same order, then the types, sorted by name.
    private(set) var subjects: [Subject]

    /// Reads past fills, or plans future ones.
    ///
    /// - Parameters:
    ///   - box: The box.
    ///   - isPlanned: Whether to show what fills would do now; otherwise, what they did.
    ///   - others: Further types, and objects of the caller's isolation, to plan for.
    init(of box: ServiceBox, isPlanned: Bool, including others: [Any] = []) {
        services = box.registry.sorted
        let filled = box.ledger.filledTypes.map { entry in
            let latest = entry.record.latest
            return Subject(
                service: nil, type: entry.record.type,
                properties: isPlanned ? box.planned(entry.plan).keeping(latest) : latest,
                filler: box, order: isPlanned ? nil : entry.order)
        }
        // Values of the standard library, which services may be.
        .filter { !$0.properties.contains { if case .unfillable = $0.finding { true } else { false } } }
        var given: [Subject] = []
        var byType = Dictionary(grouping: filled) { ObjectIdentifier($0.type) }
        // Objects first: they have explicit names, which are unknown for a type without instances so far.
        for other in others.filter({ !($0 is Any.Type) }) + others.filter({ $0 is Any.Type }) {
            let report = box.plan(for: other)
            let subject = Subject(
                service: nil, type: report.subjectType, properties: report.findings, filler: box)
            let type = ObjectIdentifier(subject.type)
            let alike = byType[type] ?? []
            // An object that differs from others of its type is listed separately.
            let same = alike.filter { $0.isWired(as: subject) }
            let isKnown = subject.isStale ? same.contains(where: \.isStale) : !same.isEmpty
            if other is Any.Type ? !alike.isEmpty : isKnown { continue }
            given.append(subject)
            byType[type] = alike + [subject]
        }
        subjects = services.flatMap { service in
            var layers = service.layers.map { layer in
                let filler = box.box(filling: layer)
                guard isPlanned else { return filler.actual(layer) }
                // What a decoration returns may be of a subclass.
                let other = layer.base == nil ? byType[ObjectIdentifier(layer.implementation)]?.first : nil
                return filler.planned(layer, as: other)
            }
            for (index, wrapper) in layers.enumerated().dropLast() where wrapper.shows(layers[index + 1]) {
                layers[index + 1].properties = []
            }
            return layers
        }
        // A service represents its type, unless another box fills it, or other objects of its type are known.
        let own = Dictionary(grouping: subjects.filter { $0.isKnown && $0.filler === box }) {
            ObjectIdentifier($0.type)
        }
        given.removeAll {
            !$0.isStale && own[ObjectIdentifier($0.type)]?.contains(where: $0.isWired) ?? false
        }
        let types = filled.filter { type in
            own[ObjectIdentifier(type.type)] == nil
                && !given.contains { $0.type == type.type && $0.isStale && $0.isWired(as: type) }
        }
        subjects += (types + given).sortedByName { TypeName.sorting($0.type) }
        rank()
    }

    /// Renumbers the order of fills across boxes: ancestors fill first.
    private mutating func rank() {
        let depths = subjects.map(\.filler.depth)
        let filled = subjects.indices.filter { subjects[$0].order != nil }
        let sorted = filled.sorted {
            (depths[$0], subjects[$0].order ?? 0) < (depths[$1], subjects[$1].order ?? 0)
        }
        for (place, index) in sorted.enumerated() { subjects[index].order = place + 1 }
    }
}

extension WiringMap.Subject {
    /// The services that its factory has asked for, and those that its properties have or would get.
    var taken: [Registration] { asked + properties.flatMap(targets) }

    /// The services that a property has or would get, in its filler's registry.
    func targets(of property: PropertyRecord) -> [Registration] {
        property.wantedNames.compactMap(filler.registry.registration(named:))
    }

    /// Whether a decoration has returned what it was passed, whose properties are the wrapper's then; of services
    /// that aren't kept, whether nothing tells them apart.
    fileprivate func shows(_ wrapped: Self) -> Bool {
        guard type == wrapped.type, !properties.isEmpty else { return false }
        let (object, other) = (service?.present?.instance, wrapped.service?.present?.instance)
        return object == nil || other == nil ? isWired(as: wrapped) : object === other
    }

    /// The properties without notes on replaced services, which only an object has.
    private var wiredProperties: [PropertyRecord] {
        properties.filter {
            switch $0.finding {
            case .stale, .outdated: false
            default: true
            }
        }
    }

    /// Whether it is an object with services that were replaced.
    fileprivate var isStale: Bool { wiredProperties.count < properties.count }

    /// Whether the properties of another subject have the same findings, apart from such notes.
    fileprivate func isWired(as other: Self) -> Bool {
        wiredProperties.count == other.wiredProperties.count
            && zip(wiredProperties, other.wiredProperties).allSatisfy {
                $0.name == $1.name && $0.serviceName == $1.serviceName
                    && $0.finding.outcome == $1.finding.outcome && $0.finding.kind == $1.finding.kind
                    && $0.finding.serviceNames == $1.finding.serviceNames
            }
    }
}

extension ServiceBox {
    /// The number of the box's ancestors.
    fileprivate var depth: Int { parent.map { $0.depth + 1 } ?? 0 }

    /// A service with its present properties.
    fileprivate func actual(_ service: Registration) -> WiringMap.Subject {
        let report = crossFiller.latestReport(on: service)
        return WiringMap.Subject(
            service: service,
            type: report?.subjectType ?? service.wiring?.current.plan.type ?? service.implementation,
            properties: report.map { $0.findings.ofService } ?? [], filler: self, order: service.order,
            isKnown: report != nil || service.wiring != nil || service.isStopped)
    }

    /// The planned properties of a type.
    fileprivate func planned(_ plan: SharedPlan) -> [PropertyRecord] {
        let program = filler.plannedProgram(for: plan).program
        return FillReport(record: program.record, deviations: program.misfits).findings
    }

    /// A service with its planned properties; if it was never created, those known from objects of its type.
    fileprivate func planned(_ service: Registration, as other: WiringMap.Subject?) -> WiringMap.Subject {
        let made = service.knownHistory?.lastFill?.subjectType
        let plan = service.wiring?.current ?? made.flatMap(PlanStore.seen)
        var subject = WiringMap.Subject(
            service: service, type: plan?.plan.type ?? made ?? service.implementation, properties: [],
            filler: self)
        if let plan {
            let known = crossFiller.latestReport(on: service)?.findings ?? []
            let found = known.filter { service.wiring?.hasFilled($0) != true }
            subject.properties = planned(plan).ofService.keeping(found, evenIfRegistered: true)
                .unwritten(
                    in: known.filter { !$0.finding.isWrongIsolation || !awaitsMainActor($0, of: plan.plan) })
        } else if let other {
            // A child or a copy would fill an object with other services than its parent or its original.
            subject.properties =
                (other.filler === self
                ? other.properties
                : self.plan(for: other.type).findings.keeping(other.properties)).ofService
                // Only the fill of an object replaces a default.
                .map { $0.isDefaulted && $0.finding.kind == .filled ? $0.with(.kept) : $0 }
        } else {
            // The created service may be of a subclass. A value has no properties.
            subject.isKnown =
                service.parametersType == nil ? !service.isUnmade : service.knownHistory?.createdType != nil
        }
        return subject
    }
}

extension ServiceBox {
    /// Whether a property is written as soon as the box is used on the main actor.
    private func awaitsMainActor(_ property: PropertyRecord, of plan: TypePlan) -> Bool {
        let line = registry.lines(of: plan).first { $0.name == property.name }
        return property.source == .line ? line?.injection.isForMainActor ?? false : plan.mayHaveMainActorTable
    }
}

extension Wiring {
    /// Whether a property's value came from a box, which has another service now or none.
    fileprivate func hasFilled(_ property: PropertyRecord) -> Bool {
        if case .slot(let position) = property.source { return wasFilled(at: position) }
        return finding(forLine: property.name)?.kind == .filled
    }
}

extension Registry {
    /// The mismatch of a property that is looked up on read, if its service doesn't fit.
    func misfit(of property: PropertyRecord) -> PropertyRecord? {
        guard property.finding.isOnRead, let found = registration(named: property.serviceName),
            found.isMisfit(for: property.request)
        else { return nil }
        return property.with(.typeMismatch(ServiceDescription(found)))
    }
}

extension [PropertyRecord] {
    /// Planned properties, with the values of their own that a fill has found.
    ///
    /// - Parameters:
    ///   - found: The properties as the fill has found them.
    ///   - isFinal: Whether such a value stays although its service is registered, as in another service.
    /// - Returns: The properties.
    fileprivate func keeping(_ found: [PropertyRecord], evenIfRegistered isFinal: Bool = false)
        -> [PropertyRecord]
    {
        let valued = found.filter(\.hasValue)
        if valued.isEmpty { return self }
        let isKept = Dictionary(valued.map { ($0.path, $0.finding.kind == .kept) }) { $0 || $1 }
        return map { property in
            guard let isKept = isKept[property.path] else { return property }
            let isLeft = property.finding.isOpen || isFinal && property.finding.kind == .filled
            var property = isKept && isLeft ? property.with(.kept) : property
            property.hasValue = true
            return property
        }
    }

    /// Planned properties, without those that a fill has found out of its reach.
    fileprivate func unwritten(in found: [PropertyRecord]) -> [PropertyRecord] {
        let unwritten = Dictionary(found.filter(\.finding.isUnwritten).map { ($0.path, $0.finding) }) { $1 }
        if unwritten.isEmpty { return self }
        return map { property in
            let finding = unwritten[property.path]
            return property.finding.kind == .filled ? finding.map(property.with) ?? property : property
        }
    }

    /// Without findings about values that can't be filled.
    fileprivate var ofService: [PropertyRecord] { filter { !$0.finding.isOfOpaqueValue } }
}
