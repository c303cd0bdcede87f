// Part of ServiceBox, released under the MIT License.
// What a box knows of the services that it makes.

import Synchronization

/// What a box knows of the service that a provider has made last.
final class MadeService: Sendable {
    private struct State {
        var wiring: Wiring?
        var sight: Sight?
        var lastFill: FillReport?
    }

    /// The address of the record of the last fill, if nothing went wrong in it; 0 otherwise.
    private let cleanRecord = Atomic<UInt>(0)

    private let state = Guarded(State())
    private let onSight: (@Sendable (MadeService, AnyObject, _ isAnother: Bool) -> Void)?

    /// Starts with no service.
    ///
    /// - Parameter onSight: Called with this, a class instance that the box has not seen before, and whether
    ///   it takes the place of one that somebody still has; nil if the box makes the services itself.
    init(onSight: (@Sendable (MadeService, AnyObject, _ isAnother: Bool) -> Void)? = nil) {
        self.onSight = onSight
    }

    /// Whether it has to take notice of each service before it is handed out, to fill those that it sees first.
    var seesServices: Bool { onSight != nil }

    /// The slots and the table of a service that lives on.
    var wiring: Wiring? {
        let wiring = state.withLock { $0.wiring }
        return wiring?.isGone == true ? nil : wiring
    }

    /// How the service that was made last was filled, if the box makes them.
    var lastFill: FillReport? { state.withLock { $0.lastFill } }

    /// Notes how the service that was made last was filled.
    ///
    /// - Returns: Whether it is the first that was made.
    @discardableResult
    func note(_ fill: FillReport) -> Bool {
        // Services that are made anew each time are filled alike but for what goes wrong. What is noted keeps
        // the record, so its address stands for no other.
        let record = UInt(bitPattern: Unmanaged.passUnretained(fill.record).toOpaque())
        let isClean = fill.deviations.isEmpty
        if isClean, cleanRecord.load(ordering: .relaxed) == record { return false }
        let old = state.withLock { state in
            cleanRecord.store(isClean ? record : 0, ordering: .relaxed)
            defer { state.lastFill = fill }
            return state.lastFill
        }
        return old == nil
    }

    func become(_ wiring: Wiring?) {
        let old = state.withLock { state in
            defer { state.wiring = wiring }
            return state.wiring
        }
        withExtendedLifetime(old) {}
    }

    /// Takes notice of a service before it is handed out.
    ///
    /// Whoever asks for it meanwhile waits; where waiting could never end, it gets the service as it is.
    func see<Service: Sendable>(_ service: Service, _ step: ServicePath.Step) {
        guard let onSight, let object = classInstance(in: service) else { return }
        while true {
            let last = state.withLock { $0.sight }
            let known = last?.service.object
            if let last, known === object {
                _ = WaitGraph.wait(for: last, until: .ended, .limited)
                return
            }
            let sight = Sight(of: object, step)
            let isMine = state.withLock { state in
                guard state.sight === last else { return false }
                state.sight = sight
                return true
            }
            guard isMine else { continue }
            onSight(self, object, known != nil)
            return sight.advance(to: .ended)
        }
    }
}

/// A service that a box has seen, and its filling.
private final class Sight: RunningWork, @unchecked Sendable {
    let service: WeakReference

    init(of object: AnyObject, _ step: ServicePath.Step) {
        service = WeakReference(object)
        super.init(step, thread: CurrentThread.id)
    }
}
