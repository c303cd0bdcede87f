// Part of ServiceBox, released under the MIT License.
// Decorating services with wrappers.

extension ServiceBox {
    /// Wraps the service under a key in another one.
    ///
    /// Whatever is or will be registered under the key is handed out wrapped: an instance or a factory's
    /// service, a class instance or a value. Each service is wrapped once after it was created, in the order
    /// of the decorations. The box fills it before it is wrapped, and the wrapper afterwards; with
    /// `fills: false` neither is filled.
    ///
    /// ```swift
    /// struct CachingStore: Store {
    ///     init(over store: any Store) {}
    /// }
    ///
    /// box.register(FileStore(), as: ServiceKey<any Store>("store"))
    /// box.decorate(ServiceKey<any Store>("store")) { store, box in CachingStore(over: store) }
    /// let store: any Store = try box["store"]                 // a CachingStore
    /// ```
    ///
    /// The wrapper has the lifetime and the scope of the service; that of an instance is lazy. When another
    /// session brings another service, also one that was wrapped before, or the service is reset, the next
    /// resolve wraps that one. Of lazy and eager services that require each other in a circle, one can be
    /// decorated, unless it must be awaited: two would each have to be wrapped before the other. A child's
    /// decoration holds only in the child, also for inherited services. Properties that were filled before keep
    /// what they have. A decoration stays when the service is replaced; ``clear(fileID:line:)`` drops it, and an
    /// audit reports one that wraps nothing.
    ///
    /// A sealed box, the name `serviceBox` and a 65th decoration of a service trap with a message. So does a
    /// service that is registered as another type, or created from parameters; one that comes back when a
    /// later one is removed, or that an ancestor gets later, is left as it is, and an audit reports it.
    ///
    /// - Parameters:
    ///   - key: The name of the service, and the type that it is registered as.
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    ///   - wrap: Wraps a service; runs in its own isolation, as a factory does.
    public func decorate<Service: Sendable>(
        _ key: ServiceKey<Service>, fileID: StaticString = #fileID, line: UInt = #line,
        _ wrap: @escaping @isolated(any) @Sendable (_ service: Service, _ box: ServiceBox) throws -> Service
    ) {
        let location = SourceLocation(file: fileID, line: line)
        checkSeal(to: "decorate '\(key.name)' in", at: location)
        let decoration = decoration(wrap, at: location)
        if key.name == Registration.boxName {
            location.trap(Message.reservedDecoration(at: "\(location)"))
        }
        if registry.decorationCount(of: key.name) >= Registry.decorationLimit {
            location.trap(
                Message.tooManyDecorations(key.name, limit: Registry.decorationLimit, at: "\(location)"))
        }
        registry.nearest(key.name).map(decoration.check)
        willChange(key.name)
        registry.changes?.decorations.insert(ObjectIdentifier(decoration))
        guard let new = registry.decorate(key.name, with: decoration), let base = new.base else { return }
        registry.changes?.numbers.insert(new.number)
        tell(of: new, replacing: base.wasHandedOut && base.isFilled(by: registry) ? base : nil)
        new.creator?.makeIfEager()
    }

    private func decoration<Service: Sendable>(
        _ wrap: @escaping @isolated(any) @Sendable (Service, ServiceBox) throws -> Service,
        at location: SourceLocation
    ) -> Decoration {
        // As with factories, it is run only in the `isolation` that it carries.
        let run = unsafe unsafeBitCast(wrap, to: (@Sendable (Service, ServiceBox) throws -> Service).self)
        @Sendable func wrapHere(_ service: Service, _ box: ServiceBox) throws -> Service {
            do { return try run(service, box) } catch {
                throw DecorationFailure(error: error, location: location)
            }
        }
        return Decoration(Service.self, at: location, from: registry.currentModule) { base, home, history in
            let lifetime = base.lifetime ?? .lazy
            let wrapped =
                lifetime == .transient
                ? nil
                : base.creator.map { WrappedService(of: $0, isOwn: base.home === home) }
            @Sendable func unwrap(_ cell: AnyCell?, in box: ServiceBox) throws -> Service {
                wrapped?.note(cell)
                if let service = cell?.content(as: Service.self) { return service }
                throw box.mismatch(base, ServiceQuery(request: CellRequest(type: Service.self)))
            }
            let factory: Recipe.Factory =
                if base.isAwaited {
                    .awaited { box in
                        wrapped?.note(nil)
                        let service = try unwrap(try await base.prepare(), in: box)
                        // As in a look-up, so that the services that it needs are prepared.
                        let source = TransientSource(of: Service.self, Maker(isolation: wrap.isolation)) {
                            AnyCell.holding(try wrapHere(service, box))
                        }
                        return try await source.prepare()
                    }
                } else {
                    .here { box in
                        wrapped?.note(nil)
                        try wrapped?.requireCreated()
                        return AnyCell.holding(try wrapHere(try unwrap(try base.cell(), in: box), box))
                    }
                }
            let recipe = Recipe(
                name: base.name, serviceType: Service.self,
                lifetime: lifetime, scope: base.scope ?? .family,
                isolation: wrap.isolation, factory)
            return Creation(recipe, history, fills: base.fills, in: home)
                .supplier(lifetime, wrapping: wrapped)
        }
    }
}
