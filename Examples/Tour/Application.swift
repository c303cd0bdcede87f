// Part of ServiceBox, released under the MIT License.
// The application: adds the modules, starts them, opens the screens and prints what happened.

import Foundation
import ServiceBoxKit

/// The application.
@MainActor
struct Application {
    let options: Command.Options

    func run() async throws {
        let box = ServiceBox.default
        try box.add(
            IndexModule(folder: options.folder, isBroken: options.isBroken),
            StorageModule(folder: options.output))

        // Made now, with all it needs. What a factory throws on the way arrives here with its path.
        let longestScreen = try box.resolve(ServiceKey<LongestFilesScreen>("longestFilesScreen"))
        // Fills itself: whoever makes it needs no box.
        let indexScreen = IndexScreen()
        try indexScreen.report?.requireComplete()
        // The box has filled what it made; any other object is filled like this, from outside.
        let longestReport = box.fill(longestScreen)
        try longestReport.requireComplete()

        if let format = options.graph {
            print(try format.text(of: box.graph()))
            return
        }

        // The preferences and the index read their files when they start; the analytics write theirs when they stop.
        try await withRunning(box) {
            let preferences = try box.resolve(PreferenceManager.self)
            for skipped in await indexScreen.markdownIndex.skipped {
                printError("skipped '\(skipped.path)': \(skipped.reason).")
            }
            try preferences.change { $0.runs &+= 1 }

            print(await indexScreen.show())
            print()
            print(await longestScreen.show())
            print()
            printReports("What the fills did", [indexScreen.report, longestReport].compactMap(\.self))
            printReports("What the services gave each other", box.crossFill())

            let storage = try box.resolve(StorageManager.self)
            print("Run \(preferences.current.runs), written to")
            print("  \(storage.path(of: PreferenceManager.fileName))")
            print("  \(storage.path(of: FileAnalytics.fileName))")
        }
    }

    private func printReports(_ title: String, _ reports: [FillReport]) {
        print(title)
        for report in reports {
            for line in "\(report)".split(separator: "\n") { print("  \(line)") }
        }
        print()
    }
}

extension Command.GraphFormat {
    fileprivate func text(of graph: ServiceGraph) throws -> String {
        switch self {
        case .mermaid: return graph.mermaid
        case .dot: return graph.dot
        case .json:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(graph), as: UTF8.self)
        }
    }
}
