// Part of ServiceBox, released under the MIT License.
// The shape of every message: what is wrong, what is there, what to do.

/// A message in its parts.
package struct Explanation: Sendable {
    /// What is wrong, as a clause that can follow a colon.
    let reason: String
    /// What is wrong, as one sentence.
    let headline: String
    /// What was wanted and what was there, as labels and values.
    var facts: [(label: String, value: String)] = []
    /// What may have been meant, as a clause that can follow the reason.
    var hint: String?
    /// What to do, if something is.
    var instruction: String?
    /// What is listed below, if there is more than one thing to explain.
    let parts: [Explanation]

    package init(
        reason: String, headline: String, facts: [(label: String, value: String)] = [],
        hint: String? = nil, instruction: String? = nil, parts: [Explanation] = []
    ) {
        self.reason = reason
        self.headline = headline
        self.facts = facts
        self.hint = hint
        self.instruction = instruction
        self.parts = parts
    }

    /// What is wrong on one line, with what may have been meant.
    var line: String {
        hint.map { "\(reason); \($0)" } ?? reason
    }

    /// The whole message: the headline, the facts indented and aligned, the hint, the instruction, and the
    /// parts.
    package var text: String {
        let width = (facts.map(\.label.count).max() ?? 0) + 1
        var lines = [headline]
        for fact in facts {
            let label = "\(fact.label):"
            let padding = String(repeating: " ", count: width - label.count)
            lines.append("  \(label)\(padding) \(fact.value)")
        }
        if let hint {
            let end = hint.last == "?" ? "" : "."
            lines.append("  \(hint.prefix(1).uppercased())\(hint.dropFirst())\(end)")
        }
        if let instruction { lines.append(instruction) }
        return ([lines.joined(separator: "\n")] + parts.map(\.text)).joined(separator: "\n\n")
    }
}
