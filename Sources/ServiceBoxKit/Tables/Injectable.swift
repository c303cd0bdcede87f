// Part of ServiceBox, released under the MIT License.
// The protocol of types that take part in their own injection.

/// A type that fills itself, lists a table of writable properties, or both.
///
/// Slots need no conformance to be filled from outside. Conform to call `fillWithDependencies()` from an
/// initialiser, or to list plain properties in ``injections``.
///
/// The table of a superclass is inherited: where a subclass overrides `class var injections`, both count, and
/// the subclass wins a name that both list.
///
/// A type on a global actor conforms in isolation, `extension Screen: @MainActor Injectable`. Its table is
/// then read and used on that actor only; filled from elsewhere, its slots are filled and the report names
/// the table's properties as out of reach.
public protocol Injectable {
    /// The properties that are no slots and that a box may write; none unless the type says so.
    ///
    /// Read once for each type, by the first box that meets an object of it, and by plans made before; under
    /// no lock.
    static var injections: InjectionTable { get }
}

extension Injectable {
    /// No table: slots alone are filled.
    public static var injections: InjectionTable { [:] }
}
