// Part of ServiceBox, released under the MIT License.
// How one service is made and finished, whatever it is made from.

/// How a provider makes a service: two phases, and where they may run.
///
/// The first makes the service. The second finishes it before it is handed out, and may meet the unfinished
/// service through a cycle of properties.
struct Maker<Service: Sendable, Input>: Sendable {
    private let create: @Sendable (Input) throws -> Service
    private let fill: (@Sendable (Service) throws -> Announcement?)?
    private let didFail: (@Sendable (ServiceBoxError) -> Void)?
    /// Called when what was made was forgotten.
    let didReset: (@Sendable () -> Void)?
    private let isolation: (any Actor)?

    /// Makes a maker.
    ///
    /// - Parameters:
    ///   - isolation: The actor that the first phase belongs to, if it belongs to one.
    ///   - finish: The second phase; returns what is left to do when the service is visible.
    ///   - fail: Called with a failure that no maker has told of before, before it is thrown.
    ///   - reset: Called when what was made was forgotten.
    ///   - make: The first phase.
    init(
        isolation: (any Actor)? = nil, finish: (@Sendable (Service) throws -> Announcement?)? = nil,
        fail: (@Sendable (ServiceBoxError) -> Void)? = nil, reset: (@Sendable () -> Void)? = nil,
        make: @escaping @Sendable (Input) throws -> Service
    ) {
        create = make
        fill = finish
        didFail = fail
        didReset = reset
        self.isolation = isolation
    }

    /// Whether there is a second phase.
    var finishes: Bool { fill != nil }

    /// Why nothing can be made here, if nothing can.
    @inline(__always)
    func refusal(_ step: ServicePath.Step, on stack: UnsafeMutablePointer<MakingStack>) -> ServiceBoxError? {
        guard stack.pointee.hasRoom else { return ServiceBoxError(.tooDeep, path: ServicePath([step])) }
        guard let isolation, Isolation.isCurrent(isolation) != true else { return nil }
        let failure = MakingFailure.wrongIsolation(isMainActor: isolation === MainActor.shared)
        return ServiceBoxError(failure, path: ServicePath([step]))
    }

    /// Makes a service.
    ///
    /// - Throws: What the factory threw, with the step in front.
    @inline(__always)
    func make(_ input: Input, _ step: ServicePath.Step) throws(ServiceBoxError) -> Service {
        do {
            return try create(input)
        } catch {
            throw escaping(error, from: step)
        }
    }

    /// Finishes a service.
    ///
    /// - Throws: What the second phase threw, with the step in front.
    @inline(__always)
    func finish(_ service: Service, _ step: ServicePath.Step) throws(ServiceBoxError) -> Announcement? {
        guard let fill else { return nil }
        do {
            return try fill(service)
        } catch {
            throw escaping(error, from: step)
        }
    }

    /// Makes a service that nobody shares, and completes it.
    ///
    /// - Parameters:
    ///   - input: What it is made from.
    ///   - step: The source.
    ///   - source: The source.
    ///   - stack: The makings of this thread.
    /// - Returns: The service.
    /// - Throws: What the factory or the second phase threw, with the step in front.
    @inline(__always)
    func makeWhole(
        _ input: Input, _ step: ServicePath.Step, of source: some FinishingSource<Service>,
        on stack: UnsafeMutablePointer<MakingStack>
    ) throws(ServiceBoxError) -> Service {
        let taken = stack.pointee.taken.count
        let frame = stack.pointee.enter(step, .factory)
        let service: Service
        let announcement: Announcement?
        // No result and no tuple of a service: the runtime would have to look up their types (measured).
        do throws(ServiceBoxError) {
            service = try make(input, step)
            stack.pointee.go(on: .filling)
            announcement = try finish(service, step)
        } catch {
            stack.pointee.leave(to: frame)
            let needs = stack.pointee.takeBack(downTo: taken)
            if !needs.isEmpty { try complete(.failure(error), step, of: source, needing: needs, on: stack) }
            throw error
        }
        stack.pointee.leave(to: frame)
        // By far most services meet nothing that is not complete.
        if stack.pointee.taken.count > taken {
            let needs = stack.pointee.takeBack(downTo: taken)
            try complete(.success(announcement), step, of: source, needing: needs, on: stack)
        } else if let announcement {
            MakingStack.announce([announcement])
        }
        return service
    }

    @inline(never)
    private func complete(
        _ result: Result<Announcement?, ServiceBoxError>, _ step: ServicePath.Step,
        of source: some FinishingSource<Service>, needing needs: [Construction],
        on stack: UnsafeMutablePointer<MakingStack>
    ) throws(ServiceBoxError) {
        let making = Making(step, of: source)
        making.noteFinished(with: needs, result)
        if case .open = Completion.run(making, on: stack, .endless) { stack.pointee.taken.append(making) }
        if let error = making.error { throw error }
    }

    private func escaping(_ error: any Error, from step: ServicePath.Step) -> ServiceBoxError {
        var escaping = ServiceBoxError.escaping(error, from: step)
        if let didFail, !escaping.isTold {
            didFail(escaping)
            escaping.isTold = true
        }
        return escaping
    }
}

extension Maker where Input == Void {
    /// Creates services with a closure, on the actor that it carries.
    init(_ make: @escaping @isolated(any) @Sendable () throws -> Service) {
        // What isolation an `@isolated(any)` function has lies beside its captures (SE-0431); called, it is a
        // function as any other. A maker runs it in the `isolation` that it carries only.
        let run = unsafeBitCast(make, to: (@Sendable () throws -> Service).self)
        self.init(isolation: make.isolation) { _ in try run() }
    }
}

extension Maker {
    /// Creates services from parameters with a closure, on the actor that it carries.
    init(_ make: @escaping @isolated(any) @Sendable (Input) throws -> Service) {
        // As without parameters.
        let run = unsafeBitCast(make, to: (@Sendable (Input) throws -> Service).self)
        self.init(isolation: make.isolation, make: run)
    }
}
