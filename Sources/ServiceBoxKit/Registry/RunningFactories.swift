// Part of ServiceBox, released under the MIT License.
// Who asks for whom while being made.

import Synchronization

/// The factories of a box that run, and which service each thread makes.
///
/// Thread-safe.
struct RunningFactories: ~Copyable, Sendable {
    /// The service whose factory runs on a thread, innermost.
    private struct Maker {
        let name: String
        let history: Unmanaged<ServiceHistory>
        let registry: ObjectIdentifier
    }

    private static let ofThread = ThreadLocal<Maker?> { nil }

    /// Counts those of one box; while it is zero, a look-up asks no further.
    private let count = Atomic(0)

    /// Runs the factory of a service.
    func run(
        _ name: String, _ history: ServiceHistory, in registry: Registry,
        _ make: () throws -> ServiceReference
    ) rethrows -> ServiceReference {
        let current = Self.ofThread.pointer
        let outer = current.pointee
        current.pointee = Maker(
            name: name, history: .passUnretained(history), registry: ObjectIdentifier(registry))
        count.add(1, ordering: .relaxed)
        defer {
            count.subtract(1, ordering: .relaxed)
            current.pointee = outer
        }
        return try withExtendedLifetime(history) { try make() }
    }

    /// Notes a look-up, if a factory of the box has made it.
    @inline(__always)
    func noteLookUp(of registration: Registration, in registry: Registry) {
        if count.load(ordering: .relaxed) != 0 { noteAsk(for: registration, in: registry) }
    }

    @inline(never)
    private func noteAsk(for registration: Registration, in registry: Registry) {
        guard let maker = Self.ofThread.pointer.pointee, maker.registry == ObjectIdentifier(registry) else {
            return
        }
        let isNews = maker.history._withUnsafeGuaranteedRef {
            $0.noteAsk(for: registration.name, registration.home, registration.number)
        }
        if isNews { registration.uses.noteFactory(of: maker.name) }
    }
}
