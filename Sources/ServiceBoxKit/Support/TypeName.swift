// Part of ServiceBox, released under the MIT License.
// How types are written in messages.

/// The names of types as a Swift developer writes them.
package enum TypeName {
    /// A type's name, as in `Cache`, `Cache?`, `(Store & Sendable)?`.
    package static func of(_ type: Any.Type) -> String {
        sourceForm(String(describing: type))
    }

    /// A sort key: the short name, then the full one; stable between runs.
    static func sorting(_ type: Any.Type) -> String { "\(of(type))\u{0}\(full(type))" }

    /// A type's name with its module and enclosing types; stable between runs.
    static func full(_ type: Any.Type) -> String {
        // The runtime prints the address of a private type's context.
        removing("(unknown context at $", through: ").", from: String(reflecting: type))
    }

    /// A type's name as code of its module writes it, with its enclosing types.
    static func inSource(_ type: Any.Type) -> String {
        // A type nested in another module's type begins with the extension's module in parentheses.
        let path = removing(extended, through: "):", from: full(type))
        return String(path.drop { $0 != "." }.dropFirst())
    }

    /// A type's name with its enclosing types, without their generic arguments: `Live.Clock`, `Store.Page<Int>`.
    static func nested(_ type: Any.Type) -> String {
        // Functions, tuples and metatypes have none.
        guard Metadata(type).name != nil || isProtocol(type) else { return of(type) }
        var depth = 0
        let path = inSource(type).filter { character in
            if "<([".contains(character) { depth += 1 }
            defer { if ">)]".contains(character) { depth -= 1 } }
            return depth == 0
        }
        // Nor have compositions.
        guard !path.contains(" "), let end = path.lastIndex(of: ".") else { return of(type) }
        return path[...end] + of(type)
    }

    /// A name without its parts that begin and end in these ways.
    private static func removing(_ start: String, through end: String, from name: String) -> String {
        let parts = name.split(separator: start, omittingEmptySubsequences: false)
        let rests = parts.dropFirst().map { part in
            part.firstRange(of: end).map { part[$0.upperBound...] } ?? ""
        }
        return (parts.prefix(1) + rests).joined()
    }

    /// The names of two types, qualified with module and enclosing types if the short names are equal.
    static func distinct(_ first: Any.Type, _ second: Any.Type) -> (String, String) {
        let names = (of(first), of(second))
        guard names.0 == names.1, first != second else { return names }
        return (sourceForm(String(reflecting: first)), sourceForm(String(reflecting: second)))
    }

    /// The name of a type, qualified if one of several others has the same short name.
    static func distinct(_ type: Any.Type, from others: [Any.Type]) -> String {
        distinct(type, others.first { $0 != type && of($0) == of(type) } ?? type).0
    }

    /// Begins the name of a type nested in another module's type; the extension's module follows.
    private static var extended: String { "(extension in " }

    /// The module that a type is declared in.
    static func module(of type: Any.Type) -> Substring {
        let name = String(reflecting: type)
        return name.hasPrefix(extended)
            ? name.dropFirst(extended.count).prefix { $0 != ")" } : name.prefix { $0 != "." }
    }

    /// A type's name with its indefinite article: `a Cache`, `an Analytics`.
    static func withArticle(of type: Any.Type) -> String { withArticle(of(type)) }

    /// A name with its indefinite article.
    static func withArticle(_ name: String) -> String {
        "\(startsWithVowelSound(name.drop { !$0.isLetter }) ? "an" : "a") \(name)"
    }

    /// Whether a name begins with a vowel sound: `Unseen` and `HTTPServer` do; `User`, `Unit` and `URL`
    /// don't.
    private static func startsWithVowelSound(_ name: Substring) -> Bool {
        guard let letter = name.first else { return false }
        // The first letter of an abbreviation is spoken by name, as in "aitch".
        if letter.isUppercase, name.dropFirst().first?.isLowercase != true {
            return "AEFHILMNORSX".contains(letter)
        }
        let first = letter.lowercased()
        guard first == "u" else { return "aeio".contains(first) }
        let rest = name.dropFirst()
        return rest.first?.isLowercase == true && !["s", "t", "ni"].contains { rest.hasPrefix($0) }
    }

    /// Whether a type, or what it wraps if it is optional, is a protocol or a composition of protocols.
    static func isProtocol(_ type: Any.Type) -> Bool {
        Metadata(unwrapped(type)).isExistential
    }

    /// Whether a type can be made to conform to a protocol, unlike a protocol, a function, a tuple or a metatype.
    static func mayConform(_ type: Any.Type) -> Bool {
        switch Metadata(unwrapped(type)).kind {
        case .class, .foreignClass, .structure, .enumeration, .optional: true
        default: false
        }
    }

    private static func sourceForm(_ name: String) -> String {
        let name = withoutConstraints(name)
        let optional = name.hasPrefix("Swift.Optional<") ? "Swift.Optional<" : "Optional<"
        guard name.hasPrefix(optional), name.hasSuffix(">") else { return name }
        let wrapped = sourceForm(String(name.dropFirst(optional.count).dropLast()))
        let needsParentheses = wrapped.contains(" & ") || wrapped.contains(" -> ")
        return needsParentheses ? "(\(wrapped))?" : "\(wrapped)?"
    }

    /// `Store<Int>` for what the runtime calls `any Store<Self.Store.Item == Int>`.
    private static func withoutConstraints(_ name: String) -> String {
        guard name.contains("Self.") else { return name }
        let parts = name.split(separator: " == ")
        let values = parts.dropLast().map { $0[..<($0.ranges(of: "Self.").last?.lowerBound ?? $0.endIndex)] }
        // Some identifiers end in "any".
        return (values + parts.suffix(1)).joined().split(separator: "any ", omittingEmptySubsequences: false)
            .reduce("") { $0 + ($0.last?.isPartOfIdentifier == true ? "any " : "") + $1 }
    }
}

extension Character {
    fileprivate var isPartOfIdentifier: Bool { isLetter || isNumber || self == "_" }
}
