// Part of ServiceBox, released under the MIT License.
// Optional types, recognised at run time.

/// Implemented by `Optional` alone, so that a type known only at run time can be asked what it wraps.
@usableFromInline
protocol OptionalValue {
    static var wrappedType: Any.Type { get }
    static var empty: Self { get }
    var isNone: Bool { get }
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    @usableFromInline static var wrappedType: Any.Type { Wrapped.self }
    @usableFromInline static var empty: Self { nil }
    @usableFromInline var wrapped: Any? { self }
    @usableFromInline var isNone: Bool {
        if case .none = self { true } else { false }
    }
}

/// Returns what a type wraps if it is optional, however often, otherwise the type itself.
func unwrapped(_ type: Any.Type) -> Any.Type {
    guard Metadata(type).kind == .optional, let optional = type as? any OptionalValue.Type else { return type }
    return unwrapped(optional.wrappedType)
}

/// Returns the class instance that a value is or wraps, or nil if it is none.
///
/// `as AnyObject` alone would box a struct.
func classInstance<Value>(in value: Value) -> AnyObject? {
    if type(of: value as Any) is any AnyObject.Type { return value as AnyObject }
    guard let wrapped = (value as? any OptionalValue)?.wrapped else { return nil }
    return classInstance(in: wrapped)
}
