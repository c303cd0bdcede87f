// Part of ServiceBox, released under the MIT License.
// Whether code that belongs to the main actor may be run here.

/// A portable probe for the main actor.
///
/// A cast to a protocol whose conformance is isolated succeeds on that actor only (measured on Swift 6.3).
enum Isolation {
    fileprivate protocol MainActorMark {}

    @MainActor fileprivate final class Probe {
        nonisolated init() {}
    }

    private static let probe: any Sendable = Probe()

    /// Whether the caller runs on the main actor.
    static var isMainActor: Bool { probe is any MainActorMark }

    /// Whether it is worth asking for the main actor, which takes a search; this takes some loads.
    ///
    /// The thread alone does not tell: on Linux the main actor runs on any thread once an asynchronous `main`
    /// has waited (measured).
    static var mayBeMainActor: Bool {
        guard let executors else { return true }
        let current = executors.current()
        return current == executors.main || current == 0 && CurrentThread.isMain
    }

    /// Whether the caller runs on an actor; nil if the runtime can't tell.
    static func isCurrent(_ actor: any Actor) -> Bool? {
        if actor === MainActor.shared { return isMainActor }
        return executors.map { $0.current() == identity(of: actor.unownedExecutor) }
    }

    /// What tells the executor that runs the caller, and the main actor's; nil if the runtime cannot be asked.
    ///
    /// ## Why the casts are safe
    ///
    /// The runtime's function takes nothing and returns an executor: two words, in registers, of which the
    /// first is its identity, or zero for none. Compilers have emitted calls of it since there are actors, so
    /// it cannot change. An `UnownedSerialExecutor` is frozen and holds such an executor alone.
    private static let executors: (current: @convention(c) () -> UInt, main: UInt)? = {
        guard let function = RuntimeSymbol.named("swift_task_getCurrentExecutor") else { return nil }
        return (
            unsafeBitCast(function, to: (@convention(c) () -> UInt).self),
            identity(of: MainActor.sharedUnownedExecutor)
        )
    }()

    private static func identity(of executor: UnownedSerialExecutor) -> UInt {
        unsafeBitCast(executor, to: (UInt, UInt).self).0
    }
}

extension Isolation.Probe: @MainActor Isolation.MainActorMark {}
