// Part of ServiceBox, released under the MIT License.
// Listening to what happens in a box.

extension ServiceBox {
    /// Has a closure called with what happens in this box from now on.
    ///
    /// The closure runs after the fact, under no lock, on the thread that did what it is told of; events of
    /// several threads may come at once and in any order. It may use the box, and isn't told of what it does
    /// there itself. A box without observers does nothing for them; one with observers fills objects more
    /// slowly, since each fill is told of. What happens in a parent or a child is theirs to tell.
    ///
    /// - Parameter observer: Called with each event.
    /// - Returns: What ends the observation when it goes, or when it is cancelled.
    public func observe(_ observer: @escaping @Sendable (ServiceEvent) -> Void) -> ServiceObservation {
        ledger.observe(observer)
    }
}
