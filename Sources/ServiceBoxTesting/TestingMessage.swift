// Part of ServiceBox, released under the MIT License.
// The sentences of the test helpers.

import ServiceBoxKit

/// An error that consists of its text.
struct WordedError: Error, CustomStringConvertible {
    let description: String
}

/// The texts of all messages, made from facts.
enum TestingMessage {
    /// A kind of provider does not pass the checks.
    static func brokenProvider(
        _ lifetime: Lifetime, _ violations: [ProviderConformanceError.Violation], checkCount: Int
    ) -> String {
        Explanation(
            "Can't accept these providers as \(lifetime) ones",
            because: "\(violations.count) of \(Message.counted(checkCount, "check")) failed",
            facts: violations.map { (label: $0.check.description, value: $0.text) },
            fix: [
                "let the factory call the closure that it is given once for each service and return or rethrow "
                    + "its result, and leave keeping and sharing to the provider"
            ]
        ).text
    }

    /// A test couldn't set up its box.
    static func setUpFailed(_ name: String, _ error: any Error) -> WordedError {
        WordedError(
            description: Explanation(
                "Can't set up the box of '\(name)'", because: "the closure of its trait 'serviceBox' failed",
                facts: [("Error", words(of: error))],
                fix: ["correct what the closure reports; the test did not run"]
            ).text)
    }

    /// The first line of an error's text.
    private static func words(of error: any Error) -> String {
        let text = "\(error)".prefix { !$0.isNewline }
        return error is ServiceBoxError ? String(text) : "\(text) (\(TypeName.of(type(of: error))))"
    }
}

// MARK: - The use of a scope

extension TestingMessage {
    /// An override that nothing has used, with the reason.
    struct Unused: Sendable {
        /// The maximum number of takers that one line names.
        private static let limit = 3

        let use: ServiceUse
        let reason: UnusedReason

        /// The override with the reason.
        fileprivate var explained: String {
            let words =
                switch reason {
                case .shared(let takers): Self.list(takers.map(Self.words), "; ")
                case .refused(let properties): Self.list(properties.map(\.description), "; ")
                case .replacedOnly(let other):
                    "nothing in the scope asked for it; outside, the service of that name \(Self.words(other))"
                case .near(let names):
                    "did you mean \(names.prefix(Self.limit).map(Self.quoted).joined(separator: " or "))?"
                case .unasked: "nothing asks for it"
                }
            return "\(use.phrase); \(words)"
        }

        /// What to do about it.
        fileprivate var instruction: String {
            switch reason {
            case .shared(let takers):
                let roots = Set(takers.prefix(Self.limit).map(\.root.name)).sorted()
                let names = Self.list(roots.map(Self.quoted), " and ")
                return roots.count == 1
                    ? "register \(names) with a factory, or override it too"
                    : "register \(names) with factories, or override them too"
            case .refused(let properties) where properties.allSatisfy { $0.outcome == .onRead }:
                return "read the property that asks for an override, or drop it"
            case .refused: return "let the property that asks for an override take it"
            case .replacedOnly: return "ask the scope's box for an override, or drop it"
            case .near, .unasked:
                return "register an unused override under a name that is asked for, or drop it"
            }
        }

        private static func words(_ taker: SharedTaker) -> String {
            let origin = taker.isReadyMade ? "is ready-made" : "comes from a registered provider"
            if !taker.isRoot {
                return
                    "\(taker.service.phrase) takes it, but \(taker.root.phrase), which \(origin), has the base's"
            }
            let filling =
                taker.isReadyMade && taker.isFilled ? "was filled before" : "is filled by the base alone"
            return "\(taker.service.phrase) takes it, but \(origin) and \(filling)"
        }

        /// The uses of the service that the override replaces.
        private static func words(_ use: ServiceUse) -> String {
            let ways =
                (use.properties.isEmpty ? [] : ["went into \(list(use.properties, ", "))"])
                + (use.wasResolved ? ["was looked up"] : []) + (use.wasStarted ? ["was started"] : [])
            return ways.joined(separator: " and ")
        }

        private static func list(_ items: [String], _ separator: String) -> String {
            let rest = items.count - limit
            return (items.prefix(limit) + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: separator)
        }

        private static func quoted(_ name: String) -> String { "'\(name)'" }
    }

