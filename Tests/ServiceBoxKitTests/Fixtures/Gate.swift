// Part of ServiceBox, released under the MIT License.
// Where tasks wait for each other.

/// A place where tasks wait until somebody opens it; those who are cancelled go on.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var last = 0
        var arrivals = 0
        var hosts: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until the gate is open, or the current task is cancelled.
    func pass() async {
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isFree, hosts) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
                    state.arrivals += 1
                    let arrivals = state.arrivals
                    let due = state.hosts.filter { $0.count <= arrivals }.map(\.continuation)
                    state.hosts.removeAll { $0.count <= arrivals }
                    let isFree = state.isOpen || Task.isCancelled
                    if !isFree { state.waiting[id] = continuation }
                    return (isFree, due)
                }
                for host in hosts { host.resume() }
                if isFree { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }

    /// Waits until so many have come to the gate.
    func arrivals(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isDue = state.withLock { state in
                if state.arrivals >= count { return true }
                state.hosts.append((count, continuation))
                return false
            }
            if isDue { continuation.resume() }
        }
    }
}

/// The error that an operation throws; nil if it throws none.
func failure<Result>(of operation: () async throws -> Result) async -> (any Error)? {
    do {
        _ = try await operation()
        return nil
    } catch { return error }
}
