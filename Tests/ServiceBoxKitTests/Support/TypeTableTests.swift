// Part of ServiceBox, released under the MIT License.
// What is known about types.

import Testing

@testable import ServiceBoxKit

private final class Shared: Sendable { let table = TypeTable() }

@Suite("A table of facts about types")
struct TypeTableTests {
    /// More than the places of a new table, which therefore grows twice.
    private let types = sequence(first: Int.self as Any.Type) { type in
        func optional<Wrapped>(of _: Wrapped.Type) -> Any.Type { Wrapped?.self }
        return _openExistential(type, do: optional)
    }.prefix(100).map(\.self)

    @Test("has what is known about each type, and nothing about any other")
    func growing() {
        let table = TypeTable()
        for (number, type) in types.enumerated() {
            table.update(type) { $0 + UInt(number) + 1 }
            #expect(types.prefix(number + 1).map { table[$0] } == Array(1...UInt(number) + 1))
            #expect(types.dropFirst(number + 1).allSatisfy { table[$0] == 0 })
        }
    }

    @Test("adds to what is known, and counts a type once")
    func adding() {
        let table = TypeTable()
        for bit in 0..<60 { for type in types.prefix(10) { table.update(type) { $0 | 1 << bit } } }
        #expect(types.prefix(10).allSatisfy { table[$0] == UInt(1) << 60 - 1 })
    }

    @Test("loses nothing that eight threads add at once, and shows no facts of another type")
    func threads() {
        let (shared, types) = (Shared(), types)
        onThreads(
            (0..<8).map { thread in
                {
                    for (number, type) in types.enumerated() {
                        shared.table.update(type) { $0 | UInt(number) << 8 | 1 << thread }
                        for (number, type) in types.enumerated() {
                            let facts = shared.table[type]
                            #expect(facts == 0 || facts >> 8 == number)
                        }
                    }
                }
            })
        for (number, type) in types.enumerated() { #expect(shared.table[type] == UInt(number) << 8 | 0xFF) }
    }

    @Test("shows no facts of a type that takes the place where another one would be")
    func takenPlaces() {
        let (tables, types, number) = ((0..<10_000).map { _ in Shared() }, types, Locked(0))
        let isWrong = Locked(false)
        onThreads([
            {
                for shared in tables {
                    for type in types.prefix(30) { shared.table.update(type) { _ in 1 } }
                    number.withLock { $0 += 1 }
                }
            },
            {
                while let shared = tables.dropFirst(number.withLock { $0 }).first {
                    for type in types.dropFirst(30) where shared.table[type] != 0 {
                        isWrong.withLock { $0 = true }
                    }
                }
            },
        ])
        #expect(!isWrong.withLock { $0 })
    }
}
