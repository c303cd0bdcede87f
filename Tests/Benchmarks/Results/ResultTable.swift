// Part of ServiceBox, released under the MIT License.
// The table that a run prints.

import Foundation

/// The results as text in aligned columns, those with bars first.
package struct ResultTable {
    private let results: Results

    package init(_ results: Results) {
        self.results = results
    }

    /// The table with its heading and its summary.
    package var text: String {
        let barred = results.outcomes.filter { $0.bar != nil }
        let reported = results.outcomes.filter { $0.bar == nil }
        let rows = [Self.header] + barred.map(Self.row) + [[]] + reported.map(Self.row)
        return ([heading, ""] + Self.aligned(rows) + [""] + summary(of: barred)).joined(separator: "\n")
    }

    private var heading: String {
        "Medians of \(results.rounds) interleaved rounds; a ratio is the median of the ratios of each round."
    }

    private static let header = ["measure", "against", "median", "against", "ratio", "at most", ""]

    private static func row(_ outcome: Outcome) -> [String] {
        [
            outcome.name, outcome.reference ?? "", amount(outcome.value, outcome.unit),
            amount(outcome.referenceValue, outcome.unit), figure(of: outcome),
            outcome.bar.map(number) ?? "", outcome.verdict == .reported ? "" : outcome.verdict.rawValue,
        ]
    }

    private func summary(of barred: [Outcome]) -> [String] {
        let met = barred.count { $0.verdict == .met }
        let skipped = barred.filter { $0.verdict == .skipped }
        let counts = "Bars: \(met) met, \(results.missed.count) missed, \(skipped.count) not measured."
        return [counts] + skipped.map { "Not measured: \($0.name): \($0.note ?? "no reason given")" }
            + results.missed.map { "Missed: \($0.missText)" }
    }

    private static func figure(of outcome: Outcome) -> String {
        guard let figure = outcome.figure else { return "-" }
        return outcome.reference == nil ? number(figure) : String(format: "%.2f", figure)
    }

    private static func amount(_ value: Double?, _ unit: String) -> String {
        guard let value else { return "" }
        let isSmall = value < 100 && value != value.rounded()
        return "\(isSmall ? String(format: "%.1f", value) : number(value)) \(unit)"
    }

    /// Without decimals that say nothing: `4`, `1.25`.
    private static func number(_ value: Double) -> String {
        value >= 100 || value == value.rounded()
            ? String(format: "%.0f", value) : String(format: "%.4g", value)
    }

    /// Pads the columns to a common width: words to the left, figures to the right.
    private static func aligned(_ rows: [[String]]) -> [String] {
        let widths = header.indices.map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return (2...5).contains(column) ? padding + cell.0 : cell.0 + padding
            }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
