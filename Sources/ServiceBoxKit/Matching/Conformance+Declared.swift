// Part of ServiceBox, released under the MIT License.
// Whether a type conforms to a protocol on some actor, if not on this one.

extension Conformance {
    /// Tells whether a type declares to conform, on whatever actor its conformance may be used.
    ///
    /// Every cast whose protocol is known at run time only asks for a conformance that may be used where the
    /// cast is made, also one of metatypes (measured). The runtime's own search does not; it takes the
    /// protocols one by one.
    ///
    /// - Parameters:
    ///   - type: A class, a struct or an enum.
    ///   - existential: The type of the protocol's existential, `(any P).self`, or of a composition.
    /// - Returns: Whether it does, or nil if that cannot be told.
    static func isDeclared(by type: Any.Type, to existential: Any.Type) -> Bool? {
        typealias Search = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UnsafeRawPointer?
        guard let protocols = Interface(existential)?.protocols,
            let symbol = RuntimeSymbol.named("swift_conformsToProtocol")
        else { return nil }
        let search = unsafeBitCast(symbol, to: Search.self)
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        return !protocols.isEmpty && protocols.allSatisfy { search(metadata, $0) != nil }
    }
}
