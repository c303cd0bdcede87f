// Part of ServiceBox, released under the MIT License.
// Boxes as text.

import ServiceBoxKit
import Testing

private protocol Named: Sendable {}
private struct Anna: Named {}

@Suite("Boxes as text")
struct BoxDescriptionTests {
    @Test("list the services with their types")
    func description() {
        let box = ServiceBox()
        #expect("\(box)" == "ServiceBox, no services")
        box.register(Clock())
        box.register(Anna(), as: ServiceKey<any Named>("userName"))
        #expect(
            "\(box)" == """
                ServiceBox, 2 services
                  clock     Clock
                  userName  Anna as Named
                """)
    }

    @Test("name a child and say that a box is sealed")
    func sealedChild() {
        let parent = ServiceBox()
        parent.register(Clock())
        let child = parent.makeChild(name: "request")
        child.seal()
        #expect(
            "\(child)" == """
                ServiceBox 'request', 1 service, sealed
                  clock  Clock
                """)
    }
}
