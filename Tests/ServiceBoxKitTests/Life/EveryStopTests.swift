// Part of ServiceBox, released under the MIT License.
// Stopping a box while services are registered.

import ServiceBoxKit
import Testing

@Suite("A service that is registered while a box stops", .neverHanging)
struct EveryStopTests {
    /// A box with services that have nothing to do at their end.
    private func filled(_ box: ServiceBox) -> ServiceBox {
        for number in 0..<200 { box.register(Page(number: number), as: ServiceKey("page\(number)")) }
        return box
    }

    /// Whether the cache was registered before the box stopped, which refuses it since then.
    private func wasInTime(_ box: ServiceBox) -> Bool { (try? box.resolve(Cache.self)) == nil }

    @Test("has ended when a stop returns that began after its registration")
    func ended() async {
        for _ in 0..<Sanitizer.rounds(100) {
            let box = filled(ServiceBox())
            let journal = Journal()
            let hadEnded = await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    await box.stop()
                    return false
                }
                group.addTask {
                    box.register(
                        Cache(),
                        onStop: { _ in
                            for _ in 0..<20 { await Task.yield() }
                            journal.add("ended")
                        })
                    await box.stop()
                    return journal.all == ["ended"]
                }
                return await group.contains(true)
            }
            #expect(hadEnded == wasInTime(box))
        }
    }

    @Test("ends, if its box and the parent stop at once")
    func parent() async {
        for _ in 0..<Sanitizer.rounds(50) {
            let parent = ServiceBox()
            let box = filled(parent.makeChild())
            let journal = Journal()
            // From now on, the parent knows that the child has to stop.
            box.register(Clock(), onStop: { _ in })
            box.remove("clock")
            await withTaskGroup { group in
                group.addTask { _ = await box.stop() }
                group.addTask {
                    box.register(Cache(), onStop: { _ in journal.add("ended") })
                    await parent.stop()
                }
            }
            await box.stop()
            #expect(journal.all == (wasInTime(box) ? ["ended"] : []))
        }
    }
}
