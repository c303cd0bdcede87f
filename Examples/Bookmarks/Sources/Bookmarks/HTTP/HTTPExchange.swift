// Part of ServiceBox, released under the MIT License.
// A request and what becomes of it.

import Foundation
import Synchronization

/// A request that comes in parts, and its answer.
///
/// Thread-safe.
final class HTTPExchange: Sendable {
    private struct State {
        var request: HTTPRequest
        /// What is left of the body is read and dropped, since it is too large.
        var dropped = 0
        var response: HTTPResponse?
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private let state: Mutex<State>

    init(_ request: HTTPRequest) {
        state = Mutex(State(request: request))
    }

    var response: HTTPResponse? { state.withLock { $0.response } }

    /// Decides on the answer before there is a request.
    func refuse(_ response: HTTPResponse) { state.withLock { $0.response = response } }

    /// Takes a part of the body.
    ///
    /// - Returns: Whether to go on; a client that doesn't stop isn't listened to any more.
    func append(_ part: UnsafeRawBufferPointer, limit: Int) -> Bool {
        state.withLock { state in
            if state.request.body.count + part.count <= limit, state.dropped == 0 {
                state.request.body.append(contentsOf: part)
                return true
            }
            state.request.body = Data()
            state.dropped += part.count
            state.request.failure = .tooLarge(limit: limit)
            return state.dropped <= 4 * limit
        }
    }

    /// Has the request answered by a task.
    func answer(
        _ respond: @escaping @Sendable (HTTPRequest) async -> HTTPResponse,
        then done: @escaping @Sendable () -> Void
    ) {
        state.withLock { state in
            state.task = Task { [self, request = state.request] in
                let response = await respond(request)
                self.state.withLock { $0.response = response }
                done()
            }
            if state.isCancelled { state.task?.cancel() }
        }
    }

    /// Cancels the task that answers, also one that is yet to come.
    ///
    /// - Returns: Whether an answer is under way.
    func cancel() -> Bool {
        let (task, isAnswered) = state.withLock { state in
            state.isCancelled = true
            return (state.task, state.response != nil)
        }
        task?.cancel()
        return task != nil || isAnswered
    }
}
