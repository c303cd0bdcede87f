// Part of ServiceBox, released under the MIT License.
// Values by address.

import Testing

@testable import ServiceBoxKit

private final class Key {}

@Suite("A table of addresses")
struct AddressTableTests {
    /// Some share a place, and the table grows several times.
    private let keys = (0..<200).map { _ in Key() }
    private var addresses: [UInt] { keys.map { UInt(bitPattern: ObjectIdentifier($0)) } }

    @Test("finds each value, also where addresses share a place")
    func sharedPlaces() {
        var table = AddressTable<Int>()
        #expect(addresses.allSatisfy { table[$0] == nil })
        for (value, address) in addresses.enumerated() {
            #expect(table.updateValue(value, at: address) == nil)
            #expect(addresses.prefix(value + 1).map { table[$0] } == Array(0...value))
            #expect(addresses.dropFirst(value + 1).allSatisfy { table[$0] == nil })
        }
    }

    @Test("hands out what a value replaces, wherever that stood")
    func replacing() {
        var table = AddressTable<Int>()
        for (value, address) in addresses.enumerated() { table.updateValue(value, at: address) }
        for (value, address) in addresses.enumerated() {
            #expect(table.updateValue(1000 + value, at: address) == value)
        }
        #expect(addresses.map { table[$0] } == Array(1000..<1000 + keys.count))
    }

    @Test("goes around at its end, where every address wants the last place")
    func lastPlace() {
        let wanted = UInt(7 << 4)
        let addresses = (0..<4).map { wanted + $0 << 20 }
        var table = AddressTable<UInt>()
        for address in addresses { table.updateValue(address, at: address) }
        #expect(addresses.allSatisfy { table[$0] == $0 })
        #expect(table[wanted + 9 << 20] == nil)
    }
}
