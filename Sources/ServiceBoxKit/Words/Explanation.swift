// Part of ServiceBox, released under the MIT License.
// A message in its parts.

/// A message in its parts.
package struct Explanation: Sendable {
    package typealias Fact = (label: String, value: String)

    /// What is wrong, as a clause that can follow a colon.
    let reason: String
    /// What is wrong, as one sentence.
    let headline: String
    /// What was wanted and what was found.
    var facts: [Fact] = []
    /// What may have been meant, as a clause that can follow the reason.
    var hint: String?
    /// What to do about it.
    var instruction: String?
    /// The explanations of several problems, listed below the headline.
    var parts: [Explanation] = []

    /// What is wrong on one line, with the error behind it and what may have been meant.
    var line: String {
        let errors = facts.filter { $0.label == Self.error }
        let error = errors.count == 1 ? ": \(errors[0].value.prefix { !$0.isNewline })" : ""
        return "\(reason)\(error.last == "." ? error.dropLast() : error[...])\(hint.map { "; \($0)" } ?? "")"
    }

    /// The label of a thrown error.
    static let error = "Error"
    /// The label of an error behind a thrown one.
    static let cause = "Cause"

    /// The whole message: the headline, the facts indented and aligned, the hint, the instruction and the parts.
    package var text: String {
        let width = (facts.map(\.label.count).max() ?? 0) + 1
        var lines = [headline]
        for fact in facts {
            let label = "\(fact.label):"
            lines.append("  \(label)\(String(repeating: " ", count: width - label.count)) \(fact.value)")
        }
        if let hint {
            lines.append("  \(hint.prefix(1).uppercased())\(hint.dropFirst())\(hint.last == "?" ? "" : ".")")
        }
        if let instruction { lines.append(instruction) }
        return ([lines.joined(separator: "\n")] + parts.map(\.text)).joined(separator: "\n\n")
    }

    /// The message with what another one says at its end: the hint, the instruction and the parts.
    func ending(as other: Explanation) -> Explanation {
        changing(self) { ($0.hint, $0.instruction, $0.parts) = (other.hint, other.instruction, other.parts) }
    }
}

extension Explanation {
    /// A message whose headline is a problem, with its reason if there is one to give.
    ///
    /// - Parameters:
    ///   - problem: What is wrong.
    ///   - reason: Why; where it is nil, the problem speaks for itself.
    ///   - facts: What was wanted and what was found.
    ///   - hint: What may have been meant.
    ///   - fix: The ways to fix it, any of which will do.
    ///   - parts: The explanations of several problems.
    package init(
        _ problem: String, because reason: String? = nil, facts: [Fact] = [], hint: String? = nil,
        fix: [String] = [], parts: [Explanation] = []
    ) {
        let headline = "\(problem)\(reason.map { ": \($0)" } ?? "")."
        self.init(
            reason: reason ?? headline, headline: headline, facts: facts, hint: hint,
            instruction: Message.instruction(to: "fix", fix), parts: parts)
    }
}

/// The sentences of the library.
package enum Message {
    /// Why nothing of a type can be filled; the word says what the type is.
    static func unfillable(_ word: String) -> String {
        "it is \(word), and only class instances, actors and structs have properties to fill"
    }

    /// Why the properties of a type are invisible.
    static let stripped = "its module was built without reflection metadata"

    /// How to fix that.
    static let wayToReflection =
        "build the module without -disable-reflection-metadata, -disable-reflection-names and "
        + "-reflection-metadata-for-debugger-only"

    /// An instruction such as `To fix, do this, or do that.`; nil if there is no way.
    static func instruction(to goal: String, _ ways: [String]) -> String? {
        guard let last = ways.last else { return nil }
        let or = ways.count > 1 ? ", or " : ""
        return "To \(goal), \(ways.dropLast().joined(separator: ", "))\(or)\(last)."
    }

    /// The name of a box, if it has one.
    static func box(_ name: String?) -> [Explanation.Fact] { name.map { [("Box", "'\($0)'")] } ?? [] }

    /// A number with its noun, as in `1 hole` and `2 holes`.
    package static func counted(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
        "\(count) \(count == 1 ? singular : plural ?? "\(singular)s")"
    }
}

extension [String] {
    /// Quoted names with a separator, such as `'cache' or 'caches'`.
    func quoted(_ separator: String) -> String { map { "'\($0)'" }.joined(separator: separator) }
}
