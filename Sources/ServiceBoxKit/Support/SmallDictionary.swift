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

// MARK: - Values by name

/// A dictionary by name that compares names one by one as long as there are few, as in the box of a request: hashing a
/// name takes as long as comparing ten.
struct NameDictionary<Value> {
    private static var mostToCompare: Int { 8 }

    private var few: [(name: String, value: Value)] = []
    /// All of them, once there are more.
    private var many: [String: Value] = [:]

    var values: [Value] { many.isEmpty ? few.map(\.value) : Array(many.values) }
    var keys: [String] { many.isEmpty ? few.map(\.name) : Array(many.keys) }

    subscript(name: String) -> Value? {
        get {
            if !many.isEmpty { return many[name] }
            return index(of: name).map { few[$0].value }
        }
        set { update(newValue, for: name) }
    }

    /// Sets the value of a name, or with nil takes it out, and hands out the one before.
    @discardableResult
    mutating func update(_ value: Value?, for name: String) -> Value? {
        if many.isEmpty, let index = index(of: name) {
            guard let value else { return few.remove(at: index).value }
            return exchange(&few[index].value, with: value)
        }
        guard let value else { return many.removeValue(forKey: name) }
        if many.isEmpty, few.count < Self.mostToCompare {
            // For one after the other it costs as much as putting them there.
            if few.isEmpty { few.reserveCapacity(4) }
            few.append((name, value))
            return nil
        }
        if many.isEmpty {
            many = Dictionary(uniqueKeysWithValues: few.map { ($0.name, $0.value) })
            few = []
        }
        return many.updateValue(value, forKey: name)
    }

    func mapValues<Other>(_ transform: (Value) -> Other) -> NameDictionary<Other> {
        var other = NameDictionary<Other>()
        for (name, value) in zip(keys, values) { other[name] = transform(value) }
        return other
    }

    private func index(of name: String) -> Int? { few.firstIndex { $0.name == name } }
}

extension NameDictionary: Sendable where Value: Sendable {}
