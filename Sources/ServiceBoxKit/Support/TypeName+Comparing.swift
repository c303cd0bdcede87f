// Part of ServiceBox, released under the MIT License.
// What the full name of a type tells beyond the name.

extension TypeName {
    /// Whether two types would be the same if nothing in them were optional.
    ///
    /// The runtime spells an optional out wherever it lies, `Swift.Array<Swift.Optional<Store.Page>>`, so the
    /// spelling is compared without it.
    static func differInOptionalsAlone(_ first: Any.Type, _ second: Any.Type) -> Bool {
        let names = (String(reflecting: first), String(reflecting: second))
        return names.0 != names.1 && withoutOptionals(names.0) == withoutOptionals(names.1)
    }

    private static func withoutOptionals(_ name: String) -> String {
        let optional = "Swift.Optional<"
        var result = ""
        /// For each bracket that is open, whether it was kept.
        var open: [Bool] = []
        var rest = Substring(name)
        while let letter = rest.first {
            if rest.hasPrefix(optional) {
                open.append(false)
                rest = rest.dropFirst(optional.count)
                continue
            }
            rest = rest.dropFirst()
            if letter == "<" { open.append(true) }
            // The arrow of a function closes nothing.
            if letter == ">", result.last != "-", open.popLast() == false { continue }
            result.append(letter)
        }
        return result
    }

    /// Whether so many services are of a type that it says nothing of what one is for: `Any`, `Int`,
    /// `[String: Date]`.
    ///
    /// A class always says something, any other type if it is none of the system's and names one that is not.
    static func isGeneral(_ type: Any.Type) -> Bool {
        if type is AnyClass { return false }
        let words = String(reflecting: type).split { !($0.isLetter || $0.isNumber || "_.".contains($0)) }
        return words.allSatisfy { word in
            // What has no module is a word of the language, or a label.
            guard let dot = word.firstIndex(of: ".") else { return true }
            return systemModules.contains(String(word[..<dot]))
        }
    }

    private static let systemModules: Set = [
        "Swift", "Synchronization", "Foundation", "FoundationEssentials", "FoundationInternationalization",
        "Dispatch", "__C",
    ]
}
