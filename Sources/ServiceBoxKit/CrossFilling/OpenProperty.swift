// Part of ServiceBox, released under the MIT License.
// What a cross-fill may still fill, and what there is for it.

/// A property of a registered service that a cross-fill may still fill.
struct OpenProperty: Hashable, Sendable {
    enum Channel: Sendable {
        /// A slot, by its position among the plan's.
        case slot(Int, CellRequest)
        case line(TableLine)
    }

    /// Nil if nobody waits for what comes later.
    let owner: Registration?
    let wiring: Wiring
    let id: PropertyID
    /// The name that a service for it is registered under; empty if it takes all that fits.
    let serviceName: String
    let channel: Channel

    var key: Wiring.Key {
        switch channel {
        case .slot(let position, _): .slot(position)
        case .line(let line): .line(line.name)
        }
    }

    static func == (left: Self, right: Self) -> Bool { left.wiring === right.wiring && left.key == right.key }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(wiring))
        hasher.combine(key)
    }
}

/// What there is for a property.
struct Gift: Sendable {
    let property: OpenProperty
    let cell: AnyCell
    let service: ServiceDescription
    /// Whether the service always supplies the same cell.
    let isFixed: Bool

    /// Whether it may be given here.
    var isUsable: Bool {
        guard case .line(let line) = property.channel, let object = property.wiring.object else {
            return true
        }
        return line.injection.isUsable(on: object)
    }
}
