// Part of ServiceBox, released under the MIT License.
// A dictionary for few keys.

/// A dictionary that compares its keys one by one while there are few, as in the box of a request: hashing a
/// name takes as long as comparing ten, and creating and destroying a hash table takes longer.
///
/// The first entry is stored inline, since it is often the only one.
struct SmallDictionary<Key: Hashable, Value> {
    private static var mostToCompare: Int { 8 }

    private var first: (key: Key, value: Value)?
    private var others: [(key: Key, value: Value)] = []
    /// All entries, once there are more.
    private var many: [Key: Value] = [:]

    subscript(key: Key) -> Value? {
        get {
            if !many.isEmpty { return many[key] }
            if let first, first.key == key { return first.value }
            return others.isEmpty ? nil : others.first { $0.key == key }?.value
        }
        set { updateValue(newValue, forKey: key) }
    }

    var isEmpty: Bool { first == nil && many.isEmpty }
    /// The keys, in no order.
    var keys: [Key] {
        many.isEmpty ? ((first.map { [$0] } ?? []) + others).map(\.key) : Array(many.keys)
    }

    /// Sets the value of a key, or removes it if nil, and returns the one before.
    @discardableResult
    mutating func updateValue(_ value: Value?, forKey key: Key) -> Value? {
        if !many.isEmpty { return exchange(&many[key], with: value) }
        if first == nil || first?.key == key {
            return exchange(&first, with: value.map { (key, $0) } ?? others.popLast())?.value
        }
        let index = others.firstIndex { $0.key == key }
        guard let value else { return index.map { others.remove(at: $0).value } }
        if let index { return exchange(&others[index].value, with: value) }
        others.append((key, value))
        if others.count == Self.mostToCompare, let first {
            many = Dictionary(uniqueKeysWithValues: (others + [first]).map { ($0.key, $0.value) })
            (self.first, others) = (nil, [])
        }
        return nil
    }
}

extension SmallDictionary: Sendable where Key: Sendable, Value: Sendable {}
