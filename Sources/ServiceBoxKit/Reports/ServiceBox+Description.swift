// Part of ServiceBox, released under the MIT License.
// A box as text.

extension ServiceBox: CustomStringConvertible, CustomDebugStringConvertible {
    /// The services of the box, with the types they are registered as, one on a line.
    ///
    /// May be called from anywhere; makes nothing.
    public var description: String {
        table { $0.inMessages.types }
    }

    /// The services of the box, with their types and the places where they were registered.
    ///
    /// May be called from anywhere; makes nothing.
    public var debugDescription: String {
        table { "\($0.inMessages.types), registered at \($0.location)" }
    }

    private func table(_ row: (Registration) -> String) -> String {
        let services = registry.sorted.filter { !($0.isBox) }
        let width = services.map(\.name.count).max() ?? 0
        let rows = services.map { service in
            "  \(service.name)\(String(repeating: " ", count: width - service.name.count))  \(row(service))"
        }
        return ([Message.boxSummary(name: name, count: services.count, isSealed: isSealed)] + rows)
            .joined(separator: "\n")
    }
}
