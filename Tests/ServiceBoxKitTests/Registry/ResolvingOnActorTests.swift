// Part of ServiceBox, released under the MIT License.
// Looking up all services of a type on and off an actor.

import ServiceBoxKit
import Testing

private protocol Light {}
private final class Lantern: Sendable {}
extension Lantern: @MainActor Light {}

@Suite("All services of a type")
struct ResolvingOnActorTests {
    @Test("are found on their actor, whatever a look-up elsewhere has found", arguments: [0, 12])
    func elsewhereFirst(others: Int) async throws {
        let box = ServiceBox()
        for number in 0..<others { box.register(Page(number: number), as: ServiceKey("page\(number)")) }
        box.register(Lantern(), as: "lantern")
        #expect(onThread { try? box.resolveAll((any Light).self).count } == 0)
        #expect(try await MainActor.run { try box.resolveAll((any Light).self).count } == 1)
        box.register(Page(), as: "another")
        #expect(try await MainActor.run { try box.resolveAll((any Light).self).count } == 1)
    }
}
