// Part of ServiceBox, released under the MIT License.
// The stored properties of a type as the compiler recorded them, without any instance.

/// The field records of types: names, declared types and offsets.
///
/// `Mirror` reads these records too, but then copies each field's value: one that another isolation is
/// changing, one that a remote distributed actor doesn't have, one that is noncopyable, or a dangling
/// reference. Here no instance is read.
///
/// The functions below are those behind `Mirror` in the standard library's `ReflectionMirror`, exported by
/// the runtime since Swift 5.2. They are bound by name, since the standard library in Apple's SDKs doesn't
/// expose what it declares on top of them. They work for classes, whose superclasses come first, and for
/// structs.
enum FieldRecords {
    struct Field {
        /// The stored name: a wrapper's begins with an underscore; empty if the build has no names.
        let label: String
        /// The declared type.
        let type: Any.Type
        /// The offset in bytes from the start of the instance or the value.
        let offset: Int
        /// Whether the field holds a value of the type, rather than a weak or unowned reference to one.
        let isStrong: Bool
        let isVariable: Bool
    }

    /// A field as far as its record alone tells.
    @safe struct QuickField {
        /// The request of its slot; nil if it neither is a slot nor may contain one.
        let request: CellRequest?
        /// The address of its name; nil if the build has no names.
        fileprivate let name: UnsafeRawPointer?

        /// The name, as ``Field/label``.
        var label: String {
            unsafe name.map { unsafe String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? ""
        }
    }

    /// The number of fields of a struct, or of a class with its superclasses; zero for any other type.
    static func count(of type: Any.Type) -> Int { recursiveCount(type) }

    /// The offset of a field in bytes from the start of the instance or value; indexed as in
    /// ``field(_:of:)``.
    static func offset(_ index: Int, of type: Any.Type) -> Int { recursiveChildOffset(type, index) }

    /// A field of a class or a struct, by its index, below ``count(of:)``.
    @unsafe static func field(_ index: Int, of type: Any.Type) -> Field {
        var name = FieldName()
        let fieldType = unsafe recursiveChildMetadata(type, index, &name)
        defer { unsafe name.free?(name.text) }
        return unsafe Field(
            label: name.text.map { unsafe String(cString: $0) } ?? "", type: fieldType,
            offset: offset(index, of: type), isStrong: name.isStrong,
            isVariable: name.isVar)
    }

    private static let resultDeclaration = Metadata(Result<Void, any Error>.self).declaration

    /// Whether values of a field's type can be copied, which only a generic parameter can hide: any other
    /// noncopyable field has the type `Void` in its record.
    static func isCopyable(_ type: Any.Type) -> Bool {
        let metadata = Metadata(type)
        if metadata.isMarkedNoncopyable { return false }
        // The standard library's own aren't marked.
        if metadata.kind == .optional || metadata.declaration == resultDeclaration {
            return unsafe isCopyable(metadata.firstArgument)
        }
        guard metadata.kind == .structure else { return true }
        return (0..<count(of: type)).allSatisfy { index in
            let field = unsafe field(index, of: type)
            return field.type != Void.self && isCopyable(field.type)
        }
    }
}

// MARK: - Reading records directly

extension FieldRecords {
    /// Reads a field's record, if its declared type has a simple form.
    ///
    /// The runtime takes longer to find the type of a property wrapper by name than everything else that a
    /// new type needs (measured).
    ///
    /// ## Why the raw pointers are safe
    ///
    /// Field records are part of Swift's ABI. The fifth 32-bit word in the descriptor of a class or a struct
    /// is the distance to them, or zero. They begin with 16 bytes; the last eight are the kind and the size
    /// of a record, 16 bits each, and the number of records. A record has three 32-bit words: flags, then the
    /// distances to the mangled name of the type and to the field's own name.
    ///
    /// - Parameters:
    ///   - index: Its index among the fields that the owner itself declares.
    ///   - owner: The class or the struct that declares it.
    /// - Returns: The field; nil if the runtime has to be asked.
    static func quickField(_ index: Int, of owner: Any.Type) -> QuickField? {
        guard let fields = unsafe Metadata(owner).descriptor.map({ unsafe $0 + 16 }),
            unsafe fields.load(as: Int32.self) != 0
        else { return nil }
        let header = unsafe fields.relativeTarget
        let (size, count) = unsafe (
            header.load(fromByteOffset: 10, as: UInt16.self), (header + 12).load(as: UInt32.self)
        )
        guard size == 12, index < count else { return nil }
        let (type, name) = unsafe (header + (16 + 12 * index + 4), header + (16 + 12 * index + 8))
        guard unsafe type.load(as: Int32.self) != 0,
            let request = unsafe SimpleType.request(named: type.relativeTarget)
        else { return nil }
        return unsafe QuickField(
            request: request, name: name.load(as: Int32.self) == 0 ? nil : name.relativeTarget)
    }

