// Part of ServiceBox, released under the MIT License.
// Boxes that build on others: children, scopes and copies.

extension ServiceBox {
    /// Creates a box that sees this one's services and overrides them by name.
    ///
    /// A service that the child doesn't have itself is its parent's: the same object, however many children
    /// ask. Only what was registered with ``ServiceScope/box`` is created separately in each child. What a child
    /// registers is never seen by its parent, and a service of the parent is never filled with one of a
    /// child. A child keeps its parent alive.
    ///
    /// ```swift
    /// let request = box.makeChild(name: "request")
    /// request.register(Logger(), as: "logger")    // for this request alone
    /// ```
    ///
    /// - Parameter name: A name for messages.
    /// - Returns: The child, empty.
    public func makeChild(name: String) -> ServiceBox { ServiceBox(parent: self, name: name) }

    /// Creates a box for a scope, such as a test, in which some services are replaced.
    ///
    /// As a child, but it creates for itself whatever its base's registrations create, so that the replacements
    /// reach every service that is created in the scope, and nothing that is created there is seen outside. What
    /// is ready is shared: instances, and providers that were registered as such, with all that they create.
    ///
    /// - Parameters:
    ///   - base: The box to build on; nil for a box that builds on none.
    ///   - name: A name for messages.
    /// - Returns: The box, empty.
    package static func makeScope(of base: ServiceBox?, name: String) -> ServiceBox {
        ServiceBox(parent: base, name: name, isScope: true)
    }

    /// Creates a box with the same registrations, unaffected by later changes of either.
    ///
    /// The services are shared, also those that are created later: a lazy service is the same object in both
    /// boxes, created and filled by the original, and never with what the copy alone has. So are the parent, and
    /// what the box was taught. The copy isn't sealed. It keeps the original alive.
    ///
    /// - Returns: The copy.
    /// - Complexity: O(*n*) for *n* services.
    public func copy() -> ServiceBox {
        crossFiller.fillServices()
        return ServiceBox(parent: parent, name: name, original: self)
    }
}
