// Part of ServiceBox, released under the MIT License.
// What a provider gets its service from.

/// What stands behind a provider: one type for each way to come by a service.
protocol ServiceSource<Service>: AnyObject, Sendable {
    associatedtype Service: Sendable

    func resolve() throws(ServiceBoxError) -> Service
    var isMade: Bool { get }
    func reset()
    /// Where the service lies once it is made and held strongly, if it ever is.
    var made: MadeCell? { get }
    /// When the service is made and how long it is kept; nil if it was there already.
    var lifetime: Lifetime? { get }
    /// The error that every ask gets until something changes, if there is one.
    var keptError: ServiceBoxError? { get }
}

extension ServiceSource {
    var made: MadeCell? { nil }

    /// The source as one step of a path.
    var step: ServicePath.Step { ServicePath.Step(provider: ObjectIdentifier(self), type: Service.self) }
}

/// A source that was given its service.
final class InstanceSource<Service: Sendable>: ServiceSource {
    private let service: Service

    init(_ service: Service) {
        self.service = service
    }

    func resolve() -> Service { service }
    var isMade: Bool { true }
    var lifetime: Lifetime? { nil }
    func reset() {}
    var keptError: ServiceBoxError? { nil }
}

/// A source that can never make a service.
final class RefusedSource<Service: Sendable>: ServiceSource {
    private let error: ServiceBoxError
    let lifetime: Lifetime?

    init(_ error: ServiceBoxError, lifetime: Lifetime) {
        self.error = error
        self.lifetime = lifetime
    }

    func resolve() throws(ServiceBoxError) -> Service { throw error }
    var isMade: Bool { false }
    func reset() {}
    var keptError: ServiceBoxError? { error }
}

/// A source that makes a service for each ask.
final class TransientSource<Service: Sendable>: ServiceSource {
    private let maker: Maker<Service, Void>

    init(_ maker: Maker<Service, Void>) {
        self.maker = maker
    }

    func resolve() throws(ServiceBoxError) -> Service {
        let step = ServicePath.Step(provider: ObjectIdentifier(self), type: Service.self)
        guard MakingStack.count(of: step) == 0 else {
            throw ServiceBoxError(.cycle, path: ServicePath([step]))
        }
        if let refusal = maker.refusal(step) { throw refusal }
        return try MakingStack.making(step) { () throws(ServiceBoxError) in
            let service = try maker.make((), step)
            try maker.finish(service, step)
            return service
        }
    }

    var isMade: Bool { false }
    var lifetime: Lifetime? { .transient }
    func reset() {}
    var keptError: ServiceBoxError? { nil }
}
