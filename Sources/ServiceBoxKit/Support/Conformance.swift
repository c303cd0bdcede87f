// Part of ServiceBox, released under the MIT License.
// What types conform to and inherit, when both are known at run time only.

/// Tells whether a type conforms to a protocol, without a value of the type.
///
/// A cast needs a value, but a service that isn't created yet has none, and creating one just to ask would
/// run user code. The type's metatype can be cast to the protocol's existential metatype instead. The
/// standard library can't name that for a protocol known only at run time, so the runtime function that the
/// compiler calls for it is looked up by name. In statically linked programs it isn't found; the existential
/// metatype is then looked up by its mangled name. A private protocol has none, so whether an isolated
/// conformance to one may be used stays unknown.
///
/// The functions take a class, a struct or an enum, and the type of an existential: `(any P).self`, or that of
/// a composition.
enum Conformance {
    /// Tells whether a type conforms, by a conformance that may be used in the caller's isolation.
    ///
    /// Unlike casting a metatype to a statically known protocol, this cast respects the actor of the
    /// conformance (measured). Nil if it can't be told, as for `any P<Int>`: nothing can be cast to the
    /// metatype that the runtime's function returns for it (measured).
    static func of(_ type: Any.Type, to existential: Any.Type) -> Bool? {
        guard Metadata(existential).kind == .existential else { return nil }
        guard let metatype = existentialMetatype(of: existential) else {
            return isIsolated(type, to: existential) ? nil : isDeclared(by: type, to: existential)
        }
        func open<Metatype>(_: Metatype.Type) -> Bool { type is Metatype }
        return _openExistential(metatype, do: open)
    }

    /// Tells whether a type conforms, whichever actor its conformance is isolated to; nil if that can't be
    /// told.
    static func isDeclared(by type: Any.Type, to existential: Any.Type) -> Bool? {
        guard let interface = Interface(existential) else { return nil }
        if isRuledOut(type, interface) { return false }
        guard let search = unsafe search else { return nil }
        if interface.isForClasses, !(type is AnyClass) { return false }
        if let superclass = interface.superclass, !isType(type, orInherits: superclass) { return false }
        var context = Context()
        let conforms = interface.protocols.allSatisfy {
            unsafe search(Metadata(type).pointer, $0.pointer, &context) != nil
        }
        return conforms && interface.isPartial ? nil : conforms
    }

    /// False only if a type certainly doesn't conform, on any actor; asked before a cast, because one that
    /// fails is expensive.
    static func isPossible(of type: Any.Type, to existential: Any.Type) -> Bool {
        Interface(existential).map { !isRuledOut(type, $0) } ?? true
    }

    /// Whether the conformance of a type belongs to an actor; false if it can't be told.
    static func isIsolated(_ type: Any.Type, to existential: Any.Type) -> Bool {
        actor(of: type, to: existential) != nil
    }

    /// The type of the global actor that the conformance of a type belongs to; nil if it belongs to none, or
    /// that can't be told.
    ///
    /// One that depends on others belongs to their actor: `[Screen]` conforms where `Screen` does.
    static func actor(of type: Any.Type, to existential: Any.Type) -> Any.Type? {
        guard let interface = Interface(existential), let search = unsafe search else { return nil }
        var context = Context()
        for needed in interface.protocols where unsafe context.actor == nil {
            _ = unsafe search(Metadata(type).pointer, needed.pointer, &context)
        }
        return unsafe context.actor.map { unsafe unsafeBitCast($0, to: Any.Type.self) }
    }

    private static func isRuledOut(_ type: Any.Type, _ interface: Interface) -> Bool {
        interface.protocols.contains { ConformanceRecords.of($0).ruleOut(type) }
    }

    /// Whether a type is another one or, being a class, inherits it.
    static func isType(_ type: Any.Type, orInherits other: Any.Type) -> Bool {
        // The runtime accepts every class instance as one of Core Foundation's.
        if Metadata(other).kind == .foreignClass { return type == other }
        func open<Other>(_: Other.Type) -> Bool { type is Other.Type }
        return type == other || _openExistential(other, do: open)
    }

