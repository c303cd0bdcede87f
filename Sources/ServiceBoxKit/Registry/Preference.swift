// Part of ServiceBox, released under the MIT License.
// Which of several services a look-up by type takes.

/// The service that look-ups by a type take, whatever else fits the type.
///
/// It names the service and doesn't keep it: what is registered under the name later is preferred too.
struct Preference: Sendable {
    let name: String
    /// The type, without an optional around it.
    let type: Any.Type
    let location: SourceLocation
}
