// Part of ServiceBox, released under the MIT License.
// What kind of type a type is, asked of its metadata.

/// The kinds of types that the library has to tell apart.
///
/// ## Why the raw pointer is safe
///
/// An `Any.Type` is a pointer to the metadata of the type, whose first word says what kind it is. Word and
/// numbers are part of Swift's ABI; of a class the word is no such number. A cast to `OptionalValue.Type`
/// would do for optionals, but one that fails searches the conformances of the whole program.
enum MetadataKind: UInt {
    case optional = 0x202
    /// `any P`, or a composition.
    case existential = 0x303
    /// `any P<Int>`, or a composition with one.
    case extendedExistential = 0x307

    /// The kind of a type; nil if it is another one.
    init?(of type: Any.Type) {
        self.init(rawValue: unsafeBitCast(type, to: UnsafeRawPointer.self).load(as: UInt.self))
    }
}
