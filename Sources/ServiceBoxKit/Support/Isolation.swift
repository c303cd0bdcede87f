// Part of ServiceBox, released under the MIT License.
// Whether code that is isolated to the main actor may run here.

/// A portable probe for the main actor.
///
/// A cast to a protocol with an isolated conformance succeeds only on that actor (measured on Swift 6.3).
enum Isolation {
    fileprivate protocol MainActorMark {}

    @MainActor fileprivate final class Probe {
        nonisolated init() {}
    }

    private static let probe: any Sendable = Probe()

    /// Whether the caller runs on the main actor.
    ///
    /// The cast takes a search, so some loads come first. The thread alone doesn't tell: on Linux the main
    /// actor runs on any thread once an asynchronous `main` has suspended (measured).
    static var isMainActor: Bool {
        if let currentExecutor {
            let current = currentExecutor()
            let isPossible =
                current == 0
                ? CurrentThread.isMain : unsafe current == identity(of: MainActor.sharedUnownedExecutor)
            if !isPossible { return false }
        }
        return isMarked
    }

    /// Apart, so that what comes before needs no room for the probe.
    private static var isMarked: Bool {
        @inline(never) get { probe is any MainActorMark }
    }

    /// Whether the caller certainly runs on no actor.
    static var isNone: Bool { currentExecutor.map { $0() == 0 && !CurrentThread.isMain } ?? false }

    /// Whether the caller runs on an actor; nil if the runtime can't tell and ``run(on:_:)`` isn't running
    /// here.
    static func isCurrent(_ actor: any Actor) -> Bool? {
        if actor === MainActor.shared { return isMainActor }
        guard let currentExecutor else { return entered.here.value === actor ? true : nil }
        return unsafe currentExecutor() == identity(of: actor.unownedExecutor)
    }

    /// Runs a body on an actor.
    static func run<Result: Sendable>(
        on actor: isolated any Actor, _ body: @Sendable () -> Result
    ) -> Result {
        let outer = exchange(&entered.here.value, with: actor)
        defer { entered.here.value = outer }
        return body()
    }

    /// The actor on which a body runs on this thread.
    private static let entered = ThreadLocal<(any Actor)?> { nil }

    /// The identity of the current executor, or zero for none; nil if the runtime can't tell.
    ///
    /// ## Why the casts are safe
    ///
    /// The runtime's function takes nothing and returns an executor: two words, in registers. The first is
    /// its identity, or zero for none. Compilers have emitted calls to it ever since actors exist, so it
    /// can't change. An `UnownedSerialExecutor` is frozen and holds just such an executor.
    private static let currentExecutor = unsafe RuntimeSymbol.named(
        "swift_task_getCurrentExecutor", as: (@convention(c) () -> UInt).self)

    private static func identity(of executor: UnownedSerialExecutor) -> UInt {
        unsafe unsafeBitCast(executor, to: (UInt, UInt).self).0
    }
}

extension Isolation.Probe: @MainActor Isolation.MainActorMark {}
