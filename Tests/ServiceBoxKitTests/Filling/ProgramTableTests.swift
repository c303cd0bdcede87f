// Part of ServiceBox, released under the MIT License.
// The programs of a box, by type.

import Testing

@testable import ServiceBoxKit

private final class Key {}

@Suite("A table of programs")
struct ProgramTableTests {
    private let registry = Registry(parent: nil)
    /// More than the table has places, so that some share one.
    private let keys = (0..<200).map { _ in Key() }

    private func makeProgram() -> FillProgram { .make(for: TypePlan(Key.self, .object), registry) }

    @Test("finds each program, also where types share a place")
    func sharedPlaces() {
        var table = ProgramTable()
        #expect(table.isEmpty)
        var programs: [FillProgram] = []
        for (index, key) in keys.enumerated() {
            let program = makeProgram()
            #expect(table.updateValue(program, forKey: ObjectIdentifier(key)) === nil)
            programs.append(program)
            #expect(zip(keys, programs).allSatisfy { table[ObjectIdentifier($0)] === $1 })
            #expect(keys.dropFirst(index + 1).allSatisfy { table[ObjectIdentifier($0)] === nil })
        }
        #expect(!table.isEmpty)
    }

    @Test("hands out what a program replaces, wherever that stood")
    func replacing() {
        var table = ProgramTable()
        let old = keys.map { _ in makeProgram() }
        for (key, program) in zip(keys, old) { _ = table.updateValue(program, forKey: ObjectIdentifier(key)) }
        let new = keys.map { _ in makeProgram() }
        for (index, key) in keys.enumerated() {
            #expect(table.updateValue(new[index], forKey: ObjectIdentifier(key)) === old[index])
        }
        #expect(zip(keys, new).allSatisfy { table[ObjectIdentifier($0)] === $1 })
    }
}
