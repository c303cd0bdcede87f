// Part of ServiceBox, released under the MIT License.
// Waiting for what is registered in a registry or its ancestors.

extension Registry {
    /// Tries an arrival, and again whenever something comes that the registry sees, until it is over.
    ///
    /// It is added first and tried then. A look-up takes the lock under which a registration is put in: either it comes
    /// later and finds the registration, or the registering thread takes the lock later and finds the arrival.
    func wait(_ arrival: Arrival) {
        for registry in sequence(first: self, next: \.parent) { registry.arrivals.add(arrival) }
        arrival.attempt(for: nil)
    }
}
