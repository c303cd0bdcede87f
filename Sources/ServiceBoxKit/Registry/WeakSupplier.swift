// Part of ServiceBox, released under the MIT License.
// A box as the rooms below see it, and as a service of its own.

/// A box, seen from the rooms below.
protocol RegistryOwner: AnyObject, Sendable {
    var registry: Registry { get }

    /// Finds what a ready-made service requires and hasn't; throws what it lacks.
    func complete(_ name: String, _ history: ServiceHistory) throws(ServiceBoxError) -> Filling?

    /// Looks up the service of a property, and puts it into its slot if that is empty.
    ///
    /// - Parameters:
    ///   - slot: The slot.
    ///   - property: The property.
    ///   - type: The type that was filled.
    ///   - object: The object that was filled, if that is known.
    /// - Returns: What came of it: filled, kept where somebody was quicker, or why the slot is empty.
    func fillLate(
        _ slot: Slot, _ property: PropertyRecord, of type: Any.Type, in object: ObjectIdentifier?
    ) -> Finding
}

/// Supplies a box that it doesn't keep alive, but what it fills does: the box's entry for itself.
final class WeakSupplier: ServiceSupplier {
    private let reference: WeakReference<any AnyObject & Sendable>
    let serviceType: any Sendable.Type
    private let cells = SharedCells()

    init<Box: RegistryOwner>(_ box: Box) {
        reference = WeakReference(box)
        serviceType = Box.self
    }

    /// The box, as long as it is there.
    var object: (any AnyObject & Sendable)? { reference.object }
    var owner: (any RegistryOwner)? { object as? any RegistryOwner }

    /// The box's registry, as long as the box is there.
    var registry: Registry? { owner?.registry }

    var kind: Registration.Kind { .box }

    func supply(_ request: CellRequest, isEarly: Bool) -> Supply {
        object.flatMap { cells.cell(of: ObjectReference($0, of: serviceType), for: request) }.map(Supply.cell)
            ?? .mismatch
    }

    func presentCell(for request: CellRequest) -> AnyCell? { cells.present(request) }
}
