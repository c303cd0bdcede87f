// Part of ServiceBox, released under the MIT License.
// What the arguments ask for.

import Foundation

/// What the user asks for.
enum Command {
    case help
    case tour(Options)

    /// The folders to read from and to write to.
    struct Options {
        var folder = "."
        var output = Self.defaultOutput
        /// How to print the wiring, if that is all that is wanted.
        var graph: GraphFormat?
        /// Whether to let a factory fail, to show what is said then.
        var isBroken = false

        /// A folder of the user's own in the system's temporary folder.
        ///
        /// The documents folder is only read. The name stays the same, so that a second run finds what the
        /// first one wrote.
        static var defaultOutput: String {
            let user = ProcessInfo.processInfo.userName
            return FileManager.default.temporaryDirectory
                .appending(path: "ServiceBoxTour-\(user)").path(percentEncoded: false)
        }
    }

    /// The languages that the wiring can be printed in.
    enum GraphFormat: String, CaseIterable {
        case mermaid, dot, json
    }

    /// Reads the arguments.
    ///
    /// - Parameter arguments: The arguments without the name of the program.
    /// - Throws: `TourError` with the usage if they make no sense.
    init(arguments: some Sequence<String>) throws(TourError) {
        var options = Options()
        var folder: String?
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h":
                self = .help
                return
            case "--output":
                guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("-") else {
                    throw .usage("'--output' needs a folder")
                }
                options.output = value
            case "--graph":
                guard let format = rest.popFirst().flatMap(GraphFormat.init) else {
                    throw .usage(
                        "'--graph' needs one of \(GraphFormat.allCases.map(\.rawValue).joined(separator: ", "))"
                    )
                }
                options.graph = format
            case "--broken":
                options.isBroken = true
            case _ where argument.hasPrefix("-"):
                throw .usage("unknown option '\(argument)'")
            case _ where folder != nil:
                throw .usage("one folder is enough, '\(argument)' is one too many")
            default:
                folder = argument
            }
        }
        if let folder { options.folder = folder }
        self = .tour(options)
    }
}

extension Command {
    static let usage = "usage: Tour [FOLDER] [--output FOLDER] [--graph FORMAT] [--broken]"

    static var helpText: String {
        """
        \(usage)

        Indexes the Markdown files (.md, .markdown) in FOLDER and the folders below it.

          FOLDER           the folder to read; the current folder if you give none
          --output FOLDER  where to write preferences.json and events.jsonl;
                           a folder in the system's temporary folder if you give none
          --graph FORMAT   prints who got what as mermaid, dot or json, and does nothing else
          --broken         lets a factory fail, and shows the path to it
          --help           shows this text

        Hidden files, hidden folders and symbolic links are passed over. Front matter and fenced code count
        neither as words nor as headings.
        """
    }
}
