// Part of ServiceBox, released under the MIT License.
// What a fill came to: one record for a type and a generation of a registry, and what differed in one fill.

import Synchronization

/// What a fill did: for every injectable property what it was filled with, or why it was not.
///
/// A report is a small value over shared data. Creating one costs a fill next to nothing; its words are made
/// when it is read.
///
/// ```swift
/// let screen = SettingsScreen()
/// let report = box.fill(screen)
/// print(report)                        // one line for each property
/// try report.requireComplete()         // throws an error that lists every required property with a hole
/// ```
///
/// It keeps neither the object nor the box nor services alive. What may have been meant is looked for when it is
/// read, among the services registered by then.
///
/// Thread-safe.
public struct FillReport: Sendable {
    let record: FillRecord
    var deviations: [Deviation] = []
}

/// Where one fill differed from its record.
struct Deviation: Sendable {
    let index: Int
    let finding: Finding
    /// Whether the property holds a value all the same.
    var hasValue = false
}

extension FillReport {
    /// The records with what differed in this fill.
    var findings: [PropertyRecord] {
        var records = record.properties
        for deviation in deviations {
            records[deviation.index].finding = deviation.finding
            if deviation.hasValue { records[deviation.index].need = .optional }
        }
        return records
    }

    /// Whether the fill has left nothing to do.
    var isFull: Bool { record.traits.fillsAll && deviations.isEmpty }

    /// Whether a property got what it was to get.
    func fills(at index: Int) -> Bool {
        deviations.last { $0.index == index }.map { $0.finding.kind == .filled } ?? record.fills(at: index)
    }

    /// What the service lacks that was filled so, and that can't be handed out then.
    ///
    /// - Parameters:
    ///   - service: Its name.
    ///   - excluded: The positions of properties that don't count.
    /// - Returns: Each property that is empty and required.
    func lacks(of service: String, except excluded: Set<Int> = []) -> [Lack] {
        // By far most services have all they need.
        if deviations.isEmpty, !record.traits.mayLack { return [] }
        let lacking = lacking(except: excluded)
        let all = LackedProperties(
            lacking, claimed: { [findings] in findings.claimedNames(of: service) }, in: record)
        return lacking.enumerated().flatMap { index, property -> [Lack] in
            if case .failed(_, let error) = property.finding, let inner = error.lacks {
                return inner.map { $0.reached(from: service) }
            }
            return [Lack(service: service, record: property) { all.context(at: index) }]
        }.withoutDetours
    }

    /// The properties that are empty and required.
    func lacking(except excluded: Set<Int>) -> [PropertyRecord] {
        findings.enumerated().filter { $1.isLack && !excluded.contains($0) }
            .map { $1.seen(by: record.registry) }
    }

    /// The report as one on a registered service, with more to say.
    func about(_ serviceName: String, adding notes: [PropertyRecord] = []) -> FillReport {
        FillReport(record: record.adding(notes, about: serviceName), deviations: deviations)
    }
}

/// What a fill of a type comes to with one set of registrations; shared by all its reports.
///
/// Thread-safe.
final class FillRecord: Sendable {
    /// What is to be known of its properties at once.
    struct Traits: Sendable {
        /// Whether a property as it is planned is one without which a service can't be handed out.
        let mayLack: Bool
        /// Whether each is a slot that is to get a service, and one alone.
        let fillsAll: Bool
        let hasLines: Bool
        /// Whether what is filled wants to know.
        let observesFills: Bool
        /// Whether a property is looked up when it is read.
        let looksUpOnRead: Bool

        init(_ properties: [PropertyRecord], observesFills: Bool) {
            hasLines = properties.contains { $0.source == .line }
            mayLack = properties.contains(where: \.isLack)
            fillsAll = properties.allSatisfy {
                if case (.slot, .filled) = ($0.source, $0.finding) { true } else { false }
            }
            looksUpOnRead = properties.contains(where: \.finding.isOnRead)
            self.observesFills = observesFills
        }
    }

    /// What creates the service of a property, if something does, by its index.
    typealias Provider = (index: Int, id: ObjectIdentifier?)

    let type: Any.Type
    /// The name of the service that was filled, if it was one.
    let serviceName: String?
    /// What all boxes with like services share.
    private let planned: [PropertyRecord]
    /// Where this box differs.
    private let providers: [Provider]
    private let lazyProperties = LazyReference<ConstantObject<[PropertyRecord]>>()
    let traits: Traits
    /// What leads to the box that has filled it.
    let weakBox: WeakSupplier?
    private let lazyFailures = LazyReference<Failures>()

