// Part of ServiceBox, released under the MIT License.
// What the metadata of a type says at once, without a search through conformances.

/// Facts read from the metadata of types.
///
/// ## Why the raw pointers are safe
///
/// What is read beyond the ``MetadataKind`` stands in Swift's ABI too: of a struct the second word is its
/// descriptor; a class of Swift has its superclass, on Apple platforms three words of Objective-C's, four 32-bit
/// words with flags and sizes, two more with the extent of the metadata, and its descriptor. A descriptor begins
/// with 32 bits of flags.
enum TypeMetadata {
    /// Whether a type is a struct of the same declaration as another, whatever the generic arguments.
    private static func isStruct(_ type: Any.Type, declaredAs other: Any.Type) -> Bool {
        MetadataKind(of: type) == .structure && word(1, of: type) == word(1, of: other)
    }

    /// Whether a type is a property wrapper with a slot.
    static func isSlotHolder(_ type: Any.Type) -> Bool {
        isStruct(type, declaredAs: Injected<Int>.self) || isStruct(type, declaredAs: InjectedAll<Int>.self)
            || isStruct(type, declaredAs: WeakInjected<AnyObject?>.self)
    }

    /// Whether a class is an actor.
    static func isActor(_ type: AnyClass) -> Bool {
        guard isNative(type), let descriptor = UnsafeRawPointer(bitPattern: word(classWords + 3, of: type))
        else { return false }
        let actorFlag: UInt32 = 1 << 23
        return descriptor.load(as: UInt32.self) & actorFlag != 0
    }

    /// Whether a class is declared in Swift; of others nothing but the superclass is known.
    static func isNative(_ type: AnyClass) -> Bool {
        #if _runtime(_ObjC)
        let swiftFlag: UInt = 2
        return word(classWords - 1, of: type) & swiftFlag != 0
        #else
        return true
        #endif
    }

    /// The classes from the root to a type; of anything else the type alone.
    static func classChain(of type: Any.Type) -> [Any.Type] {
        guard let type = type as? AnyClass else { return [type] }
        return sequence(first: type, next: _getSuperclass).reversed()
    }

    /// How many bytes an instance of a class, or a value of another type, takes.
    static func size(of type: Any.Type) -> Int {
        guard let type = type as? AnyClass else {
            func size<Subject>(_: Subject.Type) -> Int { MemoryLayout<Subject>.size }
            return _openExistential(type, do: size)
        }
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        return Int(metadata.load(fromByteOffset: (classWords + 1) * wordSize, as: UInt32.self))
    }

    /// How many bytes an object of a class takes before its first stored property: its header.
    static let headerSize = 2 * wordSize
    /// How many bytes an actor of the default kind has of its own behind the header.
    static let actorStorageSize = 12 * wordSize

    private static let wordSize = MemoryLayout<UInt>.stride

    /// How many words a class has before its flags and sizes.
    private static var classWords: Int {
        #if _runtime(_ObjC)
        5
        #else
        2
        #endif
    }

    private static func word(_ index: Int, of type: Any.Type) -> UInt {
        unsafeBitCast(type, to: UnsafeRawPointer.self).load(fromByteOffset: index * wordSize, as: UInt.self)
    }
}
