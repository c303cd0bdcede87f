// Part of ServiceBox, released under the MIT License.
// Tests of the default box, named boxes, private boxes and the box's own entry.

import ServiceBoxKit
import Testing

@Suite("Default, named and private boxes")
struct DefaultAndNamedBoxesTests {
    @Test("a fresh box holds itself as serviceBox and fills properties of its type")
    func ownEntry() {
        let box = ServiceBox()
        let shell = Shell()
        let report = box.fill(shell)
        #expect(shell.serviceBox === box)
        #expect(shell.weakBox === box)
        #expect(shell.number == nil)
        #expect(report.outcomes == ["serviceBox": .filled, "weakBox": .filled, "number": .typeMismatch])
        #expect(box.registrations.map(\.name) == ["serviceBox"])
    }

    @Test("the box's own entry fits AnyObject, Any and Sendable, and is the box that fills")
    func ownEntryAsInterface() {
        let first = ServiceBox()
        let second = ServiceBox()
        let loose = LooseShell()
        first.fill(loose)
        #expect(loose.object === first)
        #expect(loose.anything as? ServiceBox === first)
        #expect(loose.sendable as? ServiceBox === first)
        second.fill(loose)
        #expect(loose.object === second)
        #expect(loose.anything as? ServiceBox === second)
    }

    @Test("the process has one default box, named default")
    func defaultBox() async {
        let here = ServiceBox.default
        let elsewhere = await Task.detached { ServiceBox.default }.value
        #expect(here === elsewhere)
        #expect(here === ServiceBox.named("default"))
    }

    @Test("each name has one box in every task, created on first use")
    func namedBoxes() async {
        let checkout = ServiceBox.named("DefaultAndNamedBoxesTests.checkout")
        #expect(checkout !== ServiceBox.named("DefaultAndNamedBoxesTests.Checkout"))
        let others = await withTaskGroup(of: ServiceBox.self) { group in
            for _ in 0..<8 { group.addTask { ServiceBox.named("DefaultAndNamedBoxesTests.checkout") } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(others.count == 8)
        #expect(others.allSatisfy { $0 === checkout })
    }

    @Test("boxes share nothing")
    func privateBoxes() {
        let first = ServiceBox()
        let second = ServiceBox()
        first.register(1, as: "number")
        first.teach(Taught.self, ["number": .keyPath(\Taught.number)])
        #expect(!second.isRegistered("number"))
        #expect(second.fill(Numbered()).outcome(of: "number") == .missing)
        second.register(2, as: "number")
        let taught = Taught()
        #expect(second.fill(taught).outcome(of: "number") == .plainProperty)
        #expect(taught.number == nil)
        let numbered = Numbered()
        first.fill(numbered)
        #expect(numbered.number == 1)
        second.fill(numbered)
        #expect(numbered.number == 2)
        second.clear()
        #expect(first.isRegistered("number"))
    }

    @Test("the default box can be replaced for a scope, which leaves the process's own alone")
    func scopedDefault() throws {
        let box = ServiceBox()
        let before = ServiceBox.default
        let inside = ServiceBox.withDefault(box) { ServiceBox.default }
        #expect(inside === box)
        #expect(ServiceBox.default === before)
        #expect(throws: CancellationError.self) {
            try ServiceBox.withDefault(box) { throw CancellationError() }
        }
        #expect(ServiceBox.default === before)
    }

    @Test("a replaced default box reaches awaited code and child tasks but not detached ones, and nests")
    func scopedDefaultAsync() async {
        let outer = ServiceBox()
        let inner = ServiceBox()
        let before = ServiceBox.default
        await ServiceBox.withDefault(outer) {
            await Task.yield()
            async let child = ServiceBox.default
            #expect(await child === outer)
            let task = Task { ServiceBox.default }
            #expect(await task.value === outer)
            let detached = await Task.detached { ServiceBox.default }.value
            #expect(detached === before)
            await ServiceBox.withDefault(inner) {
                await Task.yield()
                #expect(ServiceBox.default === inner)
            }
            #expect(ServiceBox.default === outer)
        }
        #expect(ServiceBox.default === before)
    }
}

private final class Shell {
    @Injected var serviceBox: ServiceBox?
    @WeakInjected("serviceBox") var weakBox: ServiceBox?
    @Injected("serviceBox") var number: Int?
}

private final class LooseShell {
    @Injected("serviceBox") var object: AnyObject?
    @Injected("serviceBox") var anything: Any?
    @Injected("serviceBox") var sendable: (any Sendable)?
}

private final class Numbered {
    @Injected var number: Int?
}

private final class Taught {
    var number: Int?
}
