// Part of ServiceBox, released under the MIT License.
// How a value is held: what slots point to, and what providers keep.

/// A type-erased, immutable holder of one value, strong or weak.
///
/// A service is kept in a cell. A slot filled with a ready-made service points to that very cell where the
/// slot's type allows it; other slots point to cells of their own, which all slots of one type share.
///
/// `Sendable` is unchecked because a cell holds any value. It is safe: cells never change, except weak ones,
/// which the runtime empties safely, and lists, which have a lock. A box creates cells of `Sendable` services
/// only; any other cell stays in the one wrapper that created it, which is `Sendable` only where its value
/// is.
@usableFromInline
class AnyCell: @unchecked Sendable {
    /// Whether the reference is weak and its object has been deinitialised.
    var isGone: Bool { false }

    /// The value if it is a class instance and still exists.
    var instance: AnyObject? { nil }

    /// Identifies a service: its object, which several cells may hold, or a value's cell.
    final var identity: any AnyObject & Sendable {
        // Services are `Sendable`, a marker that has no part in the reference.
        instance.map { unsafe unsafeBitCast($0, to: (any AnyObject & Sendable).self) } ?? self
    }

    /// The value, whatever it is; nil if it is gone.
    var content: Any? { instance }

    /// What to reflect on: the class instance, or else the value.
    final var subject: Any? { instance ?? content }

    /// The value's own type; nil if it is gone.
    var dynamicType: Any.Type? { content.map { type(of: $0) } }

    /// A cell that holds the same value weakly; nil if it isn't a class instance.
    var weakly: WeakCell? { nil }

    /// The type that the value is held as; nil if nobody asks for it.
    var heldType: Any.Type? { nil }

    /// The value; nil if it is gone or held as another type.
    final func content<Value>(as type: Value.Type) -> Value? {
        guard heldType == type else { return nil }
        if let cell = self as? WeakCell { return unsafe cell.load(type) }
        return unsafe value(as: type)
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
    override var weakly: WeakCell? { WeakCell(holding: value) }
    override var heldType: Any.Type? { Value.self }

    override var dynamicType: Any.Type? {
        let kind = Metadata(Value.self).kind
        return kind == .structure || kind == .enumeration ? Value.self : type(of: value as Any)
    }
}

/// A cell that holds a class instance strongly, whatever its class.
///
/// All classes share it: a generic cell for each class costs the runtime more, in time and memory, than
/// everything else in registering a service or filling a new type (measured).
@usableFromInline
final class ObjectCell: Cell<AnyObject>, @unchecked Sendable {
    private let type: Any.Type

    /// Holds an object as its own class or a superclass, so that it can be read as that.
    @usableFromInline
    init(_ object: AnyObject, as type: Any.Type) {
        self.type = type
        super.init(object)
    }

    override var instance: AnyObject? { value }
    override var dynamicType: Any.Type? { Swift.type(of: value) }
    override var heldType: Any.Type? { type }
    override var weakly: WeakCell? { WeakCell(value, as: type) }
}

/// A cell that holds a class instance weakly.
///
/// A class too, because copying a struct with a weak constant traps in Swift 6.3.1.
///
/// ## Why the raw pointer is safe
///
/// A value that is a class instance begins with a reference to it, which is checked, and, if its type is an
/// interface, says besides how the object conforms. Those bytes are copied without counting a reference, and freed without releasing one.
/// They become a value only together with a reference that is counted for it.
@usableFromInline
@safe final class WeakCell: AnyCell, @unchecked Sendable {
    @usableFromInline weak let object: AnyObject?
    /// The bytes of a value that is more than a reference.
    @usableFromInline let bytes: UnsafeMutableRawPointer?
    private let type: Any.Type?

    /// Holds an object as its class or a superclass, optional or not.
    init(_ object: AnyObject, as type: Any.Type? = nil) {
        self.object = object
        self.type = type
        unsafe bytes = nil
    }

    /// Holds a value that is a class instance, or an optional with one; fails for any other.
    init?<Value>(holding value: Value) {
        guard let object = classInstance(in: value) else { return nil }
        let (size, reference) = unsafe (MemoryLayout<Value>.size, Unmanaged.passUnretained(object).toOpaque())
        // An error that is a class instance is a reference to a box around it.
        let isReference = unsafe withUnsafePointer(to: value) {
            unsafe UnsafeRawPointer($0).load(as: UnsafeMutableRawPointer.self) == reference
        }
        if !isReference { return nil }
        let bytes =
            size > MemoryLayout<AnyObject>.size
            ? UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<Value>.alignment)
            : nil
        unsafe withUnsafePointer(to: value) { unsafe bytes?.copyMemory(from: $0, byteCount: size) }
        self.object = object
        type = Value.self
        unsafe self.bytes = unsafe bytes
    }

    deinit { unsafe bytes?.deallocate() }

    override var isGone: Bool { object == nil }
    override var instance: AnyObject? { object }
    override var heldType: Any.Type? { type }
    override var weakly: WeakCell? { self }

    /// The value, as the type that it is held as; nil if it is gone.
    @inlinable @inline(__always)
    @unsafe func load<Value>(_ type: Value.Type) -> Value? {
        guard let object else { return nil }
        guard let bytes = unsafe bytes else { return unsafe unsafeBitCast(object, to: Value.self) }
        _ = unsafe Unmanaged.passRetained(object)
        return unsafe bytes.assumingMemoryBound(to: Value.self).move()
    }
}

extension AnyCell {
    /// Holds a service strongly.
    @inlinable
    static func holding<Service: Sendable>(_ service: Service) -> AnyCell {
        unsafe Service.self is AnyClass
            ? ObjectCell(unsafeBitCast(service, to: AnyObject.self), as: Service.self) : Cell(service)
    }

    /// A cell that holds the service strongly as the type that it was created as; nil if it is gone.
    final func strongly(as type: any Sendable.Type) -> AnyCell? {
        func strong<Service: Sendable>(_ type: Service.Type) -> AnyCell? {
            content(as: type).map { AnyCell.holding($0) }
        }
        return strong(type)
    }

    /// The value of a cell that was created for a type; the caller guarantees that it was.
    ///
    /// ## Why the cast is safe
    ///
    /// The value of an ``ObjectCell`` is one reference at the same offset as in a cell of a class or of an
    /// optional class. Any other cell is asked only for the type that it was created with.
    @inlinable @inline(__always)
    @unsafe final func value<Value>(as type: Value.Type) -> Value {
        unsafe Unmanaged<Cell<Value>>.fromOpaque(Unmanaged.passUnretained(self).toOpaque())
            ._withUnsafeGuaranteedRef { $0.value }
    }
}
