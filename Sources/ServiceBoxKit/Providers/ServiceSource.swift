// Part of ServiceBox, released under the MIT License.
// What a provider gets its service from, without state.

/// What stands behind a provider: one type for each way to come by a service.
///
/// Sources don't know the types of their services, since code that depends on a type takes look-ups in the runtime for
/// each step, and room in memory for each service (measured: half of what a transient service cost).
protocol ServiceSource: AnyObject, Sendable {
    /// The type of the service.
    var serviceType: any Sendable.Type { get }
    /// The service, held as what it was created as, and as complete as whoever asks needs it.
    func resolve(for asker: Asker) throws(ServiceBoxError) -> AnyCell
    /// The service, complete, wherever it is created; awaits what must be awaited for it.
    nonisolated(nonsending) func prepare() async throws -> AnyCell
    /// Creates the service if it is eager; what its factory throws is kept.
    func makeIfEager()
    var isMade: Bool { get }
    /// Whether it has handed anything out that isn't kept here.
    var wasSupplied: Bool { get }
    /// What the service is made of, if that must be awaited.
    var preparation: Preparation? { get }
    func reset()
    /// Where the service lies once it is created, if it is shared.
    var shared: SharedSource? { get }
    /// The same, up to date, but not to be read by others than the source: what is there, and what is made of it.
    var keeper: SharedSource? { get }
    /// When the service is created and how long it is kept; nil for a ready-made one.
    var lifetime: Lifetime? { get }
    /// The error that every ask gets until something changes, if there is one.
    var keptError: ServiceBoxError? { get }
}

extension ServiceSource {
    func resolve() throws(ServiceBoxError) -> AnyCell { try resolve(for: .code) }
    nonisolated(nonsending) func prepare() async throws -> AnyCell { try resolve() }
    func makeIfEager() {}
    var preparation: Preparation? { nil }
    var isMade: Bool { false }
    var wasSupplied: Bool { false }
    func reset() {}
    var shared: SharedSource? { nil }
    var keeper: SharedSource? { nil }
    var keptError: ServiceBoxError? { nil }

    /// The source as one step of a path.
    var step: ServicePath.Step {
        let isShared = lifetime.map { $0 != .transient } ?? false
        return ServicePath.Step(
            provider: ObjectIdentifier(self), type: serviceType, isShared: isShared,
            keepsErrors: lifetime == .eager && preparation == nil)
    }
}

/// What a body returns; traps with the whole explanation where it throws.
func orFail<Value>(_ file: StaticString, _ line: UInt, _ body: () throws(ServiceBoxError) -> Value) -> Value {
    do throws(ServiceBoxError) { return try body() } catch {
        fatalError(error.description, file: file, line: line)
    }
}

/// A source that answers all asks alike: with an instance, with a refusal, or by asking another provider.
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

    /// Makes a source that only throws, if services of a type can't be kept as a lifetime asks for.
    convenience init?(refusing lifetime: Lifetime, of type: any Sendable.Type) {
        guard lifetime == .weak else { return nil }
        let mayBeClass = type is AnyClass || TypeName.isProtocol(type)
        guard Metadata(type).kind == .optional || !mayBeClass else { return nil }
        let step = ServicePath.Step(provider: ObjectIdentifier(type), type: type)
        self.init(
            of: type, lifetime, failing: ServiceBoxError(.weakValue(made: nil), path: ServicePath([step])))
    }

    func resolve(for asker: Asker) throws(ServiceBoxError) -> AnyCell { try answer(asker) }
    var isMade: Bool { lifetime == nil }
}

/// Makes the source of a service.
///
/// - Parameters:
///   - type: The type that the service is created as.
///   - lifetime: When it is created, and how long it is kept.
///   - maker: How it is made.
///   - closure: An object with the closure that creates it, whose type its caller knows.
///   - wrapped: What it is made of, if it is replaced with that.
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

/// A source that creates a service for each ask.
@usableFromInline
final class TransientSource: ServiceSource {
    let serviceType: any Sendable.Type
    let maker: Maker
    /// What has the closure, for those who know its type.
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
    var preparation: Preparation? { maker.preparation }

    func resolve(for asker: Asker) throws(ServiceBoxError) -> AnyCell {
        guard asker == .early, maker.delegate != nil else {
            return try maker.makeWhole(try begin(), for: asker, make)
        }
        let (step, stack) = (step, ConstructionStack.current)
        // What is refused, is refused there.
        guard maker.isPossible(step, on: stack) else { return try resolve(for: .filling) }
        let construction = Construction(step)
        let service = try maker.create(.transient, in: construction, make)
        stack.pointee.taken.append(construction)
        return service
    }

    /// Begins to make a service.
    @inline(__always)
    func begin() throws(ServiceBoxError) -> Making {
        let (step, stack) = (step, ConstructionStack.current)
        if !maker.isPossible(step, on: stack), let objection = maker.objection(to: step, on: stack) {
            if objection.code == .wrongIsolation {
                stack.pointee.note(maker.isolation.map(Obstacle.isolation))
            }
            throw objection
        }
        return Making(step, on: stack)
    }

    /// Makes a service of which the caller knows the type, and that has no second phase.
    ///
    /// - Parameter create: Creates it.
    /// - Throws: What creating it threw.
    @usableFromInline
    func make(_ create: () throws -> Void) throws(ServiceBoxError) {
        let making = try begin()
        do { try create() } catch { throw maker.failure(error, of: making) }
        try maker.finish(nil, making)
    }
}
