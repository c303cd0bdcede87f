// Part of ServiceBox, released under the MIT License.
// The first of several answers to one task that waits.

/// Runs an asynchronous operation, and returns its value or error as a result.
nonisolated(nonsending) func outcome<Value, Failure>(
    of operation: nonisolated(nonsending) () async throws(Failure) -> Value
) async -> Result<Value, Failure> {
    do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
}

/// The first of several answers to one task that waits for it.
///
/// Thread-safe. The task is resumed under no lock.
final class Answer<Value: Sendable>: Sendable {
    private struct State {
        var given: Value?
        var waiting: CheckedContinuation<Value, Never>?
    }

    private let state = Guarded(State())

    /// Gives the answer; ignored if there is one already.
    ///
    /// Not inlined: the runtime needs a search for a conformance before it knows the type of a continuation, and
    /// most callers have nobody to answer (measured: 3 % of a launch).
    @inline(never)
    func give(_ value: Value) {
        let waiting = state.withLock { state in
            state.given = state.given ?? value
            return state.waiting.take()
        }
        waiting?.resume(returning: value)
    }

    /// Waits for the answer; called once.
    ///
    /// - Parameter cancel: Called if the task is cancelled while it waits, or was cancelled before.
    /// - Returns: The first answer.
    nonisolated(nonsending) func value(onCancel cancel: @Sendable () -> Void = {}) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early = state.withLock { state in
                    if state.given == nil { state.waiting = continuation }
                    return state.given
                }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            cancel()
        }
    }
}
