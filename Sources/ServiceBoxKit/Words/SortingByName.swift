// Part of ServiceBox, released under the MIT License.
// The order in which what has a name is listed.

extension Sequence {
    /// The elements sorted by their names; those with one name stay in their order.
    ///
    /// - Parameter name: Gives a name, once for each element.
    /// - Returns: The elements.
    func sortedByName(_ name: (Element) -> String) -> [Element] {
        let elements = Array(self)
        return order(of: elements.map(name)).map { elements[$0] }
    }
}

/// The positions of names in alphabetical order; apart, so that one sorting function does for all types of elements.
private func order(of names: [String]) -> [Int] {
    names.indices.sorted { (names[$0], $0) < (names[$1], $1) }
}
