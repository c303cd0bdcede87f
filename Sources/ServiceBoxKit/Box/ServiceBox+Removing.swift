// Part of ServiceBox, released under the MIT License.
// Removing what is registered, and registering for a while.

extension ServiceBox {
    /// Removes the newest service under a name; what it had replaced is back.
    ///
    /// - Parameters:
    ///   - name: The name of a registration; `serviceBox` can't be removed.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Returns: Whether there was one.
    @discardableResult
    public func remove(newest name: String, fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
        checkSeal(to: "remove '\(name)' from", at: SourceLocation(file: fileID, line: line))
        return remove(name, number: nil)
    }

    /// Removes the newest service under a key's name; what it had replaced is back.
    ///
    /// - Parameters:
    ///   - key: The key of a registration.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Returns: Whether there was one.
    @discardableResult
    public func remove<Service>(
        newest key: ServiceKey<Service>, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Bool {
        remove(newest: key.name, fileID: fileID, line: line)
    }

    /// Registers an instance while an operation runs.
    ///
    /// Everybody who uses the box meanwhile is given it; in tests, `withOverrides` of the module `ServiceBoxTesting`
    /// replaces services for one task alone.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - key: The name that properties ask for, and the type to keep the service as; without a key, its type's.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - operation: Runs at once.
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws.
    public func withRegistration<Service: Sendable, Result, Failure: Error>(
        _ service: Service, as key: ServiceKey<Service>? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, operation: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let registration = register(service, as: key, fileID: fileID, line: line)
        defer { registration.remove(fileID: fileID, line: line) }
        return try operation()
    }

    /// Registers an instance while an asynchronous operation runs, in the caller's isolation.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - key: The name that properties ask for, and the type to keep the service as; without a key, its type's.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - operation: Runs at once.
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws.
    public func withRegistration<Service: Sendable, Result, Failure: Error>(
        _ service: Service, as key: ServiceKey<Service>? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, operation: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let registration = register(service, as: key, fileID: fileID, line: line)
        defer { registration.remove(fileID: fileID, line: line) }
        return try await operation()
    }
}
