// Part of ServiceBox, released under the MIT License.
// Services that have something to do when a box starts and stops.

/// A service that starts and stops with its box.
///
/// ```swift
/// actor Heartbeat: ServiceLifecycle {
///     private var task: Task<Void, Never>?
///
///     func start() {
///         task = Task { while !Task.isCancelled { try? await Task.sleep(for: .seconds(1)) } }
///     }
///     func stop() { task?.cancel() }
/// }
///
/// box.register(Heartbeat())
/// try await box.start()
/// ```
///
/// ``ServiceBox/start()`` calls ``start()`` when all has started that the service needs; ``ServiceBox/stop(within:)`` calls
/// ``stop()`` when all has stopped that needs the service. Both return when that is done: what runs as long as the
/// service, such as the loop of a server, belongs in a task of its own. A type may have one of the two alone.
public protocol ServiceLifecycle: Sendable {
    /// Starts the service; called once by the box, in its own isolation, under no lock.
    ///
    /// - Throws: Anything; then the box stops what has started, in reverse, and ``ServiceBox/start()`` throws.
    func start() async throws

    /// Stops the service; called once by the box, in its own isolation, under no lock.
    ///
    /// - Throws: Anything; the box stops the others all the same, and hands out the error.
    func stop() async throws
}

extension ServiceLifecycle {
    // Not `async`: an asynchronous caller would prefer them to a type's own that aren't.
    /// Does nothing.
    public func start() throws {}
    /// Does nothing.
    public func stop() throws {}
}

/// Which types start and stop with their box; each is looked for once, since the box of a request asks for all it has.
enum LifecycleTypes {
    private static let known = Guarded(AddressTable<Bool>())

    static func contain(_ type: Any.Type) -> Bool {
        let address = Metadata(type).address
        if let known = known.withLock({ $0[address] }) { return known }
        let isLifecycle = CellRequest(type: (any ServiceLifecycle).self).fit(type).isCertain
        known.withLock { _ = $0.updateValue(isLifecycle, at: address) }
        return isLifecycle
    }
}

extension AnyCell {
    /// Whether the service starts and stops with its box.
    var isLifecycle: Bool { dynamicType.map(LifecycleTypes.contain) ?? false }

    /// The service, if it does.
    var lifecycle: (any ServiceLifecycle)? {
        isLifecycle ? subject as? any ServiceLifecycle : nil
    }
}
