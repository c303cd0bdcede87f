// Part of ServiceBox, released under the MIT License.
// Modules built without reflection metadata.

/// The modules known to be built without reflection metadata: no fill finds the slots of their types.
///
/// The trap of an empty property says so. Thread-safe.
enum StrippedModules {
    private static let names = Guarded<Set<String>>([])

    /// Notes the module of a type that has properties but no field records for them.
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
