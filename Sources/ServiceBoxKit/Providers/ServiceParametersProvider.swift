// Part of ServiceBox, released under the MIT License.
// What makes a service from parameters.

/// Makes a service from parameters, a new one for each ask.
///
/// ```swift
/// let greeting = ServiceParametersProvider { (name: String) in "Hello, \(name)" }
/// let forAda = greeting.bound(to: "Ada")       // an ordinary provider
/// print(try greeting.resolve("Grace"), try forAda.resolve())
/// ```
///
/// A provider may be used from any thread and any isolation; its factory runs on the thread that asks, under
/// no lock. A factory may ask its own provider for a part with other parameters. If that goes deeper than 64
/// makings, it is taken for endless and refused with the code ``ServiceBoxError/Code/cycle``.
public final class ServiceParametersProvider<Service: Sendable, Parameters>: Sendable {
    private let maker: Maker<Service, Parameters>

    init(_ maker: Maker<Service, Parameters>) {
        self.maker = maker
    }

    /// Makes a provider from a factory.
    ///
    /// - Parameter factory: Makes the services.
    public convenience init(_ factory: some ServiceParametersFactory<Service, Parameters>) {
        self.init(Maker { try factory.makeService($0) })
    }

    /// Makes a provider from a closure.
    ///
    /// - Parameter make: Creates a service on whatever thread asks, or on its actor: if the closure belongs to
    ///   a global actor, resolving elsewhere throws.
    public convenience init(_ make: @escaping @isolated(any) @Sendable (Parameters) throws -> Service) {
        self.init(Maker(make))
    }

    /// Makes a provider in two phases.
    ///
    /// - Parameters:
    ///   - make: Makes a service.
    ///   - finish: Finishes the service before it is handed out. If it throws, the making has failed.
    convenience init(
        make: @escaping @Sendable (Parameters) throws -> Service,
        finish: @escaping @Sendable (Service) throws -> Void
    ) {
        self.init(
            Maker(
                finish: { service in
                    try finish(service)
                    return nil
                }, make: make))
    }

    /// Makes a service.
    ///
    /// - Parameter parameters: What it is made from.
    /// - Returns: A new service.
    /// - Throws: ``ServiceBoxError`` with the path from this service to the one that failed, and the code
    ///   ``ServiceBoxError/Code/factoryFailed``, ``ServiceBoxError/Code/cycle``,
    ///   ``ServiceBoxError/Code/tooDeep`` or ``ServiceBoxError/Code/wrongIsolation``.
    /// - Complexity: O(*n*) more than its factory, where *n* is the number of makings that run on this
    ///   thread.
    public func resolve(_ parameters: Parameters) throws(ServiceBoxError) -> Service {
        let step = ServicePath.Step(provider: ObjectIdentifier(self), type: Service.self)
        let stack = CurrentThread.stack
        guard stack.pointee.count(of: step) < recursionLimit else {
            throw ServiceBoxError(.endlessRecursion(limit: recursionLimit), path: ServicePath([step]))
        }
        if let refusal = maker.refusal(step, on: stack) { throw refusal }
        return try maker.makeWhole(parameters, step, of: self, on: stack)
    }

    /// Makes a service, or stops the program with the whole explanation.
    ///
    /// - Parameters:
    ///   - parameters: What it is made from.
    ///   - file: The file that the message names.
    ///   - line: The line that the message names.
    /// - Returns: A new service.
    public func resolveOrFail(
        _ parameters: Parameters, file: StaticString = #fileID, line: UInt = #line
    ) -> Service {
        do {
            return try resolve(parameters)
        } catch {
            fatalError(error.description, file: file, line: line)
        }
    }
}

extension ServiceParametersProvider: FinishingSource {
    func finish(_ service: Service) throws(ServiceBoxError) -> Announcement? { nil }

    func end(_ making: Making<Service>, _ error: ServiceBoxError?) {}
}

extension ServiceParametersProvider where Parameters: Sendable {
    /// Makes a provider that makes every service from the same parameters.
    ///
    /// This provider stays as it is.
    ///
    /// - Parameter parameters: What every service is made from.
    /// - Returns: A new provider, whose services are transient.
    public func bound(to parameters: Parameters) -> ServiceProvider<Service> {
        ServiceProvider(BoundSource(self, parameters))
    }
}

/// How many makings of one provider with parameters may be nested in each other.
private let recursionLimit = 64

/// A source that makes each service from the same parameters.
private final class BoundSource<Service: Sendable, Parameters: Sendable>: ServiceSource {
    private let provider: ServiceParametersProvider<Service, Parameters>
    private let parameters: Parameters

    init(_ provider: ServiceParametersProvider<Service, Parameters>, _ parameters: Parameters) {
        self.provider = provider
        self.parameters = parameters
    }

    func resolve() throws(ServiceBoxError) -> Service { try provider.resolve(parameters) }
    var lifetime: Lifetime? { .transient }
    var isMade: Bool { false }
    func reset() {}
    var keptError: ServiceBoxError? { nil }
}
