// Part of ServiceBox, released under the MIT License.
// Copies that differ in something.

/// A copy of a value with a change.
@inline(__always)
func changing<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
    var copy = value
    change(&copy)
    return copy
}
