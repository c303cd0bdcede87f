// Part of ServiceBox, released under the MIT License.
// How one service is created and filled, whatever it is made from.

/// Creates a service, held as what it is created as.
typealias Make = @Sendable () throws -> AnyCell

/// What has a say in the services of a maker: what registered them in a box.
protocol MakerDelegate: AnyObject, Sendable {
    /// Whether the second phase of a service asks for nothing and tells nobody.
    func hasNothingToFill(_ service: AnyCell) -> Bool
    /// Called when such a service has become visible.
    func announce()
    /// The second phase; throws what the service lacks.
    func finish(_ service: AnyCell) throws -> (any Filling)?
    /// Called with a failure that no maker has announced before, before it is thrown.
    ///
    /// - Returns: Whether it is announced now.
    func makerFailed(_ error: ServiceBoxError) -> Bool
    /// Called when what was made was forgotten; observers are told unless they are of what it was made of.
    func makerWasReset(tells: Bool)
    /// The name that the service is registered under; nil if it is registered under none.
    var serviceName: String? { get }
    /// Counts what is registered where the service is filled; nil if that isn't known.
    var generation: Int? { get }
}

extension MakerDelegate {
    var serviceName: String? { nil }
    var generation: Int? { nil }
    func hasNothingToFill(_ service: AnyCell) -> Bool { false }
    func announce() {}
    func makerFailed(_ error: ServiceBoxError) -> Bool { false }
    func makerWasReset(tells: Bool) {}

    /// A failure that was announced, unless it was before.
    func announced(_ error: ServiceBoxError) -> ServiceBoxError {
        // Whoever can wait tries again.
        let isFinal = ConstructionStack.current.pointee.obstacles?.isEmpty ?? true
        guard !error.isTold, isFinal else { return error }
        var error = error
        error.isTold = makerFailed(error)
        return error
    }
}

/// How a provider makes a service: two phases, and where they may run.
///
/// The first creates the service. The second fills it before it is handed out, and may meet the unfilled
/// service through a cycle of properties.
struct Maker: Sendable {
    /// The actor that the first phase belongs to, if it belongs to one.
    var isolation: (any Actor)?
    /// What the first phase is made of, if that must be awaited.
    var preparation: Preparation?
    /// What has the second phase; nil if there is none.
    var delegate: (any MakerDelegate)?

    /// Whether a service can be created here, by somebody who isn't creating it already.
    @inline(__always)
    func isPossible(_ step: ServicePath.Step, on stack: UnsafeMutablePointer<ConstructionStack>) -> Bool {
        !stack.pointee.hasCircle(to: step) && stack.pointee.hasRoom
            && (isolation.map { Isolation.isCurrent($0) == true } ?? true)
            && (preparation.map(\.isCreated) ?? true)
    }

    /// Why that isn't possible; asked only then, since an error takes more to copy than a service to make.
    func objection(
        to step: ServicePath.Step, on stack: UnsafeMutablePointer<ConstructionStack>
    ) -> ServiceBoxError? {
        stack.pointee.cycle(to: step) ?? refusal(step, on: stack)
    }

    /// Why nothing can be created here, if nothing can.
    func refusal(
        _ step: ServicePath.Step, on stack: UnsafeMutablePointer<ConstructionStack>
    ) -> ServiceBoxError? {
        guard stack.pointee.hasRoom else { return ServiceBoxError(.tooDeep, path: ServicePath([step])) }
        if let preparation, !preparation.isCreated { return preparation.refusal([step]) }
        guard let isolation, Isolation.isCurrent(isolation) != true else { return nil }
        let failure = MakingFailure.wrongIsolation(isMainActor: isolation === MainActor.shared)
        return ServiceBoxError(failure, path: ServicePath([step]))
    }

    /// Creates a service that is filled later, by the walk that completes its construction; one that has nothing to fill
    /// is complete at once.
    ///
    /// - Parameters:
    ///   - lifetime: How it is to be kept.
    ///   - construction: Its construction, which becomes the innermost of this thread.
    ///   - make: The first phase.
    /// - Returns: The service.
    /// - Throws: What the factory threw, with the step in front.
    func create(
        _ lifetime: Lifetime?, in construction: Construction, _ make: () throws -> AnyCell
    ) throws(ServiceBoxError) -> AnyCell {
        let (step, stack) = (construction.step, ConstructionStack.current)
        let taken = stack.pointee.taken.count
        let frame = stack.pointee.enter(step, .factory)
        let service: AnyCell
        do throws(ServiceBoxError) {
            defer { stack.pointee.leave(to: frame) }
            do { service = try make() } catch { throw escaping(error, from: step) }
            if lifetime == .weak, service.instance == nil {
                throw ServiceBoxError(.weakValue(made: service.dynamicType), path: ServicePath([step]))
            }
        } catch {
            construction.fail(error)
            Completion.completeRest(on: stack)
            throw error
        }
        let ingredients = stack.pointee.takeBack(downTo: taken)
        if ingredients.isEmpty, delegate?.hasNothingToFill(service) ?? true {
            construction.end(with: service)
            ConstructionStack.crossFilling { delegate?.announce() }
        } else {
            construction.create(service, with: ingredients) { () throws(ServiceBoxError) in
                try fill(service, step)
            }
        }
        return service
    }

