// Part of ServiceBox, released under the MIT License.
// Putting services into a box, taking them out, and asking what is there.

import Synchronization

extension ServiceBox {
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
    // Without the attribute a factory whose closure declares a parameter's type would be taken for a service.
    @_disfavoredOverload
    public func register<Service: Sendable>(
        _ service: Service, as key: ServiceKey<Service>? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let place = Place(file: fileID, line: line)
        let name = name(of: key, at: place)
        let wiring = Wiring(of: service, isKept: true)
        insert { InstanceRegistration(service, name: name, number: $0, place: place, wiring: wiring) }
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
        checkSeal(to: "remove '\(name)' from", at: Place(file: fileID, line: line))
        let removed = state.withLock { state in
            guard let removed = state.registrations.removeValue(forKey: name) else { return Dropped() }
            changeCrossFill(in: &state) { $0.forget(removed) }
            state.liveNames.remove(name)
            state.replacements[name] = nil
            reorderings.add(1, ordering: .releasing)
            return Dropped(programs: outdate(&state), registrations: [removed])
        }
        for registration in removed.registrations { tell([.about(registration, .removed)]) }
        // What is dropped goes here, outside the lock: a deinitialiser may use the box.
        return !removed.registrations.isEmpty
    }

    /// Removes every service, everything that the box was taught, and all marks.
    ///
    /// The box's own entry stays. What was filled keeps what it has.
    ///
    /// - Parameters:
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func clear(fileID: StaticString = #fileID, line: UInt = #line) {
        checkSeal(to: "clear", at: Place(file: fileID, line: line))
        let dropped = state.withLock { state in
            let dropped = Dropped(
                programs: outdate(&state), registrations: Array(state.registrations.values),
                inherited: state.inherited.values.map(\.own), crossFill: state.crossFill,
                taughtLines: state.taughtLines.values.flatMap { $0 })
            state.registrations = [:]
            state.inherited = [:]
            state.taughtLines = [:]
            state.liveNames = []
            state.replacements = [:]
            changeCrossFill(in: &state) { $0 = CrossFill() }
            state.filledTypes = FilledTypes()
            state.inheritedUses = [:]
            state.typesAskedFor = [:]
            reorderings.add(1, ordering: .releasing)
            return dropped
        }
        withExtendedLifetime(dropped) {}
        tell([ServiceEvent(.cleared)])
    }

    /// Whether a service is registered under a name, in this box or in an ancestor.
    ///
    /// - Parameter name: The name; `serviceBox` always is.
    /// - Returns: Whether there is one.
    public func isRegistered(_ name: String) -> Bool {
        registration(named: name) != nil
    }

    /// The names of all services with the types they are registered as, sorted by name.
    ///
    /// The box's own entry is among them. May be called from anywhere.
    ///
    /// - Complexity: O(*n* log *n*) for *n* services.
    public var registrations: [(name: String, type: Any.Type)] {
        sortedRegistrations.map { (name: $0.name, type: $0.serviceType) }
    }

    /// Teaches the box to write plain properties of a type that you do not own.
    ///
    /// ```swift
    /// box.teach(ThirdPartyPlayer.self, ["logger": .keyPath(\ThirdPartyPlayer.logger)])
    /// ```
    ///
    /// Subclasses are taught too, and services that are registered already are filled by the new lines on the
    /// next use, but for those that a copy shares with its original. Lines add to what the type lists and to
    /// what was taught before; the latest wins a name. A table made on the main actor is used there only. A
    /// table made on another actor cannot be taught and stops the program with an explanation: let the type
    /// conform to ``Injectable`` there. May be called from anywhere.
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
        let place = Place(file: fileID, line: line)
        checkSeal(to: "teach", at: place)
        for line in table.lines {
            guard let actor = line.injection.isolation, actor !== MainActor.shared else { continue }
            place.stop(Message.foreignActorTable(line.name, of: type, at: "\(place)"))
        }
        let dropped = state.withLock { state in
            let earlier = state.taughtLines[ObjectIdentifier(type)] ?? []
            state.taughtLines[ObjectIdentifier(type)] = earlier.replacing(with: table.lines)
            let students = state.filledServices.filter { registration in
                registration.wiring?.plan.owners.contains { $0 == type } ?? false
            }
            changeCrossFill(in: &state) { crossFill in
                for student in students.sorted(by: { $0.number < $1.number }) { crossFill.add(student) }
            }
            return Dropped(programs: outdate(&state), taughtLines: earlier)
        }
        withExtendedLifetime(dropped) {}
    }

    /// Puts a registration in, in the place of an earlier one under its name.
    func insert(_ makeRegistration: (_ number: Int) -> Registration) {
        let (new, dropped, lastShared) = state.withLock { state in
            state.lastNumber += 1
            let registration = makeRegistration(state.lastNumber)
            let replaced = state.registrations.updateValue(registration, forKey: registration.name)
            if replaced != nil || parent?.hasRegistered(registration.name) == true {
                reorderings.add(1, ordering: .releasing)
            }
            changeCrossFill(in: &state) { crossFill in
                if let replaced { crossFill.forget(replaced) }
                crossFill.add(registration, isAddition: true)
            }
            let dropped = Dropped(programs: outdate(&state), registrations: replaced.map { [$0] } ?? [])
            return (registration, dropped, state.lastShared)
        }
        if let old = dropped.registrations.first {
            let replacement = ServiceReplacement(
                old: ServiceDescription(old), new: ServiceDescription(new), wasHandedOut: old.wasHandedOut)
            // What a copy has in the place of its original's service is no news.
            if old.number > lastShared, replacement.isOfAnotherType || replacement.wasHandedOut {
                state.withLock { state in
                    guard state.registrations[new.name] === new else { return }
                    state.replacements[new.name] = replacement
                }
            }
            tell([.about(new, .replaced, replacement: replacement)])
        } else {
            tell([.about(new, .registered)])
        }
        withExtendedLifetime(dropped) {}
    }

    /// Forgets the programs, which hold for the old registrations only, and hands them over for release.
    private func outdate(_ state: inout State) -> ProgramTable {
        version.add(1, ordering: .acquiringAndReleasing)
        defer { if !state.programs.isEmpty { state.programs = ProgramTable() } }
        return state.programs
    }

    /// The name to register a service under; traps if it can't be registered.
    func name<Service>(of key: ServiceKey<Service>?, at place: Place) -> String {
        guard let name = (key ?? .derived)?.name else {
            place.stop(Message.underivableName(of: Service.self, at: "\(place)"))
        }
        checkSeal(to: "register '\(name)' in", at: place)
        if name.isEmpty { place.stop(Message.emptyName(for: Service.self, at: "\(place)")) }
        if name == SelfRegistration.reservedName {
            place.stop(Message.reservedName(for: Service.self, at: "\(place)"))
        }
        if Service.self is any OptionalValue.Type {
            place.stop(Message.optionalService(Service.self, as: name, at: "\(place)"))
        }
        return name
    }

    /// What a change took out of the state, to be released outside the lock.
    private struct Dropped: Sendable {
        var programs = ProgramTable()
        var registrations: [Registration] = []
        var inherited: [Registration] = []
        var crossFill = CrossFill()
        /// What their closures hold goes with them.
        var taughtLines: [TableLine] = []
    }
}
