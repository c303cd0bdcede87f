// Part of ServiceBox, released under the MIT License.
// One registered service.

import Synchronization

/// How a service is created, by its box and by child boxes that don't share it.
protocol SupplierRecipe: AnyObject, Sendable {
    var serviceType: any Sendable.Type { get }
    /// The type of the parameters that services are created from, if there are any.
    var parametersType: Any.Type? { get }
    var scope: ServiceScope { get }
    /// The registered lifetime.
    var lifetime: Lifetime { get }
    /// Whether the service must be awaited.
    var isAwaited: Bool { get }

    /// Creates the supplier of a registration.
    func makeSupplier(of registration: Registration) -> any ServiceSupplier
}

/// Stops a service, given in its cell, when its box stops.
@usableFromInline
typealias AnyStopAction = @Sendable (AnyCell) async throws -> Void

/// A service's name, supplier and metadata.
///
/// Thread-safe. Most services need little more than their cell or their recipe until somebody uses them, so the
/// supplier and the history are created on demand (measured: half the memory of a registration).
final class Registration: Named, Numbered, Sendable {
    /// The name of the box's entry for itself.
    static let boxName = "serviceBox"

    /// How the service came into the box.
    enum Kind: Equatable {
        /// It was registered ready-made.
        case instance
        /// A provider creates it; properties may take the provider instead.
        case provided(Lifetime?)
        /// It is created from parameters of a type; properties take its provider.
        case fromParameters(Any.Type)
        case box

        static func == (left: Self, right: Self) -> Bool {
            switch (left, right) {
            case (.instance, .instance), (.box, .box): true
            case (.provided(let left), .provided(let right)): left == right
            case (.fromParameters(let left), .fromParameters(let right)): left == right
            default: false
            }
        }
    }

    /// What supplies the service.
    enum Origin {
        case supplier(any ServiceSupplier)
        /// A recipe, which creates the supplier.
        case recipe(any SupplierRecipe)
        /// A ready-made service, which needs a supplier once its own cell isn't enough.
        case instance(AnyCell, of: any Sendable.Type)
    }

    /// Details that few registrations have.
    struct Details: Sendable {
        /// The registration that this one decorates, which nobody else is handed any more.
        var base: Registration?
        /// The decoration that wraps it.
        var decoration: Decoration?
        /// The name of the module that registered it.
        let module: String?
        /// Whether the box fills the service and its wrappers.
        let fills: Bool
        /// Stops the service when its box stops.
        var stop: AnyStopAction?
    }

    let name: String
    /// Numbered upwards within a registry.
    let number: Int
    let location: SourceLocation
    /// The type that the service is registered as.
    let serviceType: any Sendable.Type
    private let ownRecipe: (any SupplierRecipe)?
    /// The cell of a ready-made service.
    private let readyMade: AnyCell?
    private let lazySupplier: LazyReference<ConstantObject<any ServiceSupplier>>
    private let lazyHistory: LazyReference<ServiceHistory>
    /// A reference to the box that fills the service; a copied box leaves that to the original.
    let home: WeakSupplier
    private let details: ConstantObject<Details>?
    /// In half a word, which the mark below fits beside; zero before it is filled.
    private let fillOrder: Atomic<UInt32>
    /// Whether it is a box's own version of an ancestor's registration.
    let isInherited: Bool
    /// The place of the present service in the same order: of a ready-made one, when it was registered.
    private let creationOrder: Atomic<UInt32>

    init(
        _ name: String, _ origin: Origin, at location: SourceLocation, _ history: ServiceHistory? = nil,
        _ details: Details? = nil, number: Int, home: WeakSupplier, isInherited: Bool = false,
        order: Int? = nil, readyMadePlace: Int = 0
    ) {
        switch origin {
        case .supplier(let supplier):
            (serviceType, ownRecipe, readyMade) = (supplier.serviceType, nil, nil)
            lazySupplier = LazyReference(ConstantObject(supplier))
        case .recipe(let recipe):
            (serviceType, ownRecipe, readyMade) = (recipe.serviceType, recipe, nil)
            lazySupplier = LazyReference()
        case .instance(let service, let type):
            (serviceType, ownRecipe, readyMade) = (type, nil, service)
            lazySupplier = LazyReference()
        }
        self.name = name
        self.number = number
        self.location = location
        lazyHistory = LazyReference(history)
        self.home = home
        self.details = details.map(ConstantObject.init)
        fillOrder = Atomic(UInt32(clamping: order ?? 0))
        self.isInherited = isInherited
        creationOrder = Atomic(UInt32(clamping: readyMadePlace))
    }

