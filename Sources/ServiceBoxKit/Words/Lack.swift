// Part of ServiceBox, released under the MIT License.
// What a service lacks, so that it can't be handed out.

/// A property that is empty and without which a service can't be handed out.
struct Lack: Sendable {
    /// The name of the service whose property it is.
    let service: String
    /// The names of those that need it, the one that was asked for first.
    var needing: PathLink<String>?
    let record: PropertyRecord
    /// What is known of the property at the time of reading.
    let context: @Sendable () -> PropertyRecord.Context
    /// Set if the box that asks has what the property needs.
    var captivity: Captivity?

    /// The same for a service that needs the one whose lack it is; costs the same however long the way is.
    func reached(from service: String) -> Lack {
        var lack = self
        lack.needing = PathLink(service, inFrontOf: needing)
        return lack
    }

    /// What tells the property from others.
    fileprivate var property: [AnyHashable] { [service, ObjectIdentifier(record.owner), record.name] }

    /// How many services need it for each other.
    fileprivate var distance: Int { needing?.count ?? 0 }

    /// The names from the service that was asked for to the one whose property it is.
    var services: [String] { (needing?.elements ?? []) + [service] }

    /// From the service that was asked for to what is missing.
    var path: [String] {
        record.source == .subject
            ? services : services + [record.isNamedAsService ? record.serviceName : record.name]
    }

    /// The lack in words.
    var explained: Explanation {
        var context = context()
        if let captivity { context.hint = .captive(captivity, lacking: record.serviceName) }
        var explanation = record.explained(context)
        if needing != nil { explanation.facts.insert(("Path", Message.way(path)), at: 0) }
        return explanation
    }
}

extension [Lack] {
    /// Each empty property once, with the shortest way to it: where services need each other, the ways double with each
    /// service on them.
    var withoutDetours: [Lack] {
        var shortest = Dictionary(map { ($0.property, $0) }) { $1.distance < $0.distance ? $1 : $0 }
        return compactMap { shortest.removeValue(forKey: $0.property) }
    }
}

/// All that a service lacks.
final class Lacks: RefusalFacts {
    let all: [Lack]

    init(_ all: [Lack]) {
        self.all = all
    }

    var code: ServiceBoxError.Code { .incomplete }
    var path: [String] { all.first?.path ?? [] }
    var explained: Explanation { Message.incomplete(all) }
}

extension ServiceBoxError {
    /// What the service lacks that was asked for, unless a factory has passed the error on.
    var lacks: [Lack]? { wasPassedOn ? nil : (refusal as? Lacks)?.all }

    /// Whether a service lacks what isn't registered, and so will as long as nothing is.
    var isForLackOfServices: Bool { lacks?.allSatisfy(\.record.finding.isOpen) ?? false }
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
