// Part of ServiceBox, released under the MIT License.
// Stands for Android's C library, of which the library uses what glibc has too.

@_exported public import Glibc
