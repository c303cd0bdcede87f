// Part of ServiceBox, released under the MIT License.
// Failures that are remembered while many services are resolved in a row.

import ServiceBoxKit
import Testing

private final class Part: @unchecked Sendable { @Injected var clock: Clock }
private final class Made: Sendable {}
private final class Owner: @unchecked Sendable { @Injected var made: Made? }

@Suite("A failure that is remembered during a cross-fill")
struct RememberedFailureTests {
    /// A box with a service that requires a clock named `clock`.
    private func inner(clock name: String) -> ServiceBox {
        let box = ServiceBox()
        box.register(Clock(), as: ServiceKey(name))
        box.register(as: "part") { _ in Part() }
        return box
    }

    @Test("isn't that of a later service at the same address")
    func addresses() {
        let (box, failures) = (ServiceBox(), Counter())
        box.register(Owner())
        box.register(as: "made") { _ in
            #expect(throws: ServiceBoxError.self) { try self.inner(clock: "other")["part"] as Part }
            for _ in 0..<100 {
                let part: Part? = try? self.inner(clock: "clock")["part"]
                if part == nil { failures.next() }
            }
            return Made()
        }
        box.crossFill()
        #expect(failures.value == 0)
    }
}
