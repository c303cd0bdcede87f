// Part of ServiceBox, released under the MIT License.
// Marks on services and boxes: live services, sealed boxes, preferences.

extension ServiceBox {
    /// Marks services that reach outside the program: the network, a database, the clock of the machine.
    ///
    /// A mark changes nothing in the program. `withOverrides` and the trait `serviceBox` of the module
    /// `ServiceBoxTesting` can make a test fail that uses a marked service; a test replaces it in a box of
    /// its own.
    ///
    /// ```swift
    /// box.register(FileStore(), as: "store")
    /// box.markLive("store")
    /// ```
    ///
    /// A mark belongs to the name in this box and holds for its children and later copies. It stays when
    /// the service is replaced here, and does not hold for what a child registers under the name. It is
    /// dropped when this box's last service under the name is removed. A sealed box, or a name under which
    /// neither this box nor an ancestor has a service, traps with a message.
    ///
    /// - Parameters:
    ///   - names: The names of services.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func markLive(_ names: String..., fileID: StaticString = #fileID, line: UInt = #line) {
        let location = SourceLocation(file: fileID, line: line)
        for name in names {
            checkSeal(to: "mark '\(name)' as live in", at: location)
            guard registry.registration(named: name) == nil else { continue }
            location.trap(
                Message.unknownLive(
                    name, registered: registry.names.listing,
                    hint: Hint(near: name, among: registry.all.lazy.map(\.name)), at: "\(location)"))
        }
        registry.willChange(names)
        registry.state.withLock { $0.liveNames.formUnion(names) }
    }

    /// Marks a service that reaches outside the program, by its key.
    ///
    /// - Parameters:
    ///   - key: The key of a registration.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func markLive<Service>(
        _ key: ServiceKey<Service>, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        markLive(key.name, fileID: fileID, line: line)
    }

    /// Whether the service under a name is marked as one that reaches outside the program.
    ///
    /// - Parameter name: The name of a service.
    /// - Returns: Whether it is marked by this box, by the ancestor that it is inherited from, or by one
    ///   between.
    package func isLive(_ name: String) -> Bool {
        let (isMarked, isOwn) = registry.state.withLock {
            ($0.liveNames.contains(name), $0.registrations[name] != nil)
        }
        return isMarked || !isOwn && parent?.isLive(name) == true
    }
}

// MARK: - Sealing

extension ServiceBox {
    /// Prevents changes to the box from now on.
    ///
    /// Registering, decorating, removing, clearing, marking, preferring, teaching and adding modules then
    /// trap with a message that says where the box was sealed, in release builds too, and before a factory
    /// runs. Filling and looking up still work; children and copies can be changed. Sealing twice keeps the
    /// first location.
    ///
    /// - Parameters:
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func seal(fileID: StaticString = #fileID, line: UInt = #line) {
        registry.willChange([], seal: true)
        registry.state.withLock { $0.seal = $0.seal ?? SourceLocation(file: fileID, line: line) }
    }

    /// Whether the box is sealed.
    public var isSealed: Bool { registry.state.withLock { $0.seal != nil } }

    /// Traps if the box is sealed.
    func checkSeal(
        to action: @autoclosure () -> String, isRemoval: Bool = false, at location: SourceLocation
    ) {
        guard let seal = registry.state.withLock({ $0.seal }) else { return }
        location.trap(Message.sealed(action(), isRemoval: isRemoval, seal: "\(seal)", at: "\(location)"))
    }
}

// MARK: - Preferring one of several

extension ServiceBox {
    /// Prefers a service over all others that fit a type, for look-ups by the type alone.
    ///
    /// ```swift
    /// box.register(FileStore(), as: "files")
    /// box.register(FileStore() as any Store, as: "archive")
    /// box.prefer("files", for: (any Store).self)
    ///
    /// let store = try box.resolve((any Store).self)       // the one named "files"
    /// ```
    ///
    /// It holds for ``resolve(_:)-(Service.Type)`` with exactly this type, here and in children; the nearest
    /// preference wins. Properties and look-ups by name have a name already; ``resolveAll(_:)`` takes all. A
    /// later preference for the type replaces this one. It names the service and doesn't keep it, so it holds
    /// for whatever is registered under the name later. ``clear(fileID:line:)`` drops it.
    ///
    /// A preference is never ignored, even if only one other service fits. If the service under the name
    /// doesn't fit the type, this traps with a message; so does a sealed box. If none is registered under the
    /// name yet, look-ups by the type throw an error, and ``audit(including:makingServices:assuming:)``
    /// reports it.
    ///
    /// - Parameters:
    ///   - key: The key of the service; its name alone counts.
    ///   - type: The type that is looked up; an optional type stands for the type that it wraps.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func prefer<Preferred, Wanted>(
        _ key: ServiceKey<Preferred>, for type: Wanted.Type, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        prefer(key.name, for: type, fileID: fileID, line: line)
    }

    /// Prefers the service of a name over all others that fit a type, for look-ups by the type alone.
    ///
    /// As with a key.
    ///
    /// - Parameters:
    ///   - name: The name of the service.
    ///   - type: The type that is looked up; an optional type stands for the type that it wraps.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func prefer<Wanted>(
        _ name: String, for type: Wanted.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let location = SourceLocation(file: fileID, line: line)
        checkSeal(to: "prefer '\(name)' in", at: location)
        let preference = Preference(name: name, type: unwrapped(type), location: location)
        if case .preferred(_, let found?) = registry.problem(with: preference) {
            let query = ServiceQuery(request: CellRequest(type: type))
            let hint = HintSearch(in: registry).hint(insteadOf: found, for: query)
            location.trap(
                Message.preferred(
                    name, for: type, at: "\(location)", found: found, registered: nil, hint: hint,
                    isNew: true))
        }
        registry.willChange([], types: [preference.type])
        registry.prefer(preference)
    }
}
