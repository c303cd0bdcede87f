// Part of ServiceBox, released under the MIT License.
// The service `analytics`, as the rest of the application sees it.

/// Counts what happens.
///
/// Services and screens ask for `any Analytics`, so a test can put another one in the box.
protocol Analytics: Sendable {
    /// Counts one event.
    func count(_ event: String)
}
