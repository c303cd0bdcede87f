// Part of ServiceBox, released under the MIT License.
// The state of a shared service.

extension SharedSource {
    /// The one state machine behind "exactly once".
    ///
    /// It isn't generic over the service's type: the runtime would need several look-ups to read such a
    /// state, and returning an existing service took more than twice as long (measured).
    @usableFromInline
    enum Phase: Sendable {
        case empty
        case constructing(Construction)
        /// A reset came while the service was constructed: it serves those who wait for it, and the circle that it is
        /// in, and isn't kept.
        case forgotten(Construction)
        case kept(AnyCell)
        /// Work replaces the kept service; threads that could never wait for its end get the offered one.
        case changing(RunningWork, offered: AnyCell?)
        indirect case failed(ServiceBoxError)

        /// Whether the next caller constructs the service.
        var isEmpty: Bool {
            switch self {
            case .empty, .forgotten: true
            default: false
            }
        }

        /// The phase after a reset.
        var forgotten: Self {
            switch self {
            case .constructing(let construction), .forgotten(let construction): .forgotten(construction)
            default: .empty
            }
        }

        /// The service that is kept, or offered meanwhile.
        var cell: AnyCell? {
            switch self {
            case .kept(let cell): cell
            case .changing(_, let offered): offered
            default: nil
            }
        }
    }

    /// Returns the kept service.
    ///
    /// - Parameter type: The type of the source that the cell belongs to, and of the service that it keeps.
    /// - Returns: The service; nil if none is kept or it is gone.
    @inlinable @inline(__always)
    @unsafe func load<Service>(_ type: Service.Type) -> Service? {
        if isWeak { return unsafe weakCell?.load(type) }
        return phase.withLock { phase in
            guard case .kept(let cell) = phase else { return nil }
            return unsafe cell.value(as: Service.self)
        }
    }

    /// The cell of a weakly kept service; read outside the lock, since that may release the last reference.
    @usableFromInline
    var weakCell: WeakCell? {
        guard case .kept(let cell) = current else { return nil }
        return unsafe unsafeDowncast(cell, to: WeakCell.self)
    }

    var current: Phase { phase.withLock { $0 } }

    var isMade: Bool { if case .kept(let cell) = keeper?.current { !cell.isGone } else { false } }

    func isConstructing(_ construction: Construction) -> Bool {
        // Not a copy, which could be the last reference to a service and be released under the caller's lock.
        phase.withLock { if case .constructing(let running) = $0 { running === construction } else { false } }
    }

    /// Returns the phase; if the service must be constructed, enters a construction, unless there is a refusal.
    ///
    /// A weakly kept cell that turned out to be gone counts as none.
    ///
    /// - Returns: The phase, and whether the caller has to run its construction, which is new.
    func claim(
        _ step: ServicePath.Step, without gone: AnyCell?, refusal: ServiceBoxError?
    ) -> (phase: Phase, isNew: Bool) {
        phase.withLock { phase in
            switch phase {
            case .constructing, .changing, .failed: return (phase, false)
            case .forgotten(let running) where refusal?.code == .cycle: return (.constructing(running), false)
            case .kept(let cell) where cell !== gone: return (phase, false)
            case .kept, .forgotten, .empty: break
            }
            if let refusal { return (.failed(refusal), false) }
            phase = .constructing(Construction(step))
            return (phase, true)
        }
    }

    /// Replaces the current phase with the next, whose closure must not run user code.
    ///
    /// - Returns: The previous phase, for the caller to release after unlocking.
    @discardableResult
    func update(_ next: (Phase) -> Phase) -> Phase {
        phase.withLock { exchange(&$0, with: next($0)) }
    }

    /// Stores the result of a construction, unless it was forgotten or another phase has replaced it; later callers
    /// may get its error too.
    func end(_ construction: Construction, keepsError: Bool) {
        let (service, failure) = construction.result
        // A missing service may be registered, or the right actor may ask, the next time.
        let error = failure.map { keepsError && $0.code == .factoryFailed ? Phase.failed($0) : .empty }
        let kept = isWeak ? service?.weakly : service
        let ended = error ?? kept.map(Phase.kept) ?? .empty
        update { phase in
            switch phase {
            case .constructing(let running) where running === construction: ended
            case .forgotten(let running) where running === construction: .empty
            default: phase
            }
        }
    }
}
