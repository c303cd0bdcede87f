// Part of ServiceBox, released under the MIT License.
// Finding places in sorted collections.

extension RandomAccessCollection {
    /// Finds the first element that isn't below what is looked for.
    ///
    /// - Parameter isBelow: Whether an element is below it, as the first ones are and no others.
    /// - Returns: Its place; the end if all are below.
    /// - Complexity: O(log *n*)
    func partitionIndex(after isBelow: (Element) -> Bool) -> Index {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = index(low, offsetBy: distance(from: low, to: high) / 2)
            if isBelow(self[middle]) { low = index(after: middle) } else { high = middle }
        }
        return low
    }
}
