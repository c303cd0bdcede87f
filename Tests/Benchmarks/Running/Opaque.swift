// Part of ServiceBox, released under the MIT License.
// The opaque functions that keep the optimiser from removing what is measured.

/// A wall that the optimiser does not see through.
enum Opaque {
    /// Takes a value and does nothing that the optimiser knows of.
    @inline(never)
    @_optimize(none)
    static func sink<Value>(_ value: borrowing Value) {}

    /// Hands a value back as one that the optimiser knows nothing of.
    @inline(never)
    @_optimize(none)
    static func value<Value>(_ value: Value) -> Value { value }
}

/// Takes the time.
enum Stopwatch {
    /// How long a piece of work takes, in nanoseconds.
    @inline(__always)
    static func time(_ body: () -> Void) -> Double {
        let start = ContinuousClock.now
        body()
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    }
}
