// Part of ServiceBox, released under the MIT License.
// The box: the facade that coordinates what is registered, filled and remembered.

/// A box of services that fills objects by name and type.
///
/// Register services under names, then fill any object: the box walks its properties and gives each
/// injectable one the service that is registered under its name, if the type fits.
///
/// ```swift
/// let box = ServiceBox()
/// box.register(FileAnalytics() as any Analytics, as: "analytics")
/// box.register(StorageManager())              // named after its type: "storageManager"
///
/// final class ProfileScreen {
///     @Injected var analytics: (any Analytics)?
///     @Injected var storageManager: StorageManager
/// }
///
/// let screen = ProfileScreen()
/// print(box.fill(screen))                     // what each property got, or why it got nothing
/// ```
///
/// Registered services are filled with each other on first use, in whatever order they came. The box is itself a
/// service, named `serviceBox`, and doesn't keep itself alive.
///
/// Thread-safe: call it from any thread and any isolation; fill an object in its own. None of your code runs
/// under a lock of the box.
public final class ServiceBox: Sendable {
    let registry: Registry
    let ledger: Ledger
    let filler: Filler
    let crossFiller: CrossFiller
    let parent: ServiceBox?
    /// The box that this one is a copy of, kept alive for the services that it fills.
    let original: ServiceBox?
    let lazyLife = LazyReference<Lifecycle>()

    /// The name that the box was given, for messages; nil if it was given none.
    public var name: String? { registry.name }

    /// Creates an empty box, which shares nothing with any other.
    ///
    /// - Parameter name: A name for messages; unlike that of ``named(_:)`` it needn't be unique.
    public convenience init(name: String? = nil) {
        self.init(parent: nil, name: name)
    }

    init(parent: ServiceBox?, name: String?, original: ServiceBox? = nil, isScope: Bool = false) {
        self.parent = parent
        self.original = original
        registry = Registry(
            name: name, parent: parent?.registry, isScope: original?.registry.isScope ?? isScope)
        var adopted: Int?
        if let original { adopted = registry.adopt(original.registry) }
        ledger = Ledger(registry, parent: parent?.ledger, original: original?.ledger)
        filler = Filler(registry, ledger, parent: parent?.filler)
        crossFiller = CrossFiller(
            registry, filler, ledger, elder: original?.crossFiller ?? parent?.crossFiller)
        registry.setBox(self)
        guard let original, let copy = registry.weakBox else { return }
        original.registry.note(copy: copy)
        // One that has come to refuse services meanwhile knew nothing of this copy.
        while adopted != original.registry.generation { adopted = registry.adopt(original.registry) }
    }

    deinit { registry.letReadersFinish() }
}

extension ServiceBox {
    /// Reads what is registered when all services are filled with each other for it.
    ///
    /// What is registered meanwhile is filled too, once: what filling itself registers must not keep it going.
    ///
    /// - Parameter read: Reads; again if something is registered meanwhile.
    /// - Returns: What it read, and the generation of the registry that this holds for.
    func upToDate<Result>(_ read: () -> Result) -> (Result, generation: Int) {
        let isDone = crossFiller.fillServices()
        let (result, generation) = registry.consistently(read)
        if !isDone || crossFiller.isFilled(for: generation) { return (result, generation) }
        crossFiller.fillServices()
        return registry.consistently(read)
    }

    /// Has a closure called with what happens in this box from now on, and if you want in its children.
    ///
    /// The closure runs after the fact, under no lock, on the thread that did what it is told of; events of
    /// several threads may come at once and in any order. It may use the box, and isn't told of what it does
    /// there itself. What is still being created when it is told is handed to nobody: to look that up throws
    /// ``ServiceBoxError/Code/cycle``. A box without observers does nothing for them; one with observers fills objects more
    /// slowly, since each fill is told of. What happens in a parent or a copy is theirs to tell.
    ///
    /// - Parameters:
    ///   - includingChildren: Whether to call it with what happens in children of this box too, in theirs and so on,
    ///     whether they are there already or created later. ``ServiceEvent/boxName`` tells them apart. A copy of a
    ///     child is a child too.
    ///   - observer: Called with each event.
    /// - Returns: What ends the observation when it goes, or when it is cancelled.
    public func observe(
        includingChildren: Bool = false, _ observer: @escaping @Sendable (ServiceEvent) -> Void
    ) -> ServiceObservation {
        ledger.observe(includingChildren: includingChildren, observer)
    }
}
