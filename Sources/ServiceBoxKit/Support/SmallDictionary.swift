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
struct SmallDictionary<Key: Equatable, Value>: KeyedValues {
    private var entries: [(key: Key, value: Value)]

    init() { entries = [] }

    init(_ value: Value, forKey key: Key) { entries = [(key, value)] }

    subscript(key: Key) -> Value? {
        get { entries.first { $0.key == key }?.value }
        set { updateValue(newValue, forKey: key) }
    }

    /// Sets the value of a key, or with nil takes it out, and hands out the one before.
    @discardableResult
    mutating func updateValue(_ value: Value?, forKey key: Key) -> Value? {
        let index = entries.firstIndex { $0.key == key }
        let old = index.map { entries[$0].value }
        switch (index, value) {
        case (let index?, let value?): entries[index].value = value
        case (let index?, nil): entries.remove(at: index)
        case (nil, let value?): entries.append((key, value))
        case (nil, nil): break
        }
        return old
    }
}

extension SmallDictionary: Sendable where Key: Sendable, Value: Sendable {}
