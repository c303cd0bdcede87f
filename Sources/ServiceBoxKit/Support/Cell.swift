// Part of ServiceBox, released under the MIT License.
// How a value is held: what slots point to, and what providers keep.

/// An immutable holder of one value, strong or weak, seen without the type.
///
/// A service is kept in a cell. Slots that are filled with one that was registered ready-made point to that very cell wherever
/// their type allows; others point to cells of their own, which all slots of a type share.
///
/// `Sendable` is unchecked because a cell holds any value. It holds: cells never change, but for weak ones, which the
/// runtime empties safely, and for lists, which have a lock; a box makes them of `Sendable` services only, and any other cell
/// stays in the one wrapper that made it, which is `Sendable` only where its value is.
@usableFromInline
class AnyCell: @unchecked Sendable {
    /// Whether it was weak, and what it held is gone.
    var isGone: Bool { false }

    /// The value if it is a class instance and there.
    var instance: AnyObject? { nil }

    /// The value, whatever it is; nil if it is gone.
    var content: Any? { instance }

    /// What to look into: the class instance, or else the value.
    final var subject: Any? { instance ?? content }

    /// The value's own type; nil if it is gone.
    var dynamicType: Any.Type? { content.map { type(of: $0) } }

    /// The type that the value is held as; nil if it is held weakly, as any object.
    var heldType: Any.Type? { nil }

    /// The value, or nil if it has ended or is held as another type.
    ///
    /// - Parameter type: The type that it is held as.
    /// - Returns: The value.
    final func content<Value>(as type: Value.Type) -> Value? {
        guard let heldType else { return instance as? Value }
        return heldType == type ? value(as: type) : nil
    }
}

/// A cell that holds its value strongly.
@usableFromInline
class Cell<Value>: AnyCell, @unchecked Sendable {
    @usableFromInline final let value: Value

    @usableFromInline
    init(_ value: Value) {
        self.value = value
    }

    override var instance: AnyObject? { classInstance(in: value) }
    override var content: Any? { value }
    override var heldType: Any.Type? { Value.self }

    override var dynamicType: Any.Type? {
        let kind = Metadata(Value.self).kind
        return kind == .structure || kind == .enumeration ? Value.self : type(of: value as Any)
    }
}

/// A cell that holds a class instance strongly, whatever its class.
///
/// Objects share it: a class for each of their types costs the runtime more, in time and memory, than all else that it takes to
/// register a service or to fill a new type (measured).
@usableFromInline
final class ObjectCell: Cell<AnyObject>, @unchecked Sendable {
    private let type: Any.Type

    /// - Parameters:
    ///   - object: The object.
    ///   - type: The class that it is held as: its own or a superclass, so that it may be taken for one.
    @usableFromInline
    init(_ object: AnyObject, as type: Any.Type) {
        self.type = type
        super.init(object)
    }

    override var instance: AnyObject? { value }
    override var dynamicType: Any.Type? { Swift.type(of: value) }
    override var heldType: Any.Type? { type }
}

/// A cell that holds a class instance weakly.
///
/// A class too: a copy of a struct with a weak constant traps in Swift 6.3.1.
@usableFromInline
final class WeakCell: AnyCell, @unchecked Sendable {
    weak let object: AnyObject?

    init(_ object: AnyObject) {
        self.object = object
    }

    override var isGone: Bool { object == nil }
    override var instance: AnyObject? { object }
}

extension AnyCell {
    /// Holds a service strongly.
    @inlinable
    static func holding<Service: Sendable>(_ service: Service) -> AnyCell {
        Service.self is AnyClass
            ? ObjectCell(unsafeBitCast(service, to: AnyObject.self), as: Service.self) : Cell(service)
    }

    /// The value of a cell that was made for a type, which the caller vouches for.
    ///
    /// ## Why the cast is safe
    ///
    /// The value of an ``ObjectCell`` is one reference, as that of a cell of a class or of an optional class is, and lies at
    /// the same place. Any other cell is asked for the type that it was made of.
    @inlinable @inline(__always)
    final func value<Value>(as type: Value.Type) -> Value {
        Unmanaged<Cell<Value>>.fromOpaque(Unmanaged.passUnretained(self).toOpaque())
            ._withUnsafeGuaranteedRef { $0.value }
    }
}
