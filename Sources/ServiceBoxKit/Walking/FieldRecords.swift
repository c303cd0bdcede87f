// Part of ServiceBox, released under the MIT License.
// The stored properties of a type as the compiler has recorded them, without any object of it.

/// The field records of types: names, declared types and offsets.
///
/// `Mirror` reads these records too, but then copies the value of each field: what another isolation is changing,
/// what a remote distributed actor does not have, what cannot be copied, what a dangling reference points to.
/// Here nothing of any object is read.
///
/// The functions below are those behind `Mirror` in the standard library's `ReflectionMirror`, exported by the
/// runtime since Swift 5.2. They are bound by their names, since the standard library of Apple's SDKs does not
/// show what it declares on top of them. They answer for classes, their superclasses first, and for structs.
enum FieldRecords {
    struct Field {
        /// The name as it is stored: a wrapper's has an underscore in front; empty if the build has no names.
        let label: String
        /// The declared type.
        let type: Any.Type
        /// Where it lies, in bytes from the start of the instance or the value.
        let offset: Int
        /// Whether a value of the type lies there, rather than a weak or unowned reference.
        let isStrong: Bool
        let isVariable: Bool
    }

    /// What is known of a field by its record alone.
    struct QuickField {
        /// What its slot asks for; nil if it has none, nor a part that may have one.
        let request: CellRequest?
        /// Where its name lies; nil if the build has no names.
        fileprivate let name: UnsafeRawPointer?

        /// The name, as ``Field/label``.
        var label: String {
            name.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? ""
        }
    }

    /// How many fields a class with its superclasses, or a struct, shows; none for any other type.
    static func count(of type: Any.Type) -> Int { recursiveCount(type) }

    /// Where a field lies, in bytes from the start of the instance or the value; its place is counted as for ``field(_:of:)``.
    static func offset(_ index: Int, of type: Any.Type) -> Int { recursiveChildOffset(type, index) }

    /// A field.
    ///
    /// - Parameters:
    ///   - index: Its place, from zero; below ``count(of:)``.
    ///   - type: A class or a struct.
    /// - Returns: The field.
    static func field(_ index: Int, of type: Any.Type) -> Field {
        var name = FieldName()
        let fieldType = recursiveChildMetadata(type, index, &name)
        defer { name.free?(name.text) }
        return Field(
            label: name.text.map { String(cString: $0) } ?? "", type: fieldType,
            offset: offset(index, of: type), isStrong: name.isStrong,
            isVariable: name.isVar)
    }
}

// MARK: - Without the runtime

extension FieldRecords {
    /// What the record of a field says if its declared type is of a simple form.
    ///
    /// The runtime takes longer to find the type of a property wrapper by its name than all else that a new type takes
    /// (measured).
    ///
    /// ## Why the raw pointers are safe
    ///
    /// Field records are part of Swift's ABI. The fifth 32-bit word of the descriptor of a class or a struct is the distance
    /// to them, or zero. They begin with 16 bytes, of which the last eight are the kind and the size of a record, 16 bits
    /// each, and how many there are. A record has three 32-bit words: flags, then the distances to the mangled name of the
    /// type and to the field's own name.
    ///
    /// - Parameters:
    ///   - index: Its place among those that the owner declares itself.
    ///   - owner: The class or the struct that declares it.
    /// - Returns: What it says; nil if the runtime has to be asked.
    static func quickField(_ index: Int, of owner: Any.Type) -> QuickField? {
        guard let fields = Metadata(owner).descriptor.map({ $0 + 16 }), fields.load(as: Int32.self) != 0
        else { return nil }
        let header = fields.relativeTarget
        let (size, count) = (
            header.load(fromByteOffset: 10, as: UInt16.self), (header + 12).load(as: UInt32.self)
        )
        guard size == 12, index < count else { return nil }
        let (type, name) = (header + (16 + 12 * index + 4), header + (16 + 12 * index + 8))
        guard type.load(as: Int32.self) != 0, let request = SimpleType.request(named: type.relativeTarget)
        else { return nil }
        return QuickField(request: request, name: name.load(as: Int32.self) == 0 ? nil : name.relativeTarget)
    }

    /// Whether the records of a class and its superclasses, or of a struct, say at once that no instance has slots.
    ///
    /// - Parameter type: Any type.
    /// - Returns: Whether they do; false of any other type, and where more has to be read to know.
    static func ruleOutSlots(in type: Any.Type) -> Bool {
        func ruleOut(_ owner: Any.Type) -> Bool {
            (0..<Int(Metadata(owner).storedPropertyCount)).allSatisfy { index in
                quickField(index, of: owner).map { $0.request == nil } ?? false
            }
        }
        switch Metadata(type).kind {
        case .structure: return areTrusted && ruleOut(type)
        case .class:
            guard areTrusted, let type = type as? AnyClass else { return false }
            return sequence(first: type, next: _getSuperclass).allSatisfy(ruleOut)
        default: return false
        }
    }
}

