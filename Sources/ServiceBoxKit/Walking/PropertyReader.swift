// Part of ServiceBox, released under the MIT License.
// The values of stored properties, each as the type that it is declared with.

/// Takes stored properties one by one.
protocol PropertyVisitor {
    /// Takes a property.
    ///
    /// - Parameters:
    ///   - name: Its name in the source, of a wrapper's storage that of the property; empty if it has none.
    ///   - value: Its value, as the declared type.
    mutating func visit<Value: Sendable>(_ name: String, _ value: Value)

    /// Takes note of a property, or of all those of a class, that can't be read.
    mutating func skip(_ name: String, because reason: String)
}

/// Reads the stored properties of a class instance or a struct, those of superclasses first.
///
/// By the field records also where a type reflects itself: what it stores is `Sendable` since it is, which can't be said
/// of what a mirror of its own shows. The variables of a class instance are left alone, since others may be changing
/// them; a struct is the caller's own copy.
enum PropertyReader {
    /// Reads all properties.
    ///
    /// - Parameters:
    ///   - subject: A class instance or a struct, but no actor.
    ///   - visitor: Takes the properties.
    static func read<Subject: Sendable>(_ subject: Subject, with visitor: inout some PropertyVisitor) {
        guard FieldRecords.areTrusted else { return Walker.read(subject, with: &visitor) }
        let type = type(of: subject as Any)
        for owner in TypePlan(reading: type, TypePlan.Shape(of: type)).hiddenLayers {
            visitor.skip(TypeName.of(owner), because: Message.stripped)
        }
        Access.withBase(of: subject) { base in
            for index in 0..<FieldRecords.count(of: type) {
                let field = FieldRecords.field(index, of: type)
                let name = name(of: field.label)
                if let reason = obstacle(to: field, isShared: type is AnyClass) {
                    visitor.skip(name.isEmpty ? TypeName.of(field.type) : name, because: reason)
                } else {
                    read(field, named: name, at: base, with: &visitor)
                }
            }
        }
    }

    private static func obstacle(to field: FieldRecords.Field, isShared: Bool) -> String? {
        if CellRequest(ofWrapper: field.type) != nil { return Message.isSlot }
        if !field.isStrong { return Message.isReference }
        return isShared && field.isVariable ? Message.isVariable : nil
    }

    private static func read(
        _ field: FieldRecords.Field, named name: String, at base: UnsafeRawPointer,
        with visitor: inout some PropertyVisitor
    ) {
        func open<Value: Sendable>(_: Value.Type) {
            visitor.visit(name, (base + field.offset).assumingMemoryBound(to: Value.self).pointee)
        }
        // What a `Sendable` type stores is `Sendable`, or it says itself that it may be sent. The protocol is a marker:
        // it has no part in the representation of a metatype.
        _openExistential(unsafeBitCast(field.type, to: (any Sendable.Type).self), do: open)
    }

    /// The name in the source of a property, or of one with a wrapper, behind the name that it is stored under.
    static func name(of label: String) -> String {
        PropertyName.withoutUnderscore(PropertyName.inSource(label))
    }
}
