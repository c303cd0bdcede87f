// Part of ServiceBox, released under the MIT License.
// What a fill returns. How it reads is in Reports/.

/// What a fill did: for every injectable property what it was filled with, or why it was not.
///
/// A report is a small value over shared data. Making one costs a fill next to nothing; its words are made when it
/// is read.
///
/// ```swift
/// let screen = SettingsScreen()
/// let report = box.fill(screen)
/// print(report)                        // one line for each property
/// try report.requireComplete()         // throws an error that lists every hole
/// ```
///
/// A report may be read from anywhere. It keeps neither the object nor the box nor services alive. Near names are
/// looked for when it is read: they are those of the services registered by then.
public struct FillReport: Sendable {
    let record: FillRecord
    let deviations: [Deviation]

    init(_ record: FillRecord, deviations: [Deviation] = []) {
        self.record = record
        self.deviations = deviations
    }
}
