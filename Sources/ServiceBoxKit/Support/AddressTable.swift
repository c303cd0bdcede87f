// Part of ServiceBox, released under the MIT License.
// Values by address.

/// A dictionary keyed by the addresses of types, or of other objects that never move.
///
/// Addresses need no hashing, which would cost a fill as much as writing two slots; and each further
/// specialisation of `Dictionary` costs a program a search through all its conformances at launch (measured).
/// A value is stored at the index that follows from its address, or at the next free one. The number of
/// places grows with the number of values, so that at least half of them are free.
struct AddressTable<Value> {
    fileprivate struct Place {
        /// Zero if the place is free.
        var address: UInt = 0
        var value: Value?
    }

    private static var fewestPlaces: Int { 4 }

    private var places: [Place] = []
    private var count = 0

    /// The values, in no order.
    var values: [Value] { places.compactMap(\.value) }

    subscript(address: UInt) -> Value? {
        @inline(__always) get { places.isEmpty ? nil : places[index(of: address)].value }
    }

    /// Sets the value of an address, and returns the value that it replaces.
    @discardableResult
    mutating func updateValue(_ value: Value, at address: UInt) -> Value? {
        if count * 2 >= places.count { grow() }
        let index = index(of: address)
        if places[index].address == 0 { count += 1 }
        return exchange(&places[index], with: Place(address: address, value: value)).value
    }

    private mutating func grow() {
        let known = places
        places = []
        let count = max(Self.fewestPlaces, known.count * 2)
        // One by one: `Array(repeating:count:)` isn't specialised, and looks types up (measured).
        places.reserveCapacity(count)
        for _ in 0..<count { places.append(Place()) }
        for place in known where place.address != 0 { places[index(of: place.address)] = place }
    }

    /// The index of an address's place, or of the free place that it would take.
    @inline(__always)
    private func index(of address: UInt) -> Int {
        let mask = places.count - 1
        // The lowest bits of addresses are always zero.
        var index = Int(truncatingIfNeeded: (address >> 4) ^ (address >> 10)) & mask
        while places[index].address != address, places[index].address != 0 { index = (index + 1) & mask }
        return index
    }
}

extension AddressTable.Place: Sendable where Value: Sendable {}
extension AddressTable: Sendable where Value: Sendable {}
