// Part of ServiceBox, released under the MIT License.
// What a provider gets its service from.

/// What stands behind a provider: one type for each way to come by a service.
protocol ServiceSource<Service>: AnyObject, Sendable {
    associatedtype Service: Sendable

    /// The service, complete.
    func resolve() throws(ServiceBoxError) -> Service
    /// The service for one that is being filled, which is complete no sooner than this one.
    func supply() throws(ServiceBoxError) -> Service
    /// Makes the service if it is eager; if that fails, the error is kept.
    func makeIfEager()
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
    func supply() throws(ServiceBoxError) -> Service { try resolve() }
    func makeIfEager() {}

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
final class TransientSource<Service: Sendable>: ServiceSource, FinishingSource {
    private let maker: Maker<Service, Void>

    init(_ maker: Maker<Service, Void>) {
        self.maker = maker
    }

    func resolve() throws(ServiceBoxError) -> Service {
        let (step, stack) = (step, CurrentThread.stack)
        try check(step, on: stack)
        return try maker.makeWhole((), step, of: self, on: stack)
    }

    func supply() throws(ServiceBoxError) -> Service {
        let (step, stack) = (step, CurrentThread.stack)
        try check(step, on: stack)
        guard maker.finishes else { return try maker.makeWhole((), step, of: self, on: stack) }
        let taken = stack.pointee.taken.count
        let service = try MakingStack.making(step) { () throws(ServiceBoxError) in try maker.make((), step) }
        let making = Making(step, of: self)
        making.create(service, nil, with: stack.pointee.takeBack(downTo: taken))
        stack.pointee.taken.append(making)
        return service
    }

    @inline(__always)
    private func check(
        _ step: ServicePath.Step, on stack: UnsafeMutablePointer<MakingStack>
    ) throws(ServiceBoxError) {
        guard stack.pointee.count(of: step) == 0 else {
            throw ServiceBoxError(.cycle, path: stack.pointee.circle(to: step))
        }
        if let refusal = maker.refusal(step, on: stack) { throw refusal }
    }

    func finish(_ service: Service) throws(ServiceBoxError) -> Announcement? {
        try maker.finish(service, step)
    }

    func end(_ making: Making<Service>, _ error: ServiceBoxError?) {}

    var isMade: Bool { false }
    var lifetime: Lifetime? { .transient }
    func reset() {}
    var keptError: ServiceBoxError? { nil }
}
