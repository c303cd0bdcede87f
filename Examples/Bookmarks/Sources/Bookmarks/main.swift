// Part of ServiceBox, released under the MIT License.
// The server of bookmarks: begin here.

import Foundation
import ServiceBoxKit

/// Says why the program ends, and ends it.
@MainActor
func end(_ error: StartUpError) -> Never {
    FileHandle.standardError.write(Data("Bookmarks: \(error.line)\n".utf8))
    exit(error.exitCode)
}

do {
    let command = try Command(arguments: Array(CommandLine.arguments.dropFirst()))
    if command == .help {
        print(Command.helpText)
        exit(0)
    }
    if case .show(let view) = command {
        let (text, isFine) = try await Application.show(view)
        print(text)
        exit(isFine ? 0 : 1)
    }
    let configuration = try Configuration(environment: ProcessInfo.processInfo.environment)
    // A client that goes while it is answered ends its connection, not the program.
    signal(SIGPIPE, SIG_IGN)
    let signals = Signals(SIGINT, SIGTERM)
    let wait = {
        let number = await signals.first()
        var line = LogLine("stopping")
        line.note = number.map { "signal \($0)" }
        StandardErrorLog().write(line)
    }
    if command == .serve(isByHand: true) {
        try await HandWiredApplication.run(configuration, until: wait)
    } else {
        try await Application.run(configuration, until: wait)
    }
} catch let error as StartUpError {
    end(error)
} catch let error as ServiceBoxError {
    // What a part of the program says when it can't start needs no path.
    if let cause = error.underlying as? StartUpError { end(cause) }
    end(StartUpError(line: "\(error)", exitCode: 70))
} catch {
    end(StartUpError(line: "\(error)", exitCode: 70))
}
