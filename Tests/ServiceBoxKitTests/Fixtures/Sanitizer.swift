// Part of ServiceBox, released under the MIT License.
// Whether a sanitizer watches the tests.

import Foundation

/// The sanitizers that this test run was built with.
enum Sanitizer {
    /// Whether the thread sanitizer is there, which tells of races that a test makes on purpose.
    static let isWatchingThreads = dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") != nil
}