    /// Whether every service that fits an interface also fits another type: `any Sub` meets all requirements
    /// of `any Base`.
    ///
    /// - Parameters:
    ///   - wanted: A class, or the type of an existential.
    ///   - interface: The type of an existential; for `any P<Int>`, the answer is true for the same type only, with
    ///     or without `Sendable`, which the names of types leave out.
    /// - Returns: Whether that is certain.
    static func isImplied(_ wanted: Any.Type, by interface: Any.Type) -> Bool {
        if [wanted, interface].allSatisfy({ Metadata($0).kind == .extendedExistential }) {
            return _typeName(wanted) == _typeName(interface)
        }
        guard let interface = Interface(interface) else { return false }
        if wanted is AnyClass { return interface.inherits(wanted) }
        return Interface(wanted).map(interface.implies) ?? false
    }

    /// `(any P.Type).self` for `(any P).self`.
    private static func existentialMetatype(of existential: Any.Type) -> Any.Type? {
        guard let metatype = unsafe metatype else {
            return _mangledTypeName(existential).flatMap { _typeByName($0 + "Xp") }
        }
        return unsafe unsafeBitCast(metatype(Metadata(existential).pointer), to: Any.Type.self)
    }

    /// The runtime's function that gives the metatype of an existential.
    ///
    /// Takes and returns pointers to the metadata of types, which is what an `Any.Type` is.
    private static let metatype = unsafe RuntimeSymbol.named(
        "swift_getExistentialMetatypeMetadata",
        as: (@Sendable @convention(c) (UnsafeRawPointer) -> UnsafeRawPointer).self)

    private typealias Search =
        @Sendable (UnsafeRawPointer, UnsafeRawPointer, UnsafeMutableRawPointer) -> UnsafeRawPointer?

    /// The runtime's search for a conformance, which tells its actor instead of respecting it.
    ///
    /// It takes pointers to the metadata of a type, to the descriptor of a protocol and to what it tells.
    /// Runtimes older than isolated conformances, which came with 6.2, have one that tells nothing.
    #if canImport(Darwin)
    private static let search: Search? = {
        let search = unsafe RuntimeSymbol.named(
            "swift_conformsToProtocolWithExecutionContext",
            as: (@Sendable @convention(c) (UnsafeRawPointer, UnsafeRawPointer, UnsafeMutableRawPointer)
                -> UnsafeRawPointer?).self)
        let size = unsafe RuntimeSymbol.named(
            "swift_ConformanceExecutionContextSize", as: UnsafePointer<Int>.self)
        if let search = unsafe search, let size = unsafe size,
            unsafe size.pointee <= MemoryLayout<Context>.size
        {
            return unsafe search
        }
        let older = unsafe RuntimeSymbol.named(
            "swift_conformsToProtocol",
            as: (@Sendable @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UnsafeRawPointer?).self)
        guard let older = unsafe older else { return nil }
        return { type, needed, _ in unsafe older(type, needed) }
    }()
    #else
    private static let search: Search? = unsafe conformsToProtocol
    #endif

    /// What that search tells: the metadata of a global actor and how it is one, and room for more.
    ///
    /// The runtime that comes with a system may be newer than the program, and says how much it writes.
    @safe private struct Context {
        var actor: UnsafeRawPointer?
        var rest: (UInt, UInt, UInt) = (0, 0, 0)
    }
}

#if !canImport(Darwin)
/// The same search; statically linked programs have it too.
@_silgen_name("swift_conformsToProtocolWithExecutionContext")
private func conformsToProtocol(
    _ type: UnsafeRawPointer, _ descriptor: UnsafeRawPointer, _ context: UnsafeMutableRawPointer
) -> UnsafeRawPointer?
#endif
