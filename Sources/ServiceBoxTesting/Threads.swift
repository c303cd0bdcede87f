// Part of ServiceBox, released under the MIT License.
// Runs work on several threads at the same time.

import Foundation
import ServiceBoxKit

/// Threads of the system.
///
/// Tasks wouldn't do. They share a pool with one thread per core, which other tests keep busy: on a machine
/// with one core, or in a large test run, two calls may never overlap, and a provider that creates its
/// service twice would pass. And a call may block its thread, which a task must not do for long.
enum Threads {
    /// Runs a body on several threads at the same time, and waits for all of them.
    ///
    /// - Parameters:
    ///   - count: How many threads run it.
    ///   - body: What each runs.
    /// - Returns: What the bodies returned, in no order.
    static func run<Result: Sendable>(_ count: Int, _ body: @escaping @Sendable () -> Result) -> [Result] {
        let results = Guarded<[Result]>([])
        let running = DispatchGroup()
        for _ in 0..<count {
            running.enter()
            Thread.detachNewThread {
                let result = body()
                results.withLock { $0.append(result) }
                running.leave()
            }
        }
        running.wait()
        return results.withLock { $0 }
    }

    /// Lets other threads run.
    static func yield() { sched_yield() }
}
