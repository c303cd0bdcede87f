// Part of ServiceBox, released under the MIT License.
// The lines of a box's description.

extension Message {
    /// The first line.
    static func boxSummary(name: String?, count: Int, isSealed: Bool, hasStopped: Bool) -> String {
        let services = count == 0 ? "no services" : counted(count, "service")
        let state = (isSealed ? ", sealed" : "") + (hasStopped ? ", stopped" : "")
        return "ServiceBox\(name.map { " '\($0)'" } ?? ""), \(services)\(state)"
    }

    /// The line above inherited services.
    static func inherited(from name: String?, isParent: Bool) -> String {
        "From \(isParent ? "the parent" : "an ancestor")\(name.map { " '\($0)'" } ?? ""):"
    }

    /// A service in columns, with its lifetime or kind.
    static func row(
        of service: ServiceDescription, kind: String, replacement: ServiceReplacement?
    ) -> [String] {
        let past = replacement.map { replacement in
            replacement.decoration.map { ", decorated at \($0)" } ?? ", replaced \(former(replacement))"
        }
        return [service.name, kind, "\(service.typesAndModule)\(past ?? "")"]
    }

    /// The line above services and types with empty properties.
    static let unfilled = "Unfilled:"

    /// A service or a type with its empty properties, in columns.
    static func row(
        unfilled type: Any.Type, name: String?, _ properties: [(name: String, outcome: String)]
    ) -> [String] {
        let properties = properties.map { "\($0.name) (\($0.outcome))" }
        return [subject(of: type, name: name), properties.joined(separator: ", ")]
    }

    /// Rows as indented lines whose columns begin one below the other.
    static func aligned(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.dropLast().map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        return rows.map { row in
            let padded = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            return "  \((padded + row.suffix(1)).joined(separator: "  "))"
        }
    }
}

// MARK: - Properties that are registered as services

extension Message {
    /// The contents of a type without properties can't be registered; the word says what the type is.
    static func noContents(of type: Any.Type, _ word: String, at location: String) -> Explanation {
        let way = "pass a struct or a class instance"
        return Explanation(
            "Can't register the contents of \(TypeName.withArticle(of: type))", because: "it is \(word)",
            facts: [("Registered", location)],
            fix: unwrapped(type) == type ? [way, "register it as one service"] : ["unwrap it", way])
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

// MARK: - Boxes that start and stop

extension Message {
    /// A box was to be started that has stopped.
    static func startAfterStop(_ box: String?, stopped: String?, isItself: Bool) -> Explanation {
        Explanation(
            "Can't start a box", because: isItself ? "it has stopped" : "an ancestor has stopped",
            facts: Message.box(box) + (isItself ? [] : stopped.map { [("Stopped", "'\($0)'")] } ?? []),
            fix: ["start a new one, or a child of one that runs"])
    }

    /// A child was to run in a box that has stopped.
    static func childAfterStop(_ child: String, of box: String?, isParent: Bool) -> Explanation {
        let word = isParent ? "parent" : "ancestor"
        return Explanation(
            "Can't run the child '\(child)'", because: "its \(word) has stopped",
            facts: Message.box(box), fix: ["run children before the \(word) stops"])
    }

    /// Services didn't end in time; the current one comes first.
    static func stopTimedOut(_ names: [String], limit: Duration) -> Explanation {
        let others = Array(names.dropFirst())
        return Explanation(
            "Can't stop in time", because: "\(names.first.map { "'\($0)'" } ?? "a service") hasn't ended",
            facts: [("Given", "\(limit)")] + (others.isEmpty ? [] : [("Waiting", others.quoted(", "))]),
            fix: ["let it end when its task is cancelled", "give the box more time"])
    }

    /// Several services threw errors while they stopped.
    static func stopFailed(_ errors: [ServiceBoxError]) -> Explanation {
        list("Can't stop all services", "errors", errors.map(\.explained))
    }
}

// MARK: - Modules

extension Message {
    /// A module requires one that wasn't added; with the modules in between, each required by the one before.
    static func missingModule(_ name: String, path: [String]) -> Explanation {
        Explanation(
            "Can't add \(path.first ?? "")",
            because: "\(path.count > 1 ? path.last ?? "" : "it") requires \(name), which was not added",
            facts: path.count > 1 ? [("Path", way(path + [name]))] : [],
            fix: ["add \(name) before it", "add \(name) together with it"])
    }

    /// Modules require or add each other.
    static func moduleCycle(_ circle: [String]) -> Explanation {
        Explanation(
            "Can't add \(circle.first ?? "")", because: "it is needed to add itself",
            facts: [("Path", way(circle))],
            fix: [
                circle.count > 2
                    ? "move what both modules need into a third one" : "let it neither require nor add itself"
            ])
    }
}
