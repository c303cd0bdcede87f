// Part of ServiceBox, released under the MIT License.
// Whether a type conforms to a protocol, when both are known at run time only.

/// Conformances of types, asked without a value of the type.
///
/// A cast asks a value. A service that is not made yet has none, and making it for a question would run user
/// code. The metatype of the type can be cast to the protocol's existential metatype; the standard library
/// has no way to name that for a protocol known at run time, so the function that the compiler calls for it
/// is looked up in the runtime. Where it is not found, in programs that contain the standard library, the type
/// is asked for by its mangled name, which a private protocol does not have; then the question stays open.
enum Conformance {
    /// Tells whether a type conforms, by a conformance that may be used where this is asked.
    ///
    /// - Parameters:
    ///   - type: A class, a struct or an enum.
    ///   - existential: The type of the protocol's existential, `(any P).self`, or of a composition.
    /// - Returns: Whether it does, or nil if that cannot be told, as of `any P<Int>`: the runtime's function
    ///   gives a metatype for it to which nothing can be cast (measured).
    static func of(_ type: Any.Type, to existential: Any.Type) -> Bool? {
        guard MetadataKind(of: existential) == .existential,
            let metatype = existentialMetatype(of: existential)
        else { return nil }
        func open<Metatype>(_: Metatype.Type) -> Bool { type is Metatype }
        return _openExistential(metatype, do: open)
    }

    /// `(any P.Type).self` for `(any P).self`.
    private static func existentialMetatype(of existential: Any.Type) -> Any.Type? {
        guard let function else { return _mangledTypeName(existential).flatMap { _typeByName($0 + "Xp") } }
        return unsafeBitCast(
            function(unsafeBitCast(existential, to: UnsafeRawPointer.self)), to: Any.Type.self)
    }

    /// The runtime's function, which takes and gives pointers to the metadata of types; that is what an
    /// `Any.Type` is.
    private static let function = RuntimeSymbol.named("swift_getExistentialMetatypeMetadata").map {
        unsafeBitCast($0, to: (@Sendable @convention(c) (UnsafeRawPointer) -> UnsafeRawPointer).self)
    }
}
