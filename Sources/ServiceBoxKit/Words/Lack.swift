// Part of ServiceBox, released under the MIT License.
// Missing services that keep a service from being handed out.

/// An empty property that keeps a service from being handed out.
struct Lack: Sendable {
    /// The name of the service that has the property.
    let service: String
    /// The names of the services that need that one, starting with the requested one.
    var needing: PathLink<String>?
    let record: PropertyRecord
    /// The property's context when the error is read.
    let context: @Sendable () -> PropertyRecord.Context
    /// Set if the asking box has what the property needs.
    var captivity: Captivity?

    /// The same lack for a service that needs this one; costs the same however long the path is.
    func reached(from service: String) -> Lack {
        changing(self) { $0.needing = PathLink(service, inFrontOf: needing) }
    }

    /// Identifies the property.
    fileprivate var property: [AnyHashable] { [service, ObjectIdentifier(record.owner), record.name] }

    /// The names from the requested service to the one that has the property.
    var services: [String] { (needing?.elements ?? []) + [service] }

    /// The path from the requested service to the missing one.
    var path: [String] {
        record.source == .subject
            ? services : services + [record.isNamedAsService ? record.serviceName : record.name]
    }

    /// The same with what the asking box knows.
    var contextOfAsker: PropertyRecord.Context {
        var context = context()
        // Whether those on the way to it are meant for children too isn't known.
        if case .forChildren = context.hint, needing != nil { context.hint = nil }
        if let captivity { context.hint = .captive(captivity, lacking: record.serviceName) }
        return context
    }

    var explained: Explanation {
        var explanation = record.explained(contextOfAsker)
        if needing != nil {
            // A failed factory has a path of its own.
            explanation.facts = explanation.facts.map { $0.label == "Path" ? ("Factories", $0.value) : $0 }
            explanation.facts.insert(("Path", Message.way(path)), at: 0)
        }
        return explanation
    }
}

extension [Lack] {
    /// Each empty property once, with its shortest path: where services need each other, the number of paths
    /// doubles with each service.
    var withoutDetours: [Lack] {
        if count < 2 { return self }
        var shortest = Dictionary(map { ($0.property, $0) }) {
            ($1.needing?.count ?? 0) < ($0.needing?.count ?? 0) ? $1 : $0
        }
        return compactMap { shortest.removeValue(forKey: $0.property) }
    }
}

/// Everything that a service lacks.
struct Lacks: RefusalFacts {
    let all: [Lack]

    var code: ServiceBoxError.Code { .incomplete }
    var path: [String] { all.first?.path ?? [] }
    var explained: Explanation { Message.incomplete(all) }
}

extension ServiceBoxError {
    /// What the requested service lacks, unless a factory has passed the error on.
    var lacks: [Lack]? { wasPassedOn ? nil : (refusal as? Lacks)?.all }

    /// The names of which one has to be registered before the service can be complete: what is missing and what
    /// is on the way to it; nil if something else may help.
    var lackedNames: Set<String>? {
        isForLackOfServices
            ? lacks.map { Set($0.flatMap { $0.services.dropFirst() + [$0.record.serviceName] }) } : nil
    }

    /// Whether a service lacks something unregistered, and so fails until something is registered.
    var isForLackOfServices: Bool { lacks?.allSatisfy(\.record.finding.isOpen) ?? false }

    /// Whether another thread may succeed, or can wait until it does: it is about what the failing one was
    /// constructing, or where or when it ran.
    ///
    /// - Parameter depth: How many errors inside each other are looked at.
    /// - Returns: Whether it may.
    func dependsOnThread(within depth: Int = 8) -> Bool {
        switch code {
        case .cycle: isAvoidable
        case .tooDeep, .wrongIsolation, .notReady: true
        case .incomplete where depth > 0:
            allLacks.contains(where: \.record.finding.isWrongIsolation)
                || failures.contains { $0.dependsOnThread(within: depth - 1) }
        default: false
        }
    }

    /// The providers of services under construction that were needed to construct themselves; once they are
    /// created, it may not occur again.
    ///
    /// - Parameter depth: How many errors inside each other are looked at.
    /// - Returns: The providers; none if it has another cause.
    func encircled(within depth: Int = 8) -> [ObjectIdentifier] {
        switch code {
        case .cycle: makers.suffix(1).map(\.provider)
        case .incomplete where depth > 0: failures.flatMap { $0.encircled(within: depth - 1) }
        default: []
        }
    }

    /// Why the services couldn't be created that the service lacks.
    private var failures: [ServiceBoxError] {
        allLacks.compactMap { if case .failed(_, let error) = $0.record.finding { error } else { nil } }
    }

    /// What the service lacks, also if a factory has passed the error on.
    private var allLacks: [Lack] { (refusal as? Lacks)?.all ?? [] }

    /// The error that a provider throws after its factory threw one.
    ///
    /// An error of another provider or of a look-up is passed on with a longer path. Any other error starts a
    /// path; so do findings, which aren't about the services on the way.
    ///
    /// - Complexity: O(1).
    static func escaping(
        _ error: any Error, from step: ServicePath.Step, named name: String? = nil
    ) -> ServiceBoxError {
        let decoration = error as? DecorationFailure
        let cause = decoration?.error ?? error
        if let error = cause as? ServiceBoxError, !error.hasFindings {
            // A wrapper's error already names the decorated service that lacks something.
            if let lack = error.lacks?.first, lack.needing?.element ?? lack.service == name { return error }
            let entered = changing(step) { if decoration != nil { $0.traits.insert(.decoration) } }
            return error.entered(by: entered, named: name)
        }
        return ServiceBoxError(
            .failed(.factoryFailed, cause, name: name, decoration: decoration?.location),
            path: ServicePath([]).entered(by: step, named: name))
    }
}

extension Message {
    /// A service can't be handed out.
    static func incomplete(_ lacks: [Lack]) -> Explanation {
        let problem = "Can't hand out '\(lacks.first?.services.first ?? "")'"
        let parts = lacks.map(\.explained)
        guard let part = parts.first, let lack = lacks.first, parts.count == 1 else {
            return list(problem, "required properties are empty", parts)
        }
        let property = "'\(lack.record.name)' of \(TypeName.of(lack.record.owner))"
        let reason = lack.record.source == .subject ? part.reason : "it needs \(property), but \(part.reason)"
        return Explanation(problem, because: reason, facts: part.facts).ending(as: part)
    }
}