/// A type whose mangled name is of a simple form: a class or an enum, or a struct of the standard library, without generic
/// arguments, which all have no slots; or a property wrapper with a slot.
///
/// In a mangled name, a byte 1 is followed by the 32-bit distance to a type's descriptor, a byte 2 by that to a pointer to
/// one. A name ends with a zero. An `S` and one more letter alone are a type of the standard library: what else begins so, a
/// substitution, can't be a whole name.
private enum SimpleType {
    /// What the slot of a type asks for, or nil in the optional if it has none; nil if the name is of no simple form.
    static func request(named name: UnsafeRawPointer) -> CellRequest?? {
        guard let (descriptor, rest) = reference(at: name) else {
            let isInLibrary =
                isText("S", at: name) && !isText("\0", at: name + 1) && isText("\0", at: name + 2)
            return isInLibrary ? .some(nil) : nil
        }
        switch rest.load(as: UInt8.self) {
        case 0:
            let kind = descriptor.load(as: UInt32.self) & kindMask
            return kind == classKind || kind == enumKind ? .some(nil) : nil
        case UInt8(ascii: "y"):
            return CellRequest(ofWrapper: descriptor, around: argument(at: rest + 1)).map(Optional.some)
        default: return nil
        }
    }

    /// A request for the last generic argument, of a form that says all by itself: `C`, `C?`, `any P` or `(any P)?`.
    private static func argument(at name: UnsafeRawPointer) -> CellRequest? {
        guard let (descriptor, rest) = reference(at: name) else { return nil }
        let isInterface = isText("_p", at: rest)
        let end = isInterface ? rest + 2 : rest
        let isOptional = isText("SgG\0", at: end)
        guard isOptional || isText("G\0", at: end) else { return nil }
        func named() -> Any.Type? {
            _getTypeByMangledNameInContext(
                name.assumingMemoryBound(to: UInt8.self), isInterface ? 7 : 5, genericContext: nil,
                genericArguments: nil)
        }
        let type = isInterface ? named() : plainClass(descriptor) ?? named()
        return type.map { CellRequest(wanted: $0, optionals: isOptional ? 1 : 0) }
    }

    private static let kindMask: UInt32 = 0x1F
    private static let classKind: UInt32 = 16
    private static let enumKind: UInt32 = 18

    /// The type of a class that isn't generic, which takes the runtime as long to find by its name as a property to match.
    ///
    /// The fourth 32-bit word of a descriptor is the distance to the function that code calls for the type. It takes what is
    /// asked for, zero for a type that is complete, and returns the type and its state in two registers; whoever calls it as
    /// a function of C sees the first. Where calls differ, or pointers to functions are signed, the name is asked.
    private static func plainClass(_ descriptor: UnsafeRawPointer) -> Any.Type? {
        #if (arch(x86_64) || arch(arm64)) && !_ptrauth(_arm64e)
        let (genericFlag, function): (UInt32, UnsafeRawPointer) = (0x80, descriptor + 12)
        guard descriptor.load(as: UInt32.self) & (kindMask | genericFlag) == classKind,
            function.load(as: Int32.self) != 0
        else { return nil }
        let access = unsafeBitCast(
            function.relativeTarget, to: (@convention(c) (_ request: UInt) -> UnsafeRawPointer).self)
        return unsafeBitCast(access(0), to: Any.Type.self)
        #else
        return nil
        #endif
    }

    private static func reference(
        at name: UnsafeRawPointer
    ) -> (descriptor: UnsafeRawPointer, rest: UnsafeRawPointer)? {
        let kind = name.load(as: UInt8.self)
        guard kind == 1 || kind == 2 else { return nil }
        let target = name + 1 + Int((name + 1).loadUnaligned(as: Int32.self))
        return (kind == 1 ? target : target.load(as: UnsafeRawPointer.self), name + 5)
    }

    /// Whether a name goes on with a text; what stands behind the zero that ends it isn't read.
    private static func isText(_ text: StaticString, at name: UnsafeRawPointer) -> Bool {
        (0..<text.utf8CodeUnitCount).allSatisfy {
            name.load(fromByteOffset: $0, as: UInt8.self) == text.utf8Start[$0]
        }
    }
}

/// What the runtime fills in about a field; the layout of its `_FieldReflectionMetadata`.
private struct FieldName {
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
