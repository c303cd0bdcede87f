// Part of ServiceBox, released under the MIT License.
// The programs of a box, by the type of the object they fill.

/// A dictionary of programs with a shortcut: hashing a key costs a fill as much as writing two slots.
///
/// A program stands in a short array, at a place that follows from the address of its type. Where two types meet there,
/// the later one has the place and the other goes into a dictionary. The array grows with the number of programs, since
/// the box of a request has few and not for long.
struct ProgramTable: Sendable {
    private static let fewestPlaces = 8
    private static let mostPlaces = 64

    private var places: [(key: ObjectIdentifier, program: FillProgram)?] = []
    private var others: [ObjectIdentifier: FillProgram] = [:]
    private var count = 0

    var isEmpty: Bool { count == 0 }

    subscript(key: ObjectIdentifier) -> FillProgram? {
        @inline(__always) get {
            if places.isEmpty { return nil }
            if let found = places[place(of: key)], found.key == key { return found.program }
            return others.isEmpty ? nil : others[key]
        }
    }

    /// Puts a program in and hands out the one that it replaces.
    mutating func updateValue(_ program: FillProgram, forKey key: ObjectIdentifier) -> FillProgram? {
        if count * 4 >= places.count, places.count < Self.mostPlaces { grow() }
        let displaced = place(program, key)
        let old = displaced?.key == key ? displaced?.program : others.removeValue(forKey: key)
        if let displaced, displaced.key != key { others[displaced.key] = displaced.program }
        if old == nil { count += 1 }
        return old
    }

    private mutating func grow() {
        if places.isEmpty { return places = Array(repeating: nil, count: Self.fewestPlaces) }
        let known = places.compactMap(\.self) + others.map { ($0.key, $0.value) }
        places = Array(repeating: nil, count: places.count * 2)
        others = [:]
        for (key, program) in known {
            if let displaced = place(program, key) { others[displaced.key] = displaced.program }
        }
    }

    /// Puts a program into its place.
    ///
    /// - Returns: What stood there.
    private mutating func place(
        _ program: FillProgram, _ key: ObjectIdentifier
    ) -> (key: ObjectIdentifier, program: FillProgram)? {
        let place = place(of: key)
        defer { places[place] = (key, program) }
        return places[place]
    }

    /// Spreads addresses, whose lowest bits are always zero.
    @inline(__always)
    private func place(of key: ObjectIdentifier) -> Int {
        let address = UInt(bitPattern: key)
        return Int(truncatingIfNeeded: (address >> 4) ^ (address >> 10)) & (places.count - 1)
    }
}
