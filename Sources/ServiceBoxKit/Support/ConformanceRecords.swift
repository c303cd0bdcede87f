// Part of ServiceBox, released under the MIT License.
// Which types of the program conform to a protocol at all.

/// The types that conform to one of several protocols, from the conformance records of the whole program.
///
/// For a type that doesn't conform, as most don't, the runtime scans all records again: in a program with
/// tens of thousands of records that took nine tenths of a launch (measured). Here the records are scanned
/// once for each protocol, and the runtime isn't asked about a type that none of them names.
///
/// On Apple platforms the runtime doesn't tell where the records are; nothing is ruled out, and a cast
/// decides. Records that a just-in-time compiler adds aren't seen either.
///
/// ## Why the raw pointers are safe
///
/// `swift_enumerateAllMetadataSections` passes pointers to what the runtime knows of each image. The
/// toolchain's shims declare the layout: four words, then the address and the length of each section, the
/// protocols' first, the conformances' second. Swift images are never unloaded. The rest is part of Swift's
/// ABI: a record is the 32-bit distance to a conformance, which begins with four 32-bit words: the distances
/// to the protocol's descriptor, the type's and the witnesses, then flags, three bits of which say how the
/// type is given.
final class ConformanceRecords: Sendable {
    private struct State {
        var imageCount = 0
        /// By the addresses of the types' descriptors.
        var types = AddressTable<Void>()
    }

    /// The addresses of the protocols' descriptors.
    private let protocols: [UInt]
    private let state = Guarded(State())

    /// Reads no records until the first question.
    init(of protocols: [ProtocolDescriptor]) { self.protocols = protocols.map(\.address) }

    /// The records of each single protocol that was asked about.
    private static let known = Guarded(AddressTable<ConformanceRecords>())

    /// The types that conform to one protocol.
    static func of(_ descriptor: ProtocolDescriptor) -> ConformanceRecords {
        known.withLock { known in
            if let records = known[descriptor.address] { return records }
            let records = ConformanceRecords(of: [descriptor])
            known.updateValue(records, at: descriptor.address)
            return records
        }
    }

    /// Whether a type certainly neither has nor inherits a conformance to any of the protocols.
    ///
    /// - Complexity: O(1), except for the first question, and the first after an image was loaded.
    func ruleOut(_ type: Any.Type) -> Bool {
        guard Self.areReadable else { return false }
        return state.withLock { state in
            update(&state)
            return lineage(of: type).allSatisfy { owner in
                // Types that aren't declared in Swift may have several descriptors, or none; a flag tells.
                guard let descriptor = unsafe Metadata(owner).descriptor,
                    unsafe descriptor.load(as: UInt32.self) & 1 << 6 != 0
                else { return false }
                return state.types[UInt(bitPattern: descriptor)] == nil
            }
        }
    }

    // MARK: - Reading

    /// Whether the runtime tells where the records lie.
    static var areReadable: Bool { unsafe enumerate != nil }

    #if canImport(Darwin)
    private static let enumerate: (@Sendable (Visit, UnsafeMutableRawPointer) -> Void)? = nil
    #else
    private static let enumerate: (@Sendable (Visit, UnsafeMutableRawPointer) -> Void)? =
        unsafe enumerateSections
    #endif

    /// Reads the records again if images were loaded.
    private func update(_ state: inout State) {
        var imageCount = 0
        unsafe Self.enumerate?(
            { _, count in
                unsafe count.assumingMemoryBound(to: Int.self).pointee += 1
                return true
            }, &imageCount)
        if state.imageCount == imageCount { return }
        var search = (protocols: protocols, types: AddressTable<Void>())
        unsafe withUnsafeMutablePointer(to: &search) { context in
            unsafe Self.enumerate?(
                { image, context in
                    let search = unsafe context.assumingMemoryBound(
                        to: (protocols: [UInt], types: AddressTable<Void>).self)
                    let section = unsafe image + 6 * MemoryLayout<Int>.size
                    guard let start = unsafe section.load(as: UnsafeRawPointer?.self) else { return true }
                    let length = unsafe section.load(fromByteOffset: MemoryLayout<Int>.size, as: Int.self)
                    let protocols = unsafe search.pointee.protocols
                    for offset in stride(from: 0, to: length, by: 4) {
                        let conformance = unsafe (start + offset).relativeTarget
                        guard unsafe protocols.contains(UInt(bitPattern: conformance.relativeDescriptor)),
                            let type = unsafe ConformanceRecords.type(of: conformance)
                        else { continue }
                        unsafe search.pointee.types.updateValue((), at: type)
                    }
                    return true
                }, unsafe context)
        }
        state = State(imageCount: imageCount, types: search.types)
    }

    /// The address of the descriptor of a conformance's type; nil if it isn't a Swift type.
    private static func type(of conformance: UnsafeRawPointer) -> UInt? {
        let type = unsafe (conformance + 4).relativeTarget
        switch unsafe conformance.load(fromByteOffset: 12, as: UInt32.self) >> 3 & 7 {
        case 0: return UInt(bitPattern: type)
        case 1:
            // Through a pointer, which is zero if the system lacks the type.
            let address = unsafe type.load(as: UInt.self)
            return address == 0 ? nil : address
        default: return nil
        }
    }
}

/// Receives an image's sections; returns whether to go on.
private typealias Visit =
    @convention(c) (_ image: UnsafeRawPointer, _ context: UnsafeMutableRawPointer) -> Bool

#if !canImport(Darwin)
@_silgen_name("swift_enumerateAllMetadataSections")
private func enumerateSections(_ visit: Visit, _ context: UnsafeMutableRawPointer)
#endif

extension UnsafeRawPointer {
    /// The target of the 32-bit distance stored here.
    var relativeTarget: UnsafeRawPointer { unsafe self + Int(load(as: Int32.self)) }

    /// The descriptor that the 32-bit distance here leads to; through a pointer if its lowest bit says so.
    var relativeDescriptor: UnsafeRawPointer {
        let distance = unsafe Int(load(as: Int32.self))
        let target = unsafe self + (distance & ~3)
        return unsafe distance & 1 == 0 ? target : target.load(as: UnsafeRawPointer.self)
    }
}
