// Part of ServiceBox, released under the MIT License.
// Putting services into a box, taking them out, and asking what is there.

extension ServiceBox {
    // Without the attribute a factory whose closure declares a parameter's type would be taken for a service.
    /// Registers an instance.
    ///
    /// A later registration under the same name replaces this one for later fills; what was filled keeps what
    /// it has until ``refill(_:)-(String)`` is called. The instance is kept as the key's type, which the
    /// compiler checks:
    ///
    /// ```swift
    /// box.register(Cache())                               // as "cache", after its type
    /// box.register(FileStore() as any Store, as: "store")
    /// ```
    ///
    /// Others may be using the service: nothing of it is read but the references to its slots.
    ///
    /// An empty name, the reserved name `serviceBox`, an optional, or a type without a name of its own where
    /// there is no key, traps with a message. So does a sealed box.
    ///
    /// - Parameters:
    ///   - service: The service: a class instance, an actor or a value.
    ///   - key: The name that properties ask for, and the type to keep the service as. Without a key, the
    ///     service is named after its type: a `URLCache` is `urlCache`.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Complexity: O(1) but for the first time a type is seen.
    @_disfavoredOverload
    public func register<Service: Sendable>(
        _ service: Service, as key: ServiceKey<Service>? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let (name, location) = named(key, fileID, line)
        let history = ServiceHistory()
        let wiring = Wiring.look(at: service, .instance).wiring
        history.remember(wiring)
        let teachings = registry.teachings
        let mayLack = wiring.mayLack(with: registry.taughtLines(of: wiring.owners))
        let supplier = InstanceSupplier(service, isWhole: !mayLack) {
            [weakBox = registry.weakBox] () throws(ServiceBoxError) in
            guard let box = weakBox?.box else {
                throw ServiceBoxError(.boxIsGone(name: name), path: ServicePath([]))
            }
            return try box.crossFiller.complete(name, history, wiring)
        }
        insert(name, supplier, at: location, history)
        // What was taught meanwhile has missed a service that wasn't registered yet.
        if registry.teachings != teachings { supplier.note(isWhole: false) }
    }

    /// Removes the service under a name.
    ///
    /// What was filled with it keeps it. A child removes its own service of that name, and sees its parent's
    /// again.
    ///
    /// - Parameters:
    ///   - name: The name of a registration; `serviceBox` can't be removed.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Returns: Whether there was one.
    @discardableResult
    public func remove(_ name: String, fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
        checkSeal(to: "remove '\(name)' from", at: SourceLocation(file: fileID, line: line))
        ledger.catchUp()
        guard let removed = registry.remove(name) else { return false }
        forget([removed])
        ledger.noteRemoval(of: removed)
        ledger.tell([ServiceEvent(.removed, about: removed)])
        return true
    }

    /// Removes the service under a key's name.
    ///
    /// - Parameters:
    ///   - key: The key of a registration.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Returns: Whether there was one.
    @discardableResult
    public func remove<Service>(
        _ key: ServiceKey<Service>, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Bool {
        remove(key.name, fileID: fileID, line: line)
    }

    /// Removes every service, everything that the box was taught, and all marks.
    ///
    /// The box's own entry stays. What was filled keeps what it has.
    ///
    /// - Parameters:
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func clear(fileID: StaticString = #fileID, line: UInt = #line) {
        checkSeal(to: "clear", at: SourceLocation(file: fileID, line: line))
        let old = registry.clear()
        forget(Array(old.registrations.values) + old.inherited.values.map(\.own))
        ledger.clear()
        // What is gone is released here, when no lock is held: a deinitialiser may use the box.
        withExtendedLifetime(old) { ledger.tell([ServiceEvent(kind: .cleared)]) }
    }

    /// Whether a service is registered under a name, in this box or in an ancestor.
    ///
    /// - Parameter name: The name; `serviceBox` always is.
    /// - Returns: Whether there is one.
    public func isRegistered(_ name: String) -> Bool {
        registry.registration(named: name) != nil
    }

    /// Whether a service is registered under a key's name, in this box or in an ancestor.
    ///
    /// - Parameter key: The key.
    /// - Returns: Whether there is one.
    public func isRegistered<Service>(_ key: ServiceKey<Service>) -> Bool { isRegistered(key.name) }

    /// The names of all services with the types they are registered as, sorted by name.
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
    /// Subclasses are taught too, and services that are registered already are filled by the new lines on the
    /// next use, but for those that a copy shares with its original. Lines add to what the type lists and to
    /// what was taught before; the latest wins a name. A table created on the main actor is used there only. A
    /// table created on another actor can't be taught and traps: let the type conform to ``Injectable`` there.
    ///
    /// - Parameters:
    ///   - type: The class or struct.
    ///   - table: The properties that the box may write.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Complexity: O(*n* log *n*) for *n* registered services.
    public func teach<Subject>(
        _ type: Subject.Type, _ table: InjectionTable, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let location = SourceLocation(file: fileID, line: line)
        checkSeal(to: "teach", at: location)
        for line in table.lines {
            guard let actor = line.injection.isolation, actor !== MainActor.shared else { continue }
            location.trap(Message.foreignActorTable(line.name, of: type, at: "\(location)"))
        }
        let old = registry.teach(type, table.lines)
        withExtendedLifetime(old) { filler.forgetPrograms() }
    }

    /// Puts a registration in, in the place of an earlier one under its name.
    func insert(
        _ name: String, _ supplier: any ServiceSupplier, at location: SourceLocation,
        _ history: ServiceHistory = ServiceHistory(), _ inheritance: Registration.Inheritance? = nil
    ) {
        // Afterwards the name may be another service's.
        ledger.catchUp()
        let (new, replaced) = registry.insert(name) { number in
            Registration(name, supplier, at: location, history, inheritance, number: number, home: registry)
        }
        // What is replaced is released here, when no lock is held: a deinitialiser may use the box.
        withExtendedLifetime(replaced) {
            forget(replaced.map { [$0] } ?? [])
            let replacement = replaced.map { ledger.noteReplacement(of: $0, by: new) }
            let kind = replaced == nil ? ServiceEvent.Kind.registered : .replaced
            ledger.tell([ServiceEvent(kind, about: new, replacement: replacement)])
        }
    }

    /// Lets go of what was about registrations that are gone.
    private func forget(_ registrations: [Registration]) {
        filler.forgetPrograms()
        if !registrations.isEmpty { crossFiller.forget(registrations) }
    }

    /// The name to register a service under, and where that is; traps if it can't be registered.
    func named<Service>(
        _ key: ServiceKey<Service>?, _ fileID: StaticString, _ line: UInt
    ) -> (name: String, location: SourceLocation) {
        let location = SourceLocation(file: fileID, line: line)
        guard let name = (key ?? .derived)?.name else {
            location.trap(Message.underivableName(of: Service.self, at: "\(location)"))
        }
        checkSeal(to: "register '\(name)' in", at: location)
        if name.isEmpty { location.trap(Message.emptyName(for: Service.self, at: "\(location)")) }
        if name == Registration.boxName {
            location.trap(Message.reservedName(for: Service.self, at: "\(location)"))
        }
        if Metadata(Service.self).kind == .optional {
            location.trap(Message.optionalService(Service.self, as: name, at: "\(location)"))
        }
        return (name, location)
    }
}
