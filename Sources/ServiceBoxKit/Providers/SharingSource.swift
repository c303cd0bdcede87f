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
    ///   - step: The source.
    ///   - quick: The source's cell, which is emptied before a service that is gone is forgotten.
    ///   - refusal: Why the service cannot be made by whoever asks, if it cannot.
    /// - Returns: What to do.
    mutating func claim(
        _ step: ServicePath.Step, quick: MadeCell, refusal: ServiceBoxError?
    ) -> Claim<Service> {
        switch self {
        case .making(let making): return .wait(making)
        case .failed(let error): return .fail(error)
        case .made(let held):
            if let service = held.service { return .take(service) }
        case .empty: break
        }
        if let refusal { return .fail(refusal) }
        let making = Making<Service>(step)
        quick.store(nil)
        self = .making(making)
        return .make(making)
    }
}

/// A source whose service is shared by all asks, and made exactly once at a time.
protocol SharingSource<Service>: ServiceSource {
    func claim(refusal: ServiceBoxError?) -> Claim<Service>
    func refusal() -> ServiceBoxError?
    /// Makes the service, stores it and wakes the others.
    func make(_ making: Making<Service>) throws(ServiceBoxError) -> Service?
}

extension SharingSource {
    /// Takes the service, makes it, or waits for whoever makes it.
    func resolve() throws(ServiceBoxError) -> Service {
        while true {
            // Nothing of this runs under the lock; it counts only if the service must be made.
            let inside = MakingStack.count(of: step) > 0
            let cycle = inside ? ServiceBoxError(.cycle, path: ServicePath([step])) : nil
            switch claim(refusal: cycle ?? refusal()) {
            case .take(let service): return service
            case .fail(let error): throw error
            case .wait(let making): if let service = try making.join() { return service }
            case .make(let making): if let service = try make(making) { return service }
            }
        }
    }
}
