// Part of ServiceBox, released under the MIT License.
// How long a made service lives.

/// When a service is made, and how long its provider keeps it.
///
/// ```swift
/// let clock = ServiceProvider(.eager) { FileStore() }         // made at once, kept
/// let store = ServiceProvider(.lazy) { FileStore() }          // made when first asked for, kept
/// let images = ServiceProvider(.weak) { FileStore() }         // kept as long as someone else keeps it
/// let request = ServiceProvider(.transient) { FileStore() }   // made anew for each ask
/// ```
///
/// May be used from anywhere.
public struct Lifetime: Hashable, Sendable, CustomStringConvertible {
    enum Kind: String {
        case eager, lazy, weak, transient
    }

    let kind: Kind

    /// Made when its provider is made, and kept; if that fails, the error is kept until the provider is
    /// reset.
    ///
    /// Use it for what must be there from the start, so that a failure shows at once.
    public static let eager = Lifetime(kind: .eager)
    /// Made when first asked for, and kept; if that fails, the next ask tries again.
    ///
    /// Use it if nothing speaks for another.
    public static let lazy = Lifetime(kind: .lazy)
    /// Made when asked for, and kept as long as someone else keeps it; if that fails, the next ask tries
    /// again.
    ///
    /// Use it for class instances that are costly to keep. Values cannot be held weakly.
    public static let weak = Lifetime(kind: .weak)
    /// Made anew for each ask, and never kept.
    ///
    /// Use it for what belongs to whoever asks.
    public static let transient = Lifetime(kind: .transient)

    /// The lifetime's name.
    public var description: String { kind.rawValue }
}
