// Part of ServiceBox, released under the MIT License.
// Optional types and values, and class instances, recognised at run time by their metadata.

/// Returns the type that an optional wraps, through all levels; any other type is returned unchanged.
func unwrapped(_ type: Any.Type) -> Any.Type {
    var type = type
    while let wrapped = Metadata(type).wrapped { type = wrapped }
    return type
}

/// Returns the value that an optional wraps, through all levels; any other value is returned unchanged, nil
/// for nil.
func unwrapped<Value>(value: Value) -> Any? {
    guard Metadata(type(of: value as Any)).kind == .optional else { return value }
    // A conditional cast would look inside the optional, and find another one if it wraps an `Any`.
    // swift-format-ignore: NeverForceUnwrap
    return (value as! any OptionalValue).wrapped.flatMap(unwrapped(value:))
}

/// An optional whose type is known only at run time.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { map { $0 as Any } }
}

/// Whether a value is nil, at any level of optionals.
@usableFromInline
func isNil<Value>(_ value: Value) -> Bool { unwrapped(value: value) == nil }

/// Returns a value as a class instance, or nil if it isn't one.
///
/// `as AnyObject` would box a struct, and would search for a bridge for the contents of an existential.
func classInstance<Value>(_ value: Value) -> AnyObject? {
    switch Metadata(Value.self).kind {
    case .class: return unsafe unsafeBitCast(value, to: AnyObject.self)
    case .structure, .enumeration: return nil
    default: break
    }
    let type = type(of: value as Any)
    // Forced because the runtime would look up another type for an optional (measured).
    // swift-format-ignore: NeverForceUnwrap
    func open<Object>(_: Object.Type) -> AnyObject {
        unsafe unsafeBitCast(value as! Object, to: AnyObject.self)
    }
    return type is AnyClass ? _openExistential(type, do: open) : nil
}

/// Returns the class instance that a value is or wraps, or nil if there is none.
func classInstance<Value>(in value: Value) -> AnyObject? {
    switch Metadata(Value.self).kind {
    case .class, .structure, .enumeration: return classInstance(value)
    default: break
    }
    // Most interfaces hold a struct or an object, and each conversion to `Any` copies a struct.
    switch Metadata(type(of: value as Any)).kind {
    case .structure, .enumeration: return nil
    case .optional: return unwrapped(value: value).flatMap { classInstance($0) }
    default: return classInstance(value)
    }
}
