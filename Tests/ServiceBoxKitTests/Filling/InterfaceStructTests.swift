// Part of ServiceBox, released under the MIT License.
// Structs with slots that are seen as an interface, and lie elsewhere than it.

import ServiceBoxKit
import Testing

protocol Timed: Sendable {
    var clock: Clock { get }
}

/// Fits into the words of an interface.
struct SmallTimedStruct: Timed {
    @Injected var clock: Clock
}

/// Doesn't.
struct LargeTimedStruct: Timed {
    let numbers = (1, 2, 3, 4)
    @Injected var clock: Clock
}

private struct Failure: Error {
    @Injected var clock: Clock?
}

private protocol Listed: Sendable {}
private protocol Priced: Sendable { var cents: Int { get } }
private struct Price: Listed, Priced { let cents = 5 }
private actor PriceActor { @Injected var price: (any Priced)? }
private final class PriceHolder { @Injected var price: (any Priced)? }

extension ServiceKey where Service == any Timed {
    fileprivate static var timed: Self { "timed" }
}

private func makeBox() -> (box: ServiceBox, clock: Clock) {
    let (box, clock) = (ServiceBox(), Clock())
    box.register(clock)
    return (box, clock)
}

@Suite("A struct behind an interface")
struct InterfaceStructTests {
    static let timed: [@Sendable () -> any Timed] = [{ SmallTimedStruct() }, { LargeTimedStruct() }]

    @Test("is filled when it is registered ready-made", arguments: timed)
    func readyMade(make: @Sendable () -> any Timed) throws {
        let (box, clock) = makeBox()
        box.register(make(), as: .timed)
        #expect(try box[.timed].clock === clock)
    }

    @Test("is filled when a factory creates it", arguments: [Lifetime.eager, .lazy, .transient], timed)
    func created(lifetime: Lifetime, make: @escaping @Sendable () -> any Timed) throws {
        let (box, clock) = makeBox()
        box.register(as: .timed, lifetime: lifetime) { _ in make() }
        #expect(try box[.timed].clock === clock)
    }

    @Test("is handed by a factory to an actor, and to what waits, as another interface that it conforms to")
    func otherInterface() async {
        let box = ServiceBox()
        let (actor, waiting) = (PriceActor(), PriceHolder())
        box.fill(waiting, waiting: true)
        box.register(as: ServiceKey<any Listed>("price")) { _ in Price() }
        let report = await box.fill(actor)
        #expect(report.outcomes == ["price": .filled])
        #expect(await actor.price?.cents == 5)
        #expect(waiting.price?.cents == 5)
    }

    @Test(
        "is filled when it is handed over as an interface, as anything, and in generic code", arguments: timed
    )
    func filled(make: @Sendable () -> any Timed) {
        func fill<Value>(_ value: Value, from box: ServiceBox) -> FillReport { box.fill(value) }
        let (box, clock) = makeBox()
        let fills: [(any Timed) -> FillReport] = [
            { box.fill($0) }, { box.fill($0 as Any) }, { fill($0, from: box) },
            { fill($0 as Any, from: box) },
        ]
        for fill in fills {
            let timed = make()
            #expect(fill(timed).isComplete)
            #expect(timed.clock === clock)
        }
    }

    @Test("is filled when it is an error")
    func error() throws {
        let (box, clock) = makeBox()
        box.register(Failure() as any Error, as: "failure")
        let error: any Error = try box["failure"]
        #expect((error as? Failure)?.clock === clock)
    }

    @Test("has a plan, and is examined by an audit", arguments: timed)
    func read(make: @Sendable () -> any Timed) {
        let (box, _) = makeBox()
        let timed = [make(), make()]
        #expect(box.plan(for: timed[0] as Any).isComplete)
        #expect(box.audit(including: timed).findings.isEmpty)
        #expect(box.fill(timed[1]).isComplete)
    }

    @Test("is the service of a property of a container, in generic code too", arguments: timed)
    func contained(make: @Sendable () -> any Timed) throws {
        struct Container<Content: Sendable>: Sendable {
            let timed: Content
        }
        func register<Content: Sendable>(_ content: Content, in box: ServiceBox) {
            box.register(contentsOf: Container(timed: content), under: "")
        }
        let (box, clock) = makeBox()
        register(make(), in: box)
        #expect(try box[.timed].clock === clock)
    }
}
