// Part of ServiceBox, released under the MIT License.
// The result of a fill: a record for a type and a generation of a registry, and the deviations of one fill.

import Synchronization

/// What a fill did: for every injectable property the service that it got, or why it got none.
///
/// A report is a small value over shared data. Creating one costs a fill next to nothing; its text is built
/// when it is read.
///
/// ```swift
/// let screen = SettingsScreen()
/// let report = box.fill(screen)
/// print(report)                        // one line for each property
/// try report.requireComplete()         // throws an error that lists every required property with a hole
/// ```
///
/// It keeps neither the object nor the box nor services alive. Hints are searched when it is read, among the
/// services registered by then.
///
/// Thread-safe.
public struct FillReport: Sendable {
    let record: FillRecord
    var deviations: [Deviation] = []
}

/// A property whose result in one fill differed from the record.
struct Deviation: Sendable {
    let index: Int
    let finding: Finding
    /// Whether the property holds a value of its own.
    var hasValue = false
}

/// The properties of a record that have taken a service in no fill yet, since each has kept a value of its own.
///
/// Distinguishes the first 63; all others count as taken.
struct UntakenProperties: ~Copyable, Sendable {
    /// Some of the properties.
    struct Indices: OptionSet {
        let rawValue: UInt64

        func contains(index: Int) -> Bool { index >= limit || rawValue >> UInt64(index) & 1 == 1 }
    }

    /// How many are distinguished.
    private static let limit = 63
    /// The bit that tells that the others are counted.
    private static let isCounted: UInt64 = 1 << 63
    private let bits: Atomic<UInt64>

    /// Begins with all of so many.
    init(_ count: Int) { bits = Atomic(count < Self.limit ? 1 << UInt64(count) - 1 : ~Self.isCounted) }

    /// Whether all have taken a service; costs one load.
    @inline(__always)
    var isEmpty: Bool { bits.load(ordering: .relaxed) & ~Self.isCounted == 0 }

    /// Removes all that haven't kept a value in a fill.
    ///
    /// - Returns: Those removed, and whether the others had been counted before.
    func remove(unless kept: [Deviation]) -> (removed: Indices, isLate: Bool) {
        let rest = kept.reduce(Self.isCounted) {
            $1.index < Self.limit && $1.finding.kind == .kept ? $0 | 1 << UInt64($1.index) : $0
        }
        let old = bits.bitwiseAnd(rest, ordering: .acquiringAndReleasing).oldValue
        return (Indices(rawValue: old & ~rest), old & Self.isCounted != 0)
    }

    /// Notes that the others are being counted.
    ///
    /// - Returns: All others.
    func count() -> Indices {
        Indices(rawValue: ~bits.bitwiseOr(Self.isCounted, ordering: .acquiringAndReleasing).oldValue)
    }
}

extension FillReport {
    /// The records, with the deviations of this fill.
    var findings: [PropertyRecord] {
        var records = record.properties
        for deviation in deviations {
            records[deviation.index].finding = deviation.finding
            records[deviation.index].hasValue = deviation.hasValue || deviation.finding.kind == .kept
        }
        return records
    }

    /// Whether the fill has left nothing to do.
    var isFull: Bool { record.traits.fillsAll && deviations.isEmpty }

    /// Whether a property got its service.
    func fills(at index: Int) -> Bool {
        deviations.last { $0.index == index }.map { $0.finding.kind == .filled } ?? record.fills(at: index)
    }

    /// What a filled service lacks, so that it can't be handed out: its empty required properties, except those
    /// at the excluded positions.
    func lacks(of service: String, except excluded: Set<Int> = []) -> [Lack] {
        // Most services lack nothing.
        if deviations.isEmpty, !record.traits.mayLack { return [] }
        let lacking = lacking(except: excluded)
        let all = LackedProperties(lacking, of: service, in: self)
        return lacking.enumerated().flatMap { index, property -> [Lack] in
            if case .failed(_, let error) = property.finding, let inner = error.lacks {
                return inner.map { $0.reached(from: service) }
            }
            return [Lack(service: service, record: property) { all.context(at: index) }]
        }.withoutDetours
    }

    /// The empty required properties.
    func lacking(except excluded: Set<Int>) -> [PropertyRecord] {
        findings.enumerated().filter { $1.isLack && !excluded.contains($0) }
            .map { $1.seen(by: record.registry) }
    }

    /// Whether required properties are empty because a table of the main actor was out of reach.
    var waitsForMainActor: Bool {
        guard lacking(except: []).contains(where: \.finding.isWrongIsolation), !Isolation.isMainActor
        else { return false }
        let plan = PlanStore.plan(of: record.type)
        return plan.shape != .actor && plan.mayHaveMainActorTable
    }

    /// The report as one about a registered service, with additional findings.
    func about(_ serviceName: String, adding notes: [PropertyRecord] = []) -> FillReport {
        FillReport(record: record.adding(notes, about: serviceName), deviations: deviations)
    }
}

