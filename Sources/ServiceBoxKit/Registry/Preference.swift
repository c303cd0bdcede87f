// Part of ServiceBox, released under the MIT License.
// Which of several services a look-up by type prefers.

/// The service that look-ups by a type choose, whatever else fits the type.
///
/// It names the service and doesn't keep it: a later registration under the name is preferred too.
struct Preference: Sendable {
    let name: String
    /// The type, without an optional around it.
    let type: Any.Type
    let location: SourceLocation
}
