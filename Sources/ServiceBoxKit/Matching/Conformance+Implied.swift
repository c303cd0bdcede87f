// Part of ServiceBox, released under the MIT License.
// Which interfaces imply which: `any Sub` has all that `any Base` asks for.

extension Conformance {
    /// Whether every service of an interface is of a type, whatever it is.
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
struct Interface {
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
        superclass.map { TypePlan.isType($0, orInherits: wanted) } ?? false
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
