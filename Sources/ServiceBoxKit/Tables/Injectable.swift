// Part of ServiceBox, released under the MIT License.
// The protocol of types that take part in their own injection.

/// A type that fills itself, lists a table of writable properties, or both.
///
/// Slots are filled from outside without it. Conform to call `fillWithDependencies()` from an
/// initialiser, or to list plain properties in ``injections``.
///
/// The table of a superclass is inherited: where a subclass overrides `class var injections`, both count, and
/// the subclass wins a name that both list.
///
/// A type on a global actor conforms in isolation, `extension Screen: @MainActor Injectable`. Its table is
/// then read and used on that actor only: a fill from elsewhere fills the slots and reports the table as out of
/// reach.
public protocol Injectable {
    /// The properties that a box may write although they aren't slots; none by default.
    ///
    /// Read once for each type, by the first box that meets an object of it, and by plans for the type before that;
    /// never under a lock.
    static var injections: InjectionTable { get }
}

extension Injectable {
    /// No table: only slots are filled.
    public static var injections: InjectionTable { [:] }
}
