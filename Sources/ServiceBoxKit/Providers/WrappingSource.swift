// Part of ServiceBox, released under the MIT License.
// Shared services that wrap others, and go when those are replaced.

/// What a wrapper is made of.
///
/// Thread-safe.
final class WrappedService: Sendable {
    /// What supplies it.
    let source: any ServiceSource
    /// Whether it is forgotten with its wrapper.
    let isOwn: Bool
    /// What the latest wrapper was made of: an object, or the cell of a value.
    private let latest = Guarded<WeakCell?>(nil)

    init(of source: any ServiceSource, isOwn: Bool) {
        self.source = source
        self.isOwn = isOwn
    }

    /// Notes what a wrapper is made of, nil if there is nothing.
    func note(_ cell: AnyCell?) {
        latest.letGo { exchange(&$0, with: cell.map { WeakCell($0.instance ?? $0) }) }
    }

    /// Has the service created before it is wrapped, and what needs the wrapper by its properties: that would wait for
    /// ever for a wrapper that is being made.
    ///
    /// - Returns: Why it couldn't be created.
    fileprivate func create(for asker: Asker) -> ServiceBoxError? {
        if source.isAwaited || ConstructionStack.current.pointee.count(of: source.step) != 0 { return nil }
        // Filled, though asked for early: else it would be filled in the factory of its wrapper.
        do throws(ServiceBoxError) { _ = try source.resolve(for: asker == .early ? .filling : asker) } catch {
            return error
        }
        return nil
    }

    /// Throws why it couldn't be created just now on this thread; whoever wraps it doesn't try again.
    func requireCreated() throws(ServiceBoxError) {
        let stack = ConstructionStack.current
        guard let failure = stack.pointee.ingredientFailure, failure.service == ObjectIdentifier(self) else {
            return
        }
        stack.pointee.ingredientFailure = nil
        throw failure.error
    }

    /// Whether the service is another one by now than what a wrapper was made of, is being made of, or failed to be;
    /// that is forgotten then.
    fileprivate func isAnother(than made: SharedSource.Phase) -> Bool {
        guard let phase = source.keeper?.current else { return false }
        let latest = latest.withLock { $0 }
        func isLatest(_ cell: AnyCell) -> Bool { latest?.object === cell.instance ?? cell }
        let isAnother =
            switch (made, phase) {
            // One that hasn't asked for it yet gets the right one.
            case (.constructing, _) where latest == nil: false
            case (.kept, .kept(let cell)), (.constructing, .kept(let cell)): !cell.isGone && !isLatest(cell)
            case (.kept, .constructing(let construction)), (.constructing, .constructing(let construction)):
                !(construction.service.map(isLatest) ?? false)
            case (.kept, _), (.constructing, _): true
            case (.failed, .kept(let cell)): !isLatest(cell)
            case (.failed, .failed): false
            case (.failed, _): true
            default: false
            }
        if isAnother { self.latest.letGo { $0 === latest ? exchange(&$0, with: nil) : nil } }
        return isAnother
    }
}

/// A source that shares a wrapper as long as the service in it is the same: a session may change that, or a reset.
///
/// It is asked each time, so there is no way past it to where the wrapper lies.
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

    override func prepareConstruction(for asker: Asker) {
        let stack = ConstructionStack.current
        var failure: ServiceBoxError?
        // Nobody would keep it, if it is weak.
        if !isWeak, case .empty = current, maker.isPossible(step, on: stack) {
            failure = wrapped.create(for: asker)
        }
        let noted = failure.map { (service: ObjectIdentifier(wrapped), error: $0) }
        let old = exchange(&stack.pointee.ingredientFailure, with: noted)
        withExtendedLifetime(old) {}
    }

    override func refresh() {
        let known = current
        if wrapped.isAnother(than: known), drop(known) { noteReset(tells: false) }
    }

    override func reset() {
        let known = current
        wrapped.note(nil)
        // Whoever asks in between gets a new one, which stays.
        if wrapped.isOwn { wrapped.source.reset() }
        _ = drop(known)
        noteReset(tells: !wrapped.isOwn)
    }

    /// Forgets what was made; returns false if that has changed meanwhile.
    private func drop(_ known: Phase) -> Bool {
        var isKnown = false
        let old = update { phase in
            switch (phase, known) {
            case (.kept(let cell), .kept(let other)): isKnown = cell === other
            case (.constructing(let construction), .constructing(let other)): isKnown = construction === other
            case (.failed, .failed): isKnown = true
            default: break
            }
            return isKnown ? .empty : phase
        }
        return withExtendedLifetime(old) { isKnown }
    }
}
