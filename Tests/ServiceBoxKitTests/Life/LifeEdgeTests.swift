// Part of ServiceBox, released under the MIT License.
// Tests of starts and stops in rare constellations.

import ServiceBoxKit
import Testing

/// A type that has nothing to fill.
private final class Bare: Sendable {}

private final class Ready: LifePart, @unchecked Sendable {}

private final class Lazy: LifePart, @unchecked Sendable {}

/// A service that takes its time to start.
private final class Late: LifePart, @unchecked Sendable {
    override func start() async throws {
        for _ in 0..<1_000 { await Task.yield() }
        try await super.start()
    }
}

private final class JournalStore: Store, ServiceLifecycle {
    let journal: Journal
    init(_ journal: Journal) { self.journal = journal }
    func stop() { journal.add("stop") }
}

@Suite("A box that starts and stops, at the edges,")
struct LifeEdgeTests {
    private let box = ServiceBox()
    private let journal = Journal()

    @Test("takes a ready-made service for as old as its registration, though it is filled later")
    func age() async {
        final class Taker: @unchecked Sendable { @Injected var lazy: Lazy? }
        box.register(Ready("ready-made", journal))
        box.register(Taker())
        box.register(as: "lazy") { [journal] _ in Lazy("created", journal) }
        box.fill(Bare())
        await box.stop()
        #expect(journal.all == ["stop created", "stop ready-made"])
    }

    @Test("creates an eager service at once though its decoration has to wait for the main actor")
    func eager() async {
        let count = Counter()
        box.decorate("cache" as ServiceKey<Cache>) { @MainActor cache, _ in cache }
        await Task.detached { [box] in
            _ = box.register(as: "cache", lifetime: .eager) { _ in
                count.next()
                return Cache()
            }
        }.value
        #expect(count.value == 1)
    }

    @Test("starts what a transient service has taken before what needs that")
    func transient() async throws {
        final class Between: @unchecked Sendable { @Injected var late: Late? }
        box.register(as: "user") { [journal] box in
            _ = try box.resolve("between") as Between
            return Lazy("user", journal)
        }
        box.register(as: "between", lifetime: .transient) { _ in Between() }
        box.register(as: "late") { [journal] _ in Late("late", journal) }
        try await box.start()
        #expect(journal.all == ["start late", "start user"])
    }

    @Test("starts what has come for each child since another child started")
    func laterForChildren() async throws {
        for name in ["first", "second"] {
            box.register(as: ServiceKey<LifePart>(name), per: .box) { [journal] _ in LifePart(name, journal) }
            try await box.makeChild().start()
        }
        #expect(journal.all.sorted() == ["start first", "start first", "start second"])
    }

    @Test("starts what it has wrapped around its parent's service")
    func wrappedInChild() async throws {
        box.register(as: "part") { [journal] _ in LifePart("part", journal) }
        let child = box.makeChild()
        child.decorate("part" as ServiceKey<LifePart>) { [journal] _, _ in LifePart("wrapper", journal) }
        try await child.start()
        #expect(journal.all == ["start wrapper"])
    }

    @Test("doesn't start a replaced service that lacks something by now")
    func lacking() async throws {
        final class Taught: LifePart, @unchecked Sendable { var cache: Cache? }
        box.register(Taught("taught", journal) as LifePart, as: "part")
        box.register(as: "user") { [journal] box in
            _ = try box.resolve("part") as LifePart
            return Lazy("user", journal)
        }
        _ = try box.resolve("user") as Lazy
        box.teach(Taught.self, ["cache": .setter { (part: Taught, cache: Cache) in part.cache = cache }])
        box.fill(Bare())
        box.register(Ready("new", journal) as LifePart, as: "part")
        try await box.start()
        #expect(Set(journal.all) == ["start user", "start new"])
    }

    @Test("has a service started after what its factory has got that it had asked for in vain before")
    func success() async throws {
        let fails = Locked(true)
        box.register(as: "user") { [journal] box in
            _ = try? box.resolve("late") as Late
            return LifePart("user", journal)
        }
        box.register(as: "late") { [journal] _ in
            if fails.withLock({ $0 }) { throw Broken() }
            return Late("late", journal)
        }
        _ = try box.resolve("user") as LifePart
        fails.withLock { $0 = false }
        try box.provider("user" as ServiceKey<LifePart>).reset()
        _ = try box.resolve("user") as LifePart
        try await box.start()
        #expect(journal.all == ["start late", "start user"])
    }

    @Test("has what a service has got since started though another was prepared meanwhile")
    func settled() async throws {
        final class Taker: LifePart, @unchecked Sendable { @Injected var late: Late? }
        box.register(as: "taker") { [journal] _ in Taker("taker", journal) }
        try await box.start()
        box.register(LifePart("first", journal), as: "first")
        _ = try await box.prepare("taker") as Taker
        box.register(Late("late", journal))
        box.register(LifePart("second", journal), as: "second")
        _ = try await box.prepare("second") as LifePart
        _ = try await box.prepare("taker") as Taker
        #expect(journal.all.contains("start late"))
    }

    @Test("counts the decoration of a service as used that the box has started")
    func decorated() async throws {
        box.register(as: "store", lifetime: .eager) { [journal] _ in JournalStore(journal) as any Store }
        box.decorate("store" as ServiceKey<any Store>) { _, _ in MemoryStore() }
        try await box.start()
        let use = box.uses.first { $0.name == "store" }
        #expect(use?.isUsed == true)
    }

    @Test("stops a service that was replaced often while it was created")
    func replacedOften() async throws {
        box.register(as: "store") { [journal] box in
            for _ in 0..<20 { box.register(MemoryStore() as any Store, as: "store") }
            return JournalStore(journal) as any Store
        }
        _ = try box.resolve("store") as any Store
        await box.stop()
        #expect(journal.all == ["stop"])
    }
}
