// Part of ServiceBox, released under the MIT License.
// Whether a sanitizer watches the tests.

import Foundation

/// The sanitizers that this test run was built with.
enum Sanitizer {
    /// Whether the thread sanitizer is there, which tells of races that a test makes on purpose.
    static let isWatchingThreads = dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") != nil

    /// Says how often a test repeats what goes wrong once in many times.
    ///
    /// The thread sanitizer needs fewer: it sees a race though that does no harm, and has each task cost milliseconds.
    ///
    /// - Parameter count: The rounds without the thread sanitizer, at least 10.
    /// - Returns: That, or a tenth of it if the thread sanitizer is watching.
    static func rounds(_ count: Int) -> Int { isWatchingThreads ? count / 10 : count }
}
