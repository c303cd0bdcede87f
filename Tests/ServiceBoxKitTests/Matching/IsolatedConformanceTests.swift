// Part of ServiceBox, released under the MIT License.
// Tests of services whose conformances belong to the main actor.

import ServiceBoxKit
import Testing

@Suite("Services with conformances of the main actor")
struct IsolatedConformanceTests {
    @Test("a service registered as an interface fits off the main actor, where a cast would fail")
    func registeredAsInterface() async {
        let box = ServiceBox()
        _ = await MainActor.run { box.register(Panel(), as: ServiceKey<any Themed & Sendable>("panel")) }
        let holder = Holder()
        #expect(box.fill(holder).outcomes == ["panel": .filled])
        #expect(holder.panel != nil)
    }

    @Test("a service registered as its interface and Sendable fits a property of the interface alone")
    func registeredAsSendableInterface() async throws {
        let box = ServiceBox()
        _ = await MainActor.run { box.register(Panel(), as: ServiceKey<any Themed & Sendable>("panel")) }
        let holder = PlainHolder()
        #expect(box.fill(holder).outcomes == ["panel": .filled])
        #expect(holder.panel != nil)
    }

    @Test("a service registered as its own class is a hole that says to register it as the interface")
    func advice() async throws {
        let box = ServiceBox()
        _ = await MainActor.run { box.register(Panel(), as: "panel") }
        let hole = try #require(box.fill(PlainHolder()).holes.first)
        #expect(
            hole.explanation.hasSuffix(
                "To fix, register it on that actor as any Themed & Sendable."))
    }

    @Test("a service registered as its own class fits on the main actor, whatever a fill elsewhere found")
    func registeredAsClass() async {
        let box = ServiceBox()
        _ = await MainActor.run { box.register(Panel(), as: "panel") }
        #expect(box.fill(Holder()).outcomes == ["panel": .typeMismatch])
        await MainActor.run { #expect(box.fill(Holder()).outcomes == ["panel": .filled]) }
    }

    @Test(
        "a service of its own class is out of reach elsewhere, whatever a fill on the main actor found",
        arguments: [false, true])
    func registeredAsClassElsewhere(isCreated: Bool) async throws {
        let box = ServiceBox()
        await MainActor.run {
            if isCreated {
                box.register(as: "panel") { @MainActor _ in Panel() }
            } else {
                box.register(Panel(), as: "panel")
            }
            for _ in 0..<2 {
                #expect(box.fill(PlainHolder()).outcomes == ["panel": .filled])
                #expect((try? box["panel"] as any Themed) != nil)
                #expect((try? box.resolve((any Themed).self)) != nil)
            }
        }
        for _ in 0..<2 {
            let holder = PlainHolder()
            #expect(box.fill(holder).outcomes == ["panel": .typeMismatch])
            #expect(holder.panel == nil)
            #expect((try? box["panel"] as any Themed) == nil)
            #expect((try? box.resolve((any Themed).self)) == nil)
            let collection = Collection()
            box.fill(collection)
            #expect(collection.panels.isEmpty)
        }
    }

    @Test("a list of them is out of reach elsewhere as an interface, whatever a fill on the main actor found")
    func conditional() async {
        let box = ServiceBox()
        await MainActor.run {
            box.register([Panel()], as: "panel")
            for _ in 0..<3 { #expect(box.fill(PlainHolder()).outcomes == ["panel": .filled]) }
        }
        let holder = PlainHolder()
        #expect(box.fill(holder).outcomes == ["panel": .typeMismatch])
        #expect(holder.panel == nil)
    }

    @Test(
        "a service is out of reach elsewhere as an interface with an argument, whatever the main actor found",
        arguments: [false, true])
    func withArgument(isCreated: Bool) async {
        let box = ServiceBox()
        await MainActor.run {
            if isCreated {
                box.register(as: "panel") { @MainActor _ in Panel() }
                _ = try? box["panel"] as Panel
            } else {
                box.register(Panel(), as: "panel")
            }
        }
        let (none, byName): ([String], [String]) = ([], ["fill", "again", "weak", "name"])
        #expect(reach(box) == none)
        await MainActor.run {
            // What a factory creates is known only by its registered type.
            for _ in 0..<3 { #expect(reach(box) == (isCreated ? byName : byName + ["type", "all", "list"])) }
        }
        for _ in 0..<3 { #expect(reach(box) == none) }
    }

    /// The ways in which the box hands out its service as an interface with an argument.
    private func reach(_ box: ServiceBox) -> [String] {
        let holder = ArgumentHolder()
        box.fill(holder)
        var ways = holder.panel != nil ? ["fill"] : []
        box.fill(holder, keepingExisting: true)
        if holder.panel != nil { ways.append("again") }
        if holder.weakPanel != nil { ways.append("weak") }
        if (try? box["panel"] as any Measured<Int>) != nil { ways.append("name") }
        if (try? box.resolve((any Measured<Int>).self)) != nil { ways.append("type") }
        if (try? box.resolveAll((any Measured<Int>).self))?.isEmpty == false { ways.append("all") }
        if !holder.panels.isEmpty { ways.append("list") }
        return ways
    }

    @Test(
        "a service whose parts are cast is out of reach elsewhere, whatever a fill found",
        arguments: [false, true])
    func inParts(isFilledElsewhereFirst: Bool) async throws {
        let (box, keys) = (ServiceBox(), ServiceBox())
        await MainActor.run {
            keys.register(Panel(), as: "panel")
            box.register(["main": Panel()], as: "panels")
            box.register((Panel(), 1), as: "pair")
            box.register(Panel.self, as: "kind")
            box.register(Panel(), as: "panel")
        }
        func isFilled() -> [Bool] {
            let parts = Parts()
            box.fill(parts)
            return [parts.panels != nil, parts.pair != nil, parts.kind != nil, parts.panel != nil]
        }
        let (all, none) = (Array(repeating: true, count: 4), Array(repeating: false, count: 4))
        func key() -> AnyHashable? { try? keys.resolve() }
        if isFilledElsewhereFirst { #expect(isFilled() == none && key() == nil) }
        await MainActor.run { for _ in 0..<3 { #expect(isFilled() == all && key() != nil) } }
        #expect(isFilled() == none && key() == nil)
    }

    @Test("a service of the main actor arrives in an object that waits there only", arguments: [false, true])
    func arriving(isCreated: Bool) async {
        let (box, elsewhere) = (ServiceBox(), PlainHolder())
        box.fill(elsewhere, waiting: true)
        await MainActor.run {
            let there = PlainHolder()
            box.fill(there, waiting: true)
            if isCreated {
                box.register(as: ServiceKey<any Shaped>("panel")) { @MainActor _ in Panel() }
            } else {
                box.register(Panel(), as: "panel")
            }
            #expect(there.panel != nil)
        }
        #expect(elsewhere.panel == nil)
        await MainActor.run { _ = box.register(Panel(), as: ServiceKey<any Themed & Sendable>("panel")) }
        #expect(elsewhere.panel != nil)
    }

    @Test("a service of the main actor reaches no actor's property, wherever that is filled")
    func actors() async {
        let (box, registered) = (ServiceBox(), Worker())
        box.register(registered, as: "registered")
        box.register(as: "created") { _ in Worker() }
        let created = await MainActor.run {
            box.register(Panel(), as: "panel")
            box.register(as: ServiceKey<any Shaped>("shape")) { @MainActor _ in Panel() }
            _ = try? box.resolve(ServiceKey<any Shaped>("shape"))
            box.fill(PlainHolder())
            return try? box.resolve(ServiceKey<Worker>("created"))
        }
        for worker in [registered, created].compactMap(\.self) {
            #expect(await worker.holdings == 0)
            #expect(await box.fill(worker).outcomes["panel"] == .typeMismatch)
            #expect(await worker.holdings == 0)
        }
        #expect(created != nil)
    }

    @Test("a service that is held weakly has its interface elsewhere too, in a property and at its end")
    func heldWeakly() async throws {
        let (box, key) = (ServiceBox(), ServiceKey<any Themed & Sendable>("panel"))
        let stopped = Counter()
        let panel = await MainActor.run {
            let panel = Panel()
            box.register(as: key, lifetime: .weak, onStop: { _ in _ = stopped.next() }) { @MainActor _ in
                panel
            }
            return panel
        }
        let created = try await box.prepare(key)
        #expect(created as AnyObject === panel)
        #expect(try box.resolve(key) as AnyObject === panel)
        let holder = WeakHolder()
        #expect(box.fill(holder).outcomes == ["panel": .filled])
        #expect(holder.panel as AnyObject === panel)
        await box.stop()
        #expect(stopped.value == 1)
    }

    @Test("an actor's collection takes elements that fit everywhere, and no others")
    func actorsCollections() async throws {
        let box = ServiceBox()
        box.register([Paper()], as: "papers")
        box.register(["main": [Paper()]], as: "folders")
        let registered = Shelf()
        box.register(registered, as: "shelf")
        try await MainActor.run {
            box.register([Panel()], as: "panels")
            box.register([Panel()] as [any Shaped], as: "shapes")
            box.register([FramedSheet()] as [Sheet], as: "sheets")
            _ = try box["shelf"] as Shelf
        }
        let outcomes = [
            "papers": PropertyReport.Outcome.filled, "folders": .filled, "panels": .typeMismatch,
            "shapes": .typeMismatch, "sheets": .typeMismatch,
        ]
        let shelf = Shelf()
        #expect(await box.fill(shelf).outcomes == outcomes)
        for shelf in [shelf, registered] { #expect(await shelf.contents == ["folders", "papers"]) }
    }

    @Test("a collection whose elements fit everywhere arrives in an object that waits elsewhere")
    func arrivingCollection() {
        let (box, holder) = (ServiceBox(), PapersHolder())
        box.fill(holder, waiting: true)
        box.register([Paper()], as: "papers")
        #expect(holder.papers?.count == 1)
    }

    @Test("a service of the main actor replaces another one in what was filled there, but not in an actor")
    func refilling() async throws {
        let (box, worker) = (ServiceBox(), Worker())
        nonisolated(unsafe) let elsewhere = PlainHolder()
        box.trackHolders()
        box.register(Paper(), as: "panel")
        await box.fill(worker)
        box.fill(elsewhere)
        try await MainActor.run {
            let (first, second) = (PlainHolder(), PlainHolder())
            for holder in [first, second] { box.fill(holder) }
            box.register(Panel(), as: "panel")
            let refilled = try box.refill("panel").refilled.filter { $0.property == "panel" }
            #expect(refilled.count == 2)
            #expect(first.panel is Panel && second.panel is Panel)
            #expect(elsewhere.panel is Paper)
        }
        #expect(await worker.isPaper)
    }

    @Test("a service of a custom actor reaches the properties of that actor, on it")
    func ownActor() async {
        let box = ServiceBox()
        box.register(Plate(), as: "panel")
        let worker = Worker()
        #expect(await box.fill(worker).outcomes["panel"] == .typeMismatch)
        #expect(await Foundry.shared.isFilled(from: box))
    }

    @Test("a service behind an interface is out of reach elsewhere as another, whatever the main actor found")
    func behindAnother() async {
        let box = ServiceBox()
        // Only the main actor uses it; it keeps what it was filled with.
        nonisolated(unsafe) let first = PlainHolder()
        await MainActor.run {
            box.register(as: ServiceKey<any Shaped>("panel")) { @MainActor _ in Panel() }
            #expect(box.fill(first).outcomes == ["panel": .filled])
        }
        let holder = PlainHolder()
        #expect(box.fill(holder).outcomes == ["panel": .typeMismatch])
        #expect(holder.panel == nil)
        withExtendedLifetime(first) {}
    }

    @Test("a service registered as its own class is among all that fit on the main actor")
    func amongAll() async throws {
        let box = ServiceBox()
        _ = await MainActor.run { box.register(Panel(), as: "panel") }
        let elsewhere = Collection()
        box.fill(elsewhere)
        #expect(elsewhere.panels.isEmpty)
        let onMainActor = await MainActor.run {
            let collection = Collection()
            box.fill(collection)
            return collection.panels.count
        }
        #expect(onMainActor == 1)
        for _ in 1...20 { #expect(try box.resolveAll((any Themed).self).isEmpty) }
        await MainActor.run {
            for _ in 1...20 { #expect((try? box.resolveAll((any Themed).self))?.count == 1) }
        }
        #expect(try box.resolveAll((any Themed).self).isEmpty)
    }
}

private protocol Themed {}

@MainActor private final class Panel {}

extension Panel: @MainActor Themed {}

private final class Paper: Themed, Sendable {}

private class Sheet: @unchecked Sendable {}

private final class FramedSheet: Sheet, @unchecked Sendable {}

extension FramedSheet: @MainActor Themed {}

private protocol Measured<Size> { associatedtype Size }

extension Panel: @MainActor Measured { typealias Size = Int }

extension Panel: @MainActor Hashable {
    static func == (left: Panel, right: Panel) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

@globalActor private actor Foundry {
    static let shared = Foundry()

    @Injected var panel: (any Themed)?

    func isFilled(from box: ServiceBox) -> Bool { box.fill(self).isComplete && panel != nil }
}

@Foundry private final class Plate { nonisolated init() {} }

extension Plate: @Foundry Themed {}

private actor Worker {
    @Injected var panel: (any Themed)?
    @Injected var shape: (any Themed)?
    @InjectedAll var panels: [any Themed]

    var isPaper: Bool { panel is Paper }
    var holdings: Int { (panel == nil ? 0 : 1) + (shape == nil ? 0 : 1) + panels.count }
}

private actor Shelf {
    @Injected var papers: [any Themed]?
    @Injected var folders: [String: [any Themed]]?
    @Injected var panels: [any Themed]?
    @Injected var shapes: [any Themed]?
    @Injected var sheets: [any Themed]?

    var contents: [String] {
        let lists = ["papers": papers, "panels": panels, "shapes": shapes, "sheets": sheets]
        return (lists.compactMapValues(\.self).keys + (folders == nil ? [] : ["folders"])).sorted()
    }
}

private final class WeakHolder {
    @WeakInjected var panel: (any Themed & Sendable)?
}

private final class PapersHolder {
    @Injected var papers: [any Themed]?
}

private final class Parts {
    @Injected var panels: [String: any Themed]?
    @Injected var pair: (any Themed, Int)?
    @Injected var kind: (any Themed.Type)?
    @Injected var panel: AnyHashable?
}

private protocol Shaped: Sendable {}

extension Panel: Shaped {}

extension Array: Themed where Element: Themed {}

private final class Holder {
    @Injected var panel: (any Themed & Sendable)?
}

private final class ArgumentHolder {
    @Injected var panel: (any Measured<Int>)?
    @WeakInjected("panel") var weakPanel: (any Measured<Int>)?
    @InjectedAll var panels: [any Measured<Int>]
}

private final class Collection {
    @InjectedAll var panels: [any Themed]
}

private final class PlainHolder {
    @Injected var panel: (any Themed)?
}
