// Part of ServiceBox, released under the MIT License.
// A type of one's own that makes a service from parameters.

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
