// Part of ServiceBox, released under the MIT License.
// Matching a plan with registrations: name first, then type.

extension FillProgram {
    /// Matches a plan with what is registered.
    ///
    /// - Parameters:
    ///   - plan: The type to fill.
    ///   - lines: The type's table with what the box was taught of the type and its superclasses.
    ///   - familyVersion: The version of the box and its ancestors that the program is made for.
    ///   - box: The box that fills.
    convenience init(plan: TypePlan, lines: [TableLine], familyVersion: Int, box: ServiceBox) {
        var matching = Matching(plan: plan, lines: lines, box: box)
        matching.matchProperties(except: Set(lines.map(\.name)))
        matching.match(lines)
        matching.describeSubject()
        self.init(
            plan: plan, familyVersion: familyVersion, slotWrites: matching.slotWrites,
            lineWrites: matching.lineWrites, optionals: matching.optionals,
            leavesIsolated: matching.leavesIsolated,
            record: FillRecord(type: plan.type, properties: matching.records, box: box))
    }

    /// The names under which a service for the type would be registered.
    fileprivate static func serviceNames(of plan: TypePlan, lines: [TableLine]) -> Set<String> {
        var names = Set(lines.map(\.name))
        for property in plan.properties {
            names.insert(property.isSlot ? property.serviceName : property.nameWithoutUnderscore)
        }
        return names
    }
}

/// The making of a program, property by property.
private struct Matching {
    let plan: TypePlan
    /// What is registered under the names that ``FillProgram/serviceNames(of:lines:)`` gives.
    let registrations: [String: Registration]
    /// All that is registered, in order, if the type has a property that takes all that fits.
    let services: [Registration]
    var slotWrites: [FillProgram.SlotWrite] = []
    var lineWrites: [FillProgram.LineWrite] = []
    var records: [PropertyRecord] = []
    var optionals: [FillProgram.OptionalStruct] = []
    /// Whether a property that takes all services of an interface would get more on another actor.
    var leavesIsolated = false

    init(plan: TypePlan, lines: [TableLine], box: ServiceBox) {
        self.plan = plan
        registrations = box.registrations(named: FillProgram.serviceNames(of: plan, lines: lines))
        services = plan.takesAllServices ? box.orderedRegistrations : []
    }

    mutating func matchProperties(except tableNames: Set<String>) {
        var position = 0
        for property in plan.properties {
            switch property.kind {
            case .slot(let request, let explicitName):
                if !tableNames.contains(property.name) {
                    match(property, request: request, explicitName: explicitName, position: position)
                }
                position += 1
            case .optionalWithSlots(let type, let offset):
                if let offset {
                    optionals.append(.init(type: type, offset: offset, index: records.count))
                }
                records.append(
                    PropertyRecord(
                        source: .plain, owner: property.owner, name: property.name,
                        serviceName: property.baseName, request: CellRequest(type: type, isWeak: false),
                        finding: .outOfReach))
            case .plain(let type):
                let name = property.nameWithoutUnderscore
                guard !tableNames.contains(property.name), !tableNames.contains(name),
                    let found = registrations[name]
                else { continue }
                records.append(
                    PropertyRecord(
                        source: .plain, owner: property.owner, name: name, serviceName: name,
                        request: CellRequest(type: type), finding: .noChannel(.init(found))))
            }
        }
    }

    private mutating func match(
        _ property: TypePlan.Property, request: CellRequest, explicitName: String?, position: Int
    ) {
        let name = property.serviceName
        let finding: Finding
        if let element = request.element {
            let gathered = GatheredServices(of: element, among: services, name: name)
            write(gathered, request: request, explicitName: explicitName, position: position)
            leavesIsolated = leavesIsolated || gathered.leavesIsolated(of: services)
            finding = .gathered(gathered.sources.map(ServiceDescription.init))
        } else if explicitName?.isEmpty == true {
            finding = .emptyName
        } else if name.isEmpty {
            // Without an object there is not even the place of the declaration to name.
            if property.name.isEmpty { return add(.strippedBuild(isHole: true)) }
            finding = plan.hasCustomMirror ? .hiddenByMirror : .strippedBuild(isHole: true)
        } else if let found = registrations[name] {
            if found.fit(request).isPossible {
                write(found, request: request, explicitName: explicitName, position: position)
                finding = found.isDropped(by: request) ? .notKept(.init(found)) : .filled(.init(found))
            } else {
                finding = .typeMismatch(.init(found))
            }
        } else {
            finding = .missing
        }
        records.append(
            PropertyRecord(
                source: .slot(position), owner: property.owner, name: property.name, serviceName: name,
                request: request, finding: finding))
    }

    private mutating func write(
        _ source: Registration, request: CellRequest, explicitName: String?, position: Int
    ) {
        slotWrites.append(
            FillProgram.SlotWrite(
                position: position, offset: plan.offsets?[position] ?? -1, index: records.count,
                fixedCell: source.hasFixedCells ? source.present(request) : nil, source: source,
                request: request, explicitName: explicitName))
    }

    mutating func match(_ lines: [TableLine]) {
        for line in lines {
            let request = line.injection.request
            let finding: Finding
            if let problem = plan.problem(with: line) {
                finding =
                    switch problem {
                    case .wrongRoot: .wrongRoot(line.injection.root)
                    case .noSuchProperty: .noSuchProperty(plan.properties.map(\.nameWithoutUnderscore))
                    }
            } else if let found = registrations[line.name] {
                if found.fit(request).isPossible {
                    lineWrites.append(
                        FillProgram.LineWrite(
                            line: line, index: records.count, source: found,
                            fixedCell: found.hasFixedCells ? found.present(request) : nil))
                    finding = .filled(.init(found))
                } else {
                    finding = .typeMismatch(.init(found))
                }
            } else {
                finding = .missing
            }
            records.append(
                PropertyRecord(
                    source: .line, owner: plan.property(for: line)?.owner ?? plan.type, name: line.name,
                    serviceName: line.name, request: request, finding: finding))
        }
    }

    /// Says what is to be said of the subject as a whole.
    mutating func describeSubject() {
        if case .unfillable(let word) = plan.shape { return add(.unfillable(word)) }
        if plan.shape == .remote { return add(.remote) }
        if plan.shape == .needsInstance { add(.needsInstance) }
        let hasLines = records.contains { $0.source == .line }
        for layer in plan.hiddenLayers {
            records.append(PropertyRecord(layer, .strippedBuild(isHole: !hasLines)))
        }
        if !plan.tableIsKnown { return add(.wrongIsolation) }
        // A slot, a line or even a plain property under a registered name: the type has been looked into.
        if !records.isEmpty { return }
        if plan.hasCustomMirror {
            add(.hiddenByMirror)
        } else if plan.lacksNames {
            add(.strippedBuild(isHole: true))
        }
    }

    private mutating func add(_ finding: Finding) {
        records.append(PropertyRecord(plan.type, finding))
    }
}
