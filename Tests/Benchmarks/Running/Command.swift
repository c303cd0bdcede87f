// Part of ServiceBox, released under the MIT License.
// The command: what it runs, prints and answers to the shell.

import Foundation

/// The whole run, from the arguments to the exit code.
package enum Command {
    /// What the process answers to the shell.
    package enum ExitCode: Int32 {
        case success = 0
        case missedBar = 1
        case wrongUse = 2
        case wrongEffect = 3
    }

    /// Measures everything, prints the table, writes the file and checks the bars, as the arguments ask.
    ///
    /// - Parameter arguments: The arguments without the program's name.
    /// - Returns: The exit code.
    package static func run(_ arguments: [String]) -> ExitCode {
        do {
            let options = try Options(arguments)
            if options.wantsHelp {
                print(Options.usage)
                return .success
            }
            // Before the run, which takes a while: a path that cannot be written should fail at once.
            let file = try options.jsonPath.map(OutputFile.init(path:))
            let drawing = try options.chartPath.map(OutputFile.init(path:))
            let results = try Suite.run()
            print(ResultTable(results).text)
            try file?.write(results.json)
            try drawing?.write(Data(Chart(results).svg.utf8))
            return options.checks ? check(results) : .success
        } catch let error as WrongUse {
            complain(error.text)
            return .wrongUse
        } catch {
            complain("\(error)")
            return .wrongEffect
        }
    }

    private static func check(_ results: Results) -> ExitCode {
        for outcome in results.outcomes where outcome.verdict == .skipped {
            complain("not measured: \(outcome.name): \(outcome.note ?? "no reason given")")
        }
        for outcome in results.missed { complain("missed: \(outcome.missText)") }
        return results.missed.isEmpty ? .success : .missedBar
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data("Benchmarks: \(text)\n".utf8))
    }
}
