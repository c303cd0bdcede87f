// Part of ServiceBox, released under the MIT License.
// Eager, lazy and weak services, shared by all who ask.

/// A source whose service is shared by all who ask, and constructed exactly once at a time.
protocol SharingSource: OnceCell, ServiceSource {
    associatedtype Input: Sendable

    var maker: Maker { get }
    /// What the service of a construction that begins is made from, or nil to ask again.
    func input(for construction: Construction) -> Input?
    func make(from input: Input) throws -> AnyCell
    /// Takes in what came out of a construction.
    func end(_ construction: Construction, madeFrom input: Input)
    /// What stands in the way of the service, as far as waiting helps.
    func obstacle(_ objection: ServiceBoxError) -> Obstacle?
    /// Forgets a service that is out of date.
    func refresh()
    /// Called before a service may have to be constructed.
    func prepareConstruction(for asker: Asker)
}

extension SharingSource {
    var onceCell: OnceCell? { self }
    var preparation: Preparation? { maker.preparation }
    func obstacle(_ objection: ServiceBoxError) -> Obstacle? { nil }
    func refresh() {}
    func prepareConstruction(for asker: Asker) {}

    func makeIfEager() {
        if lifetime == .eager { _ = try? resolve() }
    }

    /// A service that is held weakly, held strongly and by its type again; nil if it is gone.
    func hold(_ cell: AnyCell) -> AnyCell? {
        func strong<Service: Sendable>(_ type: Service.Type) -> AnyCell? {
            cell.content(as: type).map { AnyCell.holding($0) }
        }
        return isWeak ? strong(serviceType) : cell
    }

    func resolve(for asker: Asker) throws(ServiceBoxError) -> AnyCell { try share(for: asker) }

    /// Returns the service, constructs it, or waits for whoever constructs it.
    fileprivate func share(for asker: Asker) throws(ServiceBoxError) -> AnyCell {
        refresh()
        let (step, stack, maker) = (step, ConstructionStack.current, maker)
        prepareConstruction(for: asker)
        var gone: AnyCell?
        while true {
            // The objection counts only if the service must be constructed.
            let objection =
                stack.pointee.knownFailure(of: step, for: maker.delegate?.generation)
                ?? (maker.isPossible(step, on: stack) ? nil : maker.objection(to: step, on: stack))
            let claim = self.claim(step, without: gone, refusal: objection)
            switch claim.phase {
            case .kept(let cell):
                if let service = hold(cell) { return service }
                gone = cell
            case .constructing(let construction):
                if claim.isNew {
                    guard let input = input(for: construction) else {
                        construction.advance(to: .ended)
                        continue
                    }
                    // Before it begins: what is registered meanwhile may be what it lacks.
                    let generation = stack.pointee.isRememberingFailures ? maker.delegate?.generation : nil
                    construction.handOver {
                        self.end($0, madeFrom: input)
                        guard let generation, let error = $0.error else { return }
                        ConstructionStack.current.pointee.noteFailure(error, of: step, for: generation)
                    }
                    do throws(ServiceBoxError) {
                        _ = try maker.create(lifetime, in: construction) { try make(from: input) }
                    } catch {
                        // Another thread has taken what it was to be made of.
                        if isAwaited { stack.pointee.note(obstacle(error)) }
                        throw error
                    }
                }
                if let service = try construction.take(for: asker) { return service }
            case .changing(let work, let offered):
                let service = offered.flatMap(hold)
                switch WaitGraph.wait(for: work, until: .ended, service == nil ? .endless : .limited) {
                case .reached: break
                case .cycle(let path): throw ServiceBoxError(.cycle, path: path)
                case .gaveUp:
                    let newer = current.cell.flatMap(hold)
                    if let service = newer ?? service { return service }
                }
            case .failed(let error):
                if let objection { stack.pointee.note(obstacle(objection)) }
                throw error
            case .empty: break
            }
        }
    }
}

/// A source that constructs one service and shares it.
class SharedSource: OnceCell, SharingSource, @unchecked Sendable {
    final let serviceType: any Sendable.Type
    final let maker: Maker
    final let lifetime: Lifetime?
    private let make: Make

    init(
        of type: any Sendable.Type, _ lifetime: Lifetime, _ maker: consuming Maker, _ make: @escaping Make
    ) {
        serviceType = type
        self.lifetime = lifetime
        self.maker = maker
        self.make = make
        super.init(lifetime)
    }

    var onceCell: OnceCell? { self }
    var keeper: OnceCell? { self }
    func refresh() {}
    func prepareConstruction(for asker: Asker) {}
    final var isMade: Bool { isKept }
    final var keptError: ServiceBoxError? { error }

    // Here and not inherited, so that the compiler specialises it.
    final func resolve(for asker: Asker) throws(ServiceBoxError) -> AnyCell { try share(for: asker) }

    final func make(from input: Void) throws -> AnyCell { try make() }

    func reset() {
        // What was kept goes when the lock is free.
        update { _ in .empty }
        noteReset(tells: true)
    }

    /// Notes that what was made is forgotten, and perhaps tells observers.
    final func noteReset(tells: Bool) {
        preparation?.reset()
        maker.delegate?.makerWasReset(tells: tells)
    }

    final func input(for construction: Construction) -> Void? { () }

    /// One that a reset overtakes serves those who wait for it and is not kept.
    final func end(_ construction: Construction, madeFrom input: Void) {
        end(construction, keepsError: lifetime == .eager)
        if construction.error == nil { preparation?.settle() }
    }
}
