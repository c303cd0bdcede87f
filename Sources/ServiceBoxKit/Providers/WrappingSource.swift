// Part of ServiceBox, released under the MIT License.
// Shared services that wrap others, and are forgotten when those are replaced.

/// The service that a wrapper is created from.
///
/// Thread-safe.
final class WrappedService: Sendable {
    /// The source that supplies it.
    let source: any ServiceSource
    /// Whether it is reset with its wrapper.
    let isOwn: Bool
    /// What the latest wrapper was created from.
    private let latest = Guarded<Ingredient?>(nil)

    private struct Ingredient {
        /// The object, or the cell of a value.
        let service: WeakCell
        /// How the source keeps it, if that is weakly.
        let kept: AnyCell?
    }

    init(of source: any ServiceSource, isOwn: Bool) {
        self.source = source
        self.isOwn = isOwn
    }

    /// Notes what a wrapper is created from; nil clears it.
    func note(_ cell: AnyCell?) {
        let new = cell.map { cell in
            let kept = source.keeper.flatMap { $0.isWeak ? $0.current.cell : nil }
            let isKept = kept?.instance.map { $0 === cell.instance } ?? false
            return Ingredient(service: WeakCell(cell.identity), kept: isKept ? kept : nil)
        }
        latest.letGo { exchange(&$0, with: new) }
    }

    /// Creates the service before it is wrapped, and with it the services that need the wrapper by their
    /// properties: they would otherwise wait forever for a wrapper that is under construction.
    ///
    /// - Returns: Why it couldn't be created; nil if it was.
    fileprivate func create(for asker: Asker) -> ServiceBoxError? {
        if source.isAwaited || ConstructionStack.here.value.count(of: source.step) != 0 { return nil }
        // Filled even for an early asker; it would otherwise be filled inside its wrapper's factory.
        do throws(ServiceBoxError) { _ = try source.resolve(for: asker == .early ? .filling : asker) } catch {
            return error
        }
        return nil
    }

    /// Throws the error that `create(for:)` noted on this thread, so that the wrapper doesn't try again.
    func requireCreated() throws(ServiceBoxError) {
        let stack = ConstructionStack.here
        guard let failure = stack.value.ingredientFailure, failure.service == ObjectIdentifier(self) else {
            return
        }
        stack.value.ingredientFailure = nil
        throw failure.error
    }

    /// Whether the service has been replaced since a wrapper was created from it, is being created from it,
    /// or failed; if so, `latest` is cleared.
    fileprivate func isAnother(than made: SharedSource.Phase) -> Bool {
        guard let phase = source.keeper?.current else { return false }
        let latest = latest.withLock { $0 }
        func isLatest(_ cell: AnyCell) -> Bool {
            if !cell.isGone { return latest?.service.object === cell.identity }
            // It may have been wrapped before it was kept.
            return latest?.kept.map { $0 === cell } ?? (latest?.service.object == nil)
        }
        let isAnother =
            switch (made, phase) {
            // A wrapper that hasn't asked for the service yet gets the right one.
            case (.constructing, _) where latest == nil, (.empty, _), (.forgotten, _), (.changing, _): false
            case (_, .kept(let cell)): !isLatest(cell)
            case (.kept, .constructing(let construction)), (.constructing, .constructing(let construction)):
                !(construction.service.map(isLatest) ?? false)
            default: true
            }
        if isAnother {
            self.latest.letGo { $0?.service === latest?.service ? exchange(&$0, with: nil) : nil }
        }
        return isAnother
    }
}

/// A source that shares a wrapper until a session or a reset changes the wrapped service.
///
/// Every resolve has to check that, so `shared` gives no direct access to the wrapper.
final class WrappingSource: SharedSource, @unchecked Sendable {
    private let wrapped: WrappedService

    init(
        _ wrapped: WrappedService, of type: any Sendable.Type, _ lifetime: Lifetime, _ maker: consuming Maker,
        _ make: @escaping Make
    ) {
        self.wrapped = wrapped
        super.init(of: type, lifetime, maker, make)
    }

    override var shared: SharedSource? { nil }

    override var keeper: SharedSource? {
        refresh()
        return self
    }

    // The wrapped service's source keeps its own error, until it tries again.
    override var keepsError: Bool { super.keepsError && wrapped.source.keptError == nil }

    override var keptError: ServiceBoxError? {
        refresh()
        if current.isEmpty { return wrapped.source.keptError }
        return super.keptError
    }

    override func hasStill(_ service: AnyCell, of construction: Construction?) -> Bool {
        if let cell = refresh() { return cell.identity === service.identity }
        return construction.map(isConstructing) ?? false
    }

    override func prepareConstruction(for asker: Asker) {
        let stack = ConstructionStack.here
        var failure: ServiceBoxError?
        // A weak service would be released at once, since nobody keeps it.
        if !isWeak, current.isEmpty, maker.isPossible(step, on: stack) {
            failure = wrapped.create(for: asker)
        }
        let noted = failure.map { (service: ObjectIdentifier(wrapped), error: $0) }
        let old = exchange(&stack.value.ingredientFailure, with: noted)
        withExtendedLifetime(old) {}
    }

    @discardableResult
    override func refresh() -> AnyCell? {
        let known = current
        if wrapped.isAnother(than: known) {
            if drop(known) {
                preparation?.reset()
                maker.delegate?.makerWasReset(tells: false)
            }
        } else if case .kept(let cell) = known {
            return cell
        }
        return nil
    }

    override func reset() {
        let known = current
        preparation?.reset()
        wrapped.note(nil)
        // A caller in between gets a new wrapper, which is kept.
        if wrapped.isOwn { wrapped.source.reset() }
        _ = drop(known)
        maker.delegate?.makerWasReset(tells: !wrapped.isOwn)
    }

    /// Forgets the wrapper; returns false if the phase has changed meanwhile.
    private func drop(_ known: Phase) -> Bool {
        var isKnown = false
        update { phase in
            switch (phase, known) {
            case (.kept(let cell), .kept(let other)): isKnown = cell === other
            case (.constructing(let construction), .constructing(let other)): isKnown = construction === other
            case (.failed, .failed): isKnown = true
            default: break
            }
            return isKnown ? phase.forgotten : phase
        }
        return isKnown
    }
}