    /// A scope didn't meet the requirements on its services.
    static func unmet(_ name: String, unused: [Unused], live: [ServiceUse], used: [ServiceUse]) -> String {
        var reasons: [String] = []
        var instructions: [String] = []
        if !unused.isEmpty {
            reasons.append(
                "\(Message.counted(unused.count, "override was", "overrides were")) never used")
            for way in unused.map(\.instruction) where !instructions.contains(way) {
                instructions.append(way)
            }
        }
        if !live.isEmpty {
            reasons.append("\(Message.counted(live.count, "live service was", "live services were")) used")
            instructions.append("override a live service in the scope, and ask the scope's box for it")
        }
        return Explanation(
            "Can't accept what '\(name)' did with its services", because: reasons.joined(separator: ", and "),
            facts: unused.map { (label: "Unused", value: $0.explained) }
                + live.map { (label: "Live", value: $0.destinations) }
                + used.map { (label: "Used", value: $0.destinations) },
            fix: [instructions.joined(separator: "; ")]
        ).text
    }
}

extension ServiceUse {
    fileprivate var phrase: String { "'\(name)' (\(TypeName.of(type)))" }

    /// The service and its uses.
    fileprivate var destinations: String {
        var parts = properties.isEmpty ? [] : ["into " + properties.joined(separator: ", ")]
        if wasResolved { parts.append("looked up") }
        if wasStarted { parts.append("started") }
        // Otherwise the line would say nothing about it.
        if parts.isEmpty { parts.append("created") }
        return ([phrase] + parts).joined(separator: "; ")
    }
}

// MARK: - The wiring and its file

extension TestingMessage {
    /// The maximum number of changes that one message shows.
    private static let changeLimit = 40

    /// How the wiring is recorded.
    private static let record = "run the test with RECORD_WIRING=1 in the environment"

    /// The wiring differs from the recorded one.
    static func otherWiring(_ file: String, _ changes: [LineChange]) -> String {
        differing(
            "match the wiring with what was recorded", file, changes,
            "correct the wiring, or, if the change is intended, \(record)")
    }

    /// The wiring differs from one that was recorded in the same file before.
    static func wiringOfAnother(_ file: String, _ changes: [LineChange]) -> String {
        differing(
            "record the wiring in the file of another", file, changes,
            "name a file for each test: matches: \"Other.lock\"")
    }

    private static func differing(
        _ action: String, _ file: String, _ changes: [LineChange], _ fix: String
    ) -> String {
        let new = changes.count(where: \.isNew)
        let counts = [(changes.count - new, "gone"), (new, "new")].filter { $0.0 > 0 }.map {
            "\(Message.counted($0.0, "line is", "lines are")) \($0.1)"
        }
        var lines = [
            "Can't \(action): \(counts.joined(separator: ", ")).",
            "  File: \(file)",
        ]
        lines += changes.prefix(changeLimit).map { "  \($0.isNew ? "+" : "-") \($0.line)" }
        if changes.count > changeLimit { lines.append("  \(Message.more(changes.count - changeLimit))") }
        lines.append("To fix, \(fix).")
        return lines.joined(separator: "\n")
    }

    /// No wiring was recorded.
    static func noWiring(_ file: String) -> String {
        wiring("match the wiring: none was recorded", file, nil, [record])
    }

    /// The recorded wiring can't be read.
    static func unreadableWiring(_ file: String, _ error: any Error) -> String {
        wiring(
            "match the wiring: what was recorded can't be read", file, error,
            ["correct the file", "to write it again, \(record)"])
    }

    /// The wiring can't be recorded.
    static func unwritableWiring(_ file: String, _ error: any Error) -> String {
        wiring(
            "record the wiring: its file can't be written", file, error,
            ["record where the source folder is available, such as on the machine that built the test"])
    }

    /// The wiring was recorded.
    static func recordedWiring(_ file: String) -> String { "Recorded the wiring in \(file)." }

    private static func wiring(
        _ reason: String, _ file: String, _ error: (any Error)?, _ fix: [String]
    ) -> String {
        Explanation(
            "Can't \(reason)",
            facts: [(label: "File", value: file)] + (error.map { [("Error", words(of: $0))] } ?? []),
            fix: fix
        ).text
    }
}
