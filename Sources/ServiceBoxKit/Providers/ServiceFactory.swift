// Part of ServiceBox, released under the MIT License.
// Factory types, and lifetimes.

/// A type that creates a service and says how long it lives.
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
/// A provider keeps its factory and calls it on whatever thread resolves the service, under no lock. With a
/// lifetime other than ``Lifetime/transient`` it does so on one thread at a time, unless it is reset meanwhile;
/// with ``ServiceScope/box`` each child has a provider of its own.
///
/// A factory creates a service on every call and caches none: that is its provider's job.
/// `ProviderConformance` in the module `ServiceBoxTesting` checks it.
public protocol ServiceFactory<Service>: Sendable {
    /// The type of the service, which may be a protocol.
    associatedtype Service: Sendable

    /// When the service is created, and how long it is kept; read once, when a provider is created.
    var lifetime: Lifetime { get }

    /// Creates a service.
    ///
    /// - Returns: The service.
    /// - Throws: Anything. Let an error from another provider propagate, and it tells the whole path to the
    ///   failure; throw a different one instead, and the path starts here.
    func makeService() throws -> Service
}

/// A type that creates a new service from parameters on every call.
///
/// Write one where a closure would be too long or needs parts of its own; otherwise create a
/// ``ServiceParametersProvider`` from a closure. A factory that should share its services can be a class that
/// keeps them.
///
/// ```swift
/// struct PageFactory: ServiceParametersFactory {
///     func makeService(_ number: Int) throws -> String { "page \(number)" }
/// }
/// let page = ServiceParametersProvider(PageFactory())
/// ```
///
/// It is called on whatever thread resolves the service, under no lock, by many threads at a time.
public protocol ServiceParametersFactory<Service, Parameters>: Sendable {
    /// The type of the service, which may be a protocol.
    associatedtype Service: Sendable
    /// What the service is created from; a tuple or a struct for more than one value.
    associatedtype Parameters

    /// Creates a service.
    ///
    /// - Parameter parameters: What it is created from.
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

    /// Created with its provider, and kept; if its factory, or that of a service that it needs, throws an error of
    /// its own, the error is kept until a reset.
    ///
    /// One that must be awaited is created by its first `prepare` or the start of its box; a child's own, with
    /// ``ServiceScope/box``, when the child first uses it or starts. If that fails, the next use tries again.
    ///
    /// Use it for services that must exist from the start, so that a failure shows at once.
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
    /// Use it for services that belong to whoever resolves them.
    public static let transient = Lifetime(kind: .transient)
}
