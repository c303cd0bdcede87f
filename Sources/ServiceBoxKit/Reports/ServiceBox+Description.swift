// Part of ServiceBox, released under the MIT License.
// What a box and those who hold its services look like as text.

extension ServiceBox: CustomStringConvertible {
    /// The services of the box, with the types they are registered as, one on a line.
    public var description: String {
        let services = registry.sorted.filter { !($0.isBox) }
        let width = services.map(\.name.count).max() ?? 0
        let lines = services.map { service in
            let padding = String(repeating: " ", count: width - service.name.count)
            return "  \(service.name)\(padding)  \(ServiceDescription(service).types)"
        }
        return ([Message.boxSummary(name: name, count: services.count, isSealed: isSealed)] + lines)
            .joined(separator: "\n")
    }
}

extension ServiceHolder: CustomStringConvertible {
    /// The property, as `Screen.cache`.
    public var description: String { "\(TypeName.of(type)).\(property)" }
}
