// Part of ServiceBox, released under the MIT License.
// The one file that uses the platform's C library: thread identity, thread-local values, stacks and waiting.

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif
import Synchronization

enum CurrentThread {
    /// Distinguishes the thread from all others that exist at the same time.
    ///
    /// `pthread_t` is an integer on some platforms and a pointer on others, always one word in size.
    static var id: UInt { unsafe withUnsafeBytes(of: pthread_self()) { unsafe $0.load(as: UInt.self) } }

    static func yield() { sched_yield() }

    /// Whether it is, or may be, the thread that the process started with.
    static var isMain: Bool {
        #if canImport(Darwin)
        return pthread_main_np() != 0
        #else
        let main = main.load(ordering: .relaxed)
        return main == 0 ? isMainHere.here.value : id == main
        #endif
    }

    /// Notes the thread that the process started with, if this is it, for a quicker answer everywhere.
    static func noteMain() { _ = isMain }

    #if !canImport(Darwin)
    /// The id of the process's first thread, once that thread has asked; no other thread ever has it.
    private static let main = Atomic<UInt>(0)

    /// Asking the system costs more than a fill, so until then each thread remembers the answer.
    private static let isMainHere = ThreadLocal {
        let isMain = threadNumber.map { $0() == getpid() }
        if isMain == true { main.store(id, ordering: .relaxed) }
        return isMain ?? true
    }

    /// The system's `gettid`, which the C library's headers do not show to Swift.
    private static let threadNumber = unsafe RuntimeSymbol.named(
        "gettid", as: (@convention(c) () -> pid_t).self)
    #endif

    /// Where the thread's stack lies, without guard pages; nil if the system does not know.
    ///
    /// Asking takes microseconds.
    private static var bounds: (lowest: UInt, size: UInt)? {
        #if canImport(Darwin)
        let size = unsafe UInt(pthread_get_stacksize_np(pthread_self()))
        return unsafe (UInt(bitPattern: pthread_get_stackaddr_np(pthread_self())) - size, size)
        #else
        if let boundsOfMain { return boundsOfMain }
        var attributes = pthread_attr_t()
        guard unsafe getAttributes(pthread_self(), &attributes) == 0 else { return nil }
        defer { unsafe pthread_attr_destroy(&attributes) }
        var (lowest, size, guarded): (UnsafeMutableRawPointer?, Int, Int) = (nil, 0, 0)
        unsafe pthread_attr_getguardsize(&attributes, &guarded)
        guard unsafe pthread_attr_getstack(&attributes, &lowest, &size) == 0, size > guarded else {
            return nil
        }
        let bounds = (lowest: UInt(bitPattern: lowest) + UInt(guarded), size: UInt(size - guarded))
        #if canImport(Musl)
        // Of the main thread's stack it tells the part that was used already.
        if isMain, let whole = boundsOfMain(below: bounds.lowest + bounds.size) { return whole }
        #endif
        return bounds
        #endif
    }

    #if canImport(Glibc)
    /// Where the stack of the main thread lay when the program began.
    private static let firstAddress = unsafe RuntimeSymbol.named(
        "__libc_stack_end", as: UnsafePointer<UInt>.self)?.pointee

    /// The main thread's bounds, for which the system would read a file for 0.1 ms; nil on any other thread.
    private static var boundsOfMain: (lowest: UInt, size: UInt)? {
        isMain ? firstAddress.flatMap(boundsOfMain) : nil
    }
    #elseif !canImport(Darwin)
    private static var boundsOfMain: (lowest: UInt, size: UInt)? { nil }
    #endif

    #if canImport(Glibc) || canImport(Musl)
    /// The bounds of the main thread's stack, which grows to its limit when it is used, or of 64 MB of it, which
    /// systems leave free even if the limit was raised later.
    ///
    /// Above the first address lie the program's arguments and environment, which take a quarter of the limit
    /// at most, but may take 128 KB.
    private static func boundsOfMain(below first: UInt) -> (lowest: UInt, size: UInt)? {
        var limit = rlimit()
        guard unsafe getrlimit(stackResource, &limit) == 0, limit.rlim_cur >= 512 << 10 else { return nil }
        let size = UInt(min(limit.rlim_cur, 64 << 20)) / 4 * 3
        // A process may have been forked from another thread.
        let isThere = unsafe withUnsafePointer(to: limit) {
            (first - size..<first).contains(UInt(bitPattern: $0))
        }
        return isThere ? (first - size, size) : nil
    }
    #endif
    #if canImport(Glibc)
    private static var stackResource: CInt { CInt(RLIMIT_STACK.rawValue) }
    #elseif canImport(Musl)
    private static var stackResource: CInt { RLIMIT_STACK }
    #endif

