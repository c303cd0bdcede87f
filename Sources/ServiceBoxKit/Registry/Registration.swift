// Part of ServiceBox, released under the MIT License.
// One registered service.

import Synchronization

/// Whether child boxes share a service, and how they get their own.
protocol Inheritance: AnyObject, Sendable {
    var scope: ServiceScope { get }
    /// The registered lifetime; a child's own version of an eager service is lazy.
    var lifetime: Lifetime { get }

    /// Creates the supplier of a child's own service.
    ///
    /// - Parameters:
    ///   - inherited: The registration that the child inherits.
    ///   - child: The child.
    ///   - history: The history of the child's service.
    /// - Returns: The supplier.
    func makeSupplier(
        inheriting inherited: Registration, in child: Registry, _ history: ServiceHistory
    ) -> any ServiceSupplier
}

/// Stops a service, given in its cell, when its box stops.
@usableFromInline
typealias AnyStopAction = @Sendable (AnyCell) async throws -> Void

/// A service's name, supplier and metadata.
///
/// Thread-safe.
final class Registration: Named, Sendable {
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
    let supplier: any ServiceSupplier
    /// How children get their own service; nil if the family shares this one, or the decorated one.
    let inheritance: (any Inheritance)?
    /// The registry whose box fills the service; a copied box leaves that to the original.
    let home: ObjectIdentifier
    let history: ServiceHistory
    /// Whether it is a box's own version of an ancestor's registration.
    let isInherited: Bool
    private let details: ConstantObject<Details>?

    init(
        _ name: String, _ supplier: any ServiceSupplier, at location: SourceLocation,
        _ history: ServiceHistory,
        _ inheritance: (any Inheritance)? = nil, _ details: Details? = nil, number: Int,
        home: ObjectIdentifier,
        isInherited: Bool = false
    ) {
        self.details = details.map(ConstantObject.init)
        self.isInherited = isInherited
        self.name = name
        self.supplier = supplier
        self.number = number
        self.location = location
        self.history = history
        self.inheritance = inheritance
        self.home = home
    }

    /// Whether a child uses this registration itself, instead of its own version.
    func isShared(with child: Registry) -> Bool {
        if inheritance == nil, decoration == nil { return true }
        return !isPerBox && !child.isScope
    }

    /// A child's own version of a registration that it doesn't share.
    func own(in child: Registry) -> Registration? {
        let history = ServiceHistory()
        let base = base.map { $0.isShared(with: child) ? $0 : $0.own(in: child) ?? $0 }
        let supplier: (any ServiceSupplier)? =
            if let base, let decoration {
                decoration.makeSupplier(base, child, history)
            } else {
                inheritance?.makeSupplier(inheriting: self, in: child, history)
            }
        return supplier.map {
            Registration(
                name, $0, at: location, history, inheritance,
                details.map {
                    var details = $0.value
                    details.base = base
                    return details
                },
                number: number, home: ObjectIdentifier(child), isInherited: true)
        }
    }

    var serviceType: Any.Type { supplier.serviceType }
    var kind: Kind { supplier.kind }
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
        supplier.makeIfEager()
    }

    /// This registration, the one that it decorates, and so on.
    var layers: some Sequence<Registration> { sequence(first: self, next: \.base) }

    /// The number of the innermost registration, regardless of decorations.
    var place: Int { base?.place ?? number }

    /// Whether each child creates its own service.
    var isPerBox: Bool { inheritance?.scope == .box }

    func isFilled(by registry: Registry) -> Bool { home == ObjectIdentifier(registry) }

    var isBox: Bool { if case .box = kind { true } else { false } }

    /// The type of the service itself, which may be registered as an interface.
    var implementation: Any.Type { supplier.implementation }

    /// The type of the parameters that the service is created from, if it is.
    var parametersType: Any.Type? { if case .fromParameters(let type) = kind { type } else { nil } }

    /// When the service is created and how long it is kept; nil if it was registered ready-made, or is created
    /// from parameters.
    var lifetime: Lifetime? { if case .provided(let lifetime) = kind { lifetime } else { nil } }
}

// MARK: - History

extension Registration {
    var uses: UseTally { history.uses }
    var order: Int? { history.order }

    /// Whether the service was never created, so that nothing is known about it.
    var isUnmade: Bool { !history.wasMade && supplier.isUnmade }

    /// Whether a property, a factory or code has taken the service, or a property or a factory its provider.
    ///
    /// Code that takes only the provider is about to wrap the service.
    var wasHandedOut: Bool { isUnmade ? uses.isByServices && !supplier.hasFailed : !uses.isEmpty }
}

extension [Registration] {
    /// The registrations in order, each after the one that it decorates; not inlined, so that one specialised
    /// sort serves all callers.
    var inOrder: [Registration] {
        @inline(never) get { sorted { ($0.place, $0.number) < ($1.place, $1.number) } }
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
/// The registration keeps its supplier, that its source, and that its closure and its delegate; all of them are
/// constants. Whoever uses a borrowed reference holds this object, which holds the registration.
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
        let source = registration.supplier.creator
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
