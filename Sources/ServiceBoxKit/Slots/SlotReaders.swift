// Part of ServiceBox, released under the MIT License.
// Taking the slots of an object that others may be using.

import Synchronization

/// The readers that are about to take a reference to a slot which its owner may be replacing.
///
/// An owner that puts another wrapper into its property, `_clock = Injected()`, ends the slot that was there. A box
/// that reads the property from another thread must not be left with a pointer to what is gone. So a reader counts
/// itself while it loads the word and takes a reference, and a slot's end waits until nobody is counted:
///
/// - The owner stores the new word before it lets go of the old slot. A reader that is not counted by the time the
///   slot ends began later, and finds the new word. The fences on both sides make sure that not each misses what
///   the other has written.
/// - A reader that is counted holds up the slot's end, so what it has loaded is an object still, if one that is
///   ending. It has the runtime take a reference to it unless that is so; and else loads again.
/// - No code of a user runs while a reader is counted, and it takes no lock but the allocator's, so the wait is short. Nor does it give
///   back a reference to a slot, which could be the last, or it would wait for itself.
///
/// A place from which `consume` has taken the wrapper, before another one is put there, has no new word to find:
/// whoever does that to what others may have must not let it be filled meanwhile.
///
/// Loading a word that its owner is writing is a race in the language's terms, and the thread sanitizer says so. The
/// word is aligned and as wide as a pointer, so what is loaded is the old one or the new one.
enum SlotReaders {
    private static let count = Atomic(0)

    /// The slots of an object, each with a reference taken.
    ///
    /// - Parameters:
    ///   - object: An object of Swift, which the caller holds; not a remote distributed actor.
    ///   - offsets: Where the slots lie.
    /// - Returns: The slots, in the order of the offsets.
    static func slots(of object: AnyObject, at offsets: [Int]) -> [Slot] {
        if offsets.isEmpty { return [] }
        let base = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        // Looked up before a reader is counted, who must not wait.
        let attempt = RetainAttempt.current
        return withExtendedLifetime(object) {
            count.add(1, ordering: .sequentiallyConsistent)
            defer { count.subtract(1, ordering: .sequentiallyConsistent) }
            fence()
            return offsets.map { offset in
                while true {
                    if let slot = attempt.strong(base.slot(at: offset)) { return slot }
                }
            }
        }
    }

    /// Waits until no reader can be about to take a reference that it loaded before.
    @inline(__always)
    static func waitForAll() {
        fence()
        if count.load(ordering: .sequentiallyConsistent) != 0 { waitLonger() }
    }

    @inline(never)
    private static func waitLonger() {
        while count.load(ordering: .sequentiallyConsistent) != 0 { CurrentThread.yield() }
    }

    /// Keeps what comes after it behind the change of a count before it, which is a fence itself on x86.
    @inline(__always)
    private static func fence() {
        #if !arch(x86_64)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        #endif
    }
}

extension UnsafeRawPointer {
    /// The slot at an offset in the instance or the value that begins here, borrowed from it.
    ///
    /// ## Why this is safe
    ///
    /// Offsets come from the field records of the type, which a build's own types have confirmed. A property wrapper
    /// with a slot is one reference wide, so the word there is that reference, from the end of the initialiser to
    /// the beginning of the deinitialiser. The caller holds the instance, and is in its owner's isolation, so that
    /// nobody puts another wrapper there meanwhile; where that is not so, ``SlotReaders`` takes the slot.
    @inline(__always)
    func slot(at offset: Int) -> Unmanaged<Slot> {
        Unmanaged.fromOpaque(load(fromByteOffset: offset, as: UnsafeRawPointer.self))
    }
}