    /// Whether a child uses this registration itself, instead of its own version.
    func isShared(with child: Registry) -> Bool {
        let scope = scope
        return scope == nil && decoration == nil || scope != .box && !child.isScope
    }

    /// A child's own version of a registration that it doesn't share.
    func own(in child: Registry) -> Registration? {
        if let base, let decoration {
            let own = child.version(of: base) ?? base.own(in: child) ?? base
            return decoration.wrap(own, number: number, in: child, isOwn: true)
        }
        return recipe.map {
            Registration(
                name, .recipe($0), at: location, nil, details?.value, number: number, home: child.weakBox,
                isInherited: true)
        }
    }

    /// How the service, or the decorated one, is created; nil if it is ready-made or a provider's.
    var recipe: (any SupplierRecipe)? { ownRecipe ?? base?.recipe }
    /// The registration that this one decorates.
    var base: Registration? { details?.value.base }
    /// The decoration that wraps it.
    var decoration: Decoration? { details?.value.decoration }
    /// The name of the module that registered the service.
    var module: String? { details?.value.module }
    /// Whether the box fills the service.
    var fills: Bool { details?.value.fills ?? true }
    /// Stops the service when its box stops.
    var stop: AnyStopAction? { details?.value.stop }

    /// Creates the service if it is eager, after the one that it decorates; its factory's error is kept.
    func makeIfEager() {
        base?.makeIfEager()
        if lifetime == .eager { creator?.makeIfEager() }
    }

    /// This registration, the one that it decorates, and so on.
    var layers: some Sequence<Registration> { sequence(first: self, next: \.base) }

    /// The registration that the decorations wrap.
    var innermost: Registration { base?.innermost ?? self }

    /// The number of the innermost registration, regardless of decorations.
    var place: Int { innermost.number }

    /// Which boxes share the service; nil if it isn't created from a recipe.
    var scope: ServiceScope? { ownRecipe?.scope ?? base?.scope }
    /// Whether each child creates its own service.
    var isPerBox: Bool { scope == .box }

    /// Identifies the registration once it may be gone.
    var identity: ServiceHistory.Identity {
        ServiceHistory.Identity(home: ObjectIdentifier(home), number: number, isInherited: isInherited)
    }

    func isFilled(by registry: Registry) -> Bool { registry.isReferred(by: home) }

    var isBox: Bool { if case .box = kind { true } else { false } }

    /// The type of the parameters that the service is created from, if it is.
    var parametersType: Any.Type? { if case .fromParameters(let type) = kind { type } else { nil } }

    /// When the service is created and how long it is kept; nil if it was registered ready-made, or is created
    /// from parameters.
    var lifetime: Lifetime? { if case .provided(let lifetime) = kind { lifetime } else { nil } }
}

// MARK: - Supplying

// What many callers ask isn't inlined in them, which would take 100 KB (measured).
extension Registration {
    /// Hands out the service.
    var supplier: any ServiceSupplier {
        @inline(never) get {
            if let known = knownSupplier { return known }
            return lazySupplier.object(orCreate: ConstantObject(makeSupplier())).value
        }
    }

    private func makeSupplier() -> any ServiceSupplier {
        if let ownRecipe { return ownRecipe.makeSupplier(of: self) }
        guard let readyMade else { preconditionFailure("It has a supplier from the start.") }
        return InstanceSupplier(readyMade, of: serviceType, as: name, history, in: home, isWhole: true)
    }

    /// The supplier, unless nobody has needed it yet.
    var knownSupplier: (any ServiceSupplier)? { lazySupplier.withObject { $0.value } }

    /// Identifies the provider that creates the service, if it was ever asked to; takes no lock.
    var creatingProvider: ObjectIdentifier? { knownSupplier?.step?.provider }

