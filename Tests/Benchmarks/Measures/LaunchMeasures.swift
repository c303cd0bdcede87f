// Part of ServiceBox, released under the MIT License.
// The launch of an application, in fresh processes.

import Foundation

extension Suite {
    private static let launchRounds = 15

    /// Registering 400 services and filling 100 objects of 100 types, beside a dictionary of closures.
    static func launchOutcomes() -> [Outcome] {
        let names = (
            registering: "launch: register 200 instances and 200 closures",
            all: "launch: register 400 services, fill 100 new types",
            many: "launch: the same with 20 000 more types", size: "stripped size of that program",
            build: "build the library, release"
        )
        let bars = (registering: 12.0, all: 4.0, many: 1.5, size: 0.5e6, build: 15.0)
        do {
            let package = try LaunchPackage(
                for: URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory))
            var (box, hand, many): ([LaunchPackage.Run], [LaunchPackage.Run], [LaunchPackage.Run]) = (
                [], [], []
            )
            for _ in 0..<launchRounds {
                box.append(try package.run(.withBox, hasManyTypes: false))
                hand.append(try package.run(.byHand, hasManyTypes: false))
                many.append(try package.run(.withBox, hasManyTypes: true))
            }
            func outcome(
                _ name: String, _ runs: [LaunchPackage.Run], against reference: String,
                _ others: [LaunchPackage.Run], _ part: (LaunchPackage.Run) -> Double, atMost bar: Double
            ) -> Outcome {
                let statistics = RoundStatistics(
                    times: runs.map { 1000 * part($0) }, referenceTimes: others.map { 1000 * part($0) })
                return Outcome(
                    name, against: reference, unit: "ns", value: statistics?.median,
                    referenceValue: statistics?.referenceMedian, figure: statistics?.ratio, atMost: bar,
                    note: statistics == nil ? "a run took no time" : nil)
            }
            let build = try package.libraryBuildTime()
            let sizes = (try package.strippedSize(.withBox), try package.strippedSize(.byHand))
            return [
                outcome(
                    names.registering, box, against: "a dictionary", hand, \.registering,
                    atMost: bars.registering),
                outcome(names.all, box, against: "a dictionary", hand, \.all, atMost: bars.all),
                outcome(names.many, many, against: "without them", box, \.all, atMost: bars.many),
                Outcome(
                    names.size, against: "by hand", unit: "bytes", value: sizes.0, referenceValue: sizes.1,
                    figure: sizes.0 - sizes.1, atMost: bars.size),
                Outcome(names.build, unit: "s", value: build, figure: build, atMost: bars.build),
            ]
        } catch {
            return [
                (names.registering, bars.registering), (names.all, bars.all), (names.many, bars.many),
                (names.size, bars.size), (names.build, bars.build),
            ].map {
                Outcome($0.0, unit: "ns", atMost: $0.1, note: "the programs can't be built here: \(error)")
            }
        }
    }
}
