// Part of ServiceBox, released under the MIT License.
// A service that many share: what state it is in, and who makes it.

/// The state of a service that all asks share.
enum SharedPhase<Service: Sendable> {
    case empty
    case making(Making<Service>)
    case made(Held<Service>)
    indirect case failed(ServiceBoxError)

    /// What holds the service, if it is made; the quick way.
    var made: AnyMade? {
        guard case .made(let held) = self else { return nil }
        return switch held {
        case .strongly(let made): made
        case .weakly(let made): made
        }
    }

    var isMade: Bool {
        if case .made(let held) = self { held.isAlive } else { false }
    }

    var error: ServiceBoxError? {
        if case .failed(let error) = self { error } else { nil }
    }

    /// Whether a making is the one that runs and not one that was overtaken.
    func isMaking(_ making: Making<Service>) -> Bool {
        if case .making(let current) = self { current === making } else { false }
    }
}

/// What an ask has to do, decided under the source's lock and done outside.
enum Claim<Service: Sendable> {
    case take(Service)
    case fail(ServiceBoxError)
    case wait(Making<Service>)
    case make(Making<Service>)
}

extension SharedPhase {
    /// What to do for an ask; if that is to make the service, the making is entered.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - quick: The source's cell, which is emptied before a service that is gone is forgotten.
    ///   - refusal: Why the service cannot be made by whoever asks, if it cannot.
    /// - Returns: What to do.
    mutating func claim(
        for source: some SharingSource<Service>, quick: MadeCell, refusal: ServiceBoxError?
    ) -> Claim<Service> {
        switch self {
        case .making(let making): return .wait(making)
        case .failed(let error): return .fail(error)
        case .made(let held):
            if let service = held.service { return .take(service) }
        case .empty: break
        }
        if let refusal { return .fail(refusal) }
        let making = Making(source.step, of: source)
        quick.store(nil)
        self = .making(making)
        return .make(making)
    }
}

/// A source whose service is shared by all asks, and made exactly once at a time.
protocol SharingSource<Service>: ServiceSource, FinishingSource {
    func claim(refusal: ServiceBoxError?) -> Claim<Service>
    func refusal() -> ServiceBoxError?
    /// Has the factory make the service.
    ///
    /// - Returns: The service and how it will be held, or nil to ask again.
    func create(for making: Making<Service>) throws(ServiceBoxError) -> (Service, Held<Service>)?
}

extension SharingSource {
    /// Takes the service, makes it, or waits for whoever makes it.
    func resolve() throws(ServiceBoxError) -> Service {
        try ask { making throws(ServiceBoxError) in try making.takeFinished() }
    }

    func supply() throws(ServiceBoxError) -> Service {
        try ask { making throws(ServiceBoxError) in try making.takeCreated() }
    }

    private func ask(
        _ take: (Making<Service>) throws(ServiceBoxError) -> Service?
    ) throws(ServiceBoxError) -> Service {
        while true {
            // Nothing of this runs under the lock; it counts only if the service must be made.
            let stack = CurrentThread.stack
            let inside = stack.pointee.count(of: step) > 0
            let cycle = inside ? ServiceBoxError(.cycle, path: stack.pointee.circle(to: step)) : nil
            let service: Service?
            switch claim(refusal: cycle ?? refusal()) {
            case .take(let made): service = made
            case .fail(let error): throw error
            case .wait(let making): service = try take(making)
            case .make(let making): service = try create(making) ? take(making) : nil
            }
            if let service { return service }
        }
    }

    /// Creates the service of a making that this thread has entered.
    ///
    /// - Returns: Whether there is one; if not, ask again.
    private func create(_ making: Making<Service>) throws(ServiceBoxError) -> Bool {
        let stack = CurrentThread.stack
        let taken = stack.pointee.taken.count
        let frame = stack.pointee.enter(step, .factory)
        let result = Result { () throws(ServiceBoxError) in try create(for: making) }
        stack.pointee.leave(to: frame)
        switch result {
        case .success(let (service, held)?):
            making.create(service, held, with: stack.pointee.takeBack(downTo: taken))
            return true
        case .success(nil):
            making.complete(nil)
            return false
        case .failure(let error):
            making.fail(error)
            Completion.completeRest(on: stack)
            throw error
        }
    }
}
