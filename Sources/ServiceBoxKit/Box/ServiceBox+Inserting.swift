// Part of ServiceBox, released under the MIT License.
// How registrations come into a box and leave it, whatever supplies them.

/// Ends a service when its box stops; runs in its own isolation.
public typealias StopAction<Service> = @isolated(any) @Sendable (_ service: Service) async throws -> Void

extension AnyCell {
    /// What ends the services of a type, for those who don't know the type.
    ///
    /// It takes the optional: `map` has the runtime create the types of the closure and of its optional for each type of
    /// service, which costs as much as registering it (measured).
    @usableFromInline
    static func stopping<Service>(by stop: StopAction<Service>?) -> AnyStopAction? {
        guard let stop else { return nil }
        return { if let service = $0.content(as: Service.self) { try await stop(service) } }
    }
}

extension ServiceBox {
    /// Puts a registration in, in the place of an earlier one under its name.
    @discardableResult
    func insert(
        _ name: String, _ supplier: any ServiceSupplier, at location: SourceLocation,
        _ history: ServiceHistory = ServiceHistory(), _ inheritance: (any Inheritance)? = nil,
        fills: Bool = true, stop: AnyStopAction? = nil
    ) -> ServiceRegistration {
        // What few registrations have, if this one has any of it.
        let module = registry.currentModule
        let details =
            fills && module == nil && stop == nil
            ? nil : Registration.Details(module: module, fills: fills, stop: stop)
        // Afterwards the name may be another service's.
        ledger.catchUp()
        let (new, replaced) = registry.insert(name) { number in
            Registration(
                name, supplier, at: location, history, inheritance, details, number: number,
                home: ObjectIdentifier(registry))
        }
        forget(replaced.map { [$0] } ?? [])
        tell(of: new, replacing: replaced)
        // By its own number: what decorates it may be taken back.
        let token = ServiceRegistration(name: name, number: new.place, box: registry.weakBox)
        registry.touch(.init(names: [name], numbers: Set(new.layers.map(\.number))))
        new.makeIfEager()
        noteEnd(of: new)
        arrived(name)
        return token
    }

    /// Tells of a registration that is there now.
    func tell(of new: Registration, replacing old: Registration?) {
        guard let old else { return ledger.tell([ServiceEvent(.registered, about: new)]) }
        let replacement = ledger.noteReplacement(of: old, by: new)
        ledger.tell([ServiceEvent(.replaced, about: new, replacement: replacement)])
    }

    /// Lets those try who wait for what is registered under a name; what a module registers counts when it has ended.
    func arrived(_ name: String?) {
        if registry.currentModule == nil { registry.arrivals.attemptAll(for: name) }
    }

    /// Removes one registration under a name, or the newest; what it had replaced comes back.
    ///
    /// - Returns: Whether it was there.
    @discardableResult
    func remove(_ name: String, number: Int?) -> Bool {
        ledger.catchUp()
        guard let (removed, restored) = registry.remove(name, number: number) else { return false }
        registry.touch(.init(names: [name], removed: Set(removed.layers.map(\.number))))
        forget([removed])
        if let restored {
            offer(restored)
            tell(of: restored, replacing: removed)
            // What was there before has replaced nothing.
            ledger.forget(restored)
        } else if registry.own(name) == nil {
            ledger.noteRemoval(of: removed)
            ledger.tell([ServiceEvent(.removed, about: removed)])
        }
        // What comes back, or an ancestor's that may be seen now.
        arrived(name)
        return true
    }

    /// Puts back what a module has touched that couldn't be added.
    func takeBack(_ touched: RunningModules.Touched, to before: Registry.State) {
        let (changes, old) = registry.restore(touched, to: before)
        for (gone, back) in changes {
            if let gone { forget([gone]) }
            if let back { offer(back) }
            switch (gone, back) {
            case (let gone?, nil): ledger.tell([ServiceEvent(.removed, about: gone)])
            case (let gone, let back?):
                ledger.forget(back)
                ledger.tell([ServiceEvent(gone == nil ? .registered : .replaced, about: back)])
            case (nil, nil): break
            }
        }
        filler.forgetPrograms()
        for name in touched.names { arrived(name) }
        // What goes, goes when no lock is held.
        withExtendedLifetime(old) {}
    }

    /// Has a registration that is there again filled, and offered to properties that wait for it.
    private func offer(_ registration: Registration) {
        filler.forgetPrograms()
        for layer in registration.layers.reversed() { crossFiller.offer(layer, isAnother: true) }
    }

    /// Lets go of what was about registrations that are gone.
    func forget(_ registrations: [Registration]) {
        filler.forgetPrograms()
        if !registrations.isEmpty { crossFiller.forget(registrations.flatMap(\.layers)) }
    }

    /// The name to register a service under, and where that is; traps if it can't be registered.
    func named(
        _ name: String?, _ type: Any.Type, _ fileID: StaticString, _ line: UInt
    ) -> (name: String, location: SourceLocation) {
        let location = SourceLocation(file: fileID, line: line)
        guard let name = name ?? DerivedName.of(type) else {
            location.trap(Message.underivableName(of: type, at: "\(location)"))
        }
        checkSeal(to: "register '\(name)' in", at: location)
        if name.isEmpty { location.trap(Message.emptyName(for: type, at: "\(location)")) }
        if name == Registration.boxName {
            location.trap(Message.reservedName(for: type, at: "\(location)"))
        }
        if Metadata(type).kind == .optional {
            location.trap(Message.optionalService(type, as: name, at: "\(location)"))
        }
        return (name, location)
    }
}
