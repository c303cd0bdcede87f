// Part of ServiceBox, released under the MIT License.
// The cells that stand for "nothing yet" when an optional property is read.

/// One cell with nil for each optional type that was read while empty; they are never dropped.
enum EmptyCells {
    private static let cells = Guarded<[ObjectIdentifier: AnyCell]>([:])

    /// The cell of a type, or nil if the type is no optional.
    static func cell<Value>(of type: Value.Type) -> AnyCell? {
        let key = ObjectIdentifier(type)
        if let cell = cells.withLock({ $0[key] }) { return cell }
        guard let optional = type as? any OptionalValue.Type, let empty = optional.empty as? Value else {
            return nil
        }
        let made = Cell(empty)
        return cells.withLock { cells in
            if let cell = cells[key] { return cell }
            cells[key] = made
            return made
        }
    }
}
