// Part of ServiceBox, released under the MIT License.
// Counts what is taken from the heap.

/// Counts the heap blocks that a piece of work takes, freed again or not.
///
/// While it counts, the calls of all libraries to the C library's allocation functions are led through
/// `HeapHooks`; see `CallRedirection` for how.
enum HeapCounter {
    struct Use: Equatable {
        var blocks = 0
        /// As asked for, without what the heap adds.
        var bytes = 0
    }

    /// Why there is nothing to count with.
    static let absence = "heap blocks are counted on Linux with glibc only"

    /// Whether counting works here: it sees the one block of an object.
    static let isWorking: Bool = {
        let use = counting { Opaque.sink(Service(0)) }
        return use.map { $0.blocks == 1 && $0.bytes >= 24 } ?? false
    }()

    /// Counts on the calling thread's behalf.
    ///
    /// No other thread may be busy, since what it takes would count too.
    ///
    /// - Parameter body: The work.
    /// - Returns: What the work took, or nil where nothing counts.
    static func use(by body: () -> Void) -> Use? {
        isWorking ? counting(body) : nil
    }

    private static func counting(_ body: () -> Void) -> Use? {
        #if canImport(Glibc)
        guard let redirection = HeapHooks.install() else { return nil }
        HeapHooks.use = Use()
        body()
        let use = HeapHooks.use
        redirection.undo()
        return use
        #else
        return nil
        #endif
    }
}
