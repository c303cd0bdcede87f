// Part of ServiceBox, released under the MIT License.
// Cells that only slots use: lists, and the values of empty optionals.

/// A type-erased cell that holds all services of a type, for `InjectedAll`.
@usableFromInline
class AnyListCell: AnyCell, @unchecked Sendable {
    /// Swaps contents with another cell of the same type, which nobody else may use.
    func exchange(with other: AnyListCell) {}

    /// Appends the contents of another cell of the same type.
    func append(contentsOf other: AnyListCell) {}

    /// Removes an object.
    ///
    /// - Returns: Whether it was there.
    func remove(_ object: AnyObject) -> Bool { false }

    /// Removes everything.
    func removeAll() {}
}

/// A cell that holds all services of a type: an array that a cross-fill replaces or extends while the owner
/// of the property may be reading it.
@usableFromInline
final class ListCell<Element>: AnyListCell, @unchecked Sendable {
    /// Unchecked because of the elements, as with any cell.
    @usableFromInline
    struct List: @unchecked Sendable {
        @usableFromInline var elements: [Element]
    }

    @usableFromInline let list: Guarded<List>

    init(_ elements: [Element]) {
        list = Guarded(List(elements: elements))
    }

    @inlinable var elements: [Element] { list.withLock { $0 }.elements }

    override func exchange(with other: AnyListCell) {
        let other = unsafe unsafeDowncast(other, to: Self.self)
        var elements = other.list.withLock { $0 }
        list.withLock { swap(&$0, &elements) }
        // The old elements move to the other cell, and are released while no lock is held.
        other.list.withLock { swap(&$0, &elements) }
        withExtendedLifetime(elements) {}
    }

    override func append(contentsOf other: AnyListCell) {
        let new = unsafe unsafeDowncast(other, to: Self.self).elements
        list.withLock { $0.elements += new }
    }

    override func remove(_ object: AnyObject) -> Bool {
        let (old, isThere) = list.withLock { list in
            let old = list
            list.elements.removeAll { classInstance(in: $0) === object }
            return (old, list.elements.count < old.elements.count)
        }
        // Removed elements are kept until no lock is held.
        return withExtendedLifetime(old) { isThere }
    }

    override func removeAll() { exchange(with: ListCell([])) }
}

/// The cells that empty optional properties read: one that holds nil for each type, never released.
enum EmptyCells {
    private static let cells = Guarded<[ObjectIdentifier: AnyCell]>([:])

    /// The cell of a type; nil if the type isn't optional.
    static func cell(of type: Any.Type) -> AnyCell? {
        func makeCell<Wrapped>(of _: Wrapped.Type) -> AnyCell { Cell<Wrapped?>(nil) }
        return cells.value(for: ObjectIdentifier(type)) {
            Metadata(type).wrapped.map { _openExistential($0, do: makeCell) }
        }
    }
}
