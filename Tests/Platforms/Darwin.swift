// Part of ServiceBox, released under the MIT License.
// Stands for the C library of Apple's systems: what the library uses of it that Linux doesn't have.

@_exported public import Glibc

/// Whether the current thread is the main one.
public func pthread_main_np() -> CInt { fatalError() }

/// The size of a thread's stack in bytes.
@unsafe public func pthread_get_stacksize_np(_ thread: pthread_t) -> Int { fatalError() }

/// Where a thread's stack begins.
@unsafe public func pthread_get_stackaddr_np(_ thread: pthread_t) -> UnsafeMutableRawPointer { fatalError() }
