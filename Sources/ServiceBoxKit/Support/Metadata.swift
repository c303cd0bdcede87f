// Part of ServiceBox, released under the MIT License.
// What a type's metadata says without a search through conformances.

/// The metadata of a type.
///
/// A cast to a protocol that fails searches the conformances of the whole program; this reads a few words.
///
/// ## Why the raw pointers are safe
///
/// An `Any.Type` is a pointer to the type's metadata, which is never freed. Everything that is read here is
/// part of Swift's ABI, and is read only from metadata of the right kind:
///
/// - The first word is the kind; with Objective-C, a class declared in Swift has a pointer there.
/// - The second word of a struct or an enum is its descriptor, followed by its generic arguments. A Swift
///   class has its superclass, on Apple platforms three words of Objective-C's, four 32-bit words with flags
///   and sizes, two more with the extent of the metadata, and its descriptor. A descriptor begins with 32
///   bits of flags; a struct's has the number of stored properties in the sixth 32-bit word, a class's in the
///   tenth.
/// - An existential type has two 32-bit fields with flags and the number of protocols, the superclass if a
///   flag says that there is one, then a word for each protocol, whose lowest bit is set if it is
///   Objective-C's. That of `any P<Int>` has a pointer to its shape instead: 32 bits of flags, the lowest eight
///   of which tell one for classes, the number of requirements in the sixth 16-bit word, and the requirements.
/// - The second word of a metatype, existential or not, is the type whose metatype it is.
/// - The word before the metadata is the address of the value witnesses: ten words, then 32 bits of flags.
@safe struct Metadata {
    enum Kind: UInt {
        /// A class, whether it is declared in Swift or in Objective-C.
        case `class` = 0
        case structure = 0x200
        case enumeration = 0x201
        case optional = 0x202
        /// A class of Core Foundation, whose instances don't tell their class.
        case foreignClass = 0x203
        /// A compiler builtin that has no name in Swift.
        case opaque = 0x300
        case tuple = 0x301
        case function = 0x302
        /// `any P`, or a composition.
        case existential = 0x303
        case metatype = 0x304
        /// `any P.Type`.
        case existentialMetatype = 0x306
        /// `any P<Int>`, or a composition with one.
        case extendedExistential = 0x307
    }

    fileprivate static let wordSize = MemoryLayout<UInt>.stride

    let pointer: UnsafeRawPointer

    init(_ type: Any.Type) { unsafe pointer = unsafeBitCast(type, to: UnsafeRawPointer.self) }

    /// The metadata's address, which identifies the type.
    var address: UInt { unsafe UInt(bitPattern: pointer) }

    /// The type with metadata at an address, which must be that of a type; nil for zero.
    @unsafe static func type(at address: UInt) -> Any.Type? {
        unsafe UnsafeRawPointer(bitPattern: address).map { unsafe unsafeBitCast($0, to: Any.Type.self) }
    }

    /// The kind of the type; nil if the library doesn't distinguish it.
    var kind: Kind? { isObjectiveC || word(0) >= 0x800 ? .class : Kind(rawValue: word(0)) }

    /// Whether it is a class declared in Objective-C, of which nothing but its being one is known here.
    var isObjectiveC: Bool { word(0) == 0x305 }

    /// The type context descriptor, which all specialisations share; nil unless the type is a struct, an enum
    /// or a class declared in Swift.
    var descriptor: UnsafeRawPointer? {
        switch kind {
        case .structure, .enumeration, .optional: return unsafe UnsafeRawPointer(bitPattern: word(1))
        case .class where isDeclaredInSwift:
            return unsafe pointer.load(
                fromByteOffset: Self.classFlagsOffset + 6 * MemoryLayout<UInt32>.size,
                as: UnsafeRawPointer?.self)
        default: return nil
        }
    }

    /// Whether a class is declared in Swift.
    private var isDeclaredInSwift: Bool {
        #if canImport(Darwin)
        let swiftFlag: UInt = 2
        return !isObjectiveC && word(4) & swiftFlag != 0
        #else
        return !isObjectiveC
        #endif
    }

