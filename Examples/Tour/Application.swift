// Part of ServiceBox, released under the MIT License.
// The one place that knows every service: it registers them, opens the screens and prints what happened.

import Foundation
import ServiceBoxKit

/// The application.
@MainActor
struct Application {
    let options: Command.Options

    private let storage: StorageManager
    private let preferences = PreferenceManager()
    private let analytics = FileAnalytics()

    init(options: Command.Options) {
        self.options = options
        storage = StorageManager(folder: options.output)
    }

    func run() async throws {
        let box = ServiceBox.default
        register(in: box)

        // Each is made now, with all it needs. What a factory throws on the way arrives here with its path.
        let longestScreen = try box.resolve(ServiceKey<LongestFilesScreen>("longestFilesScreen"))
        let indexScreen = try box.resolve(ServiceKey<IndexScreen>("indexScreen"))
        try indexScreen.report?.requireComplete()
        // The box has filled what it made; any other object is filled like this, from outside.
        let longestReport = box.fill(longestScreen)
        try longestReport.requireComplete()

        if let format = options.graph {
            print(try format.text(of: box.graph()))
            return
        }

        // The index that the screens have, made for the first of them.
        let index = try box.resolve(ServiceKey<MarkdownIndex>("markdownIndex"))
        try await index.read()
        for skipped in await index.skipped {
            printError("skipped '\(skipped.path)': \(skipped.reason).")
        }

        try preferences.load()
        try preferences.change { $0.runs += 1 }

        print(await indexScreen.show())
        print()
        print(await longestScreen.show())
        print()
        printReports("What the fills did", [indexScreen.report, longestReport].compactMap(\.self))
        printReports("What the services gave each other", box.crossFill())

        try analytics.save()
        print("Run \(preferences.current.runs), written to")
        print("  \(storage.path(of: PreferenceManager.fileName))")
        print("  \(storage.path(of: FileAnalytics.fileName))")
    }

    /// Registers everything.
    ///
    /// The order does not matter: the services are filled with each other when the box is first used.
    private func register(in box: ServiceBox) {
        box.register(preferences)  // named after its type: 'preferenceManager'
        box.register(storage)
        box.register(analytics, as: ServiceKey<any Analytics>("analytics"))

        // Made when first asked for, and filled before anyone sees them.
        let options = options
        box.register(as: "markdownFolder", lifetime: .lazy) { _ in
            guard !options.isBroken else { throw TourError.broken(options.folder) }
            return MarkdownFolder(path: options.folder)
        }
        box.register(as: "markdownIndex", lifetime: .lazy) { box in
            MarkdownIndex(folder: try box.resolve("markdownFolder"))
        }

        // Created on every resolve, on the main actor.
        box.register(
            as: "indexScreen", lifetime: .transient,
            { @MainActor _ in IndexScreen() })
        box.register(
            as: "longestFilesScreen", lifetime: .transient,
            { @MainActor box in LongestFilesScreen(index: try box.resolve("markdownIndex")) })
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
