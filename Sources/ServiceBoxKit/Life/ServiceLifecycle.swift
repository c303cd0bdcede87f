// Part of ServiceBox, released under the MIT License.
// Services that start and stop with their box.

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
/// ``ServiceBox/start()`` calls ``start()`` when everything that the service needs has started;
/// ``ServiceBox/stop(within:)`` calls ``stop()`` when everything that needs the service has stopped. Both
/// return when their work is done: anything that runs as long as the service, such as the loop of a server,
/// belongs in a task of its own. A type may implement just one of them; in a struct, not as `mutating`, which
/// would be another method, that nobody calls.
public protocol ServiceLifecycle: Sendable {
    /// Starts the service; called by the box, again only after a failed start, in its own isolation, under no
    /// lock.
    ///
    /// - Throws: Anything; the box then stops the started services in reverse, and ``ServiceBox/start()``
    ///   throws.
    func start() async throws

    /// Stops the service; called by the box, again only after another start, in its own isolation, under no
    /// lock.
    ///
    /// It is also called for a service that exists but was never started, say because another one failed to
    /// start; it must do no harm then. It isn't called if the service's own ``start()`` threw.
    ///
    /// - Throws: Anything; the box still stops the others, and reports the error.
    func stop() async throws
}

extension ServiceLifecycle {
    // Not `async`: otherwise asynchronous callers would prefer them to a type's own synchronous ones.
    /// Does nothing.
    public func start() throws {}
    /// Does nothing.
    public func stop() throws {}
}

/// Which types start and stop with their box; cached, since the box of a request checks all it has.
enum LifecycleTypes {
    private static let isNone: UInt = 1
    private static let isOne: UInt = 2

    static func contain(_ type: Any.Type) -> Bool {
        let known = TypeTable.shared[type] & (isNone | isOne)
        if known != 0 { return known == isOne }
        let isLifecycle = CellRequest(type: (any ServiceLifecycle).self).fit(type).isCertain
        TypeTable.shared.update(type) { $0 | (isLifecycle ? isOne : isNone) }
        return isLifecycle
    }
}

extension AnyCell {
    /// Whether the service starts and stops with its box.
    var isLifecycle: Bool { dynamicType.map(LifecycleTypes.contain) ?? false }

    /// The service as a lifecycle, if it is one.
    var lifecycle: (any ServiceLifecycle)? {
        isLifecycle ? subject as? any ServiceLifecycle : nil
    }
}
