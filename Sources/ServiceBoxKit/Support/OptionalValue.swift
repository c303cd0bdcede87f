// Part of ServiceBox, released under the MIT License.
// Optional types and values, and class instances, recognised at run time by their metadata.

/// Returns what a type wraps if it is optional, however often, otherwise the type itself.
func unwrapped(_ type: Any.Type) -> Any.Type {
    var type = type
    while let wrapped = Metadata(type).wrapped { type = wrapped }
    return type
}

/// Returns what a value wraps if it is an optional, however often, otherwise the value itself; nil of nil.
func unwrapped<Value>(value: Value) -> Any? {
    guard Metadata(type(of: value as Any)).kind == .optional else { return value }
    // To what it wraps, a cast would find the optional itself where that is an `Any`.
    // swift-format-ignore: NeverForceUnwrap
    return (value as! any OptionalValue).wrapped.flatMap(unwrapped(value:))
}

/// An optional whose type isn't known before run time.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { map { $0 as Any } }
}

/// Whether a value is an optional without one.
@usableFromInline
func isNil<Value>(_ value: Value) -> Bool { unwrapped(value: value) == nil }

/// Returns the class instance that a value is, or nil if it is none.
///
/// `as AnyObject` would box a struct, and searches for a way to bridge whatever lies in an existential.
func classInstance<Value>(_ value: Value) -> AnyObject? {
    switch Metadata(Value.self).kind {
    case .class: return unsafeBitCast(value, to: AnyObject.self)
    case .structure, .enumeration: return nil
    default: break
    }
    let type = type(of: value as Any)
    // Forced: for an optional the runtime would look one more type up (measured).
    // swift-format-ignore: NeverForceUnwrap
    func open<Object>(_: Object.Type) -> AnyObject { unsafeBitCast(value as! Object, to: AnyObject.self) }
    return type is AnyClass ? _openExistential(type, do: open) : nil
}

/// Returns the class instance that a value is or wraps, or nil if it is none.
func classInstance<Value>(in value: Value) -> AnyObject? {
    switch Metadata(Value.self).kind {
    case .class, .structure, .enumeration: classInstance(value)
    default: classInstance(value) ?? unwrapped(value: value).flatMap { classInstance($0) }
    }
}
