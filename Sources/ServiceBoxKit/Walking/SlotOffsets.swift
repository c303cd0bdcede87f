// Part of ServiceBox, released under the MIT License.
// Where the slots of a class lie in its instances, so that a fill needs no Mirror.

/// The byte offsets of a class's slots from the start of an instance, ascending.
///
/// ## Why reading slots at offsets is safe
///
/// - Only slots that Mirror showed as *direct* stored properties of a class instance are learnt
///   (`TypePlan.canLearnOffsets`). `Injected` and `WeakInjected` are one reference wide, so each such
///   property is one aligned word of the instance, at the same offset in every instance of exactly this
///   class.
/// - Mirror shows stored properties in ascending order of their offsets, superclass first. The search for a
///   slot starts behind the slot before it, so the wanted word lies ahead and inside the instance. The search
///   ends where the instance does all the same.
/// - A field of an existential type may hold a wrapper in this instance and anything else in the next. Its
///   value is followed by the wrapper's type, three words behind the slot; where that is so, no offsets are
///   kept.
/// - A word ahead that merely equals the slot's address would be taken for the slot: padding that still holds
///   what a freed object left there, an `ObjectIdentifier`, an `unowned` reference. The slot's own word lies
///   behind it, so offsets are kept only if no other word from there to the end of the instance equals the
///   address. Of a strong reference from elsewhere, whose property Mirror may show in the place of the
///   slot's, the count of references tells.
/// - A slot reference is written when its instance is initialised and not again, so loading it is no race
///   with the instance's owner. This rests on a rule that the compiler does not check and the documentation
///   of `Injected` states: an owner does not replace a wrapper, `_name = Injected()`. An actor that does
///   while it is filled from outside has its slot freed under the fill.
final class SlotOffsets: Sendable {
    let offsets: [Int]

    /// What to look for.
    struct Address {
        /// The slot.
        let slot: UInt
        /// The metadata of the wrapper's type.
        let holder: UInt
    }

    private init(_ offsets: [Int]) {
        self.offsets = offsets
    }

    /// Finds where slots lie in an object.
    ///
    /// Nobody but the object may hold a reference to the slots when this runs, hence addresses.
    ///
    /// - Parameters:
    ///   - addresses: Where the object's slots are, in the order of its stored properties.
    ///   - object: The instance whose direct stored properties the slots are.
    /// - Returns: The offsets, or nil if a slot is referenced from elsewhere too, lies in an existential, or
    ///   cannot be told from another word; another instance may show more.
    static func find(_ addresses: [Address], in object: AnyObject) -> SlotOffsets? {
        // Only classes of Swift have slots, and only of those is the layout known.
        if addresses.isEmpty { return SlotOffsets([]) }
        let base = Unmanaged.passUnretained(object).toOpaque()
        let word = MemoryLayout<UInt>.stride
        let size = InstanceSize.of(type(of: object))
        var offset = 2 * word
        var offsets: [Int] = []
        offsets.reserveCapacity(addresses.count)
        for address in addresses {
            func isWord(at offset: Int, _ wanted: UInt) -> Bool {
                offset + word <= size && base.load(fromByteOffset: offset, as: UInt.self) == wanted
            }
            while offset + word <= size, !isWord(at: offset, address.slot) { offset += word }
            guard offset + word <= size, !isWord(at: offset + 3 * word, address.holder) else { return nil }
            let isAmbiguous = stride(from: offset + word, to: size, by: word).contains {
                isWord(at: $0, address.slot)
            }
            if isAmbiguous { return nil }
            let reference = (base + offset).assumingMemoryBound(to: Slot.self)
            guard isKnownUniquelyReferenced(&reference.pointee) else { return nil }
            offsets.append(offset)
            offset += word
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