    /// Whether the records of a struct, or of a class with its superclasses, rule out slots at once.
    ///
    /// - Returns: Whether they do; false for any other type, and if more would have to be read.
    static func ruleOutSlots(in type: Any.Type) -> Bool {
        let kind = Metadata(type).kind
        guard kind == .structure || kind == .class, areTrusted else { return false }
        return lineage(of: type).allSatisfy { owner in
            (0..<Int(Metadata(owner).storedPropertyCount)).allSatisfy { index in
                quickField(index, of: owner).map { $0.request == nil } ?? false
            }
        }
    }
}

/// A type whose mangled name has a simple form: a class or an enum, or a struct of the standard library,
/// without generic arguments, none of which has slots; or a property wrapper with a slot.
///
/// In a mangled name, byte 1 precedes the 32-bit distance to a type's descriptor, and byte 2 the distance to
/// a pointer to one. A name ends with a zero. `S` and one more letter alone are a type of the standard
/// library: anything else that begins with `S`, a substitution, can't be a whole name.
private enum SimpleType {
    /// The request of a slot, or a wrapped nil if the type has none; nil if the name has no simple form.
    static func request(named name: UnsafeRawPointer) -> CellRequest?? {
        guard let (descriptor, rest) = unsafe reference(at: name) else {
            let isInLibrary =
                unsafe isText("S", at: name) && !isText("\0", at: name + 1) && isText("\0", at: name + 2)
            return isInLibrary ? .some(nil) : nil
        }
        switch unsafe rest.load(as: UInt8.self) {
        case 0:
            let kind = unsafe descriptor.load(as: UInt32.self) & kindMask
            return kind == classKind || kind == enumKind ? .some(nil) : nil
        case UInt8(ascii: "y"):
            let request = unsafe CellRequest(
                ofWrapper: UInt(bitPattern: descriptor), around: argument(at: rest + 1))
            return request.map(Optional.some)
        default: return nil
        }
    }

    /// A request for the last generic argument in a self-contained form: `C`, `C?`, `any P` or `(any P)?`.
    private static func argument(at name: UnsafeRawPointer) -> CellRequest? {
        guard let (descriptor, rest) = unsafe reference(at: name) else { return nil }
        let isInterface = unsafe isText("_p", at: rest)
        let end = unsafe isInterface ? rest + 2 : rest
        let isOptional = unsafe isText("SgG\0", at: end)
        guard unsafe isOptional || isText("G\0", at: end) else { return nil }
        func named() -> Any.Type? {
            unsafe _getTypeByMangledNameInContext(
                name.assumingMemoryBound(to: UInt8.self), isInterface ? 7 : 5, genericContext: nil,
                genericArguments: nil)
        }
        let type = unsafe isInterface ? named() : plainClass(descriptor) ?? named()
        return type.map { CellRequest(wanted: $0, optionals: isOptional ? 1 : 0) }
    }

    private static let kindMask: UInt32 = 0x1F
    private static let classKind: UInt32 = 16
    private static let enumKind: UInt32 = 18

    /// A nongeneric class, which the runtime takes as long to find by name as a property to match.
    ///
    /// The fourth 32-bit word of a descriptor is the distance to the metadata accessor. It takes a request,
    /// zero for complete metadata, and returns the metadata and its state in two registers; a C function call
    /// sees the first. Where calling conventions differ, or function pointers are signed, the type is found
    /// by name.
    private static func plainClass(_ descriptor: UnsafeRawPointer) -> Any.Type? {
        #if (arch(x86_64) || arch(arm64)) && !_ptrauth(_arm64e)
        let (genericFlag, function): (UInt32, UnsafeRawPointer) = unsafe (0x80, descriptor + 12)
        guard unsafe descriptor.load(as: UInt32.self) & (kindMask | genericFlag) == classKind,
            unsafe function.load(as: Int32.self) != 0
        else { return nil }
        let access = unsafe unsafeBitCast(
            function.relativeTarget, to: (@convention(c) (_ request: UInt) -> UnsafeRawPointer).self)
        return unsafe unsafeBitCast(access(0), to: Any.Type.self)
        #else
        return nil
        #endif
    }

    private static func reference(
        at name: UnsafeRawPointer
    ) -> (descriptor: UnsafeRawPointer, rest: UnsafeRawPointer)? {
        let kind = unsafe name.load(as: UInt8.self)
        guard kind == 1 || kind == 2 else { return nil }
        let target = unsafe name + 1 + Int((name + 1).loadUnaligned(as: Int32.self))
        return unsafe (kind == 1 ? target : target.load(as: UnsafeRawPointer.self), name + 5)
    }

    /// Whether a text comes next in a name; nothing after the terminating zero is read.
    private static func isText(_ text: StaticString, at name: UnsafeRawPointer) -> Bool {
        (0..<text.utf8CodeUnitCount).allSatisfy {
            unsafe name.load(fromByteOffset: $0, as: UInt8.self) == text.utf8Start[$0]
        }
    }
}

/// The runtime's description of a field; has the layout of its `_FieldReflectionMetadata`.
@safe private struct FieldName {
    var text: UnsafePointer<CChar>?
    var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
    var isStrong = false
    var isVar = false
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func recursiveCount(_: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func recursiveChildMetadata(
    _: Any.Type, _ index: Int, _ name: UnsafeMutablePointer<FieldName>
) -> Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func recursiveChildOffset(_: Any.Type, _ index: Int) -> Int
