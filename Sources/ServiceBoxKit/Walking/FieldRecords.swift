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

    /// How many fields a class with its superclasses, or a struct, shows; none for any other type.
    static func count(of type: Any.Type) -> Int { recursiveCount(type) }

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
            offset: recursiveChildOffset(type, index), isStrong: name.isStrong,
            isVariable: name.isVar)
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
