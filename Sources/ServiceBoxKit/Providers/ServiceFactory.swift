// Part of ServiceBox, released under the MIT License.
// Types of one's own that make a service, and how long it lives.

/// A type that knows how to make a service, and how long it lives.
///
/// Write one where a closure would be too long or needs parts of its own; otherwise give
/// ``ServiceProvider/init(_:_:)`` a closure.
///
/// ```swift
/// struct StoreFactory: ServiceFactory {
///     let lifetime = Lifetime.lazy
///     func makeService() throws -> any Store { FileStore() }
/// }
/// let store = ServiceProvider(StoreFactory())
/// ```
///
/// A provider keeps its factory and calls it on whatever thread asks, under no lock. A factory of a lifetime
/// other than ``Lifetime/transient`` is called by one thread at a time, unless the provider is reset
/// meanwhile.
///
/// It creates a service for each call and keeps none: that is its provider's part. `ProviderConformance` in the
/// module `ServiceBoxTesting` checks it.
public protocol ServiceFactory<Service>: Sendable {
    /// The type of the service, which may be a protocol.
    associatedtype Service: Sendable

    /// When the service is made, and how long it is kept; read once, when a provider is made.
    var lifetime: Lifetime { get }

    /// Makes a service.
    ///
    /// - Returns: The service.
    /// - Throws: Anything. Let an error that another provider threw escape, and it tells the whole path to
    ///   what failed; throw another one instead, and the path starts here.
    func makeService() throws -> Service
}

/// A type that knows how to make a service from parameters, a new one each time.
///
/// Write one where a closure would be too long or needs parts of its own; otherwise make a
/// ``ServiceParametersProvider`` from a closure. A factory that wants to share what it makes can be a class
/// that keeps it.
///
/// ```swift
/// struct PageFactory: ServiceParametersFactory {
///     func makeService(_ number: Int) throws -> String { "page \(number)" }
/// }
/// let page = ServiceParametersProvider(PageFactory())
/// ```
///
/// It is called on whatever thread asks, under no lock, by many threads at a time.
public protocol ServiceParametersFactory<Service, Parameters>: Sendable {
    /// The type of the service, which may be a protocol.
    associatedtype Service: Sendable
    /// What the service is made from; a tuple or a struct for more than one.
    associatedtype Parameters

    /// Makes a service.
    ///
    /// - Parameter parameters: What it is made from.
    /// - Returns: The service.
    /// - Throws: Anything, as ``ServiceFactory/makeService()`` does.
    func makeService(_ parameters: Parameters) throws -> Service
}

/// When a service is created, and how long its provider keeps it.
///
/// ```swift
/// let clock = ServiceProvider(.eager) { FileStore() }         // created at once, kept
/// let store = ServiceProvider(.lazy) { FileStore() }          // created when first resolved, kept
/// let images = ServiceProvider(.weak) { FileStore() }         // kept as long as someone else keeps it
/// let request = ServiceProvider(.transient) { FileStore() }   // created on every resolve
/// ```
public struct Lifetime: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
        case eager, lazy, weak, transient
    }

    private let kind: Kind

    /// The lifetime's name.
    public var description: String { kind.rawValue }

    /// Created with its provider, and kept; if its factory fails, the error is kept until the provider is reset.
    ///
    /// Use it for what must be there from the start, so that a failure shows at once.
    public static let eager = Lifetime(kind: .eager)
    /// Created when first resolved, and kept; if that fails, the next resolve tries again.
    ///
    /// Use it unless you need another.
    public static let lazy = Lifetime(kind: .lazy)
    /// Created on demand, and kept as long as someone else keeps it; if that fails, the next resolve tries again.
    ///
    /// Use it for class instances that are costly to keep. Values can't be held weakly.
    public static let weak = Lifetime(kind: .weak)
    /// Created on every resolve and never cached.
    ///
    /// Use it for what belongs to whoever resolves it.
    public static let transient = Lifetime(kind: .transient)
}
