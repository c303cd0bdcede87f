// Part of ServiceBox, released under the MIT License.
// Every sentence that the library says.

/// The texts of all messages, made from facts.
enum Message {
    /// A property that a message is about.
    struct Property {
        let owner: Any.Type
        let name: String
        /// The name that a service for it is registered under.
        let serviceName: String
        let wanted: Any.Type
        let channel: Channel

        /// How it is written.
        enum Channel {
            case slot
            case weakSlot
            /// A line of a table, or a plain property.
            case line
        }

        /// Whether the service has the property's own name.
        var isNamedAsService: Bool { name == serviceName || name.hasSuffix(".\(serviceName)") }

        var phrase: String {
            "\(TypeName.of(owner)).\(name), \(TypeName.withArticle(TypeName.of(wanted)))"
        }
    }

    /// A registered service that a message is about.
    struct Service: Sendable {
        let name: String
        let type: Any.Type
        /// The type of the service itself.
        let implementation: Any.Type
        /// The type of the parameters that it is made from, if it is.
        let parameters: Any.Type?

        var phrase: String { "'\(name)' (\(types))" }

        /// The type that it is registered as, behind its own if that is another.
        var types: String {
            let type = TypeName.of(type)
            let implementation = TypeName.of(implementation)
            return implementation == type ? type : "\(implementation) as \(type)"
        }
    }

    /// The most services that one message lists.
    static let listLimit = 8

    /// Services in a row, the last ones counted.
    struct Listing: Sendable {
        let first: [Service]
        private let count: Int

        /// Lists services.
        ///
        /// - Parameters:
        ///   - services: The first ones, as many as a message lists, or all.
        ///   - count: How many there are; as many as these unless you say otherwise.
        init(_ services: [Service], of count: Int? = nil) {
            first = Array(services.prefix(listLimit))
            self.count = count ?? services.count
        }

        var phrase: String {
            if first.isEmpty { return "nothing" }
            let names = first.map(\.phrase).joined(separator: ", ")
            return count > first.count ? "\(names) and \(count - first.count) more" : names
        }
    }
}

// MARK: - Misuse that stops the program

extension Message {
    static func unfilledRead(of type: Any.Type, declaration: String) -> String {
        stop(
            "Can't read an injected \(TypeName.of(type)): nothing has filled it yet.",
            facts: [("Declared", declaration)],
            "To fix, fill the object before reading the property; if it was filled, print the report, which says why "
                + "this property got nothing; or declare the property optional.")
    }

    static func duplicateTableName(_ name: String, of type: Any.Type) -> String {
        stop(
            "Can't make an injection table that names '\(name)' twice.",
            facts: [("Table", "of \(TypeName.of(type))")],
            "To fix, remove one of the two lines.")
    }

    static func underivableName(of type: Any.Type, at location: String) -> String {
        stop(
            "Can't derive a name for a service of type \(TypeName.of(type)): the type has no name of its own.",
            facts: [("Registered", location)],
            "To fix, register it with a name: register(service, as: \"name\").")
    }

    static func emptyName(for type: Any.Type, at location: String) -> String {
        stop(
            "Can't register \(TypeName.withArticle(TypeName.of(type))) under an empty name.",
            facts: [("Registered", location)],
            "To fix, register it under the name of the properties that it is for.")
    }

    static func reservedName(for type: Any.Type, at location: String) -> String {
        stop(
            "Can't register \(TypeName.withArticle(TypeName.of(type))) as 'serviceBox': the name stands for the "
                + "box itself.",
            facts: [("Registered", location)],
            "To fix, register it under another name.")
    }

    static func optionalService(_ type: Any.Type, as name: String, at location: String) -> String {
        stop(
            "Can't register an optional as '\(name)': a service is there or it is not.",
            facts: [("Type", TypeName.of(type)), ("Registered", location)],
            "To fix, unwrap it, and register it if it is not nil.")
    }

    static func foreignActorTable(_ name: String, of type: Any.Type, at location: String) -> String {
        stop(
            "Can't teach a box to write '\(name)' of \(TypeName.of(type)): the table was made on an actor other than "
                + "the main actor, and a box cannot get back there.",
            facts: [("Taught", location)],
            "To fix, list the property in an isolated conformance of \(TypeName.of(type)) to Injectable.")
    }

    static func stop(
        _ headline: String, facts: [(label: String, value: String)], _ instruction: String
    ) -> String {
        Explanation(reason: headline, headline: headline, facts: facts, instruction: instruction).text
    }
}

// MARK: - Findings about a property

extension Message {
    static func noSuchProperty(_ property: Property, nearest: [String]) -> Explanation {
        hole(
            property, "the table names a property that the type does not store",
            hint: question(nearest),
            nearest.isEmpty
                ? "To fix, name the line after the stored property that the key path writes, or use a setter, which may "
                    + "have any name." : toFix(["name the line \(choice(nearest))"]))
    }

    static func wrongRoot(_ property: Property, root: Any.Type) -> Explanation {
        hole(
            property, "the line was made for \(TypeName.of(root))",
            "To fix, make it for \(TypeName.of(property.owner)) or a superclass.")
    }

    static func wrongIsolation(_ property: Property) -> Explanation {
        hole(
            property, "its table belongs to an actor that this fill did not run on",
            "To fix, fill the object on its actor; an actor itself with 'await box.fill(actor)'.")
    }

    static func notInout(_ property: Property) -> Explanation {
        hole(
            property, "a constant cannot be written through a table",
            "To fix, pass a variable of the struct's own type: fill(&value).")
    }

    static func nameless(_ property: Property) -> Explanation {
        hole(
            property, "this build carries no property names",
            "To fix, build without -disable-reflection-names, or give the property an explicit name: "
                + "@Injected(\"name\").")
    }

    static func emptyName(_ property: Property) -> Explanation {
        hole(
            property, "its declaration gives an empty name",
            "To fix, give the name that the service is registered under, or none if that is the property's own."
        )
    }

    static func outOfReach(_ property: Property) -> Explanation {
        hole(
            property, "it is an optional with injected properties inside, where a fill does not look",
            "To fix, declare it without the optional, or fill its value itself.")
    }

    static func replaced(_ property: Property) -> Explanation {
        hole(
            property, "its wrapper was replaced after the box had seen the service",
            "To fix, set the property, not its wrapper or the struct around it, or fill the service itself.")
    }

    static func hole(
        _ property: Property, _ reason: String, facts: [(label: String, value: String)] = [],
        hint: String? = nil, _ instruction: String
    ) -> Explanation {
        Explanation(
            reason: reason,
            headline: "Can't fill '\(property.name)' of \(TypeName.of(property.owner)): \(reason).",
            facts: [("Property", property.phrase)] + facts, hint: hint, instruction: instruction
        )
    }
}
