// Part of ServiceBox, released under the MIT License.
// Medians.

extension Collection where Element == Double {
    /// The middle value, or the mean of the two in the middle; nil of nothing.
    package var median: Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}

/// What the rounds of two contenders came to, in nanoseconds for one operation.
package struct RoundStatistics: Equatable {
    package let median: Double
    package let referenceMedian: Double
    /// The median of the ratios of each round.
    ///
    /// Not the ratio of the medians: a slow round of a busy machine slows both contenders.
    package let ratio: Double

    /// Takes in the rounds, or fails without rounds and where the reference took no time in one.
    ///
    /// - Parameters:
    ///   - times: What the contender took in each round.
    ///   - referenceTimes: What the reference took in the same rounds.
    package init?(times: [Double], referenceTimes: [Double]) {
        guard times.count == referenceTimes.count, referenceTimes.allSatisfy({ $0 > 0 }),
            let median = times.median, let referenceMedian = referenceTimes.median,
            let ratio = zip(times, referenceTimes).map({ $0 / $1 }).median
        else { return nil }
        self.median = median
        self.referenceMedian = referenceMedian
        self.ratio = ratio
    }
}
