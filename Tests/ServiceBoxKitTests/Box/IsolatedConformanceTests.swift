// Part of ServiceBox, released under the MIT License.
// Tests of services whose conformances belong to the main actor.

import ServiceBoxKit
import Testing

@Suite("Services with conformances of the main actor")
struct IsolatedConformanceTests {
    @Test("a service registered as an interface fits off the main actor, where a cast would fail")
    func registeredAsInterface() async {
        let box = ServiceBox()
        await MainActor.run { box.register(Panel(), as: "panel", of: (any Themed & Sendable).self) }
        let holder = Holder()
        #expect(box.fill(holder).outcomes == ["panel": .filled])
        #expect(holder.panel != nil)
    }

    @Test("registered as its own class it fits on the main actor, whatever a fill elsewhere found before")
    func registeredAsClass() async {
        let box = ServiceBox()
        await MainActor.run { box.register(Panel(), as: "panel") }
        #expect(box.fill(Holder()).outcomes == ["panel": .typeMismatch])
        await MainActor.run { #expect(box.fill(Holder()).outcomes == ["panel": .filled]) }
    }
}

private protocol Themed {}

@MainActor private final class Panel {}

extension Panel: @MainActor Themed {}

private final class Holder {
    @Injected var panel: (any Themed & Sendable)?
}
