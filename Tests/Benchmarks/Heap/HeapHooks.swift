// Part of ServiceBox, released under the MIT License.
// The functions that stand in for the C library's while blocks are counted.

#if canImport(Glibc)
import Glibc

/// Stand-ins that count and hand on.
///
/// They take no block themselves and know nothing but plain words: they run in the middle of whatever asks
/// for memory. `nonisolated(unsafe)`: `HeapCounter` uses them while a single thread is busy.
enum HeapHooks {
    nonisolated(unsafe) static var use = HeapCounter.Use()

    private typealias Block = UnsafeMutableRawPointer
    private typealias Allocate = @convention(c) (Int) -> Block?
    private typealias AllocateArray = @convention(c) (Int, Int) -> Block?
    private typealias Reallocate = @convention(c) (Block?, Int) -> Block?
    private typealias Align = @convention(c) (UnsafeMutablePointer<Block?>, Int, Int) -> CInt

    private static let malloc = original("malloc", Allocate.self)
    private static let calloc = original("calloc", AllocateArray.self)
    private static let realloc = original("realloc", Reallocate.self)
    private static let alignedAlloc = original("aligned_alloc", AllocateArray.self)
    private static let posixAlign = original("posix_memalign", Align.self)

    /// Puts the stand-ins in place.
    ///
    /// - Returns: What takes them out again, or nil if one of the functions cannot be found.
    static func install() -> CallRedirection? {
        guard malloc != nil, calloc != nil, realloc != nil, alignedAlloc != nil, posixAlign != nil else {
            return nil
        }
        let allocate: Allocate = { size in
            HeapHooks.count(size)
            return HeapHooks.malloc?(size)
        }
        let allocateArray: AllocateArray = { number, size in
            HeapHooks.count(number &* size)
            return HeapHooks.calloc?(number, size)
        }
        let reallocate: Reallocate = { block, size in
            HeapHooks.count(size)
            return HeapHooks.realloc?(block, size)
        }
        let allocateAligned: AllocateArray = { alignment, size in
            HeapHooks.count(size)
            return HeapHooks.alignedAlloc?(alignment, size)
        }
        let align: Align = { result, alignment, size in
            HeapHooks.count(size)
            return HeapHooks.posixAlign?(result, alignment, size) ?? ENOMEM
        }
        return CallRedirection([
            "malloc": unsafeBitCast(allocate, to: UInt.self),
            "calloc": unsafeBitCast(allocateArray, to: UInt.self),
            "realloc": unsafeBitCast(reallocate, to: UInt.self),
            "aligned_alloc": unsafeBitCast(allocateAligned, to: UInt.self),
            "posix_memalign": unsafeBitCast(align, to: UInt.self),
        ])
    }

    private static func count(_ size: Int) {
        use.blocks &+= 1
        use.bytes &+= size
    }

    /// The C library's own function of a name.
    private static func original<Function>(_ name: String, _: Function.Type) -> Function? {
        dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
    }
}
#endif
