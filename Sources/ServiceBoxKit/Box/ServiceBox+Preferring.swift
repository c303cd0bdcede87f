// Part of ServiceBox, released under the MIT License.
// Which of several services a look-up by type takes.

extension ServiceBox {
    /// Prefers a service to all others that fit a type, for look-ups by the type alone.
    ///
    /// ```swift
    /// box.register(FileStore(), as: "files")
    /// box.register(FileStore() as any Store, as: "archive")
    /// box.prefer("files", for: (any Store).self)
    ///
    /// let store = try box.resolve((any Store).self)       // the one named "files"
    /// ```
    ///
    /// It holds for ``resolve(_:)-(Service.Type)`` with exactly this type, here and in the children, where the nearest
    /// preference wins. Properties and look-ups by name ask for a name already; ``resolveAll(_:)`` takes all. A
    /// later preference for the type replaces this one. It names the service and doesn't keep it, so it holds for
    /// whatever is registered under the name later. ``clear(fileID:line:)`` drops it.
    ///
    /// A preference is never ignored, also where only one other service fits. If the service under the name doesn't
    /// fit the type, this traps with a message; so does a sealed box. If none is registered under the name yet,
    /// look-ups by the type throw an error, and ``audit(including:makingServices:assuming:)`` finds it.
    ///
    /// - Parameters:
    ///   - key: The key of the service; its name alone counts.
    ///   - type: The type that is asked for; an optional type stands for what it wraps.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func prefer<Preferred, Wanted>(
        _ key: ServiceKey<Preferred>, for type: Wanted.Type, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        prefer(key.name, for: type, fileID: fileID, line: line)
    }

    /// Prefers the service of a name to all others that fit a type, for look-ups by the type alone.
    ///
    /// As with a key.
    ///
    /// - Parameters:
    ///   - name: The name of the service.
    ///   - type: The type that is asked for; an optional type stands for what it wraps.
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
                    isNew: true
                ).text)
        }
        registry.touch(types: [ObjectIdentifier(preference.type)])
        registry.prefer(preference)
        filler.forgetPrograms()
    }
}
