// Part of ServiceBox, released under the MIT License.
// What is said of properties that are registered as services, each under its name.

extension Message {
    /// Something without properties was to be registered property by property.
    ///
    /// - Parameters:
    ///   - type: Its type.
    ///   - word: What it is.
    ///   - location: Where it was to be registered.
    /// - Returns: The message.
    static func noContents(of type: Any.Type, _ word: String, at location: String) -> String {
        Explanation(
            "Can't register the contents of \(TypeName.withArticle(of: type))", because: "it is \(word)",
            facts: [("Registered", location)],
            fix: ["pass a struct or a class instance", "register it as one service"]
        ).text
    }

    /// The first line about what was registered.
    static func contentsSummary(registered: Int, replaced: Int, skipped: Int) -> String {
        "\(counted(registered, "service")) registered"
            + (replaced > 0 ? ", \(replaced) in the place of another" : "")
            + (skipped > 0 ? ", \(counted(skipped, "property", "properties")) skipped" : "") + "."
    }

    /// A line about one of them.
    static func contents(_ name: String, _ words: String) -> String { "\(name): \(words)" }

    static let replacing = "registered in the place of another"

    // MARK: - Why a property is no service

    static let isNil = "it is nil"
    static let isSlot = "it is injected itself"
    static let isNoncopyable = "it is noncopyable, or Void"
    static let isGenerated = "a macro or the compiler has added it"
    static let isReserved = "the name is reserved for the box itself"
    static let isReference = "it is a weak or unowned reference"
    static let isVariable = "it is a variable of a class, which others may be changing"
    static let unreadable = "its properties can't be read on this platform"

    static func isNoService(_ word: String) -> String { "it is \(word)" }
}
