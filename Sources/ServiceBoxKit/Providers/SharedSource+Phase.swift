// Part of ServiceBox, released under the MIT License.
// The state of a service that many share.

extension SharedSource {
    /// The one state machine behind "exactly once".
    ///
    /// It doesn't know the service's type, since a state that depends on it takes several look-ups in the runtime to
    /// read: returning a service that exists took more than twice as long (measured).
    @usableFromInline
    enum Phase: Sendable {
        case empty
        case constructing(Construction)
        case kept(AnyCell)
        /// Work replaces what was kept; whoever could never wait for its end gets what is offered.
        case changing(RunningWork, offered: AnyCell?)
        indirect case failed(ServiceBoxError)

        /// What is kept, or offered meanwhile.
        var cell: AnyCell? {
            switch self {
            case .kept(let cell): cell
            case .changing(_, let offered): offered
            default: nil
            }
        }
    }

    /// Returns the service that is kept.
    ///
    /// - Parameter type: The type of the one source that the cell belongs to, and of what it keeps.
    /// - Returns: The service, or nil if none is kept, or it is gone.
    @inlinable @inline(__always)
    func load<Service>(_ type: Service.Type) -> Service? {
        if isWeak {
            // Unwrapped first: Swift 6.3.1 specialises a cast of an optional object without looking for nil.
            guard let object = loadWeakly() else { return nil }
            return object as? Service
        }
        return phase.withLock { phase in
            guard case .kept(let cell) = phase else { return nil }
            return cell.value(as: Service.self)
        }
    }

    /// Returns the object that is kept weakly; it is read, and perhaps let go of, outside the lock.
    @usableFromInline
    func loadWeakly() -> AnyObject? {
        guard case .kept(let cell) = current else { return nil }
        return unsafeDowncast(cell, to: WeakCell.self).object
    }

    var current: Phase { phase.withLock { $0 } }

    var isMade: Bool { if case .kept(let cell) = current { !cell.isGone } else { false } }

    var keptError: ServiceBoxError? { if case .failed(let error) = current { error } else { nil } }

    func isConstructing(_ construction: Construction) -> Bool {
        // Not a copy, which could be the last to hold a service, while the caller has a lock of its own.
        phase.withLock { if case .constructing(let running) = $0 { running === construction } else { false } }
    }

    /// What to do for an ask; if the service must be constructed, the construction is entered.
    ///
    /// - Parameters:
    ///   - step: The service.
    ///   - gone: What was kept weakly and turned out to be gone.
    ///   - refusal: Why whoever asks can't construct the service.
    /// - Returns: The phase, and whether its construction is new and the caller's to run.
    func claim(
        _ step: ServicePath.Step, without gone: AnyCell?, refusal: ServiceBoxError?
    ) -> (phase: Phase, isNew: Bool) {
        phase.withLock { phase in
            switch phase {
            case .constructing, .changing, .failed: return (phase, false)
            case .kept(let cell) where cell !== gone: return (phase, false)
            case .kept, .empty: break
            }
            if let refusal { return (.failed(refusal), false) }
            phase = .constructing(Construction(step))
            return (phase, true)
        }
    }

    /// Enters the phase that follows on the current one.
    ///
    /// - Parameter next: Gives the phase; no code of the user.
    /// - Returns: The phase before, for the caller to let go of.
    @discardableResult
    func update(_ next: (Phase) -> Phase) -> Phase {
        phase.withLock { exchange(&$0, with: next($0)) }
    }

    /// Takes in what came out of a construction, unless it was overtaken.
    ///
    /// - Parameters:
    ///   - construction: The construction.
    ///   - keepsError: Whether those who ask later get its error too.
    func end(_ construction: Construction, keepsError: Bool) {
        let (service, failure) = construction.result
        // What is missing now, or on another actor, may be there the next time.
        let error = failure.map { keepsError && $0.code == .factoryFailed ? Phase.failed($0) : .empty }
        let kept = isWeak ? service?.instance.map(WeakCell.init) : service
        let ended = error ?? kept.map(Phase.kept) ?? .empty
        update { phase in
            if case .constructing(let running) = phase, running === construction { ended } else { phase }
        }
    }
}
