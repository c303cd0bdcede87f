// Part of ServiceBox, released under the MIT License.
// What slots point to.

/// What a slot points to: an immutable holder of one value.
///
/// A box makes one cell for each service and property type and shares it between all the slots it fills.
///
/// `Sendable` is unchecked because `Cell<Value>` holds any `Value`. It holds: cells never change, but for
/// lists, which have a lock; a box makes them of `Sendable` services only, and any other cell stays in the one
/// wrapper that made it, which is `Sendable` only where its value is.
@usableFromInline
class AnyCell: @unchecked Sendable {
    @usableFromInline
    init() {}
}

/// A cell that holds its value strongly.
@usableFromInline
final class Cell<Value>: AnyCell, @unchecked Sendable {
    @usableFromInline let value: Value

    @usableFromInline
    init(_ value: Value) {
        self.value = value
        super.init()
    }
}

extension AnyCell {
    /// The value of a cell that was made for a request of a type, which the caller vouches for.
    ///
    /// ## Why the cast is safe
    ///
    /// Objects share one class of cells whatever their type, see ``CellRequest/makeCell(of:)``. Its value is one
    /// reference, as that of a cell of a class or of an optional class is, and lies at the same place. A request for more
    /// optionals than one makes cells of its own type.
    @inlinable @inline(__always)
    final func value<Value>(as type: Value.Type) -> Value {
        Unmanaged<Cell<Value>>.fromOpaque(Unmanaged.passUnretained(self).toOpaque())
            ._withUnsafeGuaranteedRef { $0.value }
    }
}

/// A cell that holds a class instance weakly, for `WeakInjected`.
@usableFromInline
final class WeakCell: AnyCell, @unchecked Sendable {
    weak let object: AnyObject?

    init(_ object: AnyObject) {
        self.object = object
        super.init()
    }
}

/// A cell that holds all services of a type, for `InjectedAll`, seen without the type.
class AnyListCell: AnyCell, @unchecked Sendable {
    /// Exchanges what the two hold; the other one is of the same type and nobody else's.
    func exchange(with other: AnyListCell) {}

    /// Adds what another one of the same type holds.
    func append(contentsOf other: AnyListCell) {}

    /// Takes an object out.
    ///
    /// - Returns: Whether it was there.
    func remove(_ object: AnyObject) -> Bool { false }

    /// Takes out all.
    func removeAll() {}
}

/// A cell that holds all services of a type: an array, which a cross-fill exchanges or extends while the owner
/// of the property may be reading it.
final class ListCell<Element>: AnyListCell, @unchecked Sendable {
    /// Unchecked because of the elements, as with any cell.
    private struct List: @unchecked Sendable {
        var elements: [Element]
    }

    private let list: Guarded<List>

    init(_ elements: [Element]) {
        list = Guarded(List(elements: elements))
        super.init()
    }

    var elements: [Element] { list.withLock { $0 }.elements }

    override func exchange(with other: AnyListCell) {
        let other = unsafeDowncast(other, to: Self.self)
        var elements = other.list.withLock { $0 }
        list.withLock { swap(&$0, &elements) }
        // What was there goes with the other one, when no lock is held.
        other.list.withLock { swap(&$0, &elements) }
        withExtendedLifetime(elements) {}
    }

    override func append(contentsOf other: AnyListCell) {
        let new = unsafeDowncast(other, to: Self.self).elements
        list.withLock { $0.elements += new }
    }

    override func remove(_ object: AnyObject) -> Bool {
        let all = elements
        let rest = all.filter { classInstance(in: $0) !== object }
        // What is taken out is kept by `all` until no lock is held.
        if rest.count < all.count { exchange(with: ListCell(rest)) }
        return withExtendedLifetime(all) { rest.count < all.count }
    }

    override func removeAll() { exchange(with: ListCell([])) }
}

/// The cells that empty optional properties read: one with nil for each type, never dropped.
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

// MARK: - Making cells

extension CellRequest {
    /// Whether a property is of a type or of its optional.
    func wants(_ other: Any.Type) -> Bool { wanted == other }

    /// Whether a cell that was made for the request held its service weakly, and that is gone.
    func hasLost(_ cell: AnyCell) -> Bool { isWeak && unsafeDowncast(cell, to: WeakCell.self).object == nil }

    /// The class that a property is of, or of whose optional.
    private var wantedClass: Any.Type? {
        optionals < 2 && Metadata(wanted).kind == .class ? wanted : nil
    }

    /// Makes a cell of the requested type around a service, or answers nil if it does not fit.
    ///
    /// Objects share one class of cells: a class for each of their types takes longer to create than all else that a new
    /// type takes (measured).
    func makeCell<Service>(of service: Service) -> AnyCell? {
        if let wantedClass {
            guard let object = classInstance(in: service),
                Conformance.isType(Swift.type(of: object), orInherits: wantedClass)
            else { return nil }
            return isWeak ? WeakCell(object) : Cell<AnyObject>(object)
        }
        // By far most; without an optional, whose type the runtime would have to look up.
        if !isWeak, optionals == 0, wanted == Service.self { return Cell(service) }
        func open<Wanted>(_: Wanted.Type) -> AnyCell? {
            guard let value: Wanted = converted(service) else { return nil }
            guard isWeak else { return Cell(value) }
            return classInstance(in: value).map(WeakCell.init)
        }
        return _openExistential(type, do: open)
    }
}

/// Converts a service to a property's type.
///
/// A service registered as `any P` fits a property of `any P` without a cast: the cast asks for the
/// conformance of the instance and fails off the actor that the conformance is isolated to. Neither does a
/// struct fit `AnyObject`, into which a cast would box it.
func converted<Service, Wanted>(_ service: Service) -> Wanted? {
    if Service.self == Wanted.self { return unsafeBitCast(service, to: Wanted.self) }
    if Service?.self == Wanted.self { return unsafeBitCast(Optional(service), to: Wanted.self) }
    if unwrapped(Wanted.self) == AnyObject.self {
        // Unwrapped first: nil itself would fit an optional.
        return classInstance(in: service).flatMap { $0 as? Wanted }
    }
    return service as? Wanted
}
