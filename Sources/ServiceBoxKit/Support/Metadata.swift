// Part of ServiceBox, released under the MIT License.
// What the metadata of a type says at once, without a search through conformances.

/// The metadata of a type.
///
/// A cast to a protocol that fails searches the conformances of the whole program; this reads a few words.
///
/// ## Why the raw pointers are safe
///
/// An `Any.Type` is a pointer to the metadata of the type, which is never freed. Everything that is read here is part
/// of Swift's ABI, and only of metadata of the right kind:
///
/// - The first word is the kind; where there is Objective-C, a class has a pointer there.
/// - The second word of a struct or an enum is its descriptor, the third its first generic argument. A class of Swift has its superclass, on Apple platforms three
///   words of Objective-C's, four 32-bit words with flags and sizes, two more with the extent of the metadata, and
///   its descriptor. A descriptor begins with 32 bits of flags; that of a struct has the number of stored properties
///   in the sixth 32-bit word, that of a class in the tenth.
/// - An existential type has two 32-bit fields with flags and the number of protocols, the superclass if a flag says
///   that there is one, then a word for each protocol, whose lowest bit is set for one of Objective-C's.
struct Metadata {
    enum Kind: UInt {
        case `class` = 0
        case structure = 0x200
        case enumeration = 0x201
        case optional = 0x202
        /// One of the compiler's own that has no name in Swift.
        case opaque = 0x300
        case tuple = 0x301
        /// `any P`, or a composition.
        case existential = 0x303
        /// `any P<Int>`, or a composition with one.
        case extendedExistential = 0x307
    }

    fileprivate static let wordSize = MemoryLayout<UInt>.stride

    let pointer: UnsafeRawPointer

    init(_ type: Any.Type) { pointer = unsafeBitCast(type, to: UnsafeRawPointer.self) }

    /// Where it lies, which tells types apart.
    var address: UInt { UInt(bitPattern: pointer) }

    /// The kind of the type; nil if it is one that the library doesn't tell apart.
    var kind: Kind? {
        let word = word(0)
        return Kind(rawValue: word < 0x800 ? word : Kind.class.rawValue)
    }

    /// What all specialisations of a struct, an enum or a class share; nil for any other type, and for a class that
    /// isn't declared in Swift.
    var descriptor: UnsafeRawPointer? {
        switch kind {
        case .structure, .enumeration, .optional: return UnsafeRawPointer(bitPattern: word(1))
        case .class:
            #if _runtime(_ObjC)
            let swiftFlag: UInt = 2
            return word(4) & swiftFlag == 0 ? nil : UnsafeRawPointer(bitPattern: word(8))
            #else
            return UnsafeRawPointer(bitPattern: word(5))
            #endif
        default: return nil
        }
    }

    /// What an optional wraps; nil of any other type.
    var wrapped: Any.Type? { kind == .optional ? firstArgument : nil }

    /// The first generic argument of a struct or an enum that has one.
    var firstArgument: Any.Type { unsafeBitCast(word(2), to: Any.Type.self) }

    /// Whether a descriptor is the only one of its type, as that of a type of C isn't.
    static func isUnique(_ descriptor: UnsafeRawPointer) -> Bool {
        let uniqueFlag: UInt32 = 1 << 6
        return descriptor.load(as: UInt32.self) & uniqueFlag != 0
    }

    /// The name in the source of a struct, an enum, a class or a protocol, without what it is declared in and without
    /// generic arguments; nil of any other type, and of one that isn't declared in Swift.
    var name: String? {
        descriptor.map { String(cString: ($0 + 8).relativeTarget.assumingMemoryBound(to: CChar.self)) }
    }

    /// Whether it is `any P`, or a composition.
    var isExistential: Bool { kind == .existential || kind == .extendedExistential }

    var isActor: Bool {
        let actorFlag: UInt32 = 1 << 23
        guard kind == .class, let descriptor else { return false }
        return descriptor.load(as: UInt32.self) & actorFlag != 0
    }

