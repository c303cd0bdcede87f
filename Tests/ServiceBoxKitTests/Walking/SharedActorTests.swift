// Part of ServiceBox, released under the MIT License.
// Tests of actors and objects of actors that are at work while a box fills them.

import ServiceBoxKit
import Testing

@Suite("Filling objects that others use at the same time")
struct SharedActorTests {
    private static let rounds = 400

    @Test(
        "an actor replaces its wrapper while boxes fill it from outside",
        .disabled(if: Sanitizer.isWatchingThreads, "replacing a wrapper is a race, and must be no more"))
    func replacesWrapper() async {
        let box = clockBox()
        let actor = Replacing()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask { for _ in 0..<Self.rounds { box.fill(actor as AnyObject) } }
            }
            group.addTask { for _ in 0..<Self.rounds { ServiceBox().register(actor, as: "actor") } }
            group.addTask { for _ in 0..<4 * Self.rounds { await actor.replace() } }
        }
        box.fill(actor as AnyObject)
        #expect(await actor.clock != nil)
    }

    @Test(
        "an actor replaces its wrapper while factories return it and providers hand it out",
        .disabled(if: Sanitizer.isWatchingThreads, "replacing a wrapper is a race, and must be no more"))
    func replacesWrapperOfService() async {
        let actor = Replacing()
        await withTaskGroup(of: Void.self) { group in
            for lifetime in [Lifetime.lazy, .weak, .transient] {
                group.addTask {
                    for _ in 0..<Self.rounds {
                        let box = clockBox()
                        box.register(as: "actor", lifetime: lifetime) { _ in actor }
                        #expect(throws: Never.self) { try box.resolve(ServiceKey<Replacing>("actor")) }
                    }
                }
            }
            group.addTask {
                for _ in 0..<Self.rounds {
                    let box = clockBox()
                    box.register(provider: ServiceProvider { actor }, as: "actor")
                    #expect(throws: Never.self) { try box.resolve(ServiceKey<Replacing>("actor")) }
                }
            }
            group.addTask { for _ in 0..<4 * Self.rounds { await actor.replace() } }
        }
    }

    @Test("a lazy factory may return an actor that is in use")
    func existingActor() async throws {
        let actor = Working()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for _ in 0..<Self.rounds { await actor.work() } }
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<Self.rounds {
                        let box = clockBox()
                        box.register(as: "worker") { _ in actor }
                        let worker = try? box.resolve(ServiceKey<Working>("worker"))
                        #expect(worker === actor)
                    }
                }
            }
        }
        #expect(await actor.clock != nil)
    }

    @Test("a provider may return a main-actor object elsewhere while the main actor uses it")
    func mainActorObject() async throws {
        let screen = Screen()
        async let work: Void = screen.work(Self.rounds)
        for _ in 0..<Self.rounds {
            let box = clockBox()
            box.register(provider: ServiceProvider(instance: screen), as: "screen")
            #expect(try box.resolve(ServiceKey<Screen>("screen")) === screen)
        }
        await work
        #expect(await screen.clock != nil)
    }

    @Test("an actor that starts a task in its initialiser and fills itself there gets its slots")
    func startsTask() async {
        let box = clockBox()
        for _ in 0..<Self.rounds {
            let actor = Starting(box)
            #expect(await actor.clock != nil)
        }
    }
}

private func clockBox() -> ServiceBox {
    let box = ServiceBox()
    box.register(Clock())
    return box
}

private final class Clock: Sendable {}

private actor Replacing {
    @Injected var clock: Clock?

    /// So often that a box is met at each step of what it does with the wrapper that goes.
    func replace() { for _ in 0..<100 { _clock = Injected() } }
}

private actor Working {
    @Injected var clock: Clock?
    private var log: [String] = []
    private var table: [Int: String] = [:]

    func work() {
        log.append("entry \(log.count)")
        table[log.count] = log.last
        if log.count > 20 { log = [] }
    }
}

private actor Starting: Injectable {
    @Injected var clock: Clock?
    private var log: [String] = []

    init(_ box: ServiceBox) {
        Task { await note() }
        fillWithDependencies(from: box)
    }

    private func note() { log.append("note") }
}

@MainActor private final class Screen {
    @Injected var clock: Clock?
    private var log: [String] = []

    func work(_ rounds: Int) async {
        for round in 0..<rounds {
            log.append("entry \(round)")
            if log.count > 20 { log = [] }
            await Task.yield()
        }
    }
}
