// Part of ServiceBox, released under the MIT License.
// The cells that stand for "nothing yet" when an optional property is read.

/// One cell with nil for each optional type that was read while empty; they are never dropped.
enum EmptyCells {
    private static let cells = Guarded<[ObjectIdentifier: AnyCell]>([:])

    /// The cell of a type, or nil if the type is no optional.
    ///
    /// Nothing is cast to the type here: specialised for an optional of a parameterised protocol, such a cast
    /// makes the optimiser of Swift 6.3.1 assert.
    static func cell(of type: Any.Type) -> AnyCell? {
        let key = ObjectIdentifier(type)
        if let cell = cells.withLock({ $0[key] }) { return cell }
        guard let optional = type as? any OptionalValue.Type else { return nil }
        let made = makeCell(of: optional)
        return cells.withLock { cells in
            if let cell = cells[key] { return cell }
            cells[key] = made
            return made
        }
    }

    private static func makeCell<Optional: OptionalValue>(of type: Optional.Type) -> AnyCell {
        Cell(Optional.empty)
    }
}
