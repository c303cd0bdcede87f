// Part of ServiceBox, released under the MIT License.
// Registering, removing and listing services.

extension ServiceBox {
    // Without the attribute, a factory closure that declares its parameter's type would be taken for a
    // service.
    /// Registers an instance.
    ///
    /// A later registration under the same name replaces this one for later fills; filled properties
    /// keep this service until ``refill(_:)-(String)`` is called. The latest sixteen replaced
    /// registrations under a name are kept, and come back when their replacement is removed by its
    /// token or by ``remove(newest:fileID:line:)-(String,_,_)``; to release them, call
    /// ``remove(_:fileID:line:)-(String,_,_)`` before registering. One that has to be stopped is kept
    /// until the box stops. The instance is kept as the key's type, which the compiler checks:
    ///
    /// ```swift
    /// box.register(Cache())                               // as "cache", after its type
    /// box.register(FileStore() as any Store, as: "store")
    /// ```
    ///
    /// Others may be using the service: only the references to its slots are read.
    ///
    /// An empty name, the reserved name `serviceBox`, an optional, a type without a name of its own if there
    /// is no key, or a name whose decoration wraps another type, traps with a message. So does a sealed box.
    ///
    /// - Parameters:
    ///   - service: The service: a class instance, an actor or a value.
    ///   - key: The name that properties ask for, and the type to keep the service as. Without a key, the
    ///     service is named after its type: a `URLCache` is `urlCache`.
    ///   - fills: Whether the box fills the service's own properties; otherwise they are left alone.
    ///   - onStop: Ends the service when the box is stopped, see ``stop(within:)``; it never runs for a service
    ///     registered after that.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Returns: A token that removes the registration; releasing it removes nothing.
    /// - Complexity: O(1) except for the first time a type is seen.
    @inlinable
    @_disfavoredOverload
    @discardableResult
    public func register<Service: Sendable>(
        _ service: Service, as key: ServiceKey<Service>? = nil, fills: Bool = true,
        onStop: StopAction<Service>? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ServiceRegistration {
        // The cell is created here, where the type is known: elsewhere the runtime would have to look it up
        // for each service.
        register(
            AnyCell.holding(service), of: Service.self, as: key?.name, fills,
            AnyCell.stopping(by: onStop), fileID, line)
    }

    @usableFromInline
    func register(
        _ cell: AnyCell, of type: any Sendable.Type, as name: String?, _ fills: Bool,
        _ stop: AnyStopAction?, _ fileID: StaticString, _ line: UInt, isTemporary: Bool = false
    ) -> ServiceRegistration {
        let (name, location) = named(name, type, fileID, line)
        let teachings = registry.teachings
        // Most services have nothing to fill.
        let isBare = cell.dynamicType.map { PlanStore.isBare($0) && !registry.isTaught($0) } ?? false
        let wiring =
            !fills || isBare ? nil : cell.subject.map { Wiring.look(at: $0) { .strong($0) }.wiring }
        if let wiring { crossFiller.noteKept(wiring, as: name) }
        var origin = Registration.Origin.instance(cell, of: type)
        let history = wiring.map { wiring in
            let history = ServiceHistory(wiring: wiring)
            if wiring.mayLack(in: registry) {
                origin = .supplier(
                    InstanceSupplier(
                        cell, of: type, as: name, history, in: registry.weakBox, isWhole: false))
            }
            return history
        }
        let new = insert(
            name, origin, at: location, history, fills: fills, stop: stop, isTemporary: isTemporary)
        // A table taught meanwhile didn't reach this service, which wasn't registered yet.
        if fills, registry.teachings != teachings { new.innermost.note(isWhole: false) }
        return ServiceRegistration(new)
    }

    /// Removes the service under a name, and all that it replaced.
    ///
    /// Properties filled with it keep it, and so does a child that has used it until its next look-up, fill or
    /// registration; its own service of a `per: .box` name, which nobody gets any more, until it stops or has many
    /// of them. A child removes its own service of that name, and sees its parent's again. A sealed box traps with a
    /// message.
    ///
    /// - Parameters:
    ///   - name: The name of a registration; `serviceBox` can't be removed.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Returns: Whether a service was removed.
    @discardableResult
    public func remove(_ name: String, fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
        remove(name, fileID, line) { registry.remove(name) }
    }

    /// Removes the service under a key's name.
    ///
    /// - Parameters:
    ///   - key: The key of a registration.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Returns: Whether a service was removed.
    @discardableResult
    public func remove<Service>(
        _ key: ServiceKey<Service>, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Bool {
        remove(key.name, fileID: fileID, line: line)
    }

    /// Removes every service and decoration, every taught table, and all marks and preferences.
    ///
    /// The box's own entry stays. Filled properties keep what they have, and so do children that have used it until
    /// their next look-up, fill or registration. Modules may be added again. A sealed box traps with a message.
    ///
    /// - Parameters:
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func clear(fileID: StaticString = #fileID, line: UInt = #line) {
        checkSeal(to: "clear", isRemoval: true, at: SourceLocation(file: fileID, line: line))
        let old = registry.clear()
        let stacks = old.registrations.elements + old.replaced.values.flatMap(\.self)
        if let changes = registry.changes {
            let services = old.registrations.elements + old.refused
            let names = services.map(\.name) + old.inherited.elements.map(\.name)
            changes.note(
                names + old.decorations.keys + old.liveNames,
                Array(old.taughtLines.keys) + old.preferences.keys, seal: false, in: old)
            changes.removed.formUnion(stacks.flatMap(\.layers).map(\.number))
            changes.isCleared = true
            noteReplacements(of: changes.names, in: changes)
        }
        registry.modules.forget(in: ObjectIdentifier(registry))
        forget(stacks + (old.inherited.elements + old.outdated.values.flatMap(\.self)).map(\.own))
        ledger.clear()
        // The old state is released here, while no lock is held: a deinitialiser may use the box.
        withExtendedLifetime(old) { ledger.tell([ServiceEvent(kind: .cleared)]) }
        arrived(nil)
    }

    /// Whether a service is registered under a name, in this box or in an ancestor.
    ///
    /// - Parameter name: The name; `serviceBox` always is.
    /// - Returns: Whether one is registered.
    public func isRegistered(_ name: String) -> Bool {
        registry.registration(named: name) != nil
    }

    /// Whether a service is registered under a key's name, in this box or in an ancestor.
    ///
    /// - Parameter key: The key.
    /// - Returns: Whether one is registered.
    public func isRegistered<Service>(_ key: ServiceKey<Service>) -> Bool { isRegistered(key.name) }

    /// The names of all services with their registered types, sorted by name.
    ///
    /// The box's own entry is among them.
    ///
    /// - Complexity: O(*n* log *n*) for *n* services.
    public var registrations: [(name: String, type: Any.Type)] {
        registry.sorted.map { (name: $0.name, type: $0.serviceType) }
    }

    /// Teaches the box to write plain properties of a type that you don't own.
    ///
    /// ```swift
    /// box.teach(ThirdPartyPlayer.self, ["logger": .keyPath(\ThirdPartyPlayer.logger)])
    /// ```
    ///
    /// Subclasses are taught too, and the new lines fill services that are registered already on the next
    /// use, except those that a copy shares with its original. Lines add to those that the type lists and to
    /// earlier taught ones; for each name, a taught one wins over a listed one, a box's over its parent's, then a
    /// subclass's, then the latest. A table created on the main actor is used only there. A table created on
    /// another actor can't be taught and traps: let the type conform to ``Injectable`` there. These trap too: a
    /// type that isn't a class, an actor or a struct, and a sealed box.
    ///
    /// - Parameters:
    ///   - type: The class, actor or struct.
    ///   - table: The properties that the box may write.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Complexity: O(*n* log *n*) for *n* registered services.
    public func teach<Subject>(
        _ type: Subject.Type, _ table: InjectionTable, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let location = SourceLocation(file: fileID, line: line)
        checkSeal(to: "teach", at: location)
        if case .unfillable(let word) = TypePlan.Shape(of: type) {
            location.trap(Message.unteachable(type, word, at: "\(location)"))
        }
        for line in table.lines where line.injection.isForOtherActor {
            location.trap(Message.foreignActorTable(line.name, of: type, at: "\(location)"))
        }
        registry.willChange([], types: [type])
        _ = registry.teach(type, table.lines)
    }
}

// MARK: - Removing, and registering temporarily

extension ServiceBox {
    /// Removes the newest service under a name, and restores the one that it replaced.
    ///
    /// A sealed box traps with a message.
    ///
    /// - Parameters:
    ///   - name: The name of a registration; `serviceBox` can't be removed.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Returns: Whether a service was removed.
    @discardableResult
    public func remove(newest name: String, fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
        remove(name, fileID, line) { registry.remove(name, number: nil) }
    }

    /// Removes the newest service under a key's name, and restores the one that it replaced.
    ///
    /// - Parameters:
    ///   - key: The key of a registration.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Returns: Whether a service was removed.
    @discardableResult
    public func remove<Service>(
        newest key: ServiceKey<Service>, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Bool {
        remove(newest: key.name, fileID: fileID, line: line)
    }

    /// Registers an instance while an operation runs.
    ///
    /// All users of the box get it meanwhile; in tests, `withOverrides` of the module `ServiceBoxTesting`
    /// replaces services for one task alone. It traps in the same cases as registering, and if the operation
    /// seals the box.
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
        let registration = registerTemporarily(service, as: key, fileID, line)
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
    public nonisolated(nonsending) func withRegistration<Service: Sendable, Result, Failure: Error>(
        _ service: Service, as key: ServiceKey<Service>? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, operation: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let registration = registerTemporarily(service, as: key, fileID, line)
        defer { registration.remove(fileID: fileID, line: line) }
        return try await operation()
    }

    private func registerTemporarily<Service: Sendable>(
        _ service: Service, as key: ServiceKey<Service>?, _ fileID: StaticString, _ line: UInt
    ) -> ServiceRegistration {
        register(
            AnyCell.holding(service), of: Service.self, as: key?.name, true, nil, fileID, line,
            isTemporary: true)
    }
}