    /// How many stored properties a struct or a class declares, without those of its superclass; in a stripped build
    /// too.
    var storedPropertyCount: UInt32 {
        descriptor?.load(fromByteOffset: kind == .class ? 36 : 20, as: UInt32.self) ?? 0
    }

    private func word(_ index: Int) -> UInt {
        pointer.load(fromByteOffset: index * Self.wordSize, as: UInt.self)
    }
}

/// What an existential type asks for.
struct Interface {
    let isForClasses: Bool
    let superclass: Any.Type?
    /// The descriptors of the protocols.
    let protocols: [UnsafeRawPointer]

    /// Reads the type of an existential; fails if it is none, or can't be read, such as `any P<Int>`.
    init?(_ existential: Any.Type) {
        let (anyClassFlag, superclassFlag): (UInt32, UInt32) = (0x8000_0000, 0x4000_0000)
        let metadata = Metadata(existential)
        guard metadata.kind == .existential else { return nil }
        var next = metadata.pointer + Metadata.wordSize
        let flags = next.load(as: UInt32.self)
        let count = next.load(fromByteOffset: 4, as: UInt32.self)
        next += 8
        isForClasses = flags & anyClassFlag == 0
        superclass = flags & superclassFlag == 0 ? nil : next.load(as: Any.Type.self)
        if superclass != nil { next += Metadata.wordSize }
        let addresses = UnsafeBufferPointer(
            start: next.assumingMemoryBound(to: UInt.self), count: Int(count))
        if addresses.contains(where: { $0 & 1 != 0 }) { return nil }
        protocols = addresses.compactMap(UnsafeRawPointer.init(bitPattern:))
    }

    func inherits(_ wanted: Any.Type) -> Bool {
        superclass.map { Conformance.isType($0, orInherits: wanted) } ?? false
    }

    /// Whether everything that fits this interface fits another one.
    func implies(_ other: Interface) -> Bool {
        (isForClasses || !other.isForClasses) && (other.superclass.map(inherits) ?? true)
            && other.protocols.allSatisfy { base in
                protocols.contains { Self.isProtocol($0, orRefines: base) }
            }
    }

    /// Whether a protocol is another one, or refines it, if by way of a third.
    private static func isProtocol(_ descriptor: UnsafeRawPointer, orRefines base: UnsafeRawPointer) -> Bool {
        descriptor == base || bases(of: descriptor).contains { isProtocol($0, orRefines: base) }
    }

    /// The protocols that a protocol names as its own bases.
    ///
    /// The descriptor of a protocol is part of Swift's ABI: 32-bit fields, the fourth with the number of its
    /// requirements on types, which stand after the sixth. Each has a field with its kind, one with the distance to
    /// the mangled name of the type that it is about, and one with the distance to what it asks for: of a protocol
    /// its lowest bits say whether a pointer to the descriptor lies there, and whether it is one of Objective-C's.
    private static func bases(of descriptor: UnsafeRawPointer) -> [UnsafeRawPointer] {
        let (header, size) = (24, 12)
        let (kindMask, protocolKind): (UInt32, UInt32) = (0x1F, 0)
        let count = descriptor.load(fromByteOffset: 12, as: UInt32.self)
        return (0..<Int(count)).compactMap { index in
            let requirement = descriptor + header + index * size
            let subject = (requirement + 4).relativeTarget
            let objectiveCFlag: Int32 = 2
            // `x` is the mangled name of `Self`; the others are about associated types.
            guard requirement.load(as: UInt32.self) & kindMask == protocolKind,
                requirement.load(fromByteOffset: 8, as: Int32.self) & objectiveCFlag == 0,
                subject.load(as: UInt8.self) == UInt8(ascii: "x"),
                subject.load(fromByteOffset: 1, as: UInt8.self) == 0
            else { return nil }
            return (requirement + 8).relativeDescriptor
        }
    }
}