    /// The thread's stack without its end, which stays free for the last factory: 64 KB, or three quarters of
    /// a small stack.
    ///
    /// A construction takes up to 18 KB in a debug build and several times that under a sanitizer, besides
    /// what the factory itself needs; and the runtime takes 35 KB when it first sees a type (measured).
    static var stackRoom: Range<UInt> {
        guard let bounds else { return 0..<UInt.max }
        let kept = min(64 << 10, bounds.size / 4 * 3)
        return (bounds.lowest + kept)..<(bounds.lowest + bounds.size)
    }

    /// A key for objects of which each thread retains one until it ends.
    fileprivate static func makeKey() -> pthread_key_t {
        var key = pthread_key_t()
        let status = unsafe pthread_key_create(&key) { unsafe CurrentThread.release($0) }
        precondition(status == 0, "The system has no thread-specific key left.")
        return key
    }

    /// Releases a thread's object; the system's argument is optional on some platforms.
    private static func release(_ object: UnsafeMutableRawPointer?) {
        if let object = unsafe object { unsafe Unmanaged<AnyObject>.fromOpaque(object).release() }
    }
}

#if !canImport(Darwin)
/// The C library's headers declare it only for programs that opt in to extensions.
@_silgen_name("pthread_getattr_np")
private func getAttributes(_ thread: pthread_t, _ attributes: UnsafeMutablePointer<pthread_attr_t>) -> CInt
#endif

/// A thread-local variable.
struct ThreadLocal<Value>: Sendable {
    /// The value of one thread.
    @safe private final class Storage {
        let address = UnsafeMutablePointer<Value>.allocate(capacity: 1)

        init(_ value: Value) { unsafe address.initialize(to: value) }

        deinit {
            unsafe address.deinitialize(count: 1)
            unsafe address.deallocate()
        }
    }

    /// The place of one thread's value.
    ///
    /// ## Why the raw pointer is safe
    ///
    /// A thread keeps its value until it ends, and its place stays on it: a place isn't `Sendable`, and
    /// asynchronous code, which may go on on another thread, can't ask for it.
    @safe struct Place {
        fileprivate let address: UnsafeMutablePointer<Value>

        var value: Value {
            @inline(__always) _read { yield unsafe address.pointee }
            @inline(__always) nonmutating _modify { yield unsafe &address.pointee }
        }
    }

    private let key = CurrentThread.makeKey()
    private let initial: @Sendable () -> Value

    init(_ initial: @escaping @Sendable () -> Value) {
        self.initial = initial
    }

    /// The place of the current thread's value.
    ///
    /// The key holds nil or a `Storage` that was retained here, on the same thread; nothing else sets it, and the
    /// system releases it when the thread ends.
    @available(*, noasync)
    var here: Place {
        if let storage = unsafe pthread_getspecific(key) {
            return unsafe Unmanaged<Storage>.fromOpaque(storage)._withUnsafeGuaranteedRef {
                unsafe Place(address: $0.address)
            }
        }
        let storage = Storage(initial())
        unsafe pthread_setspecific(key, Unmanaged.passRetained(storage).toOpaque())
        return unsafe Place(address: storage.address)
    }
}

/// A state under a lock, on which threads can wait for a change; it is never freed.
///
/// `Sendable` is unchecked because of the pointers. They never change, and what they point to is used under
/// the mutex, or passed to functions of the C library that are thread-safe.
@safe struct Monitor<State: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)

    init(_ state: State) {
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe self.state.initialize(to: state)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    /// Blocks the thread until a body, run under the lock, returns a result.
    ///
    /// - Parameter body: Runs at once, and again whenever the waiting threads are woken.
    /// - Returns: The result.
    func wait<Result>(_ body: (inout State) -> Result?) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = unsafe body(&state.pointee) { return result }
            unsafe pthread_cond_wait(condition, mutex)
        }
    }

    /// Wakes all waiting threads to check the state again; for use under the lock.
    func wakeAllInside() { unsafe pthread_cond_broadcast(condition) }

    /// Wakes all waiting threads to check what has changed outside the lock.
    func wakeAll() { wait { _ in wakeAllInside() } }
}

/// Symbols of the Swift runtime and the C library that have no name in Swift.
enum RuntimeSymbol {
    /// The address of a function or a variable; nil if the program is statically linked; the caller says why
    /// it has the type.
    @unsafe static func named<Symbol>(_ name: String, as type: Symbol.Type) -> Symbol? {
        unsafe dlsym(dlopen(nil, RTLD_NOW), name).map { unsafe unsafeBitCast($0, to: type) }
    }
}
