// Part of ServiceBox, released under the MIT License.
// What is known about types, read without a lock.

import Synchronization

/// A word of facts about each type, for the whole process.
///
/// Thread-safe. Reading takes no lock, since every box of every thread asks about its services. Facts change but
/// are never removed, as types never go away.
///
/// A word is stored at the index that follows from the address of its type's metadata, or at the next free one.
/// At least a quarter of the places are free.
///
/// ## Why the raw pointers are safe
///
/// Places hold atomic values, are initialised before others see them, and are never freed: when they don't suffice,
/// larger ones are published, and who is still reading the old ones misses what is added later.
@safe struct TypeTable: ~Copyable, Sendable {
    static let shared = TypeTable()

    private struct Place: ~Copyable {
        /// Zero if the place is free; set after the facts.
        let address = Atomic<UInt>(0)
        let facts = Atomic<UInt>(0)
    }

    @safe private struct Places: @unchecked Sendable {
        let first: UnsafeMutablePointer<Place>
        let count: Int

        init(_ count: Int) {
            self.count = count
            unsafe first = .allocate(capacity: count)
            for index in 0..<count { unsafe (first + index).initialize(to: Place()) }
        }

        /// The place of a type, or the free one that it would take.
        @inline(__always)
        func place(of address: UInt) -> UnsafeMutablePointer<Place> {
            // The lowest bits of addresses are always zero.
            var index = Int(truncatingIfNeeded: (address >> 4) ^ (address >> 10))
            while true {
                let place = unsafe first + (index & (count - 1))
                let found = unsafe place.pointee.address.load(ordering: .acquiring)
                if found == address || found == 0 { return unsafe place }
                index += 1
            }
        }

        func set(_ facts: UInt, at address: UInt) {
            let place = unsafe place(of: address)
            unsafe place.pointee.facts.store(facts, ordering: .releasing)
            unsafe place.pointee.address.store(address, ordering: .releasing)
        }
    }

    private let places = unsafe Atomic(Unmanaged.passRetained(ConstantObject(Places(64))))
    /// The number of types; writers hold the lock.
    private let count = Guarded(0)

    /// The facts about a type; zero if there are none.
    @inline(__always)
    subscript(type: Any.Type) -> UInt {
        unsafe places.load(ordering: .acquiring)._withUnsafeGuaranteedRef {
            let address = Metadata(type).address
            let place = unsafe $0.value.place(of: address)
            let facts = unsafe place.pointee.facts.load(ordering: .acquiring)
            // A free place may have been taken by another type meanwhile.
            return unsafe place.pointee.address.load(ordering: .relaxed) == address ? facts : 0
        }
    }

    /// Changes the facts about a type; the change runs under the lock.
    func update(_ type: Any.Type, _ change: (UInt) -> UInt) {
        count.withLock { count in
            let old = self[type]
            if old == 0 { count += 1 }
            var known = unsafe places.load(ordering: .relaxed)._withUnsafeGuaranteedRef(\.value)
            if count * 4 > known.count * 3 {
                let larger = Places(known.count * 2)
                for index in 0..<known.count {
                    let place = unsafe known.first + index
                    let address = unsafe place.pointee.address.load(ordering: .relaxed)
                    if address == 0 { continue }
                    unsafe larger.set(place.pointee.facts.load(ordering: .relaxed), at: address)
                }
                unsafe places.store(.passRetained(ConstantObject(larger)), ordering: .releasing)
                known = larger
            }
            known.set(change(old), at: Metadata(type).address)
        }
    }
}
