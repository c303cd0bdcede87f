// Part of ServiceBox, released under the MIT License.
// Registers the contents of a container: each stored property under its own name.

extension ServiceBox {
    /// Registers each stored property of a struct or a class instance as a service under its own name.
    ///
    /// ```swift
    /// struct UserServices: Sendable {
    ///     let accounts: any Store                         // "user.accounts"
    ///     let cache: ServiceProvider<Cache>               // "user.cache", a Cache
    ///     var archive: Cache?                             // skipped while it is nil
    /// }
    ///
    /// let services = UserServices(accounts: FileStore(), cache: ServiceProvider { Cache() })
    /// print(box.register(contentsOf: services, under: "user"))
    /// ```
    ///
    /// A property is registered as its declared type, including those of superclasses. One that holds a
    /// ``ServiceProvider`` or a ``ServiceParametersProvider`` is registered as that provider, an optional as
    /// the type that it wraps. A struct of the module that declares the container is a service as well, and
    /// so are its own properties: `user.settings` and `user.settings.theme`. A leading underscore is
    /// dropped, as that of a property wrapper's storage: `_name` is registered as `name`.
    ///
    /// Properties that can't be services are skipped, with the reason: nil, tuples, functions, metatypes,
    /// weak and unowned references, injected properties, and the variables of a class instance, which others
    /// may be changing. A name that is taken, here or in an ancestor, goes to the later service, as always,
    /// and is listed too.
    ///
    /// The box keeps the values, not the container: later assignments aren't seen. Anything but a struct or a
    /// class instance traps with a message, and so do a collection, a value of the standard library, an actor,
    /// a sealed box, and a property under a name whose decoration wraps another type.
    ///
    /// - Important: A type on a global actor is `Sendable` whatever it stores. Pass one only if everything
    ///   that it stores is `Sendable` too: the compiler can't check that here.
    ///
    /// - Parameters:
    ///   - contents: The container.
    ///   - prefix: The prefix of the names, followed by a dot; empty for none.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Returns: The registered names, those that were taken before, and the skipped properties.
    /// - Complexity: O(*n*) for *n* properties.
    @discardableResult
    public func register<Contents: Sendable>(
        contentsOf contents: Contents, under prefix: String, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> RegisteredContents {
        let location = SourceLocation(file: fileID, line: line)
        let type = type(of: contents as Any)
        checkSeal(to: "register the contents of \(TypeName.withArticle(of: type)) in", at: location)
        if let word = Self.wordForNoContainer(type) {
            location.trap(Message.noContents(of: type, word, at: "\(location)"))
        }
        var registrar = ContentsRegistrar(
            box: self, location: location, module: TypeName.module(of: type), path: prefix)
        PropertyReader.read(contents, with: &registrar)
        return registrar.registerAll()
    }

    /// The word for a type whose instances don't hold services in stored properties; nil for a container.
    private static func wordForNoContainer(_ type: Any.Type) -> String? {
        switch TypePlan.Shape(of: type) {
        case .object, .structure:
            if Conformance.isPossible(of: type, to: (any Collection).self), type is any Collection.Type {
                "a collection"
            } else {
                TypeName.module(of: type) == "Swift" ? "a value of the standard library" : nil
            }
        case .unfillable(let word): word
        case .actor, .remote, .needsInstance: "an actor"
        }
    }
}

/// Registers properties as services.
private struct ContentsRegistrar: PropertyVisitor {
    let box: ServiceBox
    let location: SourceLocation
    /// The module of the container.
    let module: Substring
    /// The prefix of the names.
    var path: String
    var entries = KeyedTable<Entry>()
    var result = RegisteredContents()

    /// What is registered under a name: the last property that has it.
    struct Entry: Named {
        let name: String
        /// Whether an earlier property has the name too.
        let isTaken: Bool
        let register: () -> Void
    }

