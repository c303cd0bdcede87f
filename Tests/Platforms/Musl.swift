// Part of ServiceBox, released under the MIT License.
// Stands for musl, the C library of statically linked Linux: what it has otherwise than glibc.

@_exported public import Glibc

/// The limit of the main thread's stack.
public let RLIMIT_STACK: CInt = 3