    /// Asks the supplier, unless nobody has needed it yet.
    @inline(__always)
    private func known<Answer>(_ ask: (any ServiceSupplier) -> Answer?) -> Answer? {
        lazySupplier.withObject { ask($0.value) }
    }

    /// The cell of a ready-made service that is known to be complete, until somebody needs another cell.
    private var plainCell: AnyCell? { lazySupplier.isEmpty ? readyMade : nil }

    var kind: Kind {
        @inline(never) get {
            if readyMade != nil { return .instance }
            guard let ownRecipe else { return supplier.kind }
            if let type = ownRecipe.parametersType { return .fromParameters(type) }
            // A child's own version is created when the child first resolves it: a child meets inherited
            // registrations during look-ups, perhaps for other services.
            let lifetime = ownRecipe.lifetime
            return .provided(isInherited && lifetime == .eager ? .lazy : lifetime)
        }
    }

    /// The type of the service itself, which may be registered as an interface.
    var implementation: Any.Type {
        @inline(never) get { known { $0.implementation } ?? readyMade?.dynamicType ?? serviceType }
    }

    /// The service, if it is a class instance and was registered ready-made.
    var instance: AnyObject? { kind == .instance ? present?.instance : nil }
    /// The service, if it exists and is the box's to keep; creates nothing.
    var present: AnyCell? { @inline(never) get { plainCell ?? known { $0.present } } }
    /// The source that creates the service, unless it is ready-made or needs parameters.
    var creator: (any ServiceSource)? { readyMade == nil ? supplier.creator : nil }
    /// The step that constructs the service, if there is one.
    var step: ServicePath.Step? { known { $0.step } ?? (ownRecipe == nil ? nil : supplier.step) }
    /// Whether the service must be awaited.
    var isAwaited: Bool { ownRecipe?.isAwaited ?? creator?.isAwaited ?? false }
    /// Whether the service is being created.
    var isBeingCreated: Bool { known { $0.creator?.isBeingCreated } ?? false }
    /// Whether a request always gets the same cell, which may then be kept.
    var hasFixedCells: Bool { known { $0.hasFixedCells } ?? (readyMade != nil) }
    /// Whether a ready-made service is known to have everything that it requires; nil if it isn't ready-made.
    var isWhole: Bool? { @inline(never) get { kind == .instance ? hasFixedCells : nil } }

    /// Notes whether a ready-made service is known to have everything that it requires.
    func note(isWhole: Bool) { supplier.note(isWhole: isWhole) }

    /// Whether a request is for the provider of the service.
    func isProvider(wantedBy request: CellRequest) -> Bool {
        request.isForProvider(of: serviceType, kind)
    }

    /// The existing cell for a request, if there is one; creates no service.
    func presentCell(for request: CellRequest) -> AnyCell? {
        guard let plainCell else { return known { $0.presentCell(for: request) } }
        if request.allows(plainCell) { return plainCell }
        return request.mayWantProvider || request.makeCell(from: plainCell) != nil
            ? supplier.presentCell(for: request) : nil
    }

    /// The cell in which the service is kept, if it was created, others point to it already, and a request allows it.
    func keptCell(for request: CellRequest) -> AnyCell? { known { $0.keptCell(for: request) } }

    /// The cell that a request gets, if it is always the same.
    func fixedCell(for request: CellRequest) -> AnyCell? {
        hasFixedCells ? presentCell(for: request) : nil
    }

    /// Answers a request that the service fits, which may create the service.
    func supply(_ request: CellRequest, for asker: Asker) throws(ServiceBoxError) -> AnyCell? {
        if let plainCell, request.allows(plainCell) { return plainCell }
        return try supplier.supply(request, for: asker)
    }

    /// The service, created if necessary, as exactly its registered type; nil if it has no such form.
    func cell() throws(ServiceBoxError) -> AnyCell? {
        if let plainCell { return plainCell }
        return try supplier.cell()
    }

    /// The same; awaits whatever it needs.
    nonisolated(nonsending) func prepare() async throws -> AnyCell? {
        if let plainCell { return plainCell }
        return try await supplier.prepare()
    }
}

