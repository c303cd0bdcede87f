// Part of ServiceBox, released under the MIT License.
// Boxes that nobody may change any more.

extension ServiceBox {
    /// Lets nobody change the box from now on.
    ///
    /// Registering, removing, clearing and teaching then stop the program with a message that says who sealed
    /// the box, in release builds too, and before a factory runs. Filling and looking up go on; children and
    /// copies can be changed. Sealing twice keeps the first place. May be called from anywhere.
    ///
    /// - Parameters:
    ///   - fileID: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func seal(fileID: StaticString = #fileID, line: UInt = #line) {
        registry.state.withLock { state in
            if state.seal == nil { state.seal = SourceLocation(file: fileID, line: line) }
        }
    }

    /// Whether the box is sealed.
    ///
    /// May be called from anywhere.
    public var isSealed: Bool { registry.state.withLock { $0.seal != nil } }

    /// Stops the program if the box is sealed.
    func checkSeal(to action: String, at location: SourceLocation) {
        guard let seal = registry.state.withLock({ $0.seal }) else { return }
        location.trap(Message.sealed(action, seal: "\(seal)", at: "\(location)"))
    }
}
