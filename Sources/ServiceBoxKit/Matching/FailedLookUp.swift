// Part of ServiceBox, released under the MIT License.
// A look-up that got nothing: what was asked for, worded when that is read.

/// The facts of a look-up that got nothing.
///
/// It costs the same whatever is registered: what there was and what may have been meant is looked for when
/// somebody reads it, if the box is still there.
final class FailedLookUp: ErrorFacts {
    /// Why nothing was found.
    enum Reason {
        case missing
        /// Several services fit.
        case ambiguous(count: Int)
        /// The service under the name does not fit.
        case mismatch(ServiceDescription)
    }

    private let reason: Reason
    private let wish: Wish
    /// The name that was asked for; nil if the type was all.
    private let name: String?
    /// What the box and its ancestors counted then.
    private let version: Int
    private weak let box: ServiceBox?

    init(_ reason: Reason, of wish: Wish, named name: String?, in box: ServiceBox) {
        self.reason = reason
        self.wish = wish
        self.name = name
        self.box = box
        version = box.familyVersion
    }

    var code: ServiceBoxError.Code {
        switch reason {
        case .missing: .missing
        case .ambiguous: .ambiguous
        case .mismatch: .typeMismatch
        }
    }

    var subjects: [String] { [name ?? TypeName.of(wish.request.type)] }

    var explained: Explanation {
        let box = box
        let isOld = box.map { $0.familyVersion != version } ?? false
        var explanation = words(from: box, isOld: isOld)
        if isOld || box == nil { explanation.facts.append(Message.laterBox(isGone: !isOld)) }
        return explanation
    }

    private func words(from box: ServiceBox?, isOld: Bool) -> Explanation {
        let type: Any.Type = wish.request.type
        switch reason {
        case .missing:
            let made = name == nil ? box?.services(madeFromParametersFor: wish.request) : nil
            if let made, !made.isEmpty { return Message.madeFromParameters(type, found: made) }
            let search = box.map { HintSearch(in: $0) }
            return Message.notRegistered(
                type, name: name, registered: search?.registered,
                hint: name.flatMap { search?.hint(missing: $0, for: wish) }, isOld: isOld)
        case .ambiguous(let count):
            let candidates = box?.registrations(fitting: wish.request).map(\.inMessages)
            return Message.ambiguous(type, count: count, candidates: candidates.map { Message.Listing($0) })
        case .mismatch(let found):
            let takesOthers =
                wish.request.fit(found.type).isPossible && wish.parameters != found.parameters
            if takesOthers {
                return Message.otherParameters(
                    type, found: found.inMessages, given: wish.parameters, taken: found.parameters)
            }
            let hint = box.flatMap { HintSearch(in: $0).hint(insteadOf: found, for: wish) }
            return wish.isForProvider && found.parameters == nil
                ? Message.otherProvider(type, found: found.inMessages, hint: hint)
                : Message.registeredOtherwise(type, found: found.inMessages, hint: hint)
        }
    }
}

extension ServiceBox {
    /// The services that would fit if they were not made from parameters, sorted by name.
    fileprivate func services(madeFromParametersFor request: CellRequest) -> [Message.Service] {
        sortedRegistrations.filter { $0.parametersType != nil && request.fit($0.serviceType).isCertain }
            .map(\.inMessages)
    }
}
