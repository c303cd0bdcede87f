// Part of ServiceBox, released under the MIT License.
// The names that the source gives properties, behind those that they are stored under.

enum PropertyName {
    /// The name in the source behind the name of a stored property.
    ///
    /// A raw identifier is stored with its backticks, and with no-break spaces for its spaces; a lazy property as
    /// `$__lazy_storage_$_name`.
    static func inSource(_ label: String) -> String {
        var name = label
        if label.utf8.count > 1, label.utf8.first == UInt8(ascii: "`"), label.utf8.last == UInt8(ascii: "`") {
            let scalars = label.unicodeScalars
            let inner = scalars.dropFirst().dropLast().map { $0 == "\u{A0}" ? " " : $0 }
            name = String(String.UnicodeScalarView(inner))
        }
        return isLazy(name) ? String(name.dropFirst(lazyPrefix.count)) : name
    }

    /// Whether a stored property is the optional one behind a lazy property.
    static func isLazy(_ label: String) -> Bool { label.hasPrefix(lazyPrefix) }

    private static let lazyPrefix = "$__lazy_storage_$_"

    /// The name of the property behind the name of its wrapper, which has an underscore in front.
    ///
    /// Bytes and not characters are compared: the property's name may begin with one that joins.
    static func withoutUnderscore(_ name: String) -> String {
        name.utf8.first == UInt8(ascii: "_") ? String(Substring(name.utf8.dropFirst())) : name
    }
}