    /// Whether instances of a class are counted by Swift, unlike those of a class that inherits from one of
    /// Objective-C.
    var isCountedBySwift: Bool {
        #if canImport(Darwin)
        let countingFlag: UInt32 = 2
        if !isDeclaredInSwift { return false }
        return unsafe pointer.load(fromByteOffset: Self.classFlagsOffset, as: UInt32.self) & countingFlag != 0
        #else
        return true
        #endif
    }

    /// The offset of a class's flags in bytes.
    private static var classFlagsOffset: Int {
        #if canImport(Darwin)
        5 * wordSize
        #else
        2 * wordSize
        #endif
    }

    /// Identifies the type's declaration, which all specialisations share; zero if there is no descriptor.
    var declaration: UInt { unsafe UInt(bitPattern: descriptor) }

    /// Whether the value witnesses say that values can't be copied; those of a generic struct may not say so
    /// although a field can't be.
    var isMarkedNoncopyable: Bool {
        let noncopyableFlag: UInt32 = 1 << 23
        let witnesses = unsafe pointer.load(fromByteOffset: -Self.wordSize, as: UnsafeRawPointer.self)
        return unsafe witnesses.load(fromByteOffset: 10 * Self.wordSize, as: UInt32.self) & noncopyableFlag
            != 0
    }

    /// The wrapped type of an optional; nil for any other type.
    var wrapped: Any.Type? { unsafe kind == .optional ? firstArgument : nil }

    /// The first generic argument of a struct or an enum that has one.
    @unsafe var firstArgument: Any.Type { unsafe argument(0) }

    @unsafe private func argument(_ index: Int) -> Any.Type {
        unsafe unsafeBitCast(word(2 + index), to: Any.Type.self)
    }

    /// The types of an array's or a set's elements, or of a dictionary's keys and values, or the type whose
    /// metatype it is; nil for any other type.
    var parts: [Any.Type]? {
        if kind == .metatype || kind == .existentialMetatype {
            return unsafe [unsafeBitCast(word(1), to: Any.Type.self)]
        }
        guard let index = Self.collections.firstIndex(of: declaration) else { return nil }
        return (index == 0 ? [0, 1] : [0]).map { unsafe argument($0) }
    }

    /// Whether a collection's elements are of an interface, or its metatype's type is one, at any depth.
    var hasInterfaceInside: Bool {
        (parts ?? []).contains { part in
            part != Any.self && Metadata(part).isExistential || Metadata(part).hasInterfaceInside
        }
    }

    private static let collections = [
        Metadata([Int: Int].self), Metadata([Int].self), Metadata(Set<Int>.self),
    ]
    .map(\.declaration)

    /// The type's name in the source, without its enclosing types and generic arguments; nil if it isn't a
    /// struct, an enum, a class or a protocol declared in Swift.
    var name: String? {
        unsafe descriptor.map {
            unsafe String(cString: ($0 + 8).relativeTarget.assumingMemoryBound(to: CChar.self))
        }
    }

    /// Whether it is `any P`, or a composition.
    var isExistential: Bool { kind == .existential || kind == .extendedExistential }

    var isActor: Bool {
        let actorFlag: UInt32 = 1 << 23
        guard kind == .class, let descriptor = unsafe descriptor else { return false }
        return unsafe descriptor.load(as: UInt32.self) & actorFlag != 0
    }

    /// The number of stored properties that a struct or a class declares, without inherited ones; correct in
    /// stripped builds too.
    var storedPropertyCount: UInt32 {
        unsafe descriptor?.load(fromByteOffset: kind == .class ? 36 : 20, as: UInt32.self) ?? 0
    }

    private func word(_ index: Int) -> UInt {
        unsafe pointer.load(fromByteOffset: index * Self.wordSize, as: UInt.self)
    }
}

/// A type and, if it is a class, its superclasses, the nearest first.
func lineage(of type: Any.Type) -> some Sequence<Any.Type> {
    sequence(first: type) { ($0 as? AnyClass).flatMap(_getSuperclass) }
}

/// The descriptor of a protocol.
///
/// It is part of Swift's ABI: 32-bit fields, the fourth with the number of its requirements on types, which
/// follow the sixth. It is never freed.
@safe struct ProtocolDescriptor {
    let pointer: UnsafeRawPointer

