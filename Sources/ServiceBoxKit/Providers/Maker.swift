// Part of ServiceBox, released under the MIT License.
// Creates and fills one service, whatever it is created from.

/// Creates a service in a cell of the type that it is created as.
typealias Make = @Sendable () throws -> AnyCell

/// What a maker calls back: the registration in a box.
protocol MakerDelegate: AnyObject, Sendable {
    /// What announces a service if filling it would resolve nothing and notify nobody; nil if it must be filled.
    func bareFilling(of service: AnyCell) -> (any Filling)?
    /// The second phase; throws what the service lacks.
    func finish(_ service: AnyCell) throws -> (any Filling)?
    /// Called before a failure is thrown that no maker has announced yet.
    ///
    /// - Returns: Whether this call announced it.
    func makerFailed(_ error: ServiceBoxError) -> Bool
    /// Called when the service was forgotten; `tells` is false if observers know from the one that it wraps.
    func makerWasReset(tells: Bool)
    /// The name that the service is registered under, if any.
    var serviceName: String? { get }
    /// Where the decoration was declared that creates the service, if one does.
    var decoration: SourceLocation? { get }
    /// The generation of the box that fills the service; nil if unknown.
    var generation: Int? { get }
}

extension MakerDelegate {
    var serviceName: String? { nil }
    var decoration: SourceLocation? { nil }
    var generation: Int? { nil }
    func bareFilling(of service: AnyCell) -> (any Filling)? { nil }
    func makerFailed(_ error: ServiceBoxError) -> Bool { false }
    func makerWasReset(tells: Bool) {}

    /// The error, announced unless it was before.
    func announced(_ error: ServiceBoxError) -> ServiceBoxError {
        // With obstacles left, a caller that can wait tries again.
        let isFinal = ConstructionStack.here.value.obstacles?.isEmpty ?? true
        guard !error.isTold, isFinal else { return error }
        return changing(error) { $0.isTold = makerFailed(error) }
    }

    /// Runs the second phase.
    @inline(__always)
    fileprivate func fill(
        _ service: AnyCell, _ step: ServicePath.Step
    ) throws(ServiceBoxError) -> (any Filling)? {
        do {
            return try finish(service)
        } catch let error as ServiceBoxError where error.lacks != nil {
            // The error already names the service that lacks something.
            throw announced(error)
        } catch {
            throw announced(.escaping(error, from: step, named: serviceName))
        }
    }
}

/// How a provider creates a service in two phases, and where they may run.
///
/// The first phase creates the service. The second fills it before it is handed out, and may meet the
/// unfilled service again through a cycle of properties.
struct Maker: Sendable {
    /// The actor that the first phase is isolated to, if any.
    var isolation: (any Actor)?
    /// The asynchronous factory that provides the first phase's input, if there is one.
    var preparation: Preparation?
    /// Runs the second phase; nil if there is none.
    var delegate: (any MakerDelegate)?

    /// Whether a service can be created here by a caller that isn't creating it already.
    @inline(__always)
    func isPossible(_ step: ServicePath.Step, on stack: ConstructionStack.Place) -> Bool {
        !stack.value.hasCircle(to: step) && stack.value.hasRoom
            && (isolation.map { Isolation.isCurrent($0) == true || isFree(step) } ?? true)
            && (preparation.map(\.isCreated) ?? true)
    }

    /// Why it can't; a separate question, since copying an error costs more than creating a service.
    func objection(
        to step: ServicePath.Step, on stack: ConstructionStack.Place
    ) -> ServiceBoxError? {
        stack.value.cycle(to: step) ?? refusal(step, on: stack)
    }

    /// Why nothing can be created here; nil if it can.
    func refusal(
        _ step: ServicePath.Step, on stack: ConstructionStack.Place
    ) -> ServiceBoxError? {
        guard stack.value.hasRoom else { return ServiceBoxError(.tooDeep, path: ServicePath([step])) }
        if let preparation, !preparation.isCreated { return preparation.refusal([step]) }
        guard let isolation, !isFree(step) else { return nil }
        let isCurrent = Isolation.isCurrent(isolation)
        if isCurrent == true { return nil }
        let actor: MakingFailure.FactoryActor =
            isolation === MainActor.shared ? .main : isCurrent == nil ? .unknown : .other
        return ServiceBoxError(
            .wrongIsolation(actor) { [weak delegate] in delegate?.decoration }, path: ServicePath([step]))
    }

    /// The services with a factory's result that wait for what the current task prepares.
    @TaskLocal static var unfinished: [Ongoing<ServicePath.Step>] = []

    /// Whether the service may be created off its factory's actor: a service of another actor, which it waits for,
    /// takes it in turn.
    private func isFree(_ step: ServicePath.Step) -> Bool {
        Self.unfinished.contains { $0.value?.provider == step.provider }
    }

