// Part of ServiceBox, released under the MIT License.
// One service under its name.

import Synchronization

/// Whether child boxes share a service, and what they have instead.
protocol Inheritance: AnyObject, Sendable {
    var scope: ServiceScope { get }

    /// Creates what supplies a child's own service.
    ///
    /// - Parameters:
    ///   - inherited: What the child inherits.
    ///   - child: The child.
    ///   - history: What will happen to the service.
    /// - Returns: The supplier.
    func makeSupplier(
        inheriting inherited: Registration, in child: Registry, _ history: ServiceHistory
    ) -> any ServiceSupplier
}

/// Ends a service, in its cell, when its box stops.
@usableFromInline
typealias AnyStopAction = @Sendable (AnyCell) async throws -> Void

/// A service under its name, and what supplies it.
///
/// Thread-safe.
@usableFromInline
final class Registration: Named, Sendable {
    /// The name of the box's entry for itself.
    static let boxName = "serviceBox"

    /// How the service came into the box.
    enum Kind: Equatable {
        /// It was registered ready-made.
        case instance
        /// A provider creates it, which properties may take instead.
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

    /// What few registrations have.
    struct Details: Sendable {
        /// What the service decorates, which nobody else is handed any more.
        var base: Registration?
        /// How it does.
        var decoration: Decoration?
        /// The name of the module that has registered it.
        let module: String?
        /// Whether the box fills the service, and what it is wrapped in.
        let fills: Bool
        /// Ends the service when its box stops.
        var stop: AnyStopAction?
    }

    let name: String
    /// Counts the registrations of a registry upwards.
    let number: Int
    let location: SourceLocation
    let supplier: any ServiceSupplier
    /// How children come by a service of their own, or by what it decorates; nil if all boxes of a family share that.
    let inheritance: (any Inheritance)?
    /// What the service may be had from without the box's notice.
    @usableFromInline let shortcut: Shortcut
    /// The registry whose box fills the service; a copy leaves that to its original.
    let home: ObjectIdentifier
    let history: ServiceHistory
    /// Whether it is a box's own of what an ancestor has.
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
        shortcut = supplier.shortcut
        self.home = home
    }

    /// Whether a child has the service itself, and none of its own.
    func isShared(with child: Registry) -> Bool {
        if inheritance == nil, decoration == nil { return true }
        return !isPerBox && !child.isScope
    }

    /// What a child has in the place of a registration that it doesn't share.
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
    /// What the service decorates.
    var base: Registration? { details?.value.base }
    /// How it does.
    var decoration: Decoration? { details?.value.decoration }
    /// The name of the module that has registered the service.
    var module: String? { details?.value.module }
    /// Whether the box fills the service.
    var fills: Bool { details?.value.fills ?? true }
    /// Ends the service when its box stops.
    var stop: AnyStopAction? { details?.value.stop }

    /// Creates the service if it is eager, after what it decorates; what its factory throws is kept.
    func makeIfEager() {
        base?.makeIfEager()
        supplier.makeIfEager()
    }

    /// The service, what it decorates, and so on.
    var layers: some Sequence<Registration> { sequence(first: self, next: \.base) }

    /// The number of what was registered, however it is decorated.
    var place: Int { base?.place ?? number }

    /// Whether each child creates a service of its own.
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

    /// The service, if it is created.
    ///
    /// - Parameter type: The type that the service is registered as.
    /// - Returns: The service, or nil.
    @inlinable @inline(__always)
    func madeService<Service>(_ type: Service.Type) -> Service? {
        // The registration keeps what lies in the cell.
        guard case .shared(let cell) = shortcut else { return nil }
        return withExtendedLifetime(self) { cell.load(type) }
    }
}

// MARK: - What happened to it

extension Registration {
    var uses: UseTally { history.uses }
    var order: Int? { history.order }

    /// Whether nothing is known of the service because it was never created.
    var isUnmade: Bool { !history.wasMade && supplier.isUnmade }

    /// Whether a property, a factory or code has taken the service, or a property or a factory its provider.
    ///
    /// Code that asks for the provider alone is about to wrap the service.
    var wasHandedOut: Bool { isUnmade ? uses.isByServices && !supplier.hasFailed : !uses.isEmpty }
}

extension [Registration] {
    /// The registrations in the order in which they came, each behind what it decorates; not inlined, so that one sorting
    /// function does for all.
    var inOrder: [Registration] {
        @inline(never) get { sorted { ($0.place, $0.number) < ($1.place, $1.number) } }
    }
}
