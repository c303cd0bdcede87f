// Part of ServiceBox, released under the MIT License.
// Values by name.

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
            defer { few[index].value = value }
            return few[index].value
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
