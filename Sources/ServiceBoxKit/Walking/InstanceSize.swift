// Part of ServiceBox, released under the MIT License.
// How much room the properties of a value take, known without Mirror.

/// The sizes of instances.
enum InstanceSize {
    /// How many bytes an instance of a class takes, from the class's metadata, whose layout is part of
    /// Swift's ABI.
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
        let type = type(of: subject)
        return !isLarger(type, than: header(of: type), isActor: isActor)
    }

    /// Whether a type shows nothing of a struct, or of one of its classes, that has room for properties.
    ///
    /// - Parameters:
    ///   - layers: The struct alone, or the classes from the root to the type, and whether each shows
    ///     anything.
    ///   - isActor: Whether the type is an actor.
    /// - Returns: Whether it does.
    static func hidesProperties(
        _ layers: [(type: Any.Type, showsAny: Bool)], isActor: Bool
    ) -> Bool {
        var inherited = layers.first.map { header(of: $0.type) } ?? 0
        for (type, showsAny) in layers {
            if !showsAny, isLarger(type, than: inherited, isActor: isActor) { return true }
            if let type = type as? AnyClass { inherited = of(type) }
        }
        return false
    }

    private static func isLarger(_ type: Any.Type, than size: Int, isActor: Bool) -> Bool {
        func structSize<Subject>(_: Subject.Type) -> Int { MemoryLayout<Subject>.size }
        let own = (type as? AnyClass).map(of) ?? _openExistential(type, do: structSize)
        // An actor of the default kind has twelve words of its own behind the header.
        let isBareActor = isActor && own == size + 12 * MemoryLayout<UInt>.stride
        return own > size && !isBareActor
    }

    /// The header of an object is two words.
    private static func header(of type: Any.Type) -> Int {
        type is AnyClass ? 2 * MemoryLayout<UInt>.stride : 0
    }
}
