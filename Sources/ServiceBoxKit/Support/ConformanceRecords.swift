// Part of ServiceBox, released under the MIT License.
// Which types of the program have a conformance to a protocol at all.

/// The types that conform to a protocol, by the conformance records of the whole program.
///
/// For a type that doesn't conform, the runtime goes through all records again, and most types are of that kind: in a
/// program with tens of thousands of records that was nine tenths of a launch (measured). Here the records are gone
/// through once for a protocol, and of a type that none of them names nothing more is asked.
///
/// Where the runtime doesn't tell where the records lie, on Apple platforms and in programs that contain the standard
/// library, nothing is ruled out, and a cast decides. Nor does it tell of what a just-in-time compiler adds.
///
/// ## Why the raw pointers are safe
///
/// `swift_enumerateAllMetadataSections` hands out pointers to what the runtime knows of each image. The shims that come
/// with the toolchain declare it: four words, then the address and the length of each section, the protocols' first,
/// the conformances' second. Images of Swift are never unloaded. The rest is part of Swift's ABI: a record is the 32-bit
/// distance to a conformance, which begins with four 32-bit words: the distances to the protocol's descriptor, the
/// type's and the witnesses, then flags, of which three bits say how the type is given.
enum ConformanceRecords {
    /// The addresses of types' descriptors, by that of a protocol's.
    private typealias Conformers = [UInt: Set<UInt>]

    private struct State {
        var imageCount = 0
        var conformers: Conformers = [:]
    }

    private static let state = Guarded(State())

    /// Whether a type certainly neither has nor inherits a conformance to any of some protocols.
    ///
    /// - Parameters:
    ///   - type: A class, a struct or an enum.
    ///   - wanted: The addresses of the protocols' descriptors.
    /// - Returns: Whether that is certain.
    /// - Complexity: O(*n*) for *n* protocols, but for the first question about one, and the first after an image was
    ///   loaded.
    static func ruleOut(_ type: Any.Type, conformingToAnyOf wanted: some Collection<UInt>) -> Bool {
        guard areReadable else { return false }
        return state.withLock { state in
            update(&state, for: wanted)
            func isRuledOut(_ owner: Any.Type) -> Bool {
                // What isn't declared in Swift may have several descriptors, or none.
                guard let descriptor = Metadata(owner).descriptor, Metadata.isUnique(descriptor) else {
                    return false
                }
                return !wanted.contains {
                    state.conformers[$0]?.contains(UInt(bitPattern: descriptor)) ?? false
                }
            }
            guard let type = type as? AnyClass else { return isRuledOut(type) }
            return sequence(first: type, next: _getSuperclass).allSatisfy(isRuledOut)
        }
    }

    // MARK: - Reading

    /// Whether the runtime tells where the records lie.
    static var areReadable: Bool { enumerate != nil }

    private static let enumerate = RuntimeSymbol.named(
        "swift_enumerateAllMetadataSections",
        as: (@Sendable @convention(c) (
            @convention(c) (_ image: UnsafeRawPointer, _ context: UnsafeMutableRawPointer) -> Bool,
            _ context: UnsafeMutableRawPointer
        ) -> Void).self)

    /// Reads the records if images have come, or a protocol is asked for that wasn't before.
    private static func update(_ state: inout State, for wanted: some Collection<UInt>) {
        var imageCount = 0
        enumerate?(
            { _, count in
                count.assumingMemoryBound(to: Int.self).pointee += 1
                return true
            }, &imageCount)
        let isKnown = wanted.allSatisfy { state.conformers[$0] != nil }
        if state.imageCount == imageCount, isKnown { return }
        state.imageCount = imageCount
        for descriptor in wanted { state.conformers[descriptor] = [] }
        withUnsafeMutablePointer(to: &state.conformers) { context in
            enumerate?(
                { image, context in
                    let conformers = context.assumingMemoryBound(to: Conformers.self)
                    let section = image + 6 * MemoryLayout<Int>.size
                    guard let start = section.load(as: UnsafeRawPointer?.self) else { return true }
                    let length = section.load(fromByteOffset: MemoryLayout<Int>.size, as: Int.self)
                    for offset in stride(from: 0, to: length, by: 4) {
                        ConformanceRecords.add((start + offset).relativeTarget, to: &conformers.pointee)
                    }
                    return true
                }, context)
        }
    }

    /// Adds the type of a conformance if its protocol is asked for.
    private static func add(_ conformance: UnsafeRawPointer, to conformers: inout Conformers) {
        let key = UInt(bitPattern: conformance.relativeDescriptor)
        guard conformers[key] != nil else { return }
        let type = (conformance + 4).relativeTarget
        switch conformance.load(fromByteOffset: 12, as: UInt32.self) >> 3 & 7 {
        case 0: conformers[key]?.insert(UInt(bitPattern: type))
        // By way of a pointer.
        case 1: conformers[key]?.insert(type.load(as: UInt.self))
        default: break
        }
    }
}

extension UnsafeRawPointer {
    /// What the 32-bit distance here leads to.
    var relativeTarget: UnsafeRawPointer { self + Int(load(as: Int32.self)) }

    /// The descriptor that the 32-bit distance here leads to, if its lowest bit says so by way of a pointer.
    var relativeDescriptor: UnsafeRawPointer {
        let distance = Int(load(as: Int32.self))
        let target = self + (distance & ~3)
        return distance & 1 == 0 ? target : target.load(as: UnsafeRawPointer.self)
    }
}
