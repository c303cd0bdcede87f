// Part of ServiceBox, released under the MIT License.
// Tokens that remove registrations.

/// A token of a registration, which can remove it.
///
/// ```swift
/// let demo = box.register(FileStore() as any Store, as: "store")
/// demo.remove()                                   // what it had replaced is back
/// ```
///
/// Releasing it removes nothing. It keeps neither the box nor the service alive. Thread-safe.
public struct ServiceRegistration: Sendable {
    /// The name that the service is registered under.
    public let name: String
    /// The innermost number, since decorations may be taken back.
    private let number: Int
    private let box: WeakSupplier

    init(_ registration: Registration) {
        (name, number, box) = (registration.name, registration.place, registration.home)
    }

    /// Removes this registration, and no other under its name.
    ///
    /// If it was the newest, the one that it replaced is back, for later fills and look-ups; filled
    /// properties keep what they have. Registrations may be removed in any order. A sealed box traps with a
    /// message.
    ///
    /// - Parameters:
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    /// - Returns: Whether it was still registered.
    @discardableResult
    public func remove(fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
        guard let box = box.box else { return false }
        return box.remove(name, fileID, line) { box.registry.remove(name, number: number) }
    }
}

extension ServiceRegistration: CustomStringConvertible {
    /// The quoted name.
    public var description: String { "'\(name)'" }
}
