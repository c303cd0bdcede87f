// Part of ServiceBox, released under the MIT License.
// What the arguments ask for.

/// What the user asks for.
enum Command: Equatable {
    case help
    /// Serves until a signal comes.
    case serve(isByHand: Bool)
    /// Prints what the box would wire.
    case show(View)

    /// A view of the wiring.
    enum View: Equatable {
        case graph, audit, wiring
    }

    static let usage = "usage: Bookmarks [--graph | --audit | --wiring | --by-hand | --help]"

    /// Reads the arguments.
    ///
    /// - Parameter arguments: The arguments without the name of the program.
    /// - Throws: `StartUpError` with the usage if they make no sense.
    init(arguments: [String]) throws(StartUpError) {
        if arguments.count > 1 { throw .usage("one option is enough, '\(arguments[1])' is one too many") }
        switch arguments.first {
        case nil: self = .serve(isByHand: false)
        case "--by-hand"?: self = .serve(isByHand: true)
        case "--graph"?: self = .show(.graph)
        case "--audit"?: self = .show(.audit)
        case "--wiring"?: self = .show(.wiring)
        case "--help"?, "-h"?: self = .help
        case let other?: throw .usage("unknown option '\(other)'")
        }
    }

    static let helpText = """
        \(usage)

        Keeps bookmarks and serves them over HTTP, until it is told to end by control-C or the signal TERM.

          --graph    prints which service gets which, as a Mermaid flowchart
          --audit    prints what is wrong with the wiring; the exit code is 1 if anything is
          --wiring   prints what every property gets, a line each
          --by-hand  serves without a box, wired by hand
          --help     shows this text

        The environment:

        \(Configuration.help)
        """
}