    /// The descriptor's address, which identifies the protocol.
    var address: UInt { unsafe UInt(bitPattern: pointer) }

    /// Whether the protocol is another one, or refines it, directly or indirectly.
    func isOrRefines(_ base: Self) -> Bool {
        let count = unsafe pointer.load(fromByteOffset: 12, as: UInt32.self)
        return unsafe address == base.address
            || Self.required(by: Int(count), at: pointer + 24, of: "x").contains { $0.isOrRefines(base) }
    }

    /// The protocols among requirements of a subject, by the mangled name that `Self` has there.
    ///
    /// Each requirement has a 32-bit field with its kind, one with the distance to the mangled name of its
    /// subject, and one with the distance to what it requires. If that is a protocol, the lowest bits say
    /// whether the distance leads to a pointer to the descriptor, and whether it is one of Objective-C's.
    fileprivate static func required(
        by count: Int, at start: UnsafeRawPointer, of subject: String
    ) -> [Self] {
        let (kindMask, protocolKind): (UInt32, UInt32) = (0x1F, 0)
        return (0..<count).compactMap { index in
            let requirement = unsafe start + index * 12
            let name = unsafe (requirement + 4).relativeTarget.assumingMemoryBound(to: CChar.self)
            let objectiveCFlag: Int32 = 2
            // Other subjects are associated types.
            guard unsafe requirement.load(as: UInt32.self) & kindMask == protocolKind,
                unsafe requirement.load(fromByteOffset: 8, as: Int32.self) & objectiveCFlag == 0,
                unsafe String(cString: name) == subject
            else { return nil }
            return unsafe Self(pointer: (requirement + 8).relativeDescriptor)
        }
    }
}

/// The requirements of an existential type.
struct Interface {
    /// Whether there are requirements that aren't known here, as the `Int` of `any P<Int>`.
    let isPartial: Bool
    let isForClasses: Bool
    let superclass: Any.Type?
    let protocols: [ProtocolDescriptor]

    /// Reads the type of an existential; fails for other types, and for those that can't be read.
    init?(_ existential: Any.Type) {
        let (anyClassFlag, superclassFlag): (UInt32, UInt32) = (0x8000_0000, 0x4000_0000)
        let metadata = Metadata(existential)
        var next = unsafe metadata.pointer + Metadata.wordSize
        isPartial = metadata.kind == .extendedExistential
        if isPartial {
            let shape = unsafe next.load(as: UnsafeRawPointer.self)
            let flags = unsafe shape.load(as: UInt32.self)
            // With arguments, and nothing else before the requirements.
            guard flags & ~1 == 0x1900 else { return nil }
            (isForClasses, superclass) = (flags & 1 != 0, nil)
            let count = unsafe shape.load(fromByteOffset: 10, as: UInt16.self)
            protocols = unsafe ProtocolDescriptor.required(by: Int(count), at: shape + 24, of: "qd__")
            return
        }
        guard metadata.kind == .existential else { return nil }
        let flags = unsafe next.load(as: UInt32.self)
        let count = unsafe next.load(fromByteOffset: 4, as: UInt32.self)
        unsafe next += 8
        isForClasses = flags & anyClassFlag == 0
        superclass = unsafe flags & superclassFlag == 0 ? nil : next.load(as: Any.Type.self)
        if superclass != nil { unsafe next += Metadata.wordSize }
        protocols = unsafe UnsafeBufferPointer(
            start: next.assumingMemoryBound(to: UnsafeRawPointer.self), count: Int(count)
        ).map { unsafe ProtocolDescriptor(pointer: $0) }
        let objectiveCFlag: UInt = 1
        if protocols.contains(where: { $0.address & objectiveCFlag != 0 }) { return nil }
    }

    func inherits(_ wanted: Any.Type) -> Bool {
        superclass.map { Conformance.isType($0, orInherits: wanted) } ?? false
    }

    /// Whether every type that fits this interface certainly fits another one.
    func implies(_ other: Interface) -> Bool {
        !isPartial && !other.isPartial && (isForClasses || !other.isForClasses)
            && (other.superclass.map(inherits) ?? true)
            && other.protocols.allSatisfy { base in
                protocols.contains { $0.isOrRefines(base) }
            }
    }
}
