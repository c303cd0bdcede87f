// Part of ServiceBox, released under the MIT License.
// Retaining the slots of an object that others may be using.

import Synchronization

/// The readers that are about to retain a slot which its owner may be replacing.
///
/// An owner that replaces a wrapper, `_clock = Injected()`, releases the old slot. A box that reads the
/// property from another thread must not be left with a dangling pointer. So a reader counts itself while it
/// loads the word and retains the slot, and a slot's deinitialiser waits until nobody is counted:
///
/// - The owner stores the new word before it releases the old slot. A reader that isn't counted when the slot
///   is deinitialised began later, and finds the new word. The fences on both sides ensure that at least one
///   of them sees what the other has written.
/// - A counted reader delays the slot's deinitialisation, so the word that it loaded points to an object,
///   though perhaps to one that is being deinitialised. The runtime retains it unless that is so; otherwise
///   the reader loads again.
/// - No user code runs while a reader is counted, and it takes no lock but the allocator's, so the wait is
///   short. A reader never releases a slot: that could be the last reference, and it would wait for itself.
///
/// While a wrapper was moved out by `consume` and no other is stored yet, there is no new word to find:
/// whoever does that to a shared object must not let it be filled meanwhile.
///
/// Loading a word that its owner is writing is a race in the language's terms, and the thread sanitizer
/// reports it. The word is aligned and as wide as a pointer, so the loaded value is the old one or the new
/// one.
enum SlotReaders {
    private static let count = Atomic(0)

    /// The slots of an object, each retained.
    ///
    /// - Parameters:
    ///   - object: A Swift object, which the caller holds; not a remote distributed actor.
    ///   - offsets: The offsets of the slots.
    /// - Returns: The slots, in the order of the offsets.
    @unsafe static func slots(of object: AnyObject, at offsets: [Int]) -> [Slot] {
        if offsets.isEmpty { return [] }
        let base = unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        // Looked up before the reader is counted, since a counted reader must not wait.
        let attempt = RetainAttempt.current
        return withExtendedLifetime(object) {
            count.add(1, ordering: .sequentiallyConsistent)
            defer {
                count.subtract(1, ordering: .sequentiallyConsistent)
                // Whoever reads a cell has retained its slot before.
                fence()
            }
            fence()
            return offsets.map { offset in
                while true {
                    if let slot = unsafe attempt.strong(base.slot(at: offset)) { return slot }
                }
            }
        }
    }

    /// Waits until no earlier reader can still be about to retain a slot.
    @inline(__always)
    static func waitForAll() {
        fence()
        while count.load(ordering: .sequentiallyConsistent) != 0 { CurrentThread.yield() }
    }

    /// Orders later accesses after an earlier change of the count or an exchange, which is itself a fence on x86.
    @inline(__always)
    static func fence() {
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
    /// Offsets come from the type's field records, which are trusted only if they describe the library's own
    /// types. A wrapper is one reference wide, so the word there is that reference, from the end of the
    /// initialiser to the beginning of the deinitialiser. The caller holds the instance in its owner's
    /// isolation, so that nobody replaces the wrapper as long as no user code runs here; before a factory may run,
    /// the caller retains the slot. Elsewhere ``SlotReaders`` retains it.
    @inline(__always)
    func slot(at offset: Int) -> Unmanaged<Slot> {
        unsafe Unmanaged.fromOpaque(load(fromByteOffset: offset, as: UnsafeRawPointer.self))
    }
}
