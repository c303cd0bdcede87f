// Part of ServiceBox, released under the MIT License.
// The result of one measure, and its verdict.

import Foundation

/// What a measure came to.
package struct Outcome: Codable, Equatable {
    package enum Verdict: String, Codable {
        case met
        case missed
        /// It has a bar, but could not be measured here.
        case skipped
        /// It has no bar.
        case reported
    }

    package let name: String
    /// What it is compared with, or nil for a bare count.
    package let reference: String?
    package let unit: String
    package let value: Double?
    package let referenceValue: Double?
    /// The ratio, or the count where there is nothing to compare with.
    package let figure: Double?
    /// The most that the figure may be.
    package let bar: Double?
    /// Why it could not be measured.
    package let note: String?

    package init(
        _ name: String, against reference: String? = nil, unit: String, value: Double? = nil,
        referenceValue: Double? = nil, figure: Double? = nil, atMost bar: Double? = nil, note: String? = nil
    ) {
        self.name = name
        self.reference = reference
        self.unit = unit
        self.value = value
        self.referenceValue = referenceValue
        self.figure = figure
        self.bar = bar
        self.note = note
    }

    package var verdict: Verdict {
        guard let figure else { return .skipped }
        guard let bar else { return .reported }
        return figure <= bar ? .met : .missed
    }

    /// The line that names a missed bar: exact, so that a figure just above its bar does not look like it.
    package var missText: String {
        "\(name): \(figure.map(Self.exact) ?? "nothing"), at most \(bar.map(Self.exact) ?? "anything")"
    }

    private static func exact(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(format: "%.3f", number)
    }
}

/// What a whole run came to.
package struct Results: Codable, Equatable {
    /// How many rounds each comparison ran.
    package let rounds: Int
    package let outcomes: [Outcome]

    package init(rounds: Int, outcomes: [Outcome]) {
        self.rounds = rounds
        self.outcomes = outcomes
    }

    package var missed: [Outcome] { outcomes.filter { $0.verdict == .missed } }
}
