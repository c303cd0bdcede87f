// Part of ServiceBox, released under the MIT License.
// The wiring of a box as text that can be kept and compared.

extension ServiceBox {
    /// The wiring as sorted text, a line for each property: its type and name, the name and type of the
    /// service that it has or would get, the service's lifetime and the place of its registration.
    ///
    /// ```
    /// ProfileScreen.analytics: 'analytics', Analytics, lazy, App/Services.swift:12
    /// ProfileScreen.cahce: nothing for 'cahce' (missing)
    /// ```
    ///
    /// Keep it beside the tests and compare it: a change of the wiring then shows in review. `expectWiring`
    /// in `ServiceBoxTesting` does so. The text lists the registered services, the types that this box has
    /// filled, and what it is given besides. Of a service that this box has never made, and no object of
    /// whose type it knows, it says that its properties are not known; make it first.
    ///
    /// Call it in the isolation of the objects in `others`; without those it may be called from anywhere. It
    /// fills nothing and makes nothing.
    ///
    /// - Parameter others: Types that any box has seen an object of, and objects, to list besides.
    /// - Returns: The text, with a line break at its end; empty if there is nothing to fill.
    /// - Complexity: O(*n* log *n*) for *n* services, types and their properties.
    public func wiring(including others: [Any] = []) -> String {
        let map = WiringMap(of: self, isPlanned: true, including: others)
        var lines: Set<String> = []
        for subject in map.subjects {
            if let service = subject.service, !subject.isKnown {
                lines.insert(Message.wiringUnknown(service.inWiring, name: service.name))
            }
            for property in subject.properties {
                lines.formUnion(property.wiringLines(of: subject.targets(of: property)))
            }
        }
        return lines.sorted().map { "\($0.onOneLine)\n" }.joined()
    }
}

extension PropertyRecord {
    /// The lines of a property: one, or one for each service if it takes several.
    fileprivate func wiringLines(of taken: [Registration]) -> [String] {
        let property = "\(TypeName.of(owner)).\(name)"
        if finding.kind == .filled, !taken.isEmpty {
            return taken.map { Message.wiring(property, service: $0.inWiring, name: $0.name) }
        }
        if case .gathered = finding { return [Message.wiringOfNothing(property)] }
        guard finding.kind == .hole || finding.kind == .filled else { return [] }
        return [Message.wiring(property, lacking: serviceName, outcome: finding.outcome.description)]
    }
}

extension String {
    /// A name may have line breaks in it.
    fileprivate var onOneLine: String { String(map { $0.isNewline ? " " : $0 }) }
}

extension Registration {
    /// The service's type, lifetime and place; of the box itself nothing.
    fileprivate var inWiring: [String] {
        let kind = lifetime?.description ?? Message.wiringKind(hasParameters: parametersType != nil)
        return isBox ? [] : [TypeName.of(serviceType), kind, "\(location)"]
    }
}
