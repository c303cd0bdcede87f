// Part of ServiceBox, released under the MIT License.
// Elements by a key of theirs.

/// An element that is looked up by its key.
protocol Keyed {
    associatedtype Key: Hashable
    var key: Key { get }
}

/// An element that is looked up by its name.
protocol Named: Keyed where Key == String {
    var name: String { get }
}

extension Named {
    var key: String { name }
}

/// A dictionary of elements by their keys.
///
/// A few keys, as in the box of a request, are compared one by one: hashing a name takes as long as comparing
/// ten. `Dictionary` isn't used because it hashes every key again when it grows, stores the key beside the
/// element, and costs a program a search through all its conformances for each type of key (measured). So
/// would a constraint of `Element` in the declaration; the extension has it instead.
struct KeyedTable<Element> {
    private static var mostToCompare: Int { 8 }

    /// In insertion order, until one is removed.
    private(set) var elements: [Element] = []
    /// An open-addressing table of element indices plus one, each at the place that follows from its key's
    /// hash or at the next free one; zero marks a free place, as at least a quarter are.
    ///
    /// Empty while there are few elements.
    private var places: [UInt32] = []
}

extension KeyedTable where Element: Keyed {
    subscript(key: Element.Key) -> Element? {
        get { find(key).index.map { elements[$0] } }
        set { updateValue(newValue, for: key) }
    }

    /// Sets the element of a key, or removes it if nil, and returns the one before.
    @discardableResult
    mutating func updateValue(_ element: Element?, for key: Element.Key) -> Element? {
        let (index, place) = find(key)
        if let element, let index { return exchange(&elements[index], with: element) }
        if let element { append(element, at: place) }
        return index.map { remove(at: $0) }
    }

    /// Removes one of the elements; nil if there is none.
    mutating func popLast() -> Element? { elements.isEmpty ? nil : remove(at: elements.count - 1) }

    /// The index of a key's element, if there is one, and the place of that index, unless there are few.
    private func find(_ key: Element.Key) -> (index: Int?, place: Int) {
        if places.isEmpty { return (elements.firstIndex { $0.key == key }, 0) }
        let place = place(of: key) { elements[$0].key == key }
        return (places[place] == 0 ? nil : Int(places[place]) - 1, place)
    }

    /// Appends an element whose key isn't there yet, at the place that was found for it.
    private mutating func append(_ element: Element, at place: Int) {
        // One allocation is enough for a few.
        if elements.isEmpty { elements.reserveCapacity(Self.mostToCompare / 2) }
        elements.append(element)
        if places.isEmpty, elements.count <= Self.mostToCompare { return }
        if elements.count * 4 <= places.count * 3 {
            places[place] = UInt32(elements.count)
            return
        }
        // In large steps, since all keys are hashed again.
        places = Array(repeating: 0, count: max(places.count, Self.mostToCompare / 2) * 4)
        for index in elements.indices { enter(index) }
    }

    private mutating func remove(at index: Int) -> Element {
        let last = elements.count - 1
        let (place, lastPlace) = (place(of: index), place(of: last))
        elements.swapAt(index, last)
        let removed = elements.removeLast()
        if let place, let lastPlace {
            places[lastPlace] = UInt32(index + 1)
            leave(place)
        }
        return removed
    }

    // MARK: - Places

    private func following(_ place: Int) -> Int { (place + 1) & (places.count - 1) }

    /// The place of the first element that satisfies the predicate, or the free place at the end of the run.
    private func place(of key: Element.Key, _ isMeant: (_ index: Int) -> Bool) -> Int {
        var place = key.hashValue & (places.count - 1)
        while places[place] != 0, !isMeant(Int(places[place]) - 1) { place = following(place) }
        return place
    }

    /// The place of an element; nil while there are few.
    private func place(of index: Int) -> Int? {
        places.isEmpty ? nil : place(of: elements[index].key) { $0 == index }
    }

    private mutating func enter(_ index: Int) {
        places[place(of: elements[index].key) { _ in false }] = UInt32(index + 1)
    }

    /// Frees a place and re-enters the run behind it, whose elements may have been displaced.
    private mutating func leave(_ place: Int) {
        places[place] = 0
        var next = following(place)
        while places[next] != 0 {
            enter(Int(exchange(&places[next], with: 0)) - 1)
            next = following(next)
        }
    }
}

extension KeyedTable: Sendable where Element: Sendable {}
