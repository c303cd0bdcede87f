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
        stack.initialize(to: MakingStack())
        pthread_setspecific(key, stack)
        return stack
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
