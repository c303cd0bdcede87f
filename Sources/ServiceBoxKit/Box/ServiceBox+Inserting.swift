// Part of ServiceBox, released under the MIT License.
// Inserting and removing registrations, whatever supplies them.

/// Stops a service when its box stops; runs in its own isolation.
public typealias StopAction<Service> = @isolated(any) @Sendable (_ service: Service) async throws -> Void

extension AnyCell {
    /// Type-erases a stop action.
    ///
    /// It takes the optional: with `map`, the runtime would create the types of the closure and its optional
    /// for each type of service, which costs as much as registering it (measured).
    @usableFromInline
    static func stopping<Service>(by stop: StopAction<Service>?) -> AnyStopAction? {
        guard let stop else { return nil }
        return { if let service = $0.content(as: Service.self) { try await stop(service) } }
    }
}

extension ServiceBox {
    /// Inserts a registration in place of an earlier one under its name.
    @inline(never)
    func insert(
        _ name: String, _ origin: Registration.Origin, at location: SourceLocation,
        _ history: ServiceHistory? = nil, fills: Bool = true, stop: AnyStopAction? = nil,
        isTemporary: Bool = false
    ) -> Registration {
        // Only if this registration has any of these details.
        let module = registry.currentModule
        let details =
            fills && module == nil && stop == nil
            ? nil : Registration.Details(module: module, fills: fills, stop: stop)
        willChange(name)
        // A ready-made service is older than what is created from now on.
        let place = if case .instance = origin { ledger.latestOrder + 1 } else { 0 }
        let (new, replaced, dropped) = registry.insert(name, isTemporary: isTemporary) { number in
            Registration(
                name, origin, at: location, history, details, number: number,
                home: registry.weakBox, readyMadePlace: place)
        }
        forget(replaced.map { [$0] } ?? [])
        tell(of: new, replacing: replaced)
        if let changes = registry.changes {
            changes.numbers.formUnion(new.layers.map(\.number))
            // It is back if the module throws.
            changes.removed.formUnion(dropped?.layers.map(\.number) ?? [])
        }
        new.makeIfEager()
        noteLifecycle(of: new)
        arrived(name)
        return new
    }

    /// Notes what there is under a name that may belong to another service afterwards.
    @inline(__always)
    func willChange(_ name: String) {
        ledger.catchUp()
        if let changes = registry.willChange([name]) { noteReplacements(of: [name], in: changes) }
    }

    /// Notes what the ledger knows of names, unless a module has changed them already.
    func noteReplacements(of names: some Sequence<String>, in changes: Registry.Changes) {
        for name in names where changes.replacements[name] == nil {
            changes.replacements[name] = ledger.state.withLock { $0.replacements[name] ?? [] }
        }
    }

    /// Tells observers about a new registration.
    func tell(of new: Registration, replacing old: Registration?, isBack: Bool = false) {
        guard let old else { return ledger.tell([ServiceEvent(.registered, about: new)]) }
        let replacement = ledger.noteReplacement(of: old, by: new, isBack: isBack)
        ledger.tell([ServiceEvent(.replaced, about: new, replacement: replacement)])
    }

    /// Tries the waits for a name; a module's registrations count when the module has finished.
    func arrived(_ name: String?) {
        if registry.currentModule == nil { registry.arrivals.attemptAll(for: name) }
    }

    /// Removes registrations under a name, by a change of the registry, and tells about it; traps if the box is sealed.
    ///
    /// - Returns: Whether there were any.
    func remove(
        _ name: String, _ fileID: StaticString, _ line: UInt, by change: () -> Registry.Removal?
    ) -> Bool {
        checkSeal(to: "remove '\(name)' from", isRemoval: true, at: SourceLocation(file: fileID, line: line))
        willChange(name)
        guard let (all, restored, wasShown) = change(), let removed = all.last else { return false }
        registry.changes?.removed.formUnion(all.flatMap(\.layers).map(\.number))
        forget(all)
        ledger.forget(all)
        if let restored {
            // It may wait for services again, and others for it.
            for layer in restored.layers.reversed() { crossFiller.offer(layer, isAnother: true) }
            noteLifecycle(of: restored)
            tell(of: restored, replacing: removed, isBack: true)
        } else if wasShown {
            // Unless another thread has registered the next.
            if registry.own(name) == nil { ledger.noteRemoval(of: removed) }
            ledger.tell([ServiceEvent(.removed, about: removed)])
        }
        // The restored registration, or an ancestor's that is now visible.
        crossFiller.offerShown(name)
        arrived(name)
        return true
    }

    /// Undoes the changes of a module that couldn't be added; the next use offers what is back.
    func takeBack(_ touched: Registry.Changes) {
        ledger.catchUp()
        let (changes, versions, old) = registry.restore(touched)
        let gone = (changes + versions).compactMap(\.gone)
        forget(gone)
        // Audits say nothing of what only this module's services were.
        ledger.forgetTypes(of: gone, filledAfter: touched.generation)
        // What is back may wait for services again, and others for it.
        for back in (changes + versions).compactMap(\.back) {
            for layer in back.layers { crossFiller.offer(layer, isAnother: true) }
            noteLifecycle(of: back)
        }
        ledger.forget(changes.compactMap(\.gone))
        for (name, known) in touched.replacements {
            ledger.bringBack(known, of: name, without: touched.numbers)
        }
        for (gone, back) in changes {
            let kind: ServiceEvent.Kind = back == nil ? .removed : gone == nil ? .registered : .replaced
            if let service = back ?? gone { ledger.tell([ServiceEvent(kind, about: service)]) }
        }
        for name in touched.names {
            crossFiller.offerShown(name)
            arrived(name)
        }
        // The old state is released while no lock is held.
        withExtendedLifetime(old) {}
    }

    /// Drops everything about removed registrations.
    func forget(_ registrations: [Registration]) {
        filler.forgetPrograms()
        if !registrations.isEmpty { crossFiller.forget(registrations.flatMap(\.layers)) }
    }

    /// The name and location of a registration; traps if the service can't be registered.
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
