// Part of ServiceBox, released under the MIT License.
// Values by key where there are few.

/// What holds values by key.
protocol KeyedValues<Key, Value> {
    associatedtype Key
    associatedtype Value

    subscript(key: Key) -> Value? { get set }
}

extension Dictionary: KeyedValues {}

/// A dictionary of a handful of entries, which are compared one by one: making a hash table, and ending it, costs more.
///
/// The first one lies in the dictionary itself, since mostly there is no other.
struct SmallDictionary<Key: Equatable, Value>: KeyedValues {
    private var first: (key: Key, value: Value)?
    private var others: [(key: Key, value: Value)] = []

    subscript(key: Key) -> Value? {
        get {
            if let first, first.key == key { return first.value }
            return others.isEmpty ? nil : others.first { $0.key == key }?.value
        }
        set { updateValue(newValue, forKey: key) }
    }

    /// Sets the value of a key, or with nil takes it out, and hands out the one before.
    @discardableResult
    mutating func updateValue(_ value: Value?, forKey key: Key) -> Value? {
        if first == nil || first?.key == key {
            defer { first = value.map { (key, $0) } ?? others.popLast() }
            return first?.value
        }
        let index = others.firstIndex { $0.key == key }
        let old = index.map { others.remove(at: $0).value }
        if let value { others.append((key, value)) }
        return old
    }
}

extension SmallDictionary: Sendable where Key: Sendable, Value: Sendable {}
