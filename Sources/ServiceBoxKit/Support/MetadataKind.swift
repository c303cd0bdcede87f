// Part of ServiceBox, released under the MIT License.
// What kind of type a type is, asked of its metadata.

/// The kinds of types that the library has to tell apart.
///
/// ## Why the raw pointer is safe
///
/// An `Any.Type` is a pointer to the metadata of the type, which is never freed, and whose first word says what
/// kind it is. Word and numbers are part of Swift's ABI; where there is Objective-C, a class has a pointer there. A
/// cast to `OptionalValue.Type` would do for optionals, but one that fails searches the conformances of the whole
/// program.
enum MetadataKind: UInt {
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

    /// The kind of a type; nil if it is another one.
    init?(of type: Any.Type) {
        let word = unsafeBitCast(type, to: UnsafeRawPointer.self).load(as: UInt.self)
        self.init(rawValue: word < 0x800 ? word : MetadataKind.class.rawValue)
    }
}
