// Part of ServiceBox, released under the MIT License.
// Where the slots of a class lie in its instances, so that a fill needs no Mirror.

/// The byte offsets of a class's slots from the start of an instance, ascending.
///
/// ## Why reading slots at offsets is safe
///
/// - Only slots that Mirror showed as *direct* stored properties of a class instance are learnt
///   (`TypePlan.canLearnOffsets`). `Injected` and `WeakInjected` are one reference wide, so each such property is
///   one aligned word of the instance, at the same offset in every instance of exactly this class.
/// - Mirror shows stored properties in ascending order of their offsets, superclass first. The search for a slot
///   starts behind the slot before it, so the wanted word always lies ahead and inside the instance: it is found
///   before the search could leave the object.
/// - A word that equals the slot's address but belongs to something else would be a second reference to the slot.
///   Offsets are kept only if every slot found is uniquely referenced, so there is none.
/// - A slot reference is written when its instance is initialised and not again, so loading it is no race with
///   the instance's owner.
final class SlotOffsets: Sendable {
    let offsets: [Int]

    private init(_ offsets: [Int]) {
        self.offsets = offsets
    }

    /// Finds where slots lie in an object.
    ///
    /// Nobody but the object may hold a reference to the slots when this runs, hence addresses.
    ///
    /// - Parameters:
    ///   - addresses: The addresses of the object's slots in the order of its stored properties.
    ///   - object: The instance whose direct stored properties the slots are.
    /// - Returns: The offsets, or nil if a slot is referenced from elsewhere too.
    static func find(_ addresses: [UInt], in object: AnyObject) -> SlotOffsets? {
        let base = Unmanaged.passUnretained(object).toOpaque()
        var offset = 2 * MemoryLayout<UInt>.stride
        var offsets: [Int] = []
        offsets.reserveCapacity(addresses.count)
        for address in addresses {
            while base.load(fromByteOffset: offset, as: UInt.self) != address {
                offset += MemoryLayout<UInt>.stride
            }
            let word = (base + offset).assumingMemoryBound(to: Slot.self)
            guard isKnownUniquelyReferenced(&word.pointee) else { return nil }
            offsets.append(offset)
            offset += MemoryLayout<UInt>.stride
        }
        return SlotOffsets(offsets)
    }

    /// The slots of an instance of the class that the offsets were learnt from.
    func slots(of object: AnyObject) -> [Slot] {
        offsets.map { SlotOffsets.slot(of: object, at: $0).takeUnretainedValue() }
    }

    /// The slot at an offset, borrowed from the object.
    @inline(__always)
    static func slot(of object: AnyObject, at offset: Int) -> Unmanaged<Slot> {
        let base = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        return Unmanaged.fromOpaque(base.load(fromByteOffset: offset, as: UnsafeRawPointer.self))
    }
}
