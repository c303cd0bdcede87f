// Part of ServiceBox, released under the MIT License.
// Eager, lazy and weak services, shared by all who ask.

/// A source whose service is shared by all who ask, and constructed exactly once at a time.
protocol SharingSource<Service>: ServiceSource {
    associatedtype Input

    var onceCell: OnceCell { get }
    var maker: Maker<Service, Input> { get }
    /// Says who takes in what comes out of a construction that begins.
    ///
    /// - Returns: What the service is made from, or nil to ask again.
    func begin(_ construction: Construction) -> Input?
}

extension SharingSource {
    var cell: OnceCell? { onceCell }
    var isMade: Bool { onceCell.isMade }
    var keptError: ServiceBoxError? { onceCell.error }

    func resolve() throws(ServiceBoxError) -> Service {
        try ask { construction throws(ServiceBoxError) in try construction.takeFilled() }
    }

    func supply() throws(ServiceBoxError) -> Service {
        try ask { construction throws(ServiceBoxError) in try construction.takeCreated() }
    }

    /// Returns the service, constructs it, or waits for whoever constructs it.
    private func ask(
        _ take: (Construction) throws(ServiceBoxError) -> ServiceReference?
    ) throws(ServiceBoxError) -> Service {
        var gone: ServiceReference?
        while true {
            // The refusal counts only if the service must be constructed.
            let (step, stack) = (step, ConstructionStack.current)
            let refusal = stack.pointee.cycle(to: step) ?? maker.refusal(step, on: stack)
            let claim = onceCell.claim(step, without: gone, refusal: refusal)
            switch claim.phase {
            case .kept(let reference):
                if let service = reference.service(Service.self) { return service }
                gone = reference
            case .constructing(let construction):
                if claim.isNew {
                    guard let input = begin(construction) else {
                        construction.advance(to: .ended)
                        continue
                    }
                    _ = try maker.create(input, lifetime, in: construction)
                }
                if let service = try take(construction)?.service(Service.self) { return service }
            case .changing(let work, let offered):
                let service = offered?.service(Service.self)
                switch WaitGraph.wait(for: work, until: .ended, service == nil ? .endless : .limited) {
                case .reached: break
                case .cycle(let path): throw ServiceBoxError(.cycle, path: path)
                case .gaveUp:
                    if case .changing(_, let newer?) = onceCell.current,
                        let service = newer.service(Service.self)
                    {
                        return service
                    }
                    if let service { return service }
                }
            case .failed(let error): throw error
            case .empty: break
            }
        }
    }
}

/// A source that constructs one service and shares it.
final class SharedSource<Service: Sendable>: SharingSource {
    let onceCell: OnceCell
    let maker: Maker<Service, Void>
    let lifetime: Lifetime?

    init(_ lifetime: Lifetime, _ maker: Maker<Service, Void>) {
        self.lifetime = lifetime
        onceCell = OnceCell(lifetime)
        self.maker = maker
    }

    func makeIfEager() {
        guard lifetime == .eager else { return }
        do {
            _ = try resolve()
        } catch {
            // Also where it was refused and did not begin.
            onceCell.phase.withLock { phase in if case .empty = phase { phase = .failed(error) } }
        }
    }

    func reset() {
        // What was kept goes when the lock is free.
        _ = onceCell.replace(.empty)
        maker.reset?()
    }

    func begin(_ construction: Construction) -> Void? {
        // One that a reset overtakes serves those who wait for it and is not kept.
        construction.handOver { [onceCell, lifetime] in onceCell.end($0, keepsError: lifetime == .eager) }
    }
}
