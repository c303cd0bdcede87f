// Part of ServiceBox, released under the MIT License.
// The programs of a box, by the type of the object they fill.

/// A dictionary of programs with a shortcut: hashing a key costs a fill as much as writing two slots.
///
/// Each program also stands in a short array, at a place that follows from the address of its type. Where two
/// types meet there, the later one has the place and the other is found in the dictionary.
struct ProgramTable: Sendable {
    private static let placeCount = 64

    private var programs: [ObjectIdentifier: FillProgram] = [:]
    private var places: [(key: ObjectIdentifier, program: FillProgram)?] = []

    var isEmpty: Bool { programs.isEmpty }

    subscript(key: ObjectIdentifier) -> FillProgram? {
        @inline(__always) get {
            if !places.isEmpty, let found = places[Self.place(of: key)], found.key == key {
                return found.program
            }
            return programs[key]
        }
    }

    /// Puts a program in and hands out the one that it replaces.
    mutating func updateValue(_ program: FillProgram, forKey key: ObjectIdentifier) -> FillProgram? {
        if places.isEmpty { places = Array(repeating: nil, count: Self.placeCount) }
        let place = Self.place(of: key)
        // What stands there stays alive: it is in the dictionary too, or handed out.
        places[place] = (key, program)
        return programs.updateValue(program, forKey: key)
    }

    /// Spreads addresses, whose lowest bits are always zero.
    @inline(__always)
    private static func place(of key: ObjectIdentifier) -> Int {
        let address = UInt(bitPattern: key)
        return Int(truncatingIfNeeded: (address >> 4) ^ (address >> 10)) & (placeCount - 1)
    }
}
