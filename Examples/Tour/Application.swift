// Part of ServiceBox, released under the MIT License.
// The one place that knows every service: it registers them, opens the screens and prints what happened.

import ServiceBoxKit

/// The application.
@MainActor
struct Application {
    let options: Command.Options

    func run() async throws {
        let box = ServiceBox.default
        let storage = StorageManager(folder: options.output)
        let preferences = PreferenceManager()
        let analytics = FileAnalytics()
        let index = MarkdownIndex(folder: options.folder)

        // The order does not matter: the services are filled with each other when the box is first used.
        box.register(preferences)  // named after its type: 'preferenceManager'
        box.register(storage)
        box.register(index)
        box.register(analytics, as: "analytics", of: (any Analytics).self)

        let indexReport = await box.fill(on: index)
        try await index.read()
        for skipped in await index.skipped {
            printError("skipped '\(skipped.path)': \(skipped.reason).")
        }

        try preferences.load()
        try preferences.change { $0.runs += 1 }

        let indexScreen = IndexScreen()
        let longestScreen = LongestFilesScreen()
        let longestReport = box.fill(longestScreen)
        try longestReport.requireComplete()

        print(await indexScreen.show())
        print()
        print(await longestScreen.show())
        print()
        let reports = [indexReport, indexScreen.report, longestReport]
        printReports("What the fills did", reports.compactMap(\.self))
        printReports("What the services gave each other", box.crossFill())

        try analytics.save()
        print("Run \(preferences.current.runs), written to")
        print("  \(storage.path(of: PreferenceManager.fileName))")
        print("  \(storage.path(of: FileAnalytics.fileName))")
    }

    private func printReports(_ title: String, _ reports: [FillReport]) {
        print(title)
        for report in reports {
            for line in "\(report)".split(separator: "\n") { print("  \(line)") }
        }
        print()
    }
}
