// Part of ServiceBox, released under the MIT License.
// Putting services into a box, taking them out, and asking what is there.

import Synchronization

extension ServiceBox {
    /// Registers a ready service under the name of its type: a `URLCache` as `urlCache`.
    ///
    /// The name is the type's own, without module, enclosing types and generic arguments, its leading capitals made
    /// small. A type without a name of its own, such as a tuple, needs ``register(_:as:of:fileID:line:)``.
    ///
    /// Call it in the isolation of the service, or hand the service over: its properties are read once, to learn
    /// where the slots are. An actor of a type not seen before is not read, see ``fill(on:keepingExisting:)``.
    ///
    /// Registering does not throw; an optional, or a type without a name, stops the program with an explanation.
    ///
    /// - Parameters:
    ///   - service: The service: a class instance, an actor or a value.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Complexity: O(1) but for the first time a type is seen.
    public func register<Service: Sendable>(
        _ service: Service, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        guard let name = ServiceName.derived(from: Service.self) else {
            fatalError(
                Message.underivableName(of: Service.self, at: "\(fileID):\(line)"), file: fileID, line: line)
        }
        register(service, as: name, fileID: fileID, line: line)
    }

    /// Registers a ready service under a name, and as an interface if you like.
    ///
    /// A later registration under the same name replaces this one for later fills; what was filled keeps what it
    /// has. With `of:` the service is kept as that interface, which the compiler checks.
    ///
    /// ```swift
    /// box.register(FileStore(), as: "store", of: (any Store).self)
    /// ```
    ///
    /// Call it in the isolation of the service, or hand the service over: its properties are read once, to learn
    /// where the slots are. An actor of a type not seen before is not read, see ``fill(on:keepingExisting:)``.
    ///
    /// Registering does not throw; an empty name, the reserved name `serviceBox` or an optional stops the program
    /// with an explanation.
    ///
    /// - Parameters:
    ///   - service: The service: a class instance, an actor or a value.
    ///   - name: The name that properties ask for.
    ///   - type: The type to keep the service as; its own unless you say otherwise.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Complexity: O(1) but for the first time a type is seen.
    public func register<Service: Sendable>(
        _ service: Service, as name: String, of type: Service.Type = Service.self,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        if name.isEmpty {
            fatalError(Message.emptyName(for: type, at: "\(fileID):\(line)"), file: fileID, line: line)
        }
        if name == SelfRegistration.reservedName {
            fatalError(Message.reservedName(for: type, at: "\(fileID):\(line)"), file: fileID, line: line)
        }
        if type is any OptionalValue.Type {
            fatalError(
                Message.optionalService(type, as: name, at: "\(fileID):\(line)"), file: fileID, line: line)
        }
        let wiring = Wiring(of: service)
        insert { InstanceRegistration(service, name: name, number: $0, wiring: wiring) }
    }

    /// Drops the service under a name.
    ///
    /// What was filled with it keeps it. May be called from anywhere.
    ///
    /// - Parameter name: The name of a registration; `serviceBox` cannot be removed.
    /// - Returns: Whether there was one.
    @discardableResult
    public func remove(_ name: String) -> Bool {
        let removed = state.withLock { state in
            guard let removed = state.registrations.removeValue(forKey: name) else { return Dropped() }
            state.crossFill.forget(removed)
            return Dropped(programs: state.dropPrograms(), registrations: [removed])
        }
        // What is dropped goes here, outside the lock: a deinitialiser may use the box.
        return !removed.registrations.isEmpty
    }

    /// Drops every service and all that the box was taught.
    ///
    /// The box's own entry stays. What was filled keeps what it has. May be called from anywhere.
    public func clear() {
        let dropped = state.withLock { state in
            let dropped = Dropped(
                programs: state.dropPrograms(), registrations: Array(state.registrations.values),
                crossFill: state.crossFill)
            state.registrations = [:]
            state.taughtLines = [:]
            state.crossFill = CrossFill()
            return dropped
        }
        withExtendedLifetime(dropped) {}
    }

    /// Whether a service is registered under a name.
    ///
    /// May be called from anywhere.
    ///
    /// - Parameter name: The name; `serviceBox` always is.
    /// - Returns: Whether there is one.
    public func isRegistered(_ name: String) -> Bool {
        name == SelfRegistration.reservedName || state.withLock { $0.registrations[name] != nil }
    }

    /// The names of all services with the types they are registered as, sorted by name.
    ///
    /// The box's own entry is among them. May be called from anywhere.
    ///
    /// - Complexity: O(*n* log *n*) for *n* services.
    public var registrations: [(name: String, type: Any.Type)] {
        sortedRegistrations.map { (name: $0.name, type: $0.serviceType) }
    }

    /// All registrations by name, the box's own entry included.
    var sortedRegistrations: [Registration] {
        let all = state.withLock { Array($0.registrations.values) }
        return (all + [selfRegistration]).sorted { $0.name < $1.name }
    }

    /// Teaches the box to write plain properties of a type that you do not own.
    ///
    /// ```swift
    /// box.teach(ThirdPartyPlayer.self, ["logger": .keyPath(\ThirdPartyPlayer.logger)])
    /// ```
    ///
    /// Subclasses are taught too, and services that are registered already are filled by the new lines on the next
    /// use. Lines add to what the type lists and to what was taught before; the latest wins a name. A table made on
    /// the main actor is used there only. A table made on another actor cannot be taught and stops the program with
    /// an explanation: let the type conform to ``Injectable`` there. May be called from anywhere.
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
        for (name, injection) in table.lines {
            guard let actor = injection.isolation, actor !== MainActor.shared else { continue }
            fatalError(
                Message.foreignActorTable(name, of: type, at: "\(fileID):\(line)"), file: fileID, line: line)
        }
        let taught = table.lines.map { TypePlan.TableLine(name: $0.name, injection: $0.injection) }
        let dropped = state.withLock { state in
            state.taughtLines[ObjectIdentifier(type), default: []].replace(with: taught)
            let students = state.registrations.values.filter { registration in
                registration.wiring?.plan.owners.contains { $0 == type } ?? false
            }
            state.crossFill.reconsider(students.sorted { $0.number < $1.number })
            return state.dropPrograms()
        }
        withExtendedLifetime(dropped) {}
    }

    private func insert(_ makeRegistration: (_ number: Int) -> Registration) {
        let dropped = state.withLock { state in
            state.lastNumber += 1
            let registration = makeRegistration(state.lastNumber)
            let replaced = state.registrations.updateValue(registration, forKey: registration.name)
            if let replaced { state.crossFill.forget(replaced) }
            state.crossFill.add(registration)
            return Dropped(programs: state.dropPrograms(), registrations: replaced.map { [$0] } ?? [])
        }
        withExtendedLifetime(dropped) {}
    }

    /// What a change took out of the state, to be released outside the lock.
    private struct Dropped: Sendable {
        var programs = ProgramTable()
        var registrations: [Registration] = []
        var crossFill = CrossFill()
    }
}

extension ServiceBox.State {
    /// Forgets the programs, which hold for the old registrations only, and hands them over for release.
    fileprivate mutating func dropPrograms() -> ProgramTable {
        version += 1
        guard !programs.isEmpty else { return programs }
        defer { programs = ProgramTable() }
        return programs
    }
}

extension [TypePlan.TableLine] {
    /// Adds lines, which replace those of the same names.
    mutating func replace(with lines: [TypePlan.TableLine]) {
        let names = Set(lines.map(\.name))
        removeAll { names.contains($0.name) }
        append(contentsOf: lines)
    }
}
