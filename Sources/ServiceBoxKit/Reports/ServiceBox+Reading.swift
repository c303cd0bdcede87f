// Part of ServiceBox, released under the MIT License.
// Plans and reports of fills, and the wiring and the box as text.

extension ServiceBox {
    /// Returns what a fill would do, without filling or creating anything.
    ///
    /// ```swift
    /// try box.plan(for: SettingsScreen.self).requireComplete()
    /// ```
    ///
    /// An object's present values matter in two cases: if there is no service for their property, and if
    /// the service was replaced, removed or hidden since, which the plan notes; if the box doesn't track
    /// holders, it notes each property that may hold a replaced service. A service of a factory is judged
    /// by its registered type until it exists, one with a weak lifetime is taken to be kept by
    /// somebody, and a ready-made one to have what it requires. Call it in the object's own isolation; an
    /// actor may be passed from anywhere.
    ///
    /// A type is as good as an instance, with these exceptions. The name in `@Injected("name")` is stored in
    /// the instance, so before any box of the program has seen one, the property counts under its own name;
    /// what runs before, such as another test, may change that. So it is with a value that the declaration gives,
    /// without which the property counts as required, and with `when: .read`. And a table whose conformance is
    /// isolated to an actor is known only on that actor.
    ///
    /// - Parameter subject: A class instance, an actor or a struct; or a type.
    /// - Returns: What each property would get, or why it would get nothing.
    /// - Complexity: O(*n*) for *n* properties.
    public func plan<Subject>(for subject: Subject) -> FillReport {
        let value: Any = subject
        let access = value is Any.Type ? .shared : Access(of: value)
        let (shared, slots) =
            (value as? Any.Type).map { (SharedPlan(PlanStore.plan(of: $0)), []) }
            ?? PlanStore.learn(value, access)
        let program = filler.plannedProgram(for: shared).program
        var deviations = program.misfits + program.kept(in: slots, of: value)
        if access == .owned { program.noteUnreached(in: value, &deviations) }
        return FillReport(
            record: program.record.adding(staleness(of: slots, program.record)), deviations: deviations)
    }

    /// Notes on an object's properties that hold, or may hold, services that were replaced.
    private func staleness(of slots: [Slot], _ record: FillRecord) -> [PropertyRecord] {
        if slots.isEmpty { return [] }
        return record.properties.compactMap { property in
            guard case .slot(let position) = property.source, !slots[position].isEmpty,
                property.finding.isOnRead || property.finding.kind == .filled
            else { return nil }
            let isStale = ledger.isStale(slots[position])
            if isStale == false { return nil }
            let names = property.wantedNames
            let replacements = names.lazy.compactMap(ledger.replacement)
            let replacement = replacements.first {
                $0.wasHandedOut && (isStale == true || !ledger.hasTracked($0))
            }
            if let replacement { return property.with(.stale(replacement, isKnown: isStale == true)) }
            // What it holds was removed since, so that an earlier one is back, or is hidden by a child's.
            let service = names.first.flatMap(registry.registration)
            return isStale == true ? service.map { property.with(.outdated(ServiceDescription($0))) } : nil
        }
    }

    /// Fills the registered services with each other now, and reports on each.
    ///
    /// Every use of the box does this for services registered since the last one; call it yourself to decide
    /// when, or to read the reports. Only empty slots are written, so it is safe from any thread, whatever
    /// the services do meanwhile. A line of a table is written once; it is left alone if its property is an
    /// optional with a value, and waits for a use on its actor if it is isolated to one.
    ///
    /// A child leaves its parent's services to the parent, and a copy leaves shared ones to the original.
    ///
    /// - Returns: A report for each service of the box that exists and has anything to fill, sorted by name; of
    ///   a decorated one, for the outermost wrapper. A property that closes a strong cycle has a note;
    ///   references kept by a table's closure or key path are unknown.
    /// - Complexity: O(*n*) for *n* properties of services.
    @discardableResult
    public func crossFill() -> [FillReport] {
        crossFiller.fillServices(isRetry: true)
        let cycles = Dictionary(
            grouping: WiringMap(of: self, isPlanned: false).strongCycles, by: \.owner.name)
        return registry.sorted.compactMap { service in
            guard answers(for: service), let report = box(filling: service).crossFiller.report(on: service)
            else { return nil }
            return report.about(service.name, adding: cycles[service.name]?.map(\.note) ?? [])
        }
    }

