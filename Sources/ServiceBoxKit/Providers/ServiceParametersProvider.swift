// Part of ServiceBox, released under the MIT License.
// The provider of services that are created from parameters.

/// Creates a service from parameters, a new one on every resolve.
///
/// ```swift
/// let greeting = ServiceParametersProvider { (name: String) in "Hello, \(name)" }
/// let forAda = greeting.bound(to: "Ada")       // an ordinary provider
/// print(try greeting.resolve("Grace"), try forAda.resolve())
/// ```
///
/// Thread-safe, and usable in any isolation. Its factory runs on the calling thread, under no lock. A factory
/// may resolve its own provider with other parameters. Nesting more than 64 deep counts as endless recursion
/// and throws the code ``ServiceBoxError/Code/cycle``.
public final class ServiceParametersProvider<Service: Sendable, Parameters>: Sendable {
    private let maker: Maker
    private let make: @Sendable (Parameters) throws -> AnyCell

    init(_ maker: Maker, _ make: @escaping @Sendable (Parameters) throws -> AnyCell) {
        self.maker = maker
        self.make = make
    }

    /// Creates a provider from a factory.
    ///
    /// - Parameter factory: Creates the services.
    public convenience init(_ factory: some ServiceParametersFactory<Service, Parameters>) {
        self.init(Maker()) { AnyCell.holding(try factory.makeService($0)) }
    }

    /// Creates a provider from a closure.
    ///
    /// - Parameter make: Creates a service on the calling thread, or on its actor: if the closure is isolated
    ///   to a global actor, resolving elsewhere throws.
    public convenience init(_ make: @escaping @isolated(any) @Sendable (Parameters) throws -> Service) {
        // As in ServiceProvider.
        let run = unsafe unsafeBitCast(make, to: (@Sendable (Parameters) throws -> Service).self)
        self.init(Maker(isolation: make.isolation)) { AnyCell.holding(try run($0)) }
    }

    /// Creates a service.
    ///
    /// - Parameter parameters: What it is created from.
    /// - Returns: A new service.
    /// - Throws: ``ServiceBoxError`` with the path from this service to the one that failed, and the code
    ///   ``ServiceBoxError/Code/factoryFailed``, ``ServiceBoxError/Code/cycle``,
    ///   ``ServiceBoxError/Code/tooDeep`` or ``ServiceBoxError/Code/wrongIsolation``; if it is a box's, also
    ///   ``ServiceBoxError/Code/incomplete``, ``ServiceBoxError/Code/boxIsGone``, and what a look-up in its
    ///   factory has thrown.
    /// - Complexity: O(*n*) more than its factory, where *n* is the number of factories that run on this
    ///   thread.
    public func resolve(_ parameters: Parameters) throws(ServiceBoxError) -> Service {
        try unsafe resolve(parameters, for: .code).value(as: Service.self)
    }

    private func resolve(_ parameters: Parameters, for asker: Asker) throws(ServiceBoxError) -> AnyCell {
        let step = ServicePath.Step(
            provider: ObjectIdentifier(self), type: Service.self, traits: .fromParameters)
        let stack = ConstructionStack.here
        guard stack.value.count(of: step) < recursionLimit else {
            throw ServiceBoxError(.endlessRecursion(limit: recursionLimit), path: ServicePath([step]))
        }
        if let refusal = maker.refusal(step, on: stack) { throw refusal }
        return try maker.makeWhole(Making(step, on: stack), for: asker) { try make(parameters) }
    }

    /// Creates a service, or traps with the full explanation.
    ///
    /// - Parameters:
    ///   - parameters: What it is created from.
    ///   - fileID: The file that the message names.
    ///   - line: The line that the message names.
    /// - Returns: A new service.
    public func resolveOrFail(
        _ parameters: Parameters, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Service {
        orFail(fileID, line) { () throws(ServiceBoxError) in try resolve(parameters) }
    }
}

extension ServiceParametersProvider {
    /// Creates a service from several parameters, for a factory that takes them, or a tuple of them.
    ///
    /// - Parameters:
    ///   - first: The first parameter.
    ///   - second: The second one.
    ///   - rest: The others.
    /// - Returns: A new service.
    /// - Throws: ``ServiceBoxError`` as ``resolve(_:)`` does.
    public func resolve<First, Second, each Rest>(
        _ first: First, _ second: Second, _ rest: repeat each Rest
    ) throws(ServiceBoxError) -> Service where Parameters == (First, Second, repeat each Rest) {
        try resolve((first, second, repeat each rest))
    }
}

extension ServiceParametersProvider where Parameters: Sendable {
    /// Returns a provider that creates every service from the same parameters.
    ///
    /// This provider stays as it is.
    ///
    /// - Parameter parameters: What every service is created from.
    /// - Returns: A new provider, whose services are transient.
    public func bound(to parameters: Parameters) -> ServiceProvider<Service> {
        ServiceProvider(
            FixedSource(of: Service.self, .transient) { asker throws(ServiceBoxError) in
                try self.resolve(parameters, for: asker)
            })
    }
}

/// How deeply constructions of one provider with parameters may be nested.
private let recursionLimit = 64
