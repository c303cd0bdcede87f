// Part of ServiceBox, released under the MIT License.
// The first of several answers to one task that waits.

/// The first of several answers to one task that waits for it.
///
/// Thread-safe. The task is resumed under no lock.
final class Answer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case given(Value)
    }

    private let state = Guarded(State.open)

    /// Answers, unless somebody has.
    func give(_ value: Value) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
            switch state {
            case .given: return nil
            case .open:
                state = .given(value)
                return nil
            case .awaited(let continuation):
                state = .given(value)
                return continuation
            }
        }
        waiting?.resume(returning: value)
    }

    /// Waits for the answer; called once.
    ///
    /// - Parameter cancel: Called if the task is cancelled while it waits, or was before.
    /// - Returns: The first answer.
    func value(onCancel cancel: @Sendable () -> Void = {}) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early = state.withLock { state -> Value? in
                    if case .given(let value) = state { return value }
                    state = .awaited(continuation)
                    return nil
                }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            cancel()
        }
    }
}
