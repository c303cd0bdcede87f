// Part of ServiceBox, released under the MIT License.
// When to drop what is gone.

/// A number of elements beyond which those that are gone should be dropped from a table.
///
/// It is twice what was left the last time, so that dropping takes O(1) for each element added, amortized.
struct GrowthLimit: Sendable {
    private var limit = 64

    func isExceeded(by count: Int) -> Bool { count > limit }

    /// Sets it once elements were dropped.
    mutating func reset(to count: Int) { limit = max(64, 2 * count) }
}
