// Part of ServiceBox, released under the MIT License.
// Looking up services that must be awaited.

extension ServiceBox {
    /// Looks up a service by its key, and awaits whatever is needed to create it.
    ///
    /// ```swift
    /// let cache: Cache = try await box.prepare("cache")
    /// ```
    ///
    /// However many tasks wait, a service is created once. They suspend while an asynchronous factory runs; for a
    /// synchronous one that runs elsewhere they block their threads, as `resolve` does. If the
    /// service, or one that it can't do without, is isolated to an actor, it is created there. If it needs
    /// services that must be awaited, they are awaited first, except transient ones, which only a `prepare` of
    /// their own creates; a synchronous factory that meets one that isn't ready runs again when that is.
    /// Services may take each other through properties, even in a circle; if their factories belong to different
    /// actors, one has to be `async`. Factories that await each other in a circle are an error.
    ///
    /// - Parameter key: The name of the service, and the type that it has to fit; an optional type asks for
    ///   the type that it wraps.
    /// - Returns: The service, created if necessary.
    /// - Throws: ``ServiceBoxError`` as ``resolve(_:)-(ServiceKey<Service>)`` does; with the code
    ///   ``ServiceBoxError/Code/cycle`` also where factories wait for each other, with
    ///   ``ServiceBoxError/Code/startFailed`` if the box has started and the service can't, and with
    ///   ``ServiceBoxError/Code/stopped`` also if the box stops meanwhile. `CancellationError` if the current
    ///   task is cancelled while it waits, which doesn't affect other waiting tasks.
    /// - Complexity: O(1) besides creating; O(*n*) for *n* services of the box if it starts a ready-made one.
    @discardableResult
    public nonisolated(nonsending) func prepare<Service>(_ key: ServiceKey<Service>) async throws -> Service {
        let query = ServiceQuery(request: CellRequest(type: Service.self))
        return try await prepare(Service.self, from: try registration(named: key.name, for: query))
    }

    /// Looks up a service by its type alone, and awaits whatever is needed to create it.
    ///
    /// Like ``prepare(_:)-(ServiceKey<Service>)``, with the rules of ``resolve(_:)-(Service.Type)``.
    ///
    /// - Parameter type: The type that the service has to fit; an optional type asks for the type that it
    ///   wraps.
    /// - Returns: The service, created if necessary.
    /// - Throws: ``ServiceBoxError`` and `CancellationError`, as for a key; with the code
    ///   ``ServiceBoxError/Code/ambiguous`` if several services fit.
    @discardableResult
    public nonisolated(nonsending) func prepare<Service>(_ type: Service.Type = Service.self) async throws
        -> Service
    {
        try await prepare(type, from: try registration(fitting: type))
    }

    private nonisolated(nonsending) func prepare<Service>(_ type: Service.Type, from found: Registration)
        async throws -> Service
    {
        let query = ServiceQuery(request: CellRequest(type: type))
        // A provider is there without its service, and the box already.
        if found.isBox || found.isProvider(wantedBy: query.request) { return try resolve(type, from: found) }
        if found.fit(query.request).isPossible {
            await fillOnMainActor()
            // So that the creation is cancelled when an ancestor stops, unless that is already stopping.
            _ = enrol()
            let home = box(filling: found)
            let wasStopping = home.isFamilyStopping
            var isGone: Bool { registry.registration(named: found.name)?.isStopped == true }
            do {
                if let cell = try await found.prepare(),
                    let cell = query.request.makeCell(from: cell)
                {
                    // What was created elsewhere may have a table of the main actor.
                    await fillOnMainActor()
                    // A service that became ready despite cancellation ends with its box; a transient one
                    // doesn't.
                    let isLate = home.isFamilyStopping && (!wasStopping || isGone)
                    if isLate, found.lifetime != .transient { throw CancellationError() }
                    try await startLate(found)
                    return unsafe cell.value(as: Service.self)
                }
            } catch {
                // Its box is stopping and has cancelled the creation.
                if isGone || home.isFamilyStopping && !Task.isCancelled && isCancellation(error) {
                    _ = try found.stopped(by: home.name).cell()
                }
                throw (error as? ServiceBoxError).map(registry.seen) ?? error
            }
        }
        throw mismatch(found, query)
    }

    /// Whether the box or an ancestor, which stops it first, is stopping.
    private var isFamilyStopping: Bool { sequence(first: self, next: \.parent).contains(where: \.isStopping) }
}

/// Whether an error is a cancellation, or was caused by one.
private func isCancellation(_ error: any Error) -> Bool {
    guard let error = error as? ServiceBoxError else { return error is CancellationError }
    return error.underlying.map(isCancellation) ?? false
}
