// Part of ServiceBox, released under the MIT License.
// Reads the values of stored properties with their declared types.

/// Receives stored properties one by one.
protocol PropertyVisitor {
    /// Receives a property.
    ///
    /// - Parameters:
    ///   - name: Its source name, also for a wrapped property; empty if the build has none.
    ///   - value: Its value, as the declared type.
    mutating func visit<Value: Sendable>(_ name: String, _ value: Value)

    /// Receives the name of a property, or of a class with all its properties, that can't be read.
    mutating func skip(_ name: String, because reason: String)
}

/// Reads the stored properties of a class instance or a struct, superclasses first.
///
/// Field records are used even if the type has a custom mirror: a `Sendable` type stores only `Sendable`
/// values, but its mirror may show others. Variables of a class instance are skipped, since others may be
/// changing them; a struct is the caller's own copy.
enum PropertyReader {
    /// Reads all properties of a class instance or a struct, but not an actor.
    static func read<Subject: Sendable>(_ subject: Subject, with visitor: inout some PropertyVisitor) {
        let type = type(of: subject as Any)
        guard FieldRecords.areTrusted else {
            return visitor.skip(TypeName.of(type), because: Message.unreadable)
        }
        for owner in TypePlan(reading: type, TypePlan.Shape(of: type)).hiddenLayers {
            visitor.skip(TypeName.of(owner), because: Message.stripped)
        }
        unsafe Access.withBase(of: subject) { base in
            for index in 0..<FieldRecords.count(of: type) {
                let field = unsafe FieldRecords.field(index, of: type)
                let name = PropertyName.withoutUnderscore(PropertyName.inSource(field.label))
                if let reason = obstacle(to: field, isShared: type is AnyClass) {
                    visitor.skip(name.isEmpty ? TypeName.of(field.type) : name, because: reason)
                } else {
                    unsafe read(field, named: name, at: base, with: &visitor)
                }
            }
        }
    }

    private static func obstacle(to field: FieldRecords.Field, isShared: Bool) -> String? {
        if CellRequest(ofWrapper: field.type) != nil { return Message.isSlot }
        if !field.isStrong { return Message.isReference }
        if isShared && field.isVariable { return Message.isVariable }
        return FieldRecords.isCopyable(field.type) ? nil : Message.isNoncopyable
    }

    private static func read(
        _ field: FieldRecords.Field, named name: String, at base: UnsafeRawPointer,
        with visitor: inout some PropertyVisitor
    ) {
        func open<Value: Sendable>(_: Value.Type) {
            unsafe visitor.visit(name, (base + field.offset).assumingMemoryBound(to: Value.self).pointee)
        }
        // A `Sendable` type stores only `Sendable` values, or vouches for them. The protocol is a marker
        // without representation in a metatype.
        unsafe _openExistential(unsafeBitCast(field.type, to: (any Sendable.Type).self), do: open)
    }
}
