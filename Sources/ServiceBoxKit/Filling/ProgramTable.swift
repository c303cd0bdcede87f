// Part of ServiceBox, released under the MIT License.
// The programs of a box, by the type of the object they fill.

/// A dictionary of programs with a shortcut: hashing a key costs a fill as much as writing two slots.
///
/// Each program also stands in a short array, at a place that follows from the address of its type. Where two
/// types meet there, the later one has the place and the other is found in the dictionary. The array grows with the
/// dictionary, since the box of a request has few programs and not for long.
struct ProgramTable: Sendable {
    private static let mostPlaces = 64

    private var programs: [ObjectIdentifier: FillProgram] = [:]
    private var places: [(key: ObjectIdentifier, program: FillProgram)?] = []

    var isEmpty: Bool { programs.isEmpty }

    subscript(key: ObjectIdentifier) -> FillProgram? {
        @inline(__always) get {
            if !places.isEmpty, let found = places[place(of: key)], found.key == key { return found.program }
            return programs[key]
        }
    }

    /// Puts a program in and hands out the one that it replaces.
    mutating func updateValue(_ program: FillProgram, forKey key: ObjectIdentifier) -> FillProgram? {
        // What stood there stays alive: it is in the dictionary too, or handed out.
        let old = programs.updateValue(program, forKey: key)
        if programs.count * 4 > places.count, places.count < Self.mostPlaces {
            places = Array(repeating: nil, count: max(8, places.count * 2))
            for (key, program) in programs { places[place(of: key)] = (key, program) }
        }
        places[place(of: key)] = (key, program)
        return old
    }

    /// Spreads addresses, whose lowest bits are always zero.
    @inline(__always)
    private func place(of key: ObjectIdentifier) -> Int {
        let address = UInt(bitPattern: key)
        return Int(truncatingIfNeeded: (address >> 4) ^ (address >> 10)) & (places.count - 1)
    }
}
