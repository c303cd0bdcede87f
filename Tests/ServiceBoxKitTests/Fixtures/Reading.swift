// Part of ServiceBox, released under the MIT License.
// Reading reports, errors and types in a line of a test.

import ServiceBoxKit

extension FillReport {
    /// The outcome of each property by its name; the first of a name wins.
    var outcomes: [String: PropertyReport.Outcome] {
        Dictionary(properties.map { ($0.name, $0.outcome) }, uniquingKeysWith: { first, _ in first })
    }

    /// The properties that got their service.
    var filled: [PropertyReport] { properties.filter { $0.outcome == .filled } }
    /// The properties that kept what they held.
    var kept: [PropertyReport] { properties.filter { $0.outcome == .kept } }
    /// What is worth knowing and no hole.
    var notes: [PropertyReport] {
        properties.filter { !$0.isHole && $0.outcome != .filled && $0.outcome != .kept }
    }

    func outcome(of name: String) -> PropertyReport.Outcome? { outcomes[name] }
}

extension [FillReport] {
    /// The report on the services of a type.
    func report<Subject>(on type: Subject.Type) -> FillReport? { first { $0.subjectType == type } }
}

/// Whether two types are one; `#expect` cannot compare metatypes itself.
func isSame(_ first: Any.Type?, _ second: Any.Type?) -> Bool { first == second }

/// Returns the error that a provider throws, or nil if it resolves its service.
func failure<Service>(of provider: ServiceProvider<Service>) -> ServiceBoxError? {
    do {
        _ = try provider.resolve()
        return nil
    } catch {
        return error
    }
}

extension ServiceBox {
    /// The error that a look-up throws; nil if it throws none.
    func failure<Service>(of key: ServiceKey<Service>) -> ServiceBoxError? {
        do {
            _ = try resolve(key)
            return nil
        } catch {
            return error
        }
    }
}
