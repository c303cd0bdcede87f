// Part of ServiceBox, released under the MIT License.
// The one file that asks the platform's C library: who runs, what the thread carries, how it waits.

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The thread that runs the caller.
enum CurrentThread {
    /// What tells the thread from all others that live at the same time.
    ///
    /// `pthread_t` is an integer on some platforms and a pointer on others, always of the size of a word.
    static var id: UInt { withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) } }

    /// Lets other threads run.
    static func yield() { sched_yield() }

    /// Whether it is the thread that the process started with, or may be.
    static var isMain: Bool {
        #if canImport(Darwin)
        return pthread_main_np() != 0
        #else
        // Asking the system costs more than a fill, so each thread remembers the answer.
        if let answer = pthread_getspecific(mainKey) { return UInt(bitPattern: answer) == isMainMark }
        let isMain = threadNumber.map { $0() == getpid() } ?? true
        pthread_setspecific(mainKey, UnsafeRawPointer(bitPattern: isMain ? isMainMark : isMainMark + 1))
        return isMain
        #endif
    }

    #if !canImport(Darwin)
    private static let isMainMark: UInt = 1

    private static let mainKey: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key, nil)
        precondition(status == 0, "The system has no thread-specific key left.")
        return key
    }()

    /// The system's `gettid`, which the C library's headers do not show to Swift.
    private static let threadNumber: (@convention(c) () -> pid_t)? =
        RuntimeSymbol.named("gettid").map { unsafeBitCast($0, to: (@convention(c) () -> pid_t).self) }
    #endif

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { free($0) }
        precondition(status == 0, "The system has no thread-specific key left.")
        return key
    }()

    /// The list of makings that belongs to the thread.
    ///
    /// ## Why the raw pointer is safe
    ///
    /// The key holds nil or a list that was allocated and initialised here, on the same thread. Nothing else
    /// sets it. The system hands it to ``free(_:)`` when the thread ends, after it has set the key to nil.
    /// The pointer is used on this thread and not kept, and each use reads or changes the list in one step.
    static var stack: UnsafeMutablePointer<MakingStack> {
        if let pointer = pthread_getspecific(key) {
            return pointer.assumingMemoryBound(to: MakingStack.self)
        }
        let stack = UnsafeMutablePointer<MakingStack>.allocate(capacity: 1)
        stack.initialize(to: MakingStack(room: room))
        pthread_setspecific(key, stack)
        return stack
    }

    #if !canImport(Darwin)
    /// `pthread_getattr_np`, which the headers show to programs that ask for more than the standard has; a
    /// program that is linked statically as a whole does not find it.
    private static let getAttributes = RuntimeSymbol.named("pthread_getattr_np").map {
        unsafeBitCast(
            $0, to: (@convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt).self)
    }
    #endif

    /// Where the thread's stack lies, without guard pages; nil if the system does not know.
    ///
    /// Asking takes microseconds, on the main thread of Linux a tenth of a millisecond.
    private static var bounds: (lowest: UInt, size: UInt)? {
        #if canImport(Darwin)
        let size = UInt(pthread_get_stacksize_np(pthread_self()))
        return (UInt(bitPattern: pthread_get_stackaddr_np(pthread_self())) - size, size)
        #else
        var attributes = pthread_attr_t()
        guard let getAttributes, getAttributes(pthread_self(), &attributes) == 0 else { return nil }
        defer { pthread_attr_destroy(&attributes) }
        var (lowest, size, guarded): (UnsafeMutableRawPointer?, Int, Int) = (nil, 0, 0)
        pthread_attr_getguardsize(&attributes, &guarded)
        guard pthread_attr_getstack(&attributes, &lowest, &size) == 0, size > guarded else { return nil }
        return (UInt(bitPattern: lowest) + UInt(guarded), UInt(size - guarded))
        #endif
    }

    /// The thread's stack without its end, which is kept free for what a last factory does: 64 KB, or three
    /// quarters of a small stack.
    ///
    /// A making takes up to 18 KB of it in a debug build and several times that under a sanitizer, beside
    /// what the factory itself needs; and the runtime takes 35 KB when a type is seen first (measured).
    private static var room: Range<UInt> {
        guard let bounds else { return 0..<UInt.max }
        let kept = min(64 << 10, bounds.size / 4 * 3)
        return (bounds.lowest + kept)..<(bounds.lowest + bounds.size)
    }

    /// Frees a thread's list; the system's argument is optional on some platforms.
    private static func free(_ pointer: UnsafeMutableRawPointer?) {
        guard let stack = pointer?.assumingMemoryBound(to: MakingStack.self) else { return }
        stack.deinitialize(count: 1)
        stack.deallocate()
    }
}

/// A place to wait at until a condition holds.
///
/// `Sendable` is unchecked because of the two pointers. It holds: they never change, what they point to is
/// made before the initialiser returns and ends in `deinit`, when nobody can wait any more, and in between it
/// is handed to the functions of the C library alone, which are made for many threads.
final class Gate: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    /// Blocks the thread until a condition holds.
    ///
    /// - Parameter isOpen: The condition; whoever makes it true calls ``wake()`` afterwards.
    func wait(until isOpen: () -> Bool) {
        pthread_mutex_lock(mutex)
        while !isOpen() { pthread_cond_wait(condition, mutex) }
        pthread_mutex_unlock(mutex)
    }

    /// Lets all who wait look at their conditions again.
    func wake() {
        pthread_mutex_lock(mutex)
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }
}

/// Functions of the Swift runtime that have no name in Swift.
enum RuntimeSymbol {
    /// The address of a function, if the program is linked with the runtime as a library.
    static func named(_ name: String) -> UnsafeMutableRawPointer? {
        dlsym(dlopen(nil, RTLD_NOW), name)
    }
}
