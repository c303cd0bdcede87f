// Part of ServiceBox, released under the MIT License.
// Groups of registrations that are added together.

/// A part of a program that registers its services.
///
/// ```swift
/// struct StorageModule: ServiceModule {
///     let folder: String
///
///     func register(in box: ServiceBox) {
///         box.register(as: "store") { [folder] _ in FileStore() as any Store }
///     }
/// }
///
/// struct SearchModule: ServiceModule {
///     var requires: [any ServiceModule.Type] { [StorageModule.self] }
///
///     func register(in box: ServiceBox) {
///         box.register(as: "index") { box in Index(of: try box["store"]) }
///     }
/// }
///
/// struct Index: Sendable {
///     init(of store: any Store) {}
/// }
///
/// try box.add(SearchModule(), StorageModule(folder: "/var/notes"))
/// ```
public protocol ServiceModule {
    /// The modules that have to be added before this one; none by default.
    var requires: [any ServiceModule.Type] { get }

    /// Registers the module's services.
    ///
    /// It may also teach the box, mark and decorate services, and add other modules. If it throws, all of
    /// that is undone.
    ///
    /// - Parameter box: The box to register in, and no other.
    /// - Throws: Anything that keeps the module from being used.
    func register(in box: ServiceBox) throws
}

extension ServiceModule {
    /// None.
    public var requires: [any ServiceModule.Type] { [] }

    fileprivate static var step: ServicePath.Step {
        ServicePath.Step(provider: ObjectIdentifier(self), type: self, traits: .module)
    }
}

extension ServiceBox {
    /// Adds modules: those that others require first, otherwise in the order in which they are given.
    ///
    /// Modules are identified by their type. One whose type was added before, to this box or an ancestor,
    /// isn't added again; only the set-up of a test's overrides takes one that their base has. A module's name stands
    /// beside its registrations in descriptions and graphs.
    ///
    /// A module that throws leaves nothing behind, nor do those that it has added itself; those before it
    /// stay. Its services are released, as after ``remove(_:fileID:line:)-(String,_,_)``: no `onStop` runs.
    /// A sealed box traps with a message.
    ///
    /// - Parameters:
    ///   - modules: The modules.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Throws: ``ServiceBoxError`` with the code ``ServiceBoxError/Code/missing`` if a required module is
    ///   neither given nor added, ``ServiceBoxError/Code/cycle`` if modules require each other in a circle,
    ///   both before any module is added; ``ServiceBoxError/Code/cycle`` also if they add each other;
    ///   ``ServiceBoxError/Code/moduleFailed`` with the error of a module.
    public func add(
        _ modules: any ServiceModule..., fileID: StaticString = #fileID, line: UInt = #line
    ) throws(ServiceBoxError) {
        try add(modules, fileID: fileID, line: line)
    }

    /// Adds modules from a list, as ``add(_:fileID:line:)-(ServiceModule...,_,_)`` does.
    ///
    /// - Parameters:
    ///   - modules: The modules.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Throws: ``ServiceBoxError`` in the same cases.
    public func add(
        _ modules: [any ServiceModule], fileID: StaticString = #fileID, line: UInt = #line
    ) throws(ServiceBoxError) {
        checkSeal(to: "add modules to", at: SourceLocation(file: fileID, line: line))
        for module in try sorted(modules) {
            let type = type(of: module)
            do {
                try registry.modules.run(type, in: ObjectIdentifier(registry)) {
                    do { try module.register(in: self) } catch {
                        // What it shows is about to be taken back.
                        throw (error as? ServiceBoxError)?.read ?? error
                    }
                } takeBack: {
                    if let changes = $0 as? Registry.Changes { takeBack(changes) }
                }
                arrived(nil)
            } catch {
                throw ServiceBoxError.escaping(error, fromModule: type.step)
            }
        }
    }

    /// The modules that the box lacks, each after those that it requires.
    private func sorted(_ modules: [any ServiceModule]) throws(ServiceBoxError) -> [any ServiceModule] {
        let given = Dictionary(modules.map { (ObjectIdentifier(type(of: $0)), $0) }) { first, _ in first }
        var sorted: [any ServiceModule] = []
        var visited: Set<ObjectIdentifier> = []
        func visit(_ type: any ServiceModule.Type, after path: [ServicePath.Step]) throws(ServiceBoxError) {
            try checkCycle(to: type, after: path)
            // One that is given in a test's set-up overrides that of the base; one that a module adds is needed again.
            let isOverride =
                registry.modules.areOverrides && registry.currentModule == nil
                && given[ObjectIdentifier(type)] != nil
            let boxes = sequence(first: self, next: \.parent).prefix(isOverride ? 1 : .max)
            if boxes.contains(where: { $0.registry.modules.has(type) }) { return }
            guard let module = given[ObjectIdentifier(type)] else {
                let (names, name) = (path.names, TypeName.of(type))
                throw ServiceBoxError(.missing, about: names + [name]) {
                    Message.missingModule(name, path: names)
                }
            }
            guard visited.insert(ObjectIdentifier(type)).inserted else { return }
            for required in module.requires { try visit(required, after: path + [type.step]) }
            sorted.append(module)
        }
        for module in modules { try visit(type(of: module), after: []) }
        return sorted
    }

    /// Throws if a module requires itself, or adds itself during its registration.
    private func checkCycle(
        to type: any ServiceModule.Type, after path: [ServicePath.Step]
    ) throws(ServiceBoxError) {
        let running = registry.modules.path(from: type, in: ObjectIdentifier(registry))
        let circle = running.isEmpty ? Array(path.drop { $0.provider != type.step.provider }) : running + path
        if circle.isEmpty { return }
        let names = (circle + [type.step]).names
        throw ServiceBoxError(.cycle, about: names) { Message.moduleCycle(names) }
    }
}
