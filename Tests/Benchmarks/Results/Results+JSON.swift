// Part of ServiceBox, released under the MIT License.
// The results as JSON.

package import Foundation

extension Results {
    /// The results as a JSON document that ends with a line feed.
    ///
    /// Verdicts are written too, so that a reader needs no rules of its own.
    package var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(Document(self)) + Data("\n".utf8)
        }
    }

    /// The document's outline.
    private struct Document: Encodable {
        let statistic = "median of per-round ratios"
        let rounds: Int
        let measures: [Line]

        init(_ results: Results) {
            rounds = results.rounds
            measures = results.outcomes.map(Line.init)
        }
    }

    private struct Line: Encodable {
        let outcome: Outcome

        init(_ outcome: Outcome) {
            self.outcome = outcome
        }

        private enum Key: CodingKey {
            case verdict
        }

        func encode(to encoder: any Encoder) throws {
            try outcome.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(outcome.verdict, forKey: .verdict)
        }
    }
}