/// The result of filling a type with one set of registrations; shared by all its reports.
///
/// Thread-safe.
final class FillRecord: Sendable {
    /// Facts about the properties that are needed at once.
    struct Traits: Sendable {
        /// Whether a planned property keeps a service from being handed out.
        let mayLack: Bool
        /// Whether every property is a slot that gets a single service, and keeps it.
        let fillsAll: Bool
        let hasLines: Bool
        /// Whether the filled object observes fills.
        let observesFills: Bool

        init(_ properties: [PropertyRecord], observesFills: Bool) {
            hasLines = properties.contains { $0.source == .line }
            mayLack = properties.contains(where: \.isLack)
            fillsAll = properties.allSatisfy {
                if case (.slot, .filled) = ($0.source, $0.finding) { !$0.request.isWeak } else { false }
            }
            self.observesFills = observesFills
        }
    }

    /// The source that creates a property's service, if there is one, with the property's index.
    typealias Provider = (index: Int, id: ObjectIdentifier?)

    let type: Any.Type
    /// The name of the filled service, if it is one.
    let serviceName: String?
    /// The part that all boxes with similar services share.
    private let planned: [PropertyRecord]
    /// The part that differs in this box.
    private let providers: [Provider]
    private let lazyProperties = LazyReference<ConstantObject<[PropertyRecord]>>()
    let traits: Traits
    /// A reference to the box that filled it.
    let weakBox: WeakSupplier
    private let latestDeviations = Guarded<[Deviation]>([])
    /// Whether the latest fill differed from the record.
    private let hasDiffered = Atomic(false)
    let untaken: UntakenProperties

    init(
        type: Any.Type, serviceName: String? = nil, _ planned: [PropertyRecord],
        _ providers: [Provider] = [], _ traits: Traits, in weakBox: WeakSupplier
    ) {
        self.type = type
        self.serviceName = serviceName
        self.planned = planned
        self.providers = providers
        self.traits = traits
        self.weakBox = weakBox
        untaken = UntakenProperties(planned.count)
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

    /// Whether no instance of the type has anything to fill; beside a remote actor, others of its type may have.
    var isOfBareType: Bool {
        properties.allSatisfy {
            if case .remote = $0.finding { false } else { $0.finding.isOfOpaqueValue }
        }
    }

    /// Whether a property gets a service; needs no copy of the record.
    func fills(at index: Int) -> Bool { planned[index].finding.kind == .filled }

    /// The registry of that box, while the box exists.
    var registry: Registry? { weakBox.registry }

    /// The record with additional properties.
    func adding(_ notes: [PropertyRecord], about serviceName: String? = nil) -> FillRecord {
        let all = planned + notes
        return FillRecord(
            type: type, serviceName: serviceName ?? self.serviceName, all, providers,
            Traits(all, observesFills: traits.observesFills), in: weakBox)
    }

    /// Notes the latest fill, and reports on it; most differ in nothing from the record, nor did the last.
    @inline(__always)
    func report(_ deviations: [Deviation]) -> FillReport {
        if !deviations.isEmpty || hasDiffered.load(ordering: .relaxed) { note { _ in deviations } }
        return FillReport(record: self, deviations: deviations)
    }

    @inline(never)
    private func note(_ deviations: ([Deviation]) -> [Deviation]) {
        latestDeviations.letGo { latest in
            let new = deviations(latest)
            hasDiffered.store(!new.isEmpty, ordering: .relaxed)
            return exchange(&latest, with: new)
        }
    }

    /// Notes a property that was filled later than its object.
    func noteLate(_ finding: Finding, at index: Int) {
        note { $0.filter { $0.index != index } + [Deviation(index: index, finding: finding)] }
    }

    /// The properties as the latest fill has left them.
    var latest: [PropertyRecord] {
        FillReport(record: self, deviations: latestDeviations.withLock { $0 }).findings
    }
}

extension [PropertyRecord] {
    /// The names that no other property can have meant: those in use, and the filled service's own.
    func claimedNames(of serviceName: String?) -> Set<String> {
        Set(filter { !$0.finding.isOpen }.map(\.serviceName) + [serviceName].compactMap(\.self))
    }
}

extension PropertyRecord {
    /// Whether it keeps a service from being handed out; a property that the box can't see may be filled.
    fileprivate var isLack: Bool {
        switch (source, finding) {
        case (_, .wrongIsolation): isRequiredHole
        case (_, .replaced), (.plain, _), (.subject, _): false
        case (.slot, _), (.line, _): isRequiredHole
        }
    }
}

// MARK: - Objects that observe their fills

/// An object that is told when it has been filled.
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
    /// Called when an explicit fill, or the box that created it, has filled the object; under no lock.
    ///
    /// It runs where the fill ran: in the object's own isolation, if it was filled correctly. A service that
    /// a box creates is told when it and the services that it was filled with have everything that they
    /// require. A registered service isn't told of cross-fills, so a ready-made one not at all: those run in nobody's
    /// isolation.
    ///
    /// - Parameter report: What each property got, or why it got nothing.
    func didFill(by report: FillReport)
}

extension TypePlan {
    /// Whether objects of the type observe their fills.
    var observesFills: Bool {
        isInjectable && Conformance.isPossible(of: type, to: (any FillObserving).self)
            && type is any FillObserving.Type
    }
}
