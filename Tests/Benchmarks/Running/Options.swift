// Part of ServiceBox, released under the MIT License.
// The command line's options.

/// What the command line asks for.
package struct Options: Equatable {
    package static let usage =
        "usage: swift run -c release Benchmarks [--json FILE] [--chart FILE] [--check]"

    /// The file to write the results to as JSON.
    package private(set) var jsonPath: String?
    /// The file to draw the results to as SVG.
    package private(set) var chartPath: String?
    /// Whether a missed bar makes the run fail.
    package private(set) var checks = false
    package private(set) var wantsHelp = false

    /// Reads the arguments.
    ///
    /// - Parameter arguments: The arguments without the program's name.
    /// - Throws: `WrongUse` at an argument that is unknown or lacks its value.
    package init(_ arguments: [String]) throws(WrongUse) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--check": checks = true
            case "--help", "-h": wantsHelp = true
            case "--json", "--chart":
                guard let path = rest.popFirst(), !path.isEmpty, !path.hasPrefix("--") else {
                    throw WrongUse("\(argument) needs a file name; \(Self.usage)")
                }
                if argument == "--json" { jsonPath = path } else { chartPath = path }
            default: throw WrongUse("unknown option '\(argument)'; \(Self.usage)")
            }
        }
    }
}

/// An argument that cannot be followed, in one line.
package struct WrongUse: Error, Equatable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}