    /// Whether the box reports on a service: it fills it, or the originals that do have dropped it.
    private func answers(for service: Registration) -> Bool {
        if service.isFilled(by: registry) { return true }
        let originals = sequence(first: self, next: \.original).dropFirst()
        return registry.own(service.name) === service && !originals.contains { $0.registry.has(service) }
    }

    /// The wiring as sorted text, a line for each property that gets or lacks services: its type and name, the name
    /// and type of its service, present or planned, the service's lifetime and the file that registers it.
    ///
    /// ```
    /// Editor.plugins: [Plugin] with 'spelling', SpellingPlugin, lazy, App/Plugins.swift
    /// ProfileScreen.analytics: 'analytics', Analytics, lazy, App/Services.swift
    /// ProfileScreen.cahce: nothing for 'cahce' (missing)
    /// ```
    ///
    /// A property that takes all services of a type has a line for each of them, or one if there are none,
    /// and every line shows the requested type. A service that its factory looks up, or fills something with, has
    /// a line too; a property that keeps a value of its own has none. If services of one type have different
    /// services, their lines name them. Decorations are listed behind the file, the innermost first. A service's
    /// type is written with its enclosing types; so is that of an object, with its module, if another has the same
    /// name.
    ///
    /// Store it beside the tests and compare it: a change of the wiring then shows in review. `expectWiring`
    /// in `ServiceBoxTesting` does so. It contains no line numbers, so moving code inside a file changes
    /// nothing.
    ///
    /// The text lists the registered services, the types that this box has filled, and the given types and
    /// objects. The properties of a service that this box has never created are unknown, as its line says,
    /// unless the box knows an object of its type; create it first.
    ///
    /// Call it in the isolation of the objects in `others`; without objects, from any. It fills and creates
    /// nothing.
    ///
    /// - Parameter others: Further types and objects to list. Prefer an object to its type: names and values
    ///   that declarations give are unknown before one was seen, see ``plan(for:)``.
    /// - Returns: The text, with a line break at the end; empty if there is nothing to fill.
    /// - Complexity: O(*n* log *n*) for *n* services, types and their properties.
    public func wiring(including others: [Any] = []) -> String {
        let map = WiringMap(of: self, isPlanned: true, including: others)
        let names = distinctNames(of: map.subjects.flatMap { $0.properties.map(\.owner) })
        var lines: Set<String> = []
        for subject in map.subjects {
            if let service = subject.service, !subject.isKnown {
                lines.insert(Message.wiringOfUnknown(service.inWiring))
            }
            for asked in subject.asked {
                lines.insert(Message.wiring(asking: subject.service?.name ?? "", service: asked.inWiring))
            }
        }
        let properties = map.subjects.flatMap { subject in subject.properties.map { (subject, $0) } }
        let paths = Dictionary(grouping: properties) { _, property in
            "\(names[ObjectIdentifier(property.owner)] ?? "").\(property.name)"
        }
        for (path, properties) in paths {
            let found = properties.map { $1.wiringLines(of: $0.targets(of: $1), path) }
            let areAlike = Set(found).count == 1
            for ((subject, property), found) in zip(properties, found) {
                let service = areAlike ? nil : subject.service?.name
                lines.formUnion(
                    service.map {
                        property.wiringLines(of: subject.targets(of: property), Message.wiring(path, of: $0))
                    } ?? found)
            }
        }
        return lines.sorted().map { line in
            // A name may contain line breaks.
            "\(String(line.map { $0.isNewline ? " " : $0 }))\n"
        }.joined()
    }
}

/// Distinct names of types: those that share a short name get their full ones.
private func distinctNames(of types: [Any.Type]) -> [ObjectIdentifier: String] {
    let known = Dictionary(types.map { (ObjectIdentifier($0), $0) }) { first, _ in first }
    return Dictionary(grouping: known.values, by: TypeName.of).reduce(into: [:]) { names, types in
        for type in types.value {
            names[ObjectIdentifier(type)] = types.value.count == 1 ? types.key : TypeName.full(type)
        }
    }
}

