// Part of ServiceBox, released under the MIT License.
// Values by address.

/// A dictionary of values by the addresses of types, or of what else stays where it is.
///
/// Its keys need no hashing, which costs a fill as much as writing two slots; and a type of dictionaries more costs a
/// program a search through all its conformances when it is launched (measured). A value stands at the place that
/// follows from its address, or at the next free one. Of the places, which grow with the number of values, at least half
/// are free.
struct AddressTable<Value> {
    fileprivate struct Place {
        /// Zero of a free place.
        var address: UInt = 0
        var value: Value?
    }

    private static var fewestPlaces: Int { 4 }

    private var places: [Place] = []
    private var count = 0

    subscript(address: UInt) -> Value? {
        @inline(__always) get { places.isEmpty ? nil : places[index(of: address)].value }
    }

    /// Sets the value of an address, and hands out the one that it replaces.
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
        // One by one: what repeats a value is not specialised, and has the runtime look types up (measured).
        places.reserveCapacity(count)
        for _ in 0..<count { places.append(Place()) }
        for place in known where place.address != 0 { places[index(of: place.address)] = place }
    }

    /// The index of the place that an address has, or may take.
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
