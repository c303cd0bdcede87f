// Part of ServiceBox, released under the MIT License.
// What types conform to and inherit, when both are known at run time only.

/// Conformances of types, asked without a value of the type.
///
/// A cast asks a value. A service that isn't created yet has none, and creating it for a question would run user
/// code. The metatype of the type can be cast to the protocol's existential metatype; the standard library
/// has no way to name that for a protocol known at run time, so the function that the compiler calls for it
/// is looked up in the runtime. Where it isn't found, in programs that contain the standard library, the type
/// is asked for by its mangled name, which a private protocol doesn't have; whether a type conforms to one by a
/// conformance that belongs to an actor then stays open.
enum Conformance {
    /// Tells whether a type conforms, by a conformance that may be used where this is asked.
    ///
    /// Unlike a cast of a metatype to a protocol that the compiler knows, this one asks for the actor of the
    /// conformance (measured).
    ///
    /// - Parameters:
    ///   - type: A class, a struct or an enum.
    ///   - existential: The type of the protocol's existential, `(any P).self`, or of a composition.
    /// - Returns: Whether it does, or nil if that can't be told, as of `any P<Int>`: the runtime's function
    ///   gives a metatype for it to which nothing can be cast (measured).
    static func of(_ type: Any.Type, to existential: Any.Type) -> Bool? {
        guard Metadata(existential).kind == .existential else { return nil }
        guard let metatype = existentialMetatype(of: existential) else {
            return isIsolated(type, to: existential) ? nil : isDeclared(by: type, to: existential)
        }
        func open<Metatype>(_: Metatype.Type) -> Bool { type is Metatype }
        return _openExistential(metatype, do: open)
    }

    /// Tells whether a type conforms, on whatever actor its conformance may be used.
    ///
    /// - Parameters:
    ///   - type: A class, a struct or an enum.
    ///   - existential: The type of the protocol's existential, `(any P).self`, or of a composition.
    /// - Returns: Whether it does, or nil if that can't be told.
    static func isDeclared(by type: Any.Type, to existential: Any.Type) -> Bool? {
        guard let interface = Interface(existential) else { return nil }
        if isRuledOut(type, interface) { return false }
        guard let search else { return nil }
        if interface.isForClasses, !(type is AnyClass) { return false }
        if let superclass = interface.superclass, !isType(type, orInherits: superclass) { return false }
        return interface.protocols.allSatisfy { search(Metadata(type).pointer, $0) != nil }
    }

    /// Whether a type may conform, on whatever actor; asked before a cast, of which one that fails is dear.
    ///
    /// - Parameters:
    ///   - type: A class, a struct or an enum.
    ///   - existential: The type of the protocol's existential, `(any P).self`.
    /// - Returns: False only if it certainly doesn't.
    static func isPossible(of type: Any.Type, to existential: Any.Type) -> Bool {
        Interface(existential).map { !isRuledOut(type, $0) } ?? true
    }

    /// Whether the conformance of a type belongs to an actor.
    ///
    /// The runtime's witness table begins with a pointer to the conformance's descriptor, which has its flags behind three
    /// relative addresses; the bit has been there since the compiler knows such conformances, 6.2.
    ///
    /// - Parameters:
    ///   - type: A class, a struct or an enum that conforms.
    ///   - existential: The type of the protocol's existential, or of a composition.
    /// - Returns: Whether it does; false where that can't be told.
    static func isIsolated(_ type: Any.Type, to existential: Any.Type) -> Bool {
        #if _ptrauth(_arm64e)
        return false
        #else
        guard let interface = Interface(existential), let search else { return false }
        return interface.protocols.contains { descriptor in
            guard let table = search(Metadata(type).pointer, descriptor) else { return false }
            let flags = table.load(as: UnsafeRawPointer.self).load(fromByteOffset: 12, as: UInt32.self)
            return flags & 1 << 19 != 0
        }
        #endif
    }

    private static func isRuledOut(_ type: Any.Type, _ interface: Interface) -> Bool {
        interface.protocols.contains { ConformanceRecords.of($0)?.ruleOut(type) == true }
    }

    /// Whether a type is another one or, being a class, inherits it.
    static func isType(_ type: Any.Type, orInherits other: Any.Type) -> Bool {
        func open<Other>(_: Other.Type) -> Bool { type is Other.Type }
        return type == other || _openExistential(other, do: open)
    }

    /// Whether every service of an interface is of a type, whatever it is: `any Sub` has all that `any Base` asks
    /// for.
    ///
    /// - Parameters:
    ///   - wanted: A class, or the type of an existential.
    ///   - interface: The type of an existential; of `any P<Int>` nothing is said.
    /// - Returns: Whether that is certain.
    static func isImplied(_ wanted: Any.Type, by interface: Any.Type) -> Bool {
        guard let interface = Interface(interface) else { return false }
        if wanted is AnyClass { return interface.inherits(wanted) }
        return Interface(wanted).map(interface.implies) ?? false
    }

    /// `(any P.Type).self` for `(any P).self`.
    private static func existentialMetatype(of existential: Any.Type) -> Any.Type? {
        guard let metatype else { return _mangledTypeName(existential).flatMap { _typeByName($0 + "Xp") } }
        return unsafeBitCast(metatype(Metadata(existential).pointer), to: Any.Type.self)
    }

    /// The runtime's function that gives the metatype of an existential.
    ///
    /// It takes and gives pointers to the metadata of types; that is what an `Any.Type` is.
    private static let metatype = RuntimeSymbol.named(
        "swift_getExistentialMetatypeMetadata",
        as: (@Sendable @convention(c) (UnsafeRawPointer) -> UnsafeRawPointer).self)

    /// The runtime's search for a conformance, which asks for no actor.
    ///
    /// It takes pointers to the metadata of a type and to the descriptor of a protocol.
    #if canImport(Darwin)
    private static let search = RuntimeSymbol.named(
        "swift_conformsToProtocol",
        as: (@Sendable @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UnsafeRawPointer?).self)
    #else
    private static let search: (@Sendable (UnsafeRawPointer, UnsafeRawPointer) -> UnsafeRawPointer?)? =
        conformsToProtocol
    #endif
}

#if !canImport(Darwin)
/// The same, by the one of its names that the compiler doesn't keep to itself: programs that contain the runtime have it
/// too.
@_silgen_name("swift_conformsToProtocolCommon")
private func conformsToProtocol(_ type: UnsafeRawPointer, _ descriptor: UnsafeRawPointer) -> UnsafeRawPointer?
#endif
