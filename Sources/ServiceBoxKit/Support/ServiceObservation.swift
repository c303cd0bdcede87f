// Part of ServiceBox, released under the MIT License.
// Who is told of changes, and until when.

/// An observation, of a box or of a session, that ends when this object goes, or when it is cancelled.
///
/// May be used from anywhere.
public final class ServiceObservation: Sendable {
    typealias ID = Int

    private let end: Guarded<(@Sendable () -> Void)?>

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = Guarded(end)
    }

    /// Ends the observation.
    ///
    /// A call that another thread has begun goes on; no new one begins.
    public func cancel() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }

    deinit {
        cancel()
    }
}
