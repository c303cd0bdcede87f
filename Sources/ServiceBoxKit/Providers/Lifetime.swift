// Part of ServiceBox, released under the MIT License.
// How long a service lives.

/// When a service is created, and how long its provider keeps it.
///
/// ```swift
/// let clock = ServiceProvider(.eager) { FileStore() }         // created at once, kept
/// let store = ServiceProvider(.lazy) { FileStore() }          // created when first resolved, kept
/// let images = ServiceProvider(.weak) { FileStore() }         // kept as long as someone else keeps it
/// let request = ServiceProvider(.transient) { FileStore() }   // created on every resolve
/// ```
public struct Lifetime: Hashable, Sendable, CustomStringConvertible {
    /// The lifetime's name.
    public let description: String

    /// Created with its provider, and kept; if that fails, the error is kept until the provider is reset.
    ///
    /// Use it for what must be there from the start, so that a failure shows at once.
    public static let eager = Lifetime(description: "eager")
    /// Created when first resolved, and kept; if that fails, the next resolve tries again.
    ///
    /// Use it if nothing speaks for another.
    public static let lazy = Lifetime(description: "lazy")
    /// Created on demand, and kept as long as someone else keeps it; if that fails, the next resolve tries again.
    ///
    /// Use it for class instances that are costly to keep. Values can't be held weakly.
    public static let weak = Lifetime(description: "weak")
    /// Created on every resolve and never cached.
    ///
    /// Use it for what belongs to whoever resolves it.
    public static let transient = Lifetime(description: "transient")
}
