// Part of ServiceBox, released under the MIT License.
// Whether a type conforms to a protocol on some actor, if not on this one.

extension Conformance {
    /// Tells whether a type declares to conform, on whatever actor its conformance may be used.
    ///
    /// Every cast whose protocol is known at run time only asks for a conformance that may be used where the
    /// cast is made, also one of metatypes (measured). The runtime's own search does not; it takes the
    /// protocols one by one.
    ///
    /// ## Why the raw pointers are safe
    ///
    /// The metadata of an existential type is part of Swift's ABI: a word that says what kind of metadata it
    /// is, two 32-bit fields with flags and the number of protocols, the superclass if a flag says that there
    /// is one, then a word for each protocol. Nothing but the first word is read of metadata of another kind,
    /// such as that of `any P<Int>`. A protocol of Objective-C's has its lowest bit set and is not passed on.
    ///
    /// - Parameters:
    ///   - type: A class, a struct or an enum.
    ///   - existential: The type of the protocol's existential, `(any P).self`, or of a composition.
    /// - Returns: Whether it does, or nil if that cannot be told.
    static func isDeclared(by type: Any.Type, to existential: Any.Type) -> Bool? {
        typealias Search = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UnsafeRawPointer?
        guard let protocols = protocols(of: existential),
            let symbol = RuntimeSymbol.named("swift_conformsToProtocol")
        else { return nil }
        let search = unsafeBitCast(symbol, to: Search.self)
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        return !protocols.isEmpty && protocols.allSatisfy { search(metadata, $0) != nil }
    }

    /// The descriptions of the protocols that an existential type is made of, or nil if they cannot be read.
    private static func protocols(of existential: Any.Type) -> [UnsafeRawPointer]? {
        let existentialKind: UInt = 0x303
        let superclassFlag: UInt32 = 0x4000_0000
        let metadata = unsafeBitCast(existential, to: UnsafeRawPointer.self)
        guard metadata.load(as: UInt.self) == existentialKind else { return nil }
        let word = MemoryLayout<UInt>.stride
        let flags = metadata.load(fromByteOffset: word, as: UInt32.self)
        let count = metadata.load(fromByteOffset: word + 4, as: UInt32.self)
        let first = word + 8 + (flags & superclassFlag == 0 ? 0 : word)
        var protocols: [UnsafeRawPointer] = []
        for index in 0..<Int(count) {
            let address = metadata.load(fromByteOffset: first + index * word, as: UInt.self)
            guard address & 1 == 0, let pointer = UnsafeRawPointer(bitPattern: address) else { return nil }
            protocols.append(pointer)
        }
        return protocols
    }
}
