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