extension PropertyRecord {
    /// The lines of a property: one, or one for each service if it takes several.
    fileprivate func wiringLines(of taken: [Registration], _ path: String) -> [String] {
        let isGiven = finding.kind == .filled || finding.isOnRead
        if !isGiven, finding.kind != .hole { return [] }
        if isGiven, !taken.isEmpty {
            return taken.map {
                let facts = $0.inWiring + (finding.isOnRead ? [Message.onRead] : [])
                return Message.wiring(path, of: request.element, service: facts)
            }
        }
        if isGiven, let element = request.element { return [Message.wiringOfNothing(path, of: element)] }
        return [Message.wiring(path, lacking: serviceName, outcome: finding.outcome.description)]
    }
}

extension Registration {
    /// The service's name, type, lifetime and file, and the files of its decorations; for the box itself, just the
    /// name.
    ///
    /// The dynamic type of a service that is created as an interface would be known only once it is created.
    fileprivate var inWiring: [String] {
        if isBox { return ["'\(name)'"] }
        let type =
            kind == .instance
            ? ServiceDescription(self).types(named: TypeName.nested) : TypeName.nested(serviceType)
        let decorations = layers.compactMap { $0.decoration?.location.file }.reversed()
        return ["'\(name)'", type, kindInWords, "\(innermost.location.file)"]
            + decorations.map { Message.wiringDecorated(in: "\($0)") }
    }

    /// The service's lifetime, or its kind if it has none, and whether each box has its own.
    var kindInWords: String {
        Message.kind(lifetime?.description, hasParameters: parametersType != nil, isPerBox: isPerBox)
    }
}

// MARK: - The box as text

extension ServiceBox: CustomStringConvertible {
    /// The services visible in the box, and those that lack something they require.
    ///
    /// Each service has a line with its name, its lifetime, its type and the service that it replaced. Below
    /// are the services that the box has inspected or created, and the types that it has filled, with empty
    /// required properties. It fills and creates nothing.
    ///
    /// - Complexity: O(*n* log *n*) for *n* services, types and their properties.
    public var description: String {
        let services = registry.sorted.filter { !$0.isBox }
        let boxes = Array(sequence(first: self, next: \.parent))
        let distances = services.map { registry.registrations(named: $0.name).first?.distance ?? 0 }
        let rows = zip(services, distances).map { boxes[$1].row(of: $0) }
        let sections = Dictionary(grouping: zip(Message.aligned(rows), distances), by: \.1)
        var lines = [
            Message.boxSummary(
                name: name, count: services.count, isSealed: isSealed, hasStopped: registry.isStopped)
        ]
        for (distance, box) in boxes.enumerated() {
            guard let section = sections[distance] else { continue }
            if distance > 0 { lines.append(Message.inherited(from: box.name, isParent: distance == 1)) }
            lines += section.map(\.0)
        }
        let unfilled = WiringMap(of: self, isPlanned: false).subjects.compactMap { subject in
            let holes = subject.knownHoles.map { ($0.name, $0.finding.outcome.description) }
            return holes.isEmpty
                ? nil : Message.row(unfilled: subject.type, name: subject.service?.name, holes)
        }
        if !unfilled.isEmpty { lines += [Message.unfilled] + Message.aligned(unfilled) }
        return lines.joined(separator: "\n")
    }

    /// A service of the box or of a child, in columns.
    private func row(of service: Registration) -> [String] {
        Message.row(
            of: ServiceDescription(service), kind: service.kindInWords,
            replacement: ledger.state.withLock { $0.replacements[service.name]?.last })
    }
}

extension WiringMap.Subject {
    /// The required properties that are known to be empty, and that the next use of the box won't fill.
    fileprivate var knownHoles: [PropertyRecord] {
        properties.filter { property in
            guard property.isRequiredHole, service != nil else { return property.isRequiredHole }
            switch property.finding {
            case .missing, .typeMismatch, .empty:
                let found = filler.registry.registration(named: property.serviceName)
                return found?.fit(property.request).isPossible != true
            case .wrongIsolation: return filler.crossFiller.filledGeneration != nil
            default: return true
            }
        }
    }
}