// MARK: - History

extension Registration {
    var history: ServiceHistory { lazyHistory.object(orCreate: ServiceHistory()) }
    /// The history, unless nobody has needed it yet.
    var knownHistory: ServiceHistory? { lazyHistory.object }
    var uses: UseTally { lazyHistory.withObject { $0.uses } ?? history.uses }

    /// The service's place in the order in which its box filled services; nil before.
    var order: Int? {
        let order = fillOrder.load(ordering: .relaxed)
        return order > 0 ? Int(order) : nil
    }

    /// The present service's place in the same order, the last if it is unknown; a ready-made one is as old as its
    /// registration, and older than what was created next.
    var age: (UInt32, Int, Int) {
        let place = creationOrder.load(ordering: .relaxed)
        return (place > 0 ? place : .max, kind == .instance ? 0 : 1, number)
    }

    /// Notes that the service is filled, unless it was before and isn't another one since.
    func noteOrder(_ next: () -> Int, isAnother: Bool = false) {
        let isFirst = order == nil
        if !isFirst, !isAnother { return }
        let place = UInt32(clamping: next())
        if isFirst { fillOrder.store(place, ordering: .relaxed) }
        if kind != .instance { creationOrder.store(place, ordering: .relaxed) }
    }

    /// Whether the service was never created, so that nothing is known about it.
    var isUnmade: Bool {
        if order != nil || knownHistory?.wasMade == true { return false }
        if parametersType != nil { return ownRecipe != nil && knownHistory?.createdType == nil }
        return known { $0.isUnmade } ?? (lifetime != nil)
    }

    /// Whether a property, a factory or code has taken the service, or a property or a factory its provider.
    ///
    /// Code that takes only the provider is about to wrap the service.
    var wasHandedOut: Bool {
        isUnmade && parametersType == nil
            ? uses.isByServices && known { $0.hasFailed } != true : !uses.isEmpty
    }
}

extension [Registration] {
    /// The registrations in order, each after the one that it decorates; not inlined, so that one specialised
    /// sort serves all callers.
    var inOrder: [Registration] {
        @inline(never) get { count < 2 ? self : sorted { ($0.place, $0.number) < ($1.place, $1.number) } }
    }
}

// MARK: - Look-ups

/// What a look-up has found, for later ones of the same thread.
///
/// All threads would contend for the reference count of a registration, and of whatever they read in it: two
/// threads created fewer transient services than one (measured). Each table of look-ups has objects of its own
/// instead, and what they refer to is borrowed.
///
/// ## Why `Unmanaged` is safe
///
/// The registration keeps its supplier, that its source, and that its closure and its delegate; none of them
/// is ever replaced. Whoever uses a borrowed reference holds this object, which holds the registration.
@usableFromInline
@safe final class FoundService: Sendable {
    let registration: Registration
    let serviceType: Any.Type
    /// The source that stores the service once it is created, if it is shared.
    @usableFromInline let shared: Unmanaged<SharedSource>?
    /// The source that creates one on every resolve, with its delegate and its closure, if there is one.
    let transient: Unmanaged<TransientSource>?
    let delegate: Unmanaged<any AnyObject & Sendable>?
    @usableFromInline let closure: Unmanaged<any AnyObject & Sendable>?

    init(_ registration: Registration) {
        self.registration = registration
        serviceType = registration.serviceType
        let source = registration.creator
        unsafe shared = (source?.shared).map(Unmanaged.passUnretained)
        let transient = source as? TransientSource
        unsafe self.transient = transient.map(Unmanaged.passUnretained)
        unsafe delegate = (transient?.maker.delegate).map { unsafe Unmanaged.passUnretained($0) }
        unsafe closure = (transient?.closure).map(Unmanaged.passUnretained)
    }

    /// The service, if it has been created.
    ///
    /// - Parameter type: The type that the service is registered as.
    /// - Returns: The service, or nil.
    @inlinable @inline(__always)
    @unsafe func madeService<Service>(_ type: Service.Type) -> Service? {
        withExtendedLifetime(self) { unsafe shared?._withUnsafeGuaranteedRef { unsafe $0.load(type) } }
    }
}
