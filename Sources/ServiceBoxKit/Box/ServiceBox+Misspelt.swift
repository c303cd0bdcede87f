// Part of ServiceBox, released under the MIT License.
// First attempts that the compiler would misunderstand, or refuse without naming the slip.

// An unavailable overload is tried only when nothing else compiles. What would compile and mean something
// else, a deprecated one wins over: it does what was meant.

// MARK: - Registering

extension ServiceBox {
    /// Registers a factory with its service's type in front, which the closure already gives.
    @available(*, deprecated, message: "a key names the service: register(as: \"store\") { _ in … }")
    @discardableResult
    public func register<Service: Sendable>(
        _ type: Service.Type, as key: ServiceKey<Service>? = nil, lifetime: Lifetime = .lazy,
        per scope: ServiceScope = .family, fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @isolated(any) @Sendable (_ box: ServiceBox) throws -> Service
    ) -> ServiceRegistration {
        register(as: key, lifetime: lifetime, per: scope, fileID: fileID, line: line, make)
    }

    /// Registers a factory after its service's name, which belongs after `as:`.
    @available(*, deprecated, message: "a key names the service: register(as: \"store\") { _ in … }")
    @discardableResult
    public func register<Service: Sendable>(
        _ name: String, fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @isolated(any) @Sendable (_ box: ServiceBox) throws -> Service
    ) -> ServiceRegistration {
        register(as: ServiceKey(name), fileID: fileID, line: line, make)
    }

    /// Registers a factory after its service's key, which belongs after `as:`.
    @available(*, deprecated, message: "a key follows its label: register(as: key) { _ in … }")
    @discardableResult
    public func register<Service: Sendable>(
        _ key: ServiceKey<Service>, fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @isolated(any) @Sendable (_ box: ServiceBox) throws -> Service
    ) -> ServiceRegistration {
        register(as: key, fileID: fileID, line: line, make)
    }

    /// A factory with parameters, of services that the box would keep.
    @available(
        *, unavailable, message: "a service made from parameters has no lifetime, no scope and no onStop:"
    )
    @discardableResult
    public func register<Service: Sendable, First, each Rest>(
        as key: ServiceKey<Service>? = nil, lifetime: Lifetime = .transient,
        per scope: ServiceScope = .family, fills: Bool = true, onStop: StopAction<Service>? = nil,
        _ make: @escaping @isolated(any) @Sendable (ServiceBox, First, repeat each Rest) throws -> Service
    ) -> ServiceRegistration {
        neverRuns()
    }
}

extension ServiceBox {
    /// A ready-made service with a lifetime.
    @available(
        *, unavailable, message: "a ready-made service has no lifetime and no scope: register { _ in … }"
    )
    @discardableResult
    @_disfavoredOverload
    public func register<Service: Sendable>(
        _ service: Service, as key: ServiceKey<Service>? = nil, lifetime: Lifetime,
        per scope: ServiceScope = .family
    ) -> ServiceRegistration {
        neverRuns()
    }

    /// A factory object of which the type doesn't say what it makes.
    @available(*, unavailable, message: "say what the factory makes: any ServiceFactory<Store>")
    @discardableResult
    @_disfavoredOverload
    public func register(factory: any ServiceFactory) -> ServiceRegistration { neverRuns() }

    /// A ready-made service with an interface in place of a key.
    @available(
        *, unavailable,
        message: "a key says the type: register(service, as: ServiceKey<any Store>(\"store\"))"
    )
    @discardableResult
    @_disfavoredOverload
    public func register<Service: Sendable>(_ service: Service, as type: Any.Type) -> ServiceRegistration {
        neverRuns()
    }

    /// A ready-made service with a scope.
    @available(
        *, unavailable, message: "a ready-made service has no lifetime and no scope: register { _ in … }"
    )
    @discardableResult
    @_disfavoredOverload
    public func register<Service: Sendable>(
        _ service: Service, as key: ServiceKey<Service>? = nil, per scope: ServiceScope
    ) -> ServiceRegistration {
        neverRuns()
    }
}

// MARK: - Looking up

extension ServiceBox {
    /// A look-up whose type nothing says.
    @available(
        *, unavailable, message: "say the type of the service: let store: Store = try box[\"store\"]"
    )
    @_disfavoredOverload
    public func resolve(_ name: String) throws(ServiceBoxError) -> Any { neverRuns() }

    /// A look-up whose type nothing says.
    @available(*, unavailable, message: "say the type of the service: let store: Store = try box.resolve()")
    @_disfavoredOverload
    public func resolve() throws(ServiceBoxError) -> Any { neverRuns() }

    /// A look-up with parameters whose type nothing says.
    @available(
        *, unavailable,
        message: "say the type of the service: let page: Page = try box.resolve(\"page\", with: 3)"
    )
    @_disfavoredOverload
    public func resolve<First, each Rest>(
        _ name: String, with first: First, _ rest: repeat each Rest
    ) throws(ServiceBoxError) -> Any {
        neverRuns()
    }

    /// A look-up with parameters by type.
    @available(
        *, unavailable,
        message: "parameters belong to a name: let page: Page = try box.resolve(\"page\", with: 3)"
    )
    @_disfavoredOverload
    public func resolve<Service, First, each Rest>(
        _ type: Service.Type = Service.self, with first: First, _ rest: repeat each Rest
    ) throws(ServiceBoxError) -> Service {
        neverRuns()
    }

    /// A look-up whose type nothing says.
    @available(
        *, unavailable, message: "say the type of the service: let store: Store = try box[\"store\"]"
    )
    @_disfavoredOverload
    public subscript(name: String) -> Any { get throws(ServiceBoxError) { neverRuns() } }

    /// A look-up by a name that isn't a literal.
    @available(*, unavailable, message: "a name in a variable is a key: ServiceKey(name)")
    public func resolve<Service>(_ name: String) throws(ServiceBoxError) -> Service { neverRuns() }

    /// A look-up by a name that isn't a literal.
    @available(*, unavailable, message: "a name in a variable is a key: ServiceKey(name)")
    public subscript<Service>(name: String) -> Service { get throws(ServiceBoxError) { neverRuns() } }

    /// A provider whose service's type nothing says.
    @available(
        *, unavailable,
        message: "say the type of the service: box.provider(\"store\" as ServiceKey<Store>)"
    )
    @_disfavoredOverload
    public func provider(_ name: String) throws(ServiceBoxError) -> ServiceProvider<any Sendable> {
        neverRuns()
    }

    /// A preparation whose type nothing says.
    @available(
        *, unavailable,
        message: "say the type of the service: let store: Store = try await box.prepare(\"store\")"
    )
    @_disfavoredOverload
    public func prepare(_ name: String) async throws -> Any { neverRuns() }

    /// A preparation whose type nothing says.
    @available(
        *, unavailable, message: "say the type of the service: let store: Store = try await box.prepare()"
    )
    @_disfavoredOverload
    public func prepare() async throws -> Any { neverRuns() }

    /// A preparation by a name that isn't a literal.
    @available(*, unavailable, message: "a name in a variable is a key: ServiceKey(name)")
    public func prepare<Service>(_ name: String) async throws -> Service { neverRuns() }
}

/// The body of what can't be called.
private func neverRuns() -> Never { preconditionFailure("unavailable") }
