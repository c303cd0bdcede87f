// Part of ServiceBox, released under the MIT License.
// What observers hear of services that come and go at once.

import ServiceBoxKit
import Testing

private final class Fickle: FillObserving, @unchecked Sendable {
    @Injected var clock: Clock
    private let onFill: @Sendable () -> Void

    init(_ onFill: @escaping @Sendable () -> Void) { self.onFill = onFill }

    func didFill(by report: FillReport) { onFill() }
}

@Suite("Observers of what is gone at once")
struct CompetingEventTests {
    @Test("hear of each removal, even if another thread registers the next service", .neverHanging)
    func removals() {
        let box = ServiceBox()
        let (events, removals) = (Counter(), Counter())
        let observation = box.observe { if $0.kind == .removed { events.next() } }
        onThreads(8) {
            for _ in 0..<100 {
                box.register(Clock())
                if box.remove("clock") { removals.next() }
            }
        }
        observation.cancel()
        #expect(removals.value > 0)
        #expect(events.value == removals.value)
    }

    @Test("hear that a service was made which its own callback has replaced")
    func replacedAtOnce() throws {
        let (box, made) = (ServiceBox(), Journal())
        box.register(Clock())
        let key = ServiceKey<Fickle>("fickle")
        box.register(as: key) { _ in Fickle { box.register(Fickle {}, as: key) } }
        let observation = box.observe { if $0.kind == .made { made.add($0.serviceName ?? "") } }
        _ = try box[key]
        observation.cancel()
        #expect(made.all == ["fickle"])
    }
}