    private final class Failures: Sendable {
        let findings = Guarded<[Int: Finding]>([:])
    }

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - type: The type that is filled.
    ///   - serviceName: The name of the service that is filled, if it is one.
    ///   - planned: What each property comes to in boxes with like services.
    ///   - providers: What creates the services that are the box's own.
    ///   - traits: What is to be known of the properties at once.
    ///   - weakBox: What leads to the box.
    init(
        type: Any.Type, serviceName: String? = nil, _ planned: [PropertyRecord],
        _ providers: [Provider] = [], _ traits: Traits, in weakBox: WeakSupplier?
    ) {
        self.type = type
        self.serviceName = serviceName
        self.planned = planned
        self.providers = providers
        self.traits = traits
        self.weakBox = weakBox
    }

    var properties: [PropertyRecord] {
        if providers.isEmpty { return planned }
        return lazyProperties.object(orCreate: ConstantObject(planned.indices.map(property))).value
    }

    /// A property, by its index.
    func property(at index: Int) -> PropertyRecord {
        guard let provider = providers.first(where: { $0.index == index }),
            case .filled(var service) = planned[index].finding
        else { return planned[index] }
        service.provider = provider.id
        return planned[index].with(.filled(service))
    }

    /// Whether a property is to get a service; whatever creates that, so that no record is copied.
    func fills(at index: Int) -> Bool { planned[index].finding.kind == .filled }

    /// What is registered in that box, as long as it is there.
    var registry: Registry? { weakBox?.registry }

    /// The record with more to say.
    func adding(_ notes: [PropertyRecord], about serviceName: String? = nil) -> FillRecord {
        let all = planned + notes
        return FillRecord(
            type: type, serviceName: serviceName ?? self.serviceName, all, providers,
            Traits(all, observesFills: traits.observesFills), in: weakBox)
    }

    /// Notes why the service of a property couldn't be had, or with nil that it could.
    func note(_ finding: Finding?, at index: Int) {
        if finding == nil, lazyFailures.object == nil { return }
        let failures = lazyFailures.object(orCreate: Failures())
        failures.findings.letGo { exchange(&$0[index], with: finding) }
    }

    /// The properties with what the latest fill couldn't get for them.
    var latest: [PropertyRecord] {
        let failures = lazyFailures.object?.findings.withLock { $0 } ?? [:]
        return properties.enumerated().map { index, property in failures[index].map(property.with) ?? property
        }
    }
}

extension [PropertyRecord] {
    /// The services that no other property can have meant: those that properties have, and the filled one itself.
    func claimedNames(of serviceName: String?) -> Set<String> {
        var names = Set(lazy.filter { !$0.finding.isOpen }.map(\.serviceName))
        if let serviceName { names.insert(serviceName) }
        return names
    }
}

extension PropertyRecord {
    /// Whether a service can't be handed out because of it; what the box can't see may be there.
    fileprivate var isLack: Bool {
        switch (source, finding) {
        case (_, .wrongIsolation): isRequiredHole
        case (_, .replaced), (.plain, _), (.subject, _): false
        case (.slot, _), (.line, _): isRequiredHole
        }
    }
}

// MARK: - Objects that want to know when they were filled

/// An object that is told when it was filled.
///
/// ```swift
/// final class ProfileScreen: FillObserving {
///     @Injected var analytics: (any Analytics)?
///
///     func didFill(by report: FillReport) {
///         if !report.isComplete { print(report) }
///     }
/// }
/// ```
///
/// A type on a global actor conforms in isolation, `extension Screen: @MainActor FillObserving`, and is told on that
/// actor only.
public protocol FillObserving: Injectable, AnyObject {
    /// Called when an explicit fill has filled the object, or a box that has created it; under no lock.
    ///
    /// It runs where the fill ran: in the object's own isolation if it was filled as it should be. A service that a box
    /// creates is told when it has all that it requires, and so have the services that it was filled with. What a
    /// registered service gets later, from a cross-fill, it isn't told: those run in nobody's isolation.
    ///
    /// - Parameter report: What each property got, or why it got nothing.
    func didFill(by report: FillReport)
}

extension TypePlan {
    /// Whether objects of the type want to know when they were filled.
    var observesFills: Bool {
        isInjectable && Conformance.isPossible(of: type, to: (any FillObserving).self)
            && type is any FillObserving.Type
    }
}
