// Part of ServiceBox, released under the MIT License.
// Counts what is taken from the heap.

import HeapCount

/// Counts the heap blocks that a piece of work takes, freed again or not.
enum HeapCounter {
    /// Why there is nothing to count with.
    static let absence = "heap blocks are counted on Linux with glibc only, without sanitizers"

    /// Whether counting works here: it sees the one block of an object.
    static let isWorking: Bool = {
        let use = counting { Opaque.sink(Service(0)) }
        return use.blocks == 1 && use.bytes >= 24
    }()

    /// Counts what the calling thread takes.
    ///
    /// - Parameter body: The work.
    /// - Returns: What the work took, or nil where nothing counts.
    static func use(by body: () -> Void) -> HeapUse? {
        let use = counting(body)
        return isWorking ? use : nil
    }

    private static func counting(_ body: () -> Void) -> HeapUse {
        let before = heapUse()
        body()
        let after = heapUse()
        return HeapUse(blocks: after.blocks - before.blocks, bytes: after.bytes - before.bytes)
    }
}
