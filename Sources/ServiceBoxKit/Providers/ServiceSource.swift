// Part of ServiceBox, released under the MIT License.
// The stateless sources behind providers.

/// The source behind a provider: one type for each way of getting a service.
///
/// Sources aren't generic over their services' types: generic code needs look-ups in the runtime at each
/// step, and memory for each service (measured: half of what a transient service cost).
protocol ServiceSource: AnyObject, Sendable {
    /// The type of the service.
    var serviceType: any Sendable.Type { get }
    /// The service, in a cell of the type that it was created as, and as complete as the asker needs it.
    func resolve(for asker: Asker) throws(ServiceBoxError) -> AnyCell
    /// The complete service, on whatever actor it is created; awaits whatever it needs.
    nonisolated(nonsending) func prepare() async throws -> AnyCell
    /// Creates the service if it is eager, and keeps its factory's error.
    func makeIfEager()
    var isMade: Bool { get }
    /// How and where the service is created.
    var maker: Maker { get }
    func reset()
    /// The source that stores the service once it is created, if it is shared.
    var shared: SharedSource? { get }
    /// The same source, brought up to date; only other sources read it, for the service that they wrap.
    var keeper: SharedSource? { get }
    /// When the service is created and how long it is kept; nil for a ready-made one.
    var lifetime: Lifetime? { get }
    /// The error that every resolve throws until something changes, if there is one.
    var keptError: ServiceBoxError? { get }
}

extension ServiceSource {
    func resolve() throws(ServiceBoxError) -> AnyCell { try resolve(for: .code) }
    func makeIfEager() {}
    var maker: Maker { Maker() }
    /// The asynchronous factory, if the service must be awaited.
    var preparation: Preparation? { maker.preparation }
    var isMade: Bool { false }
    func reset() {}
    var shared: SharedSource? { nil }
    var keeper: SharedSource? { nil }
    var keptError: ServiceBoxError? { nil }

    /// The source as one step of a path.
    var step: ServicePath.Step {
        var traits = ServicePath.Step.Traits()
        if let lifetime, lifetime != .transient { traits.insert(.shared) }
        if lifetime == .eager, preparation == nil { traits.insert(.keepingErrors) }
        return ServicePath.Step(provider: ObjectIdentifier(self), type: serviceType, traits: traits)
    }
}

/// Returns a body's result, or traps with the full explanation of its error.
func orFail<Value>(_ file: StaticString, _ line: UInt, _ body: () throws(ServiceBoxError) -> Value) -> Value {
    do throws(ServiceBoxError) { return try body() } catch {
        fatalError(error.description, file: file, line: line)
    }
}

/// A source that answers every request alike: with an instance, an error, or another provider's service.
final class FixedSource: ServiceSource {
    let serviceType: any Sendable.Type
    let lifetime: Lifetime?
    let keptError: ServiceBoxError?
    private let answer: @Sendable (Asker) throws(ServiceBoxError) -> AnyCell

    init(
        of type: any Sendable.Type, _ lifetime: Lifetime?, keptError: ServiceBoxError? = nil,
        _ answer: @escaping @Sendable (Asker) throws(ServiceBoxError) -> AnyCell
    ) {
        serviceType = type
        self.lifetime = lifetime
        self.keptError = keptError
        self.answer = answer
    }

    /// Makes a source that only throws.
    convenience init(of type: any Sendable.Type, _ lifetime: Lifetime?, failing error: ServiceBoxError) {
        self.init(of: type, lifetime, keptError: error) { _ throws(ServiceBoxError) in throw error }
    }

    /// Creates a source that only throws, if services of a type can't be kept with a lifetime.
    convenience init?(refusing lifetime: Lifetime, of type: any Sendable.Type) {
        let mayBeClass = type is AnyClass || Metadata(type).isExistential
        if lifetime != .weak || mayBeClass { return nil }
        let step = ServicePath.Step(provider: ObjectIdentifier(type), type: type)
        self.init(
            of: type, lifetime, failing: ServiceBoxError(.weakValue(made: nil), path: ServicePath([step])))
    }

    func resolve(for asker: Asker) throws(ServiceBoxError) -> AnyCell { try answer(asker) }
    var isMade: Bool { lifetime == nil && keptError == nil }
}

/// Creates the source of a service.
///
/// - Parameters:
///   - type: The type that the service is created as.
///   - lifetime: When it is created, and how long it is kept.
///   - maker: How it is created.
///   - closure: The object that holds the creating closure, whose type the caller knows.
///   - wrapped: The service that it wraps, if it must be replaced with that.
///   - make: Creates it, as a strong reference of the type.
/// - Returns: The source; an eager service isn't created yet.
func makeSource(
    of type: any Sendable.Type, _ lifetime: Lifetime, _ maker: consuming Maker,
    closure: (any AnyObject & Sendable)? = nil, wrapping wrapped: WrappedService? = nil,
    _ make: @escaping Make
) -> any ServiceSource {
    if lifetime == .transient { return TransientSource(of: type, maker, closure: closure, make) }
    if let refusing = FixedSource(refusing: lifetime, of: type) { return refusing }
    if let wrapped { return WrappingSource(wrapped, of: type, lifetime, maker, make) }
    return SharedSource(of: type, lifetime, maker, make)
}

/// A source that creates a service on every resolve.
@usableFromInline
final class TransientSource: ServiceSource {
    let serviceType: any Sendable.Type
    let maker: Maker
    /// The object that holds the closure, for callers that know its type.
    @usableFromInline let closure: (any AnyObject & Sendable)?
    private let make: Make

    init(
        of type: any Sendable.Type, _ maker: consuming Maker, closure: (any AnyObject & Sendable)? = nil,
        _ make: @escaping Make
    ) {
        serviceType = type
        self.maker = maker
        self.closure = closure
        self.make = make
    }

    var lifetime: Lifetime? { .transient }

    func resolve(for asker: Asker) throws(ServiceBoxError) -> AnyCell {
        guard asker == .early, maker.delegate != nil else {
            return try maker.makeWhole(try begin(), for: asker, make)
        }
        let (step, stack) = (step, ConstructionStack.here)
        // The normal way throws the error.
        guard maker.isPossible(step, on: stack) else { return try resolve(for: .filling) }
        let construction = Construction(step)
        let service = try maker.create(.transient, in: construction, make)
        stack.value.taken.append(construction)
        return service
    }

    /// Begins to create a service.
    @available(*, noasync)
    @inline(__always)
    func begin() throws(ServiceBoxError) -> Making {
        let (step, stack) = (step, ConstructionStack.here)
        if !maker.isPossible(step, on: stack), let objection = maker.objection(to: step, on: stack) {
            if objection.code == .wrongIsolation {
                stack.value.note(maker.isolation.map(Obstacle.isolation))
            }
            throw objection
        }
        return Making(step, on: stack)
    }

    /// Creates a service of a type that the caller knows, without a second phase.
    ///
    /// - Parameter create: Creates it.
    /// - Throws: The error of creating it.
    @usableFromInline
    func make(_ create: () throws -> Void) throws(ServiceBoxError) {
        let making = try begin()
        do { try create() } catch { try maker.fail(making, with: error) }
        try maker.finish(nil, making)
    }
}
