// Part of ServiceBox, released under the MIT License.
// What types conform to and inherit, when both are known at run time only.

/// Conformances of types, asked without a value of the type.
///
/// A cast asks a value. A service that isn't created yet has none, and creating it for a question would run user
/// code. The metatype of the type can be cast to the protocol's existential metatype; the standard library
/// has no way to name that for a protocol known at run time, so the function that the compiler calls for it
/// is looked up in the runtime. Where it isn't found, in programs that contain the standard library, the type
/// is asked for by its mangled name, which a private protocol doesn't have; then the question stays open.
enum Conformance {
    /// Tells whether a type conforms, by a conformance that may be used where this is asked.
    ///
    /// Unlike a cast of a metatype to a protocol that the compiler knows, this one asks for the actor of the
    /// conformance (measured).
    ///
    /// - Parameters:
    ///   - type: A class, a struct or an enum.
    ///   - existential: The type of the protocol's existential, `(any P).self`, or of a composition.
    /// - Returns: Whether it does, or nil if that can't be told, as of `any P<Int>`: the runtime's function
    ///   gives a metatype for it to which nothing can be cast (measured).
    static func of(_ type: Any.Type, to existential: Any.Type) -> Bool? {
        guard MetadataKind(of: existential) == .existential,
            let metatype = existentialMetatype(of: existential)
        else { return nil }
        func open<Metatype>(_: Metatype.Type) -> Bool { type is Metatype }
        return _openExistential(metatype, do: open)
    }

    /// Tells whether a type conforms, on whatever actor its conformance may be used.
    ///
    /// - Parameters:
    ///   - type: A class, a struct or an enum.
    ///   - existential: The type of the protocol's existential, `(any P).self`, or of a composition.
    /// - Returns: Whether it does, or nil if that can't be told.
    static func isDeclared(by type: Any.Type, to existential: Any.Type) -> Bool? {
        guard let search, let interface = Interface(existential) else { return nil }
        if interface.isForClasses, !(type is AnyClass) { return false }
        if let superclass = interface.superclass, !isType(type, orInherits: superclass) { return false }
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        return interface.protocols.allSatisfy { search(metadata, $0) != nil }
    }

    /// Whether a type is another one or, being a class, inherits it.
    static func isType(_ type: Any.Type, orInherits other: Any.Type) -> Bool {
        func open<Other>(_: Other.Type) -> Bool { type is Other.Type }
        return _openExistential(other, do: open)
    }

    /// Whether every service of an interface is of a type, whatever it is: `any Sub` has all that `any Base` asks
    /// for.
    ///
    /// - Parameters:
    ///   - wanted: A class, or the type of an existential.
    ///   - interface: The type of an existential; of `any P<Int>` nothing is said.
    /// - Returns: Whether that is certain.
    static func isImplied(_ wanted: Any.Type, by interface: Any.Type) -> Bool {
        guard let interface = Interface(interface) else { return false }
        if wanted is AnyClass { return interface.inherits(wanted) }
        guard let wanted = Interface(wanted) else { return false }
        return (interface.isForClasses || !wanted.isForClasses)
            && (wanted.superclass.map(interface.inherits) ?? true)
            && wanted.protocols.allSatisfy { base in
                interface.protocols.contains { Interface.isProtocol($0, orRefines: base) }
            }
    }

    /// `(any P.Type).self` for `(any P).self`.
    private static func existentialMetatype(of existential: Any.Type) -> Any.Type? {
        guard let metatype else { return _mangledTypeName(existential).flatMap { _typeByName($0 + "Xp") } }
        return unsafeBitCast(
            metatype(unsafeBitCast(existential, to: UnsafeRawPointer.self)), to: Any.Type.self)
    }

    /// The runtime's function that gives the metatype of an existential.
    ///
    /// It takes and gives pointers to the metadata of types; that is what an `Any.Type` is.
    private static let metatype = RuntimeSymbol.named(
        "swift_getExistentialMetatypeMetadata",
        as: (@Sendable @convention(c) (UnsafeRawPointer) -> UnsafeRawPointer).self)

