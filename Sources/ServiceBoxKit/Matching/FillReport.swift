// Part of ServiceBox, released under the MIT License.
// What a fill returns. How it reads is in Reports/.

/// What a fill did: for every injectable property what it was filled with, or why it was not.
///
/// A report is a small value over shared data. Making one costs a fill next to nothing; its words are made
/// when it is read.
///
/// ```swift
/// let screen = SettingsScreen()
/// let report = box.fill(screen)
/// print(report)                        // one line for each property
/// try report.requireComplete()         // throws an error that lists every hole
/// ```
///
/// A report may be read from anywhere. It keeps neither the object nor the box nor services alive. What may
/// have been meant is looked for when it is read, among the services registered by then.
public struct FillReport: Sendable {
    let record: FillRecord
    var deviations: [Deviation]

    init(_ record: FillRecord, deviations: [Deviation] = []) {
        self.record = record
        self.deviations = deviations
    }
}

extension FillReport {
    /// The records with what differed in this fill.
    var findings: [PropertyRecord] {
        var records = record.properties
        for deviation in deviations { records[deviation.index].finding = deviation.finding }
        return records
    }

    /// The report as one on a registered service.
    func named(_ name: String) -> FillReport {
        FillReport(
            FillRecord(type: record.type, serviceName: name, properties: record.properties, box: record.box),
            deviations: deviations)
    }

    /// The report with more to say.
    func adding(_ notes: [PropertyRecord]) -> FillReport {
        if notes.isEmpty { return self }
        return FillReport(record.adding(notes), deviations: deviations)
    }

    /// What the fill did with each line of the table that it could use.
    var lineStates: [(line: String, state: Wiring.LineState)] {
        findings.filter { $0.source == .line }.compactMap { record in
            switch record.finding {
            case .filled: (record.name, .written)
            case .kept: (record.name, .kept)
            default: nil
            }
        }
    }
}
