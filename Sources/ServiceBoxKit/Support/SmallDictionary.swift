// Part of ServiceBox, released under the MIT License.
// A dictionary that often has one entry.

/// A dictionary whose first entry is stored inline, since it is often the only one: creating and destroying a
/// table takes longer than anything else.
struct SmallDictionary<Key, Value> {
    fileprivate struct Entry {
        let key: Key
        let value: Value
    }

    // No entry: optional structs of a generic type take longer to copy (measured).
    private var first: (key: Key, value: Value)?
    /// Empty if there is no first one.
    private var others = KeyedTable<Entry>()

    var isEmpty: Bool { first == nil }
    /// The keys, in no order.
    var keys: [Key] { (first.map { [$0.key] } ?? []) + others.elements.map(\.key) }
    /// The values, in the order of the keys.
    var values: [Value] { (first.map { [$0.value] } ?? []) + others.elements.map(\.value) }
}

extension SmallDictionary.Entry: Keyed where Key: Hashable {}

extension SmallDictionary where Key: Hashable {
    subscript(key: Key) -> Value? {
        get {
            if let first, first.key == key { return first.value }
            return others[key]?.value
        }
        set { updateValue(newValue, forKey: key) }
    }

    /// Sets the value of a key, or removes it if nil, and returns the one before.
    @discardableResult
    mutating func updateValue(_ value: Value?, forKey key: Key) -> Value? {
        if first == nil || first?.key == key {
            let new = value.map { (key, $0) } ?? others.popLast().map { ($0.key, $0.value) }
            return exchange(&first, with: new)?.value
        }
        return others.updateValue(value.map { Entry(key: key, value: $0) }, for: key)?.value
    }
}

extension SmallDictionary: Sendable where Key: Sendable, Value: Sendable {}
extension SmallDictionary.Entry: Sendable where Key: Sendable, Value: Sendable {}