    /// The runtime's search for a conformance, which asks for no actor.
    ///
    /// It takes pointers to the metadata of a type and to the descriptor of a protocol.
    private static let search = RuntimeSymbol.named(
        "swift_conformsToProtocol",
        as: (@Sendable @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UnsafeRawPointer?).self)
}

/// What an existential type asks for.
///
/// ## Why the raw pointers are safe
///
/// The metadata of an existential type is part of Swift's ABI: a word that says what kind of metadata it is,
/// two 32-bit fields with flags and the number of protocols, the superclass if a flag says that there is one,
/// then a word for each protocol. Nothing but the first word is read of metadata of another kind, such as
/// that of `any P<Int>`. A protocol of Objective-C's has its lowest bit set and is not read.
///
/// So is the descriptor of a protocol: 32-bit fields, the fourth with the number of its requirements on
/// types, which stand after the sixth. Each has a field with its kind, one with the distance to the mangled
/// name of the type that it is about, and one with the distance to what it asks for: of a protocol its lowest
/// bits say whether a pointer to the descriptor lies there, and whether it is one of Objective-C's.
private struct Interface {
    let isForClasses: Bool
    let superclass: Any.Type?
    /// The descriptors of the protocols.
    let protocols: [UnsafeRawPointer]

    /// Reads the type of an existential; fails if it is none, or cannot be read.
    init?(_ existential: Any.Type) {
        let (anyClassFlag, superclassFlag): (UInt32, UInt32) = (0x8000_0000, 0x4000_0000)
        guard MetadataKind(of: existential) == .existential else { return nil }
        let metadata = unsafeBitCast(existential, to: UnsafeRawPointer.self)
        let word = MemoryLayout<UInt>.stride
        let flags = metadata.load(fromByteOffset: word, as: UInt32.self)
        let count = metadata.load(fromByteOffset: word + 4, as: UInt32.self)
        let hasSuperclass = flags & superclassFlag != 0
        isForClasses = flags & anyClassFlag == 0
        superclass = hasSuperclass ? metadata.load(fromByteOffset: word + 8, as: Any.Type.self) : nil
        let first = word + 8 + (hasSuperclass ? word : 0)
        var protocols: [UnsafeRawPointer] = []
        for index in 0..<Int(count) {
            let address = metadata.load(fromByteOffset: first + index * word, as: UInt.self)
            guard address & 1 == 0, let pointer = UnsafeRawPointer(bitPattern: address) else { return nil }
            protocols.append(pointer)
        }
        self.protocols = protocols
    }

    func inherits(_ wanted: Any.Type) -> Bool {
        superclass.map { Conformance.isType($0, orInherits: wanted) } ?? false
    }

    /// Whether a protocol is another one, or refines it, if by way of a third.
    static func isProtocol(_ descriptor: UnsafeRawPointer, orRefines base: UnsafeRawPointer) -> Bool {
        descriptor == base || bases(of: descriptor).contains { isProtocol($0, orRefines: base) }
    }

    /// The protocols that a protocol names as its own bases.
    private static func bases(of descriptor: UnsafeRawPointer) -> [UnsafeRawPointer] {
        let (header, size) = (24, 12)
        let (kindMask, protocolKind): (UInt32, UInt32) = (0x1F, 0)
        let count = descriptor.load(fromByteOffset: 12, as: UInt32.self)
        return (0..<Int(count)).compactMap { index in
            let requirement = descriptor + header + index * size
            guard requirement.load(as: UInt32.self) & kindMask == protocolKind else { return nil }
            let subject = requirement + 4 + Int(requirement.load(fromByteOffset: 4, as: Int32.self))
            // `x` is the mangled name of `Self`; the others are about associated types.
            guard subject.load(as: UInt8.self) == UInt8(ascii: "x"),
                subject.load(fromByteOffset: 1, as: UInt8.self) == 0
            else { return nil }
            let distance = Int(requirement.load(fromByteOffset: 8, as: Int32.self))
            guard distance & 2 == 0 else { return nil }
            let target = requirement + 8 + (distance & ~3)
            return distance & 1 == 0 ? target : target.load(as: UnsafeRawPointer.self)
        }
    }
}
