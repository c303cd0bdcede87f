// Part of ServiceBox, released under the MIT License.
// The one file that uses the platform's C library: runs work on several threads at the same time.

import ServiceBoxKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

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
        let threads = (0..<count).map { _ in
            start {
                let result = body()
                results.withLock { $0.append(result) }
            }
        }
        for thread in threads { pthread_join(thread, nil) }
        return results.withLock { $0 }
    }

    /// Lets other threads run.
    static func yield() { sched_yield() }

    /// Starts a thread, which owns the body until it ends.
    private static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t {
        // A pointer on some platforms, optional there, and an integer on others.
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let context = Unmanaged.passRetained(Start(body)).toOpaque()
        let status = pthread_create(&thread, nil, { Start.run($0) }, context)
        #if canImport(Darwin)
        guard status == 0, let thread else { preconditionFailure("The system has no thread left.") }
        #else
        precondition(status == 0, "The system has no thread left.")
        #endif
        return thread
    }
}

/// The context of a new thread.
///
/// The pointer comes from a retained reference to an instance, just before the thread started, and is used
/// once.
private final class Start: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    /// Runs the body; the system's argument is optional on some platforms.
    static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context else { return nil }
        Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
        return nil
    }
}
