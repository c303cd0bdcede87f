// Part of ServiceBox, released under the MIT License.
// The Tour: indexes a folder of Markdown files with an application that a box wires.

import Foundation
import ServiceBoxKit

do {
    switch try Command(arguments: CommandLine.arguments.dropFirst()) {
    case .help: print(Command.helpText)
    case .tour(let options): try await Application(options: options).run()
    }
} catch let error as TourError {
    printError(error.line)
    exit(error.exitCode)
} catch let error as ServiceBoxError {
    // What a service of the Tour's own says when it can't start or stop needs no path.
    if [.startFailed, .stopFailed].contains(error.code), let cause = error.underlying as? TourError {
        printError(cause.line)
        exit(cause.exitCode)
    }
    // Says which service failed and for whom it was made; what its factory threw is kept.
    printError("\(error)")
    exit((error.underlying as? TourError)?.exitCode ?? 70)
} catch {
    printError("\(error)")
    exit(70)
}