    /// Creates a service that is filled later, by the walk that completes its construction, or is complete at
    /// once if it has nothing to fill.
    ///
    /// Its construction becomes the innermost of this thread.
    ///
    /// - Throws: The factory's error, with the step in front.
    func create(
        _ lifetime: Lifetime?, in construction: Construction, _ make: () throws -> AnyCell
    ) throws(ServiceBoxError) -> AnyCell {
        let (step, stack) = (construction.step, ConstructionStack.here)
        let taken = stack.value.taken.count
        let frame = stack.value.enter(step, .factory)
        let service: AnyCell
        do throws(ServiceBoxError) {
            defer { stack.value.leave(to: frame) }
            do { service = try make() } catch { throw escaping(error, from: step) }
            if lifetime == .weak, service.weakly == nil {
                throw ServiceBoxError(.weakValue(made: service.dynamicType), path: ServicePath([step]))
            }
        } catch {
            construction.fail(error)
            Completion.completeRest(on: stack)
            throw error
        }
        let ingredients = stack.value.taken.take(downTo: taken)
        let bare = ingredients.isEmpty ? delegate?.bareFilling(of: service) : nil
        if ingredients.isEmpty, bare != nil || delegate == nil {
            construction.end(with: service)
            if let bare { CollectionOfOne(bare).announce() }
        } else {
            construction.create(service, with: ingredients, inside: stack.value.steps.count) {
                [delegate] () throws(ServiceBoxError) in
                try delegate?.fill(service, step)
            }
        }
        return service
    }

    /// Creates and completes a transient service, which was just begun.
    ///
    /// - Throws: The error of the factory or of the second phase, with the step in front.
    @inline(__always)
    func makeWhole(
        _ making: Making, for asker: Asker, _ make: () throws -> AnyCell
    ) throws(ServiceBoxError) -> AnyCell {
        let service: AnyCell
        do { service = try make() } catch { try fail(making, with: error, for: asker) }
        try finish(service, making, for: asker)
        return service
    }

    /// Fills and completes a transient service that was created, which is nil if it has nothing to fill.
    ///
    /// - Throws: The error of the second phase.
    @inline(__always)
    func finish(_ service: AnyCell?, _ making: Making, for asker: Asker = .code) throws(ServiceBoxError) {
        var making = making
        making.noteCreated()
        var filling: (any Filling)?
        if let service {
            do throws(ServiceBoxError) { filling = try delegate?.fill(service, making.step) } catch {
                try end(making, for: asker, with: error)
            }
        }
        making.leave()
        // Most services meet nothing that is incomplete.
        if making.hasTaken {
            try complete(.success(filling), making, for: asker)
        } else if let filling {
            CollectionOfOne(filling).announce()
        }
    }

    /// Ends the construction of a transient service that couldn't be created, and throws the error.
    func fail(
        _ making: Making, with error: any Error, for asker: Asker = .code
    ) throws(ServiceBoxError) -> Never {
        try end(making, for: asker, with: escaping(error, from: making.step))
    }

    private func end(
        _ making: Making, for asker: Asker, with error: ServiceBoxError
    ) throws(ServiceBoxError) -> Never {
        making.leave()
        if making.hasTaken { try complete(.failure(error), making, for: asker) }
        throw error
    }

    /// Completes the services that a transient service has taken, and that service with them.
    @inline(never)
    private func complete(
        _ result: Result<(any Filling)?, ServiceBoxError>, _ making: Making, for asker: Asker
    ) throws(ServiceBoxError) {
        let stack = making.stack
        let construction = Construction(making.step)
        let needs = stack.value.taken.take(downTo: making.ingredients)
        construction.create(nil, with: stack.value.taken.take(downTo: making.taken)) {
            () throws(ServiceBoxError) in
            // As if it were filled only now.
            ConstructionStack.here.value.taken += needs
            return try result.get()
        }
        _ = try construction.take(for: asker)
    }

    func escaping(_ error: any Error, from step: ServicePath.Step) -> ServiceBoxError {
        announced(ServiceBoxError.escaping(error, from: step, named: delegate?.serviceName))
    }

    func announced(_ error: ServiceBoxError) -> ServiceBoxError { delegate?.announced(error) ?? error }
}

/// A transient service under construction.
struct Making {
    fileprivate let step: ServicePath.Step
    /// The constructions of this thread.
    fileprivate let stack: ConstructionStack.Place
    private let outer: ConstructionStack.Frame
    /// How many incomplete services had been taken before it began, and until it was created.
    fileprivate let taken: Int
    fileprivate private(set) var ingredients: Int

    /// Begins with the first phase.
    @available(*, noasync)
    @inline(__always)
    init(_ step: ServicePath.Step, on stack: ConstructionStack.Place) {
        self.step = step
        self.stack = stack
        taken = stack.value.taken.count
        ingredients = taken
        outer = stack.value.enter(step, .factory)
    }

    /// Goes on with the second phase.
    @inline(__always)
    fileprivate mutating func noteCreated() {
        ingredients = stack.value.taken.count
        stack.value.go(on: .filling)
    }

    @inline(__always)
    fileprivate func leave() { stack.value.leave(to: outer) }

    @inline(__always)
    fileprivate var hasTaken: Bool { stack.value.taken.count > taken }
}
