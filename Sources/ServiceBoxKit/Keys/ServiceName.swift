// Part of ServiceBox, released under the MIT License.
// The name of a service that is registered without one.

/// Names derived from types.
enum ServiceName {
    /// The name for a service of a type, or nil for a type without a name of its own: a tuple, a function, a
    /// composition of protocols.
    ///
    /// The type's own name without module, enclosing types and generic arguments, its leading run of capitals
    /// made small: `URLCache` → `urlCache`, `Store.Disk<Page>` → `disk`.
    static func derived(from type: Any.Type) -> String? {
        var base = String(describing: type)
        if let bracket = base.firstIndex(of: "<") { base = String(base[..<bracket]) }
        let isPlain = base.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
        guard isPlain, !base.isEmpty else { return nil }
        let capitals = base.prefix { $0.isUppercase }.count
        guard capitals > 1 else { return base.prefix(1).lowercased() + base.dropFirst() }
        // The last capital before a small letter begins the next word.
        let isFollowedByWord = base.dropFirst(capitals).first?.isLowercase ?? false
        let small = isFollowedByWord ? capitals - 1 : capitals
        return base.prefix(small).lowercased() + base.dropFirst(small)
    }
}
