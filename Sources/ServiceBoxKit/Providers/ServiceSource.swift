// Part of ServiceBox, released under the MIT License.
// What a provider gets its service from, without state.

/// What stands behind a provider: one type for each way to come by a service.
protocol ServiceSource<Service>: AnyObject, Sendable {
    associatedtype Service: Sendable

    /// The service, complete.
    func resolve() throws(ServiceBoxError) -> Service
    /// The service for one that is being filled, which is complete no sooner than this one.
    func supply() throws(ServiceBoxError) -> Service
    /// Creates the service if it is eager; if that fails, the error is kept.
    func makeIfEager()
    var isMade: Bool { get }
    func reset()
    /// Where the service lies once it is created, if it is shared.
    var cell: OnceCell? { get }
    /// When the service is created and how long it is kept; nil for a ready-made one.
    var lifetime: Lifetime? { get }
    /// The error that every ask gets until something changes, if there is one.
    var keptError: ServiceBoxError? { get }
}

extension ServiceSource {
    func supply() throws(ServiceBoxError) -> Service { try resolve() }
    func makeIfEager() {}
    var isMade: Bool { cell?.isMade ?? false }
    func reset() {}
    var cell: OnceCell? { nil }
    var keptError: ServiceBoxError? { cell?.error }

    /// The source as one step of a path.
    var step: ServicePath.Step { ServicePath.Step(provider: ObjectIdentifier(self), type: Service.self) }
}

/// A source that answers all asks alike: with an instance, with a refusal, or by asking another provider.
final class FixedSource<Service: Sendable>: ServiceSource {
    let lifetime: Lifetime?
    let keptError: ServiceBoxError?
    private let answer: @Sendable () throws(ServiceBoxError) -> Service

    init(
        _ lifetime: Lifetime?, keptError: ServiceBoxError? = nil,
        _ answer: @escaping @Sendable () throws(ServiceBoxError) -> Service
    ) {
        self.lifetime = lifetime
        self.keptError = keptError
        self.answer = answer
    }

    func resolve() throws(ServiceBoxError) -> Service { try answer() }
    var isMade: Bool { lifetime == nil }
}

/// A source that creates a service for each ask.
final class TransientSource<Service: Sendable>: ServiceSource {
    private let maker: Maker<Service, Void>

    init(_ maker: Maker<Service, Void>) {
        self.maker = maker
    }

    var lifetime: Lifetime? { .transient }

    func resolve() throws(ServiceBoxError) -> Service {
        let (step, stack) = (step, ConstructionStack.current)
        if let refusal = stack.pointee.cycle(to: step) ?? maker.refusal(step, on: stack) { throw refusal }
        return try maker.makeWhole((), step, on: stack)
    }

    func supply() throws(ServiceBoxError) -> Service {
        let (step, stack) = (step, ConstructionStack.current)
        // What is refused, is refused there.
        guard maker.finish != nil, stack.pointee.cycle(to: step) == nil,
            maker.refusal(step, on: stack) == nil
        else { return try resolve() }
        let construction = Construction(step)
        let service = try maker.create((), .transient, in: construction)
        stack.pointee.taken.append(construction)
        return service
    }
}
