// Part of ServiceBox, released under the MIT License.
// The Tour: indexes a folder of Markdown files with an application that a box wires.

import Foundation

do {
    switch try Command(arguments: CommandLine.arguments.dropFirst()) {
    case .help: print(Command.helpText)
    case .tour(let options): try await Application(options: options).run()
    }
} catch let error as TourError {
    printError(error.line)
    exit(error.exitCode)
} catch {
    printError("\(error)")
    exit(70)
}
