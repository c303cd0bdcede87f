// Part of ServiceBox, released under the MIT License.
// What a box keeps of a registered service.

import Synchronization

/// What a registration has for a property.
enum Supply: Sendable {
    case cell(AnyCell)
    /// All services of a type but for those that could not be made.
    case partly(AnyCell, failures: [FailedService])
    /// The service does not fit the property.
    case mismatch
    /// A service could not be made.
    case failure(ServiceBoxError, of: Registration)
    /// The property would hold the service weakly, and nobody else keeps it.
    case notKept

    /// What the property gets.
    var cell: AnyCell? {
        switch self {
        case .cell(let cell), .partly(let cell, _): cell
        case .mismatch, .failure, .notKept: nil
        }
    }

    /// What there is to say of a property beside what was planned for it; nil if it gets all that it was to get.
    func finding(from source: Registration) -> Finding? {
        switch self {
        case .cell: nil
        case .partly(_, let failures): .gatheredPartly(source.gathered(without: failures), failures)
        case .mismatch: .typeMismatch(.init(source))
        case .failure(let error, let failing): .failed(.init(failing), error)
        case .notKept: .notKept(.init(source))
        }
    }
}

/// A service under its name.
///
/// Subclasses know how to hand the service out.
@usableFromInline
class Registration: @unchecked Sendable {
    // `Sendable` is unchecked because this is no final class: it and its subclasses have `let`s of `Sendable`
    // types alone.
    final let name: String
    final let serviceType: Any.Type
    /// Counts registrations of a box upwards.
    final let number: Int
    final let place: Place
    /// Where the service lies once it is made, if the box need not take notice when it is handed out.
    @usableFromInline final let madeCell: MadeCell?
    private final let lazyUses = AtomicLazyReference<UseTally>()
    /// Zero until the service is filled.
    private final let fillOrder = Atomic(0)

    /// The service's place among all that its box has filled; nil before.
    final var order: Int? {
        let order = fillOrder.load(ordering: .relaxed)
        return order == 0 ? nil : order
    }

    final func noteOrder(_ order: Int) { fillOrder.store(order, ordering: .relaxed) }

    init(name: String, serviceType: Any.Type, number: Int, place: Place, madeCell: MadeCell? = nil) {
        self.name = name
        self.serviceType = serviceType
        self.number = number
        self.place = place
        self.madeCell = madeCell
    }

    /// Whether the tally knows that the service was looked up; saves the look-ups after the first one the way
    /// to it.
    private final let isKnownToBeAskedFor = Atomic(false)

    /// Notes that the service was looked up; costs a load when it was before.
    @inline(__always)
    final func noteResolved() {
        if isKnownToBeAskedFor.load(ordering: .relaxed) { return }
        uses.noteResolved()
        isKnownToBeAskedFor.store(true, ordering: .relaxed)
    }

    /// Who took the service from the box that it is registered in, or from a copy.
    final var uses: UseTally { lazyUses.load() ?? lazyUses.storeIfNil(UseTally()) }

    /// The service, if it is made.
    ///
    /// The registration keeps alive what lies in the cell, so it has to be there until the cell is read.
    ///
    /// - Parameter type: The type that the service is registered as.
    /// - Returns: The service, or nil.
    @inlinable @inline(__always)
    final func madeService<Service>(_ type: Service.Type) -> Service? {
        withExtendedLifetime(self) { madeCell?.load(type) }
    }

    /// The service, made if need be, if it is registered as exactly a type: without a cast and without a
    /// cell.
    func direct<Wanted>(_ type: Wanted.Type) throws(ServiceBoxError) -> Wanted? { nil }

    /// Answers a request, which may make the service.
    ///
    /// - Parameters:
    ///   - request: What is asked for.
    ///   - isEarly: Whether it is for a slot of a service that is itself being filled, so that this one may
    ///     be filled after it.
    /// - Returns: What there is for it.
    func supply(_ request: CellRequest, isEarly: Bool) -> Supply { .mismatch }

    /// Answers a request with a complete service, which may make it.
    final func supply(_ request: CellRequest) -> Supply { supply(request, isEarly: false) }

    /// The cell that properties of a kind have got, if there is one; makes nothing.
    func present(_ request: CellRequest) -> AnyCell? { nil }

    /// How the service fits a request; makes nothing.
    func fit(_ request: CellRequest) -> Fit { .no }

    /// Whether a property would be the only one to hold a service, and weakly, so that it is gone at once.
    ///
    /// A factory that hands out what others keep is known by what a fill gets from it.
    func isDropped(by request: CellRequest) -> Bool { false }

    /// A service made with parameters, or nil if nothing of that type is made from such parameters.
    func make<Wanted, Parameters>(
        _ type: Wanted.Type, with parameters: Parameters
    ) throws(ServiceBoxError) -> Wanted? { nil }

    /// The type of the parameters that the service is made with, if it is.
    var parametersType: Any.Type? { nil }

    /// Whether `supply(_:)` answers with the same cell every time, so that it may be kept.
    var hasFixedCells: Bool { true }

    /// The services that a property which takes all of a type gets, if some could not be made.
    func gathered(without failures: [FailedService]) -> [ServiceDescription] { [] }

    /// The type of the service itself, which may be registered as an interface.
    var implementation: Any.Type { serviceType }

    /// The service's own slots and table, where a walk has shown them.
    var wiring: Wiring? { nil }

    /// What is known of the service, if a provider makes it.
    var made: MadeService? { nil }

    /// When the service is made and how long it is kept; nil if it was registered ready-made, or is made with
    /// parameters.
    var lifetime: Lifetime? { nil }

    /// Whether nothing is known of the service because it has never been made.
    var isUnmade: Bool { false }

    /// Whether a property or code has taken the service, or its provider.
    var wasHandedOut: Bool { !uses.isEmpty }

    /// Makes the service, if that is the box's to do.
    ///
    /// - Returns: Why it could not be made, if it could not.
    func makingError() -> ServiceBoxError? { nil }

    /// The registration that a child box uses in the place of this one: itself, if the two share the service.
    func inherited(by child: ServiceBox) -> Registration { self }
}