    mutating func visit<Value: Sendable>(_ name: String, _ value: Value) {
        let type = Value.self
        if name.isEmpty { return skip(TypeName.of(type), because: Message.stripped) }
        if name.hasPrefix("$") { return skip(name, because: Message.isGenerated) }
        if let wrapped = Metadata(type).wrapped { return visit(name, value, wrapping: wrapped) }
        if Value.self == Void.self { return skip(name, because: Message.isNoncopyable) }
        switch Metadata(type).kind {
        case _ where type is AnyClass, .structure, .enumeration, .existential, .extendedExistential: break
        case .tuple: return skip(name, because: Message.isNoService("a tuple"))
        default: return skip(name, because: Message.isNoService("a function or a metatype"))
        }
        register(value, as: full(name))
        guard Metadata(type).kind == .structure, TypeName.module(of: type) == module else { return }
        let outer = path
        path = full(name)
        PropertyReader.read(value, with: &self)
        path = outer
    }

    private mutating func visit<Value: Sendable>(_ name: String, _ value: Value, wrapping type: Any.Type) {
        func open<Wrapped: Sendable>(_: Wrapped.Type) {
            guard let value = unsafe unsafeBitCast(value, to: Wrapped?.self) else {
                return skip(name, because: Message.isNil)
            }
            visit(name, value)
        }
        // The cast is safe: `type` is the type that `Value` wraps, and it is `Sendable` because `Value` is.
        unsafe _openExistential(unsafeBitCast(type, to: (any Sendable.Type).self), do: open)
    }

    mutating func skip(_ name: String, because reason: String) {
        result.skipped.append(.init(name: full(name), reason: reason))
    }

    private func full(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    private mutating func register<Value: Sendable>(_ value: Value, as name: String) {
        if name == Registration.boxName {
            return result.skipped.append(.init(name: name, reason: Message.isReserved))
        }
        entries[name] = Entry(name: name, isTaken: entries[name] != nil) { [box, location] in
            // Checks a word of metadata first, since a cast that fails searches all conformances of the program.
            if CellRequest(type: Value.self).mayWantProvider, let provider = value as? any ContainedProvider {
                provider.register(in: box, as: name, at: location)
            } else {
                box.register(value, as: ServiceKey<Value>(name), fileID: location.file, line: location.line)
            }
        }
    }

    /// Registers what was read; only then, or what waits for a name would get what the last one replaces.
    mutating func registerAll() -> RegisteredContents {
        for entry in entries.elements {
            if entry.isTaken || box.registry.nearest(entry.name) != nil { result.replaced.append(entry.name) }
            result.registered.append(entry.name)
            entry.register()
        }
        return result
    }
}

/// A provider that is stored in a property.
private protocol ContainedProvider {
    func register(in box: ServiceBox, as name: String, at location: SourceLocation)
}

extension ServiceProvider: ContainedProvider {
    fileprivate func register(in box: ServiceBox, as name: String, at location: SourceLocation) {
        box.register(provider: self, as: ServiceKey(name), fileID: location.file, line: location.line)
    }
}

extension ServiceParametersProvider: ContainedProvider {
    fileprivate func register(in box: ServiceBox, as name: String, at location: SourceLocation) {
        box.register(provider: self, as: ServiceKey(name), fileID: location.file, line: location.line)
    }
}

// MARK: - Results

/// The result of registering the properties of a struct or a class instance as services.
///
/// Thread-safe. It keeps neither the box nor services alive.
public struct RegisteredContents: Sendable, CustomStringConvertible {
    /// A property that can't be a service.
    public struct SkippedProperty: Sendable {
        /// The name that it would have been registered under; if the build lacks names, the property's type.
        public let name: String
        /// Why it was skipped.
        public let reason: String
    }

    /// The names of the services, in the order of their properties.
    public internal(set) var registered: [String] = []
    /// The names under which the box knew a service already: another registration, an ancestor's, or another
    /// property with the same name.
    public internal(set) var replaced: [String] = []
    /// The properties that weren't registered.
    public internal(set) var skipped: [SkippedProperty] = []

    /// A summary, then a line for each service that replaced another one, and for each skipped property.
    public var description: String {
        let summary = Message.contentsSummary(
            registered: registered.count, replaced: replaced.count, skipped: skipped.count)
        let lines =
            replaced.map { Message.contents($0, Message.replacing) }
            + skipped.map { Message.contents($0.name, $0.reason) }
        return ([summary] + lines.map { "  \($0)" }).joined(separator: "\n")
    }
}
