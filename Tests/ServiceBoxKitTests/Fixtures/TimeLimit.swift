// Part of ServiceBox, released under the MIT License.
// What a test has that would wait for ever if it failed.

import Testing

extension Trait where Self == TimeLimitTrait {
    /// Fails a test that waits for ever.
    ///
    /// It measures nothing: all tests run at the same time, on few processors and under sanitizers, and each waits for
    /// the others.
    static var neverHanging: Self { .timeLimit(.minutes(10)) }
}
