// Part of ServiceBox, released under the MIT License.
// Source names of properties, derived from the names that they are stored under.

enum PropertyName {
    /// The source name of a stored property.
    ///
    /// A raw identifier is stored with its backticks, and with no-break spaces for its spaces; a lazy property as
    /// `$__lazy_storage_$_name`.
    static func inSource(_ label: String) -> String {
        var name = label
        if label.utf8.first == UInt8(ascii: "`"), label.utf8.last == UInt8(ascii: "`") {
            let scalars = label.unicodeScalars
            let inner = scalars.dropFirst().dropLast().map { $0 == "\u{A0}" ? " " : $0 }
            name = String(String.UnicodeScalarView(inner))
        }
        return isLazy(name) ? String(name.dropFirst(lazyPrefix.count)) : name
    }

    /// Whether it is the stored property behind a lazy one, which is optional.
    static func isLazy(_ label: String) -> Bool { label.hasPrefix(lazyPrefix) }

    private static let lazyPrefix = "$__lazy_storage_$_"

    /// The name of a wrapped property, derived from its storage's name, which begins with an underscore.
    ///
    /// Compares bytes rather than characters: a combining character may follow the underscore.
    static func withoutUnderscore(_ name: String) -> String {
        name.utf8.first == UInt8(ascii: "_") ? String(Substring(name.utf8.dropFirst())) : name
    }
}
