// Part of ServiceBox, released under the MIT License.
// The modules whose builds hide their slots.

/// The modules that are known to be built without reflection metadata: no fill finds the slots of their types.
///
/// Whoever reads one that is empty is told so. Thread-safe.
enum StrippedModules {
    private static let names = Guarded<Set<String>>([])

    /// Notes the module of a type that has properties and shows none.
    static func note(_ type: Any.Type) {
        let name = String(TypeName.module(of: type))
        names.withLock { _ = $0.insert(name) }
    }

    /// Whether a declaration, as `Module/File.swift:12`, is in one of them.
    static func have(_ declaration: String) -> Bool {
        let name = String(declaration.prefix { $0 != "/" })
        return names.withLock { $0.contains(name) }
    }
}