    /// Makes a service that nobody shares, and completes it.
    ///
    /// - Parameters:
    ///   - making: The service, just begun.
    ///   - asker: Who asks for it.
    ///   - make: The first phase.
    /// - Returns: The service.
    /// - Throws: What the factory or the second phase threw, with the step in front.
    @inline(__always)
    func makeWhole(
        _ making: Making, for asker: Asker, _ make: () throws -> AnyCell
    ) throws(ServiceBoxError) -> AnyCell {
        let service: AnyCell
        do { service = try make() } catch { throw failure(error, of: making, for: asker) }
        try finish(service, making, for: asker)
        return service
    }

    /// Fills a service that nobody shares and that was created, and completes it.
    ///
    /// - Parameters:
    ///   - service: The service; nil if it has nothing to fill.
    ///   - making: What was begun for it.
    ///   - asker: Who asks for it.
    /// - Throws: What the second phase threw.
    @inline(__always)
    func finish(_ service: AnyCell?, _ making: Making, for asker: Asker = .code) throws(ServiceBoxError) {
        var making = making
        making.noteCreated()
        var filling: (any Filling)?
        if let service {
            do throws(ServiceBoxError) { filling = try fill(service, making.step) } catch {
                throw end(making, for: asker, with: error)
            }
        }
        making.leave()
        // By far most services meet nothing that is not complete.
        if making.hasTaken {
            try complete(.success(filling), making, for: asker)
        } else if let filling {
            ConstructionStack.crossFilling { filling.announce() }
        }
    }

    /// Ends a service that nobody shares and that couldn't be made.
    ///
    /// - Returns: The error.
    func failure(_ error: any Error, of making: Making, for asker: Asker = .code) -> ServiceBoxError {
        end(making, for: asker, with: escaping(error, from: making.step))
    }

    private func end(_ making: Making, for asker: Asker, with error: ServiceBoxError)
        -> ServiceBoxError
    {
        making.leave()
        do throws(ServiceBoxError) {
            if making.hasTaken { try complete(.failure(error), making, for: asker) }
            return error
        } catch {
            return error
        }
    }

    /// Runs the second phase.
    @inline(__always)
    private func fill(_ service: AnyCell, _ step: ServicePath.Step) throws(ServiceBoxError)
        -> (any Filling)?
    {
        do {
            return try delegate?.finish(service)
        } catch let error as ServiceBoxError where error.lacks != nil {
            // What it lacks says already whose it is.
            throw announced(error)
        } catch {
            throw escaping(error, from: step)
        }
    }

    /// Completes what a service has taken, and the service with it.
    @inline(never)
    private func complete(
        _ result: Result<(any Filling)?, ServiceBoxError>, _ making: Making, for asker: Asker
    ) throws(ServiceBoxError) {
        let stack = making.stack
        let construction = Construction(making.step)
        let needs = stack.pointee.takeBack(downTo: making.ingredients)
        construction.create(nil, with: stack.pointee.takeBack(downTo: making.taken)) {
            () throws(ServiceBoxError) in
            // As if it was filled only now.
            ConstructionStack.current.pointee.taken += needs
            return try result.get()
        }
        _ = try construction.take(for: asker)
    }

    func escaping(_ error: any Error, from step: ServicePath.Step) -> ServiceBoxError {
        announced(ServiceBoxError.escaping(error, from: step, named: delegate?.serviceName))
    }

    func announced(_ error: ServiceBoxError) -> ServiceBoxError { delegate?.announced(error) ?? error }
}

/// A service that nobody shares, on its way.
struct Making {
    fileprivate let step: ServicePath.Step
    /// The constructions of this thread.
    fileprivate let stack: UnsafeMutablePointer<ConstructionStack>
    private let outer: ConstructionStack.Frame
    /// How many incomplete services were taken before it, and until it was created.
    fileprivate let taken: Int
    fileprivate private(set) var ingredients: Int

    /// Begins with the first phase.
    @inline(__always)
    init(_ step: ServicePath.Step, on stack: UnsafeMutablePointer<ConstructionStack>) {
        self.step = step
        self.stack = stack
        taken = stack.pointee.taken.count
        ingredients = taken
        outer = stack.pointee.enter(step, .factory)
    }

    /// Goes on with the second phase.
    @inline(__always)
    fileprivate mutating func noteCreated() {
        ingredients = stack.pointee.taken.count
        stack.pointee.go(on: .filling)
    }

    @inline(__always)
    fileprivate func leave() { stack.pointee.leave(to: outer) }

    @inline(__always)
    fileprivate var hasTaken: Bool { stack.pointee.taken.count > taken }
}
