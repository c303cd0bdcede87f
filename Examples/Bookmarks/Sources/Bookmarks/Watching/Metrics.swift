// Part of ServiceBox, released under the MIT License.
// What is counted.

import Foundation
import Synchronization

/// Counts requests and look-ups, for programs that draw such numbers.
///
/// Thread-safe.
final class Metrics: Sendable {
    private struct Request: Hashable {
        let route: String
        let status: Int
    }

    private struct Total {
        var count = 0
        var seconds = 0.0

        mutating func add(_ seconds: Double) {
            count += 1
            self.seconds += seconds
        }
    }

    private struct State {
        var requests: [Request: Total] = [:]
        var hits = 0
        var misses = 0
    }

    private let state = Mutex(State())

    func countRequest(_ route: String, _ status: HTTPStatus, _ duration: Duration) {
        let seconds = duration / .seconds(1)
        state.withLock {
            $0.requests[Request(route: route, status: status.code), default: Total()].add(seconds)
        }
    }

    func countLookUp(isHit: Bool) {
        state.withLock { state in
            if isHit { state.hits += 1 } else { state.misses += 1 }
        }
    }

    /// All numbers in the text format of Prometheus.
    var text: String {
        let now = state.withLock { $0 }
        let requests = now.requests.sorted { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }
        var lines = ["# TYPE http_requests_total counter"]
        lines += requests.map { request, value in
            "http_requests_total{route=\"\(request.route)\",status=\"\(request.status)\"} \(value.count)"
        }
        lines.append("# TYPE http_request_seconds_total counter")
        lines += requests.map { request, value in
            "http_request_seconds_total{route=\"\(request.route)\",status=\"\(request.status)\"} \(value.seconds)"
        }
        lines += [
            "# TYPE cache_lookups_total counter",
            "cache_lookups_total{result=\"hit\"} \(now.hits)",
            "cache_lookups_total{result=\"miss\"} \(now.misses)",
            "# TYPE process_cpu_seconds_total counter",
            "process_cpu_seconds_total \(Self.cpuSeconds)",
        ]
        if let bytes = Self.residentBytes {
            lines += ["# TYPE process_resident_memory_bytes gauge", "process_resident_memory_bytes \(bytes)"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The processor time that the program has used.
    private static var cpuSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The memory that the program has; nil where the system doesn't say so in a file.
    private static var residentBytes: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map {
            $0 * sysconf(Int32(_SC_PAGESIZE))
        }
    }
}
