// Part of ServiceBox, released under the MIT License.
// Cross-filling on demand, and what the services got from each other.

extension ServiceBox {
    /// Fills the registered services with each other now, and reports on each.
    ///
    /// Every use of the box does this for whatever was registered since the last one; call it yourself to
    /// decide when, or to read the reports. Only empty slots are written, so it may be called from anywhere,
    /// whatever the services do meanwhile. A line of a table is written once; it is left alone if its
    /// property holds a value, and waits for a use on its actor if it belongs to one.
    ///
    /// A child leaves its parent's services to the parent, and a copy leaves shared ones to the original.
    ///
    /// - Returns: A report for each service of the box that has something to fill, sorted by their names. A
    ///   strong cycle that slots close is noted there; what a table's closure or key path keeps is not known.
    /// - Complexity: O(*n*) for *n* properties of services, and as much again for each property in a cycle.
    @discardableResult
    public func crossFill() -> [FillReport] {
        crossFiller.fillServices(isRetry: true)
        let services = registry.sorted
        let cycles = StrongCycles(among: services, crossFiller)
        return services.compactMap { crossFillReport(of: $0, cycles: cycles) }
    }

    private func crossFillReport(of registration: Registration, cycles: StrongCycles) -> FillReport? {
        guard registration.isFilled(by: registry), let report = crossFiller.report(on: registration) else { return nil }
        let notes = report.record.properties.compactMap { property in
            cycles.path(through: property.name, of: registration).map { property.with(.strongCycle($0)) }
        }
        return report.about(registration.name, adding: notes)
    }
}
