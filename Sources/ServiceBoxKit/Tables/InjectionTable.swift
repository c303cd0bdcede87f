// Part of ServiceBox, released under the MIT License.
// The table of writable properties that a type lists, or that a box is taught.

/// The properties of a type that a box may write although they are no slots.
///
/// A table is a dictionary literal from names to ``Injection`` lines. The name is both the property's name
/// and the name that the service is registered under. A key path under a name that the type has no stored
/// property for is reported and not written; a setter may have any name.
///
/// A table is not `Sendable`: make it where it is listed or taught.
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
    let lines: [(name: String, injection: Injection)]

    /// Makes a table of names and lines.
    ///
    /// The names must differ: a name given twice stops the program with a message that names it.
    ///
    /// - Parameter elements: The names and lines in their order.
    public init(dictionaryLiteral elements: (String, Injection)...) {
        var names = Set<String>()
        for (name, injection) in elements where !names.insert(name).inserted {
            fatalError(Message.duplicateTableName(name, of: injection.root))
        }
        lines = elements.map { (name: $0.0, injection: $0.1) }
    }
}

@available(*, unavailable)
extension InjectionTable: Sendable {}
