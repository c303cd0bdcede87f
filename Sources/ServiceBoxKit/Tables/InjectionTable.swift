// Part of ServiceBox, released under the MIT License.
// Types that take part in their own injection, and the tables of writable properties that they list.

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
    /// Read once for each type, and for each subclass again, by the first box that meets an object of it, and by plans
    /// for the type before that; never under a lock.
    static var injections: InjectionTable { get }
}

extension Injectable {
    /// No table: only slots are filled.
    public static var injections: InjectionTable { [:] }
}

/// The properties of a type that a box may write although they aren't slots.
///
/// A table is a dictionary literal from names to ``Injection`` lines. The name is both the property's name
/// and the name that the service is registered under. A key path under a name that the type has no stored
/// property for is reported and not written; a setter may have any name.
///
/// A table isn't `Sendable`: create it where it is listed or taught.
///
/// ```swift
/// final class SettingsScreen: Injectable {
///     var analytics: (any Analytics)?
///     func apply(_ theme: Theme) {}
///
///     static var injections: InjectionTable {
///         ["analytics": .keyPath(\SettingsScreen.analytics),
///          "theme": .setter { (screen: SettingsScreen, theme: Theme) in screen.apply(theme) }]
///     }
/// }
/// ```
public struct InjectionTable: ExpressibleByDictionaryLiteral {
    /// The lines in the order of the source.
    let lines: [TableLine]

    /// Creates a table of names and lines.
    ///
    /// A duplicate name traps with a message.
    ///
    /// - Parameter elements: The names and lines in their order.
    public init(dictionaryLiteral elements: (String, Injection)...) {
        var names = Set<String>()
        for (name, injection) in elements where !names.insert(name).inserted {
            fatalError(Message.duplicateTableName(name, of: injection.root).text)
        }
        lines = elements.map(TableLine.init)
    }
}

@available(*, unavailable)
extension InjectionTable: Sendable {}

/// One line of a table that a type lists or a box was taught.
///
/// `Sendable` is unchecked because the types of its key paths and closures hide whether they are `Sendable`
/// or isolated to an actor: a box uses them only on the actor that created them, or anywhere if none did.
struct TableLine: @unchecked Sendable {
    let name: String
    private(set) var injection: Injection

    /// The same line, used in the isolation of the actor that it writes only.
    ///
    /// A setter for any object can't say so, and there is no other for a distributed actor.
    var forActor: TableLine { changing(self) { $0.injection.isForActor = true } }
}

extension [TableLine] {
    /// These lines and others, which replace those with the same names.
    func replacing(with others: [TableLine]) -> [TableLine] {
        if isEmpty { return others }
        if others.isEmpty { return self }
        let names = Set(others.map(\.name))
        return filter { !names.contains($0.name) } + others
    }
}
