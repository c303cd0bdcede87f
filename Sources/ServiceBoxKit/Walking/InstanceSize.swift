// Part of ServiceBox, released under the MIT License.
// How much room the properties of a value take, known without Mirror.

/// The sizes of instances.
enum InstanceSize {
    /// How many bytes an instance of a class takes, from the class's metadata, whose layout is part of Swift's ABI.
    static func of(_ type: AnyClass) -> Int {
        // Objective-C's classes have three words more before the size.
        #if _runtime(_ObjC)
        let wordsBefore = 5
        #else
        let wordsBefore = 2
        #endif
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let flagsAndAddressPoint = 2 * MemoryLayout<UInt32>.stride
        return Int(
            metadata.load(
                fromByteOffset: wordsBefore * MemoryLayout<UInt>.stride + flagsAndAddressPoint,
                as: UInt32.self))
    }

    /// Whether a value has no room for any stored property, so that it is no wonder if Mirror shows none.
    static func isEmpty(_ subject: Any, isActor: Bool) -> Bool {
        guard let type = type(of: subject) as? AnyClass else {
            func size<Subject>(_ subject: Subject) -> Int { MemoryLayout<Subject>.size }
            return _openExistential(subject, do: size) == 0
        }
        // The header of an object is two words, and an actor of the default kind has twelve of its own.
        let words = isActor ? 14 : 2
        return of(type) <= words * MemoryLayout<UInt>.stride
    }
}
