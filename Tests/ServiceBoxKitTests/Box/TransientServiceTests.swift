// Part of ServiceBox, released under the MIT License.
// Services that a box creates for each ask.

import ServiceBoxKit
import Testing

private protocol Shape: Sendable {}
private struct Dot: Shape {}

private final class Picture: Shape, @unchecked Sendable {
    @Injected var clock: Clock?
}

/// A service that gets itself, by way of two transient services and another one.
private final class Root: @unchecked Sendable {
    @Injected var branch: Branch
    @Injected var clock: Clock
}

private final class Branch: Sendable {
    let leaf: Leaf
    init(_ leaf: Leaf) { self.leaf = leaf }
}

private final class Leaf: Sendable {
    let ring: Ring
    init(_ ring: Ring) { self.ring = ring }
}

private final class Ring: @unchecked Sendable {
    @Injected var root: Root
}

private final class Lectern: @unchecked Sendable {
    @Injected var picture: Picture
    @Injected var missing: Cache
}

private struct Failure: Error {}

@Suite("A transient service")
struct TransientServiceTests {
    private let box = ServiceBox(name: "parent")

    @Test("is handed out by its interface, though it was looked up by its own type before")
    func byInterface() throws {
        box.register(as: "store", lifetime: .transient) { _ in FileStore() }
        // Look-ups are remembered after a while.
        for _ in 1...30 {
            let _: FileStore = try box["store"]
            let store: any Store = try box["store"]
            #expect(store is FileStore)
            #expect(box.failure(of: ServiceKey<Page>("store"))?.code == .typeMismatch)
        }
    }

    @Test("leaves what it was filled with complete, though it lacks something itself")
    func lacking() throws {
        box.register(as: "picture") { _ in Picture() }
        box.register(as: "lectern", lifetime: .transient) { _ in Lectern() }
        #expect(box.failure(of: ServiceKey<Lectern>("lectern"))?.code == .incomplete)
        #expect(try box.provider(ServiceKey<Picture>("picture")).isMade)
    }

    @Test("is filled by its own type, whatever its closure created before")
    func ownType() throws {
        let numbers = Counter()
        box.register(Clock())
        box.register(as: "shape" as ServiceKey<any Shape>, lifetime: .transient) { _ in
            if numbers.next().isMultiple(of: 2) { return Picture() }
            return Dot()
        }
        let shapes: [any Shape] = try (1...6).map { _ in try box["shape"] }
        #expect(shapes.map { $0 is Dot } == [true, false, true, false, true, false])
        #expect(shapes.compactMap { $0 as? Picture }.allSatisfy { $0.clock != nil })
    }

    @Test("gets what its closure registers")
    func registered() throws {
        box.register(lifetime: .transient) { box in
            box.register(Clock())
            return Picture()
        }
        for _ in 1...3 { #expect(try box.resolve(Picture.self).clock === box["clock"]) }
    }

    @Test("gets what is registered after others of its type had nothing to fill")
    func later() throws {
        box.register(as: "dot", lifetime: .transient) { _ in Dot() }
        box.register(as: "picture", lifetime: .transient) { _ in Picture() }
        for _ in 1...3 {
            let _: Dot = try box["dot"]
            #expect(try box.resolve("picture" as ServiceKey<Picture>).clock == nil)
        }
        box.register(Clock())
        #expect(try box.resolve("picture" as ServiceKey<Picture>).clock != nil)
    }

    @Test("of a parent is created in the parent, whoever asks")
    func parent() throws {
        let (boxes, names) = (box.makeChild(name: "child"), Journal())
        box.register(as: "own", lifetime: .transient, per: .box) { box in
            names.add("own: \(box.name ?? "")")
            return Dot()
        }
        box.register(as: "shared", lifetime: .transient) { box in
            names.add("shared: \(box.name ?? "")")
            return Dot()
        }
        for asker in [box, boxes, boxes.makeChild(name: "grandchild"), box.copy()] {
            let _: (Dot, Dot) = (try asker["own"], try asker["shared"])
        }
        #expect(
            names.all == [
                "own: parent", "shared: parent", "own: child", "shared: parent", "own: grandchild",
                "shared: parent", "own: parent", "shared: parent",
            ])
    }

    @Test(
        "is complete with what its closure takes before that is, and fails with it", arguments: [true, false])
    func incomplete(isComplete: Bool) throws {
        if isComplete { box.register(Clock()) }
        box.register(as: "root") { _ in Root() }
        box.register(as: "branch", lifetime: .transient) { Branch(try $0["leaf"]) }
        box.register(as: "leaf", lifetime: .transient) { Leaf(try $0["ring"]) }
        box.register(as: "ring") { _ in Ring() }
        if isComplete {
            let root: Root = try box["root"]
            #expect(root.branch.leaf.ring.root === root)
            let (branch, leaf): (Branch, Leaf) = (try box["branch"], try box["leaf"])
            #expect([branch.leaf.ring.root, leaf.ring.root].allSatisfy { $0 === root })
        } else {
            let error = #expect(throws: ServiceBoxError.self) { try box.resolve("root" as ServiceKey<Root>) }
            #expect(error?.code == .incomplete)
            #expect(throws: ServiceBoxError.self) { try box.resolve("leaf" as ServiceKey<Leaf>) }
        }
    }

    @Test("that can't be created fails with the path, and the next one succeeds")
    func failure() throws {
        let numbers = Counter()
        box.register(as: "dot", lifetime: .transient) { _ in
            if numbers.next() <= 2 { throw Failure() }
            return Dot()
        }
        box.register(as: "shape" as ServiceKey<any Shape>, lifetime: .transient) { box in
            try box.resolve("dot" as ServiceKey<Dot>)
        }
        for ask in [{ try box["shape"] as any Shape }, { try box.resolve((any Shape).self) }] {
            let error = #expect(throws: ServiceBoxError.self) { try ask() }
            #expect(error?.code == .factoryFailed)
            #expect(error?.path == ["Shape", "Dot"])
        }
        let shape: any Shape = try box["shape"]
        #expect(shape is Dot)
    }

    @Test("that could never be created counts as unused")
    func unusedAfterFailure() {
        let events = Journal()
        let observation = box.observe { event in if event.kind == .replaced { events.add("\(event)") } }
        box.register(as: "dot", lifetime: .transient) { _ -> Dot in throw Failure() }
        box.register(as: "shape" as ServiceKey<any Shape>) { box in
            try box.resolve("dot" as ServiceKey<Dot>)
        }
        #expect(throws: ServiceBoxError.self) { try box.resolve("shape" as ServiceKey<any Shape>) }
        box.register(Dot(), as: "dot")
        #expect(events.all.map { $0.contains("handed out") } == [false])
        observation.cancel()
    }
}
