// Part of ServiceBox, released under the MIT License.
// Finding the preferences of a registry and its ancestors.

extension Registry {
    /// The preference for a type: the registry's own, or the nearest ancestor's.
    func preference(for type: Any.Type) -> Preference? {
        state.withLock { $0.preferences[ObjectIdentifier(type)] } ?? parent?.preference(for: type)
    }

    /// All preferences that hold in the registry, by their types.
    var preferences: [ObjectIdentifier: Preference] {
        (parent?.preferences ?? [:]).merging(state.withLock(\.preferences)) { $1 }
    }
}
