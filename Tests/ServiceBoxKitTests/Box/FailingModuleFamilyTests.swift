// Part of ServiceBox, released under the MIT License.
// Tests of modules in children, in boxes that stop, and on several threads.

import Foundation
import ServiceBoxKit
import Testing

private struct SelfishModule: ServiceModule {
    var requires: [any ServiceModule.Type] { [Self.self] }
    func register(in box: ServiceBox) {}
}

private struct NeedyModule: ServiceModule {
    var requires: [any ServiceModule.Type] { [SlowModule.self] }
    func register(in box: ServiceBox) {}
}

private final class Reader: @unchecked Sendable {
    @Injected var clock: Clock?
    @InjectedAll var clocks: [Clock]
}

@Suite("Modules of a family")
struct FailingModuleFamilyTests {
    private let parent = ServiceBox()
    private let cache = "cache" as ServiceKey<Cache>
    private let created = Counter()
    private let ended = Counter()

    private func registerCache() {
        parent.register(as: "cache", per: .box, onStop: { [ended] (_: Cache) in ended.next() }) {
            [created] _ in
            created.next()
            return Cache()
        }
    }

    @Test("that clear a child and throw give it back what it has of its parent's services")
    func cleared() async throws {
        registerCache()
        parent.register(Clock(), as: "clock")
        let child = parent.makeChild()
        child.markLive("clock")
        let first = try child.resolve(cache)
        #expect(throws: (any Error).self) { try child.add(InterruptedModule { $0.clear() }) }
        #expect(try child.resolve(cache) === first)
        #expect(created.value == 1)
        #expect(child.isLive("clock"))
        await child.stop()
        #expect(ended.value == 1)
    }

    @Test("that clear a child and throw have its versions wait for services again")
    func clearedOpen() throws {
        parent.register(as: "reader", per: .box) { _ in Reader() }
        let child = parent.makeChild()
        let reader: Reader = try child.resolve("reader")
        #expect(throws: (any Error).self) { try child.add(InterruptedModule { $0.clear() }) }
        child.register(Clock(), as: "clock")
        _ = try child.resolve("reader") as Reader
        #expect(reader.clock != nil)
        #expect(reader.clocks.count == 1)
    }

    @Test("that throw leave a child's version of what the parent replaced and removed meanwhile")
    func outdated() async throws {
        registerCache()
        let child = parent.makeChild()
        let first = try child.resolve(cache)
        registerCache()
        _ = try child.resolve(cache)
        let module = InterruptedModule { [parent, cache] box in
            box.decorate(cache) { cache, _ in cache }
            parent.remove(newest: "cache")
            _ = try box.resolve(cache)
        }
        #expect(throws: (any Error).self) { try child.add(module) }
        #expect(try child.resolve(cache) === first)
        #expect(created.value == 2)
        await child.stop()
        #expect(ended.value == 2)
    }

    @Test("that throw after the box has stopped bring nothing back to life")
    func stopped() async {
        parent.register(Page(number: 1), as: "page")
        let (hasRegistered, hasStopped, isOver) = (Gate(), Signal(), Gate())
        let module = InterruptedModule { box in
            box.register(Page(number: 2), as: "page")
            hasRegistered.open()
            hasStopped.wait()
        }
        Thread.detachNewThread { [parent] in
            try? parent.add(module)
            isOver.open()
        }
        await hasRegistered.pass()
        await parent.stop()
        hasStopped.send()
        await isOver.pass()
        let error = #expect(throws: ServiceBoxError.self) { try parent.resolve(ServiceKey<Page>("page")) }
        #expect(error?.code == .stopped)
    }

    @Test("wait for what they require while another thread adds it")
    func required() {
        for _ in 0..<50 {
            let box = ServiceBox()
            let slow = SlowModule()
            let hasFailed = Locked(false)
            onThreads([
                { try? box.add(slow) },
                {
                    slow.inside.wait()
                    onThreads([
                        { do { try box.add(NeedyModule()) } catch { hasFailed.withLock { $0 = true } } },
                        { slow.go.send() },
                    ])
                },
            ])
            #expect(!hasFailed.withLock { $0 })
        }
    }

    @Test("that require themselves say so")
    func selfish() {
        let error = #expect(throws: ServiceBoxError.self) { try parent.add(SelfishModule()) }
        #expect(
            error.map { "\($0)" } == """
                Can't add SelfishModule: it is needed to add itself.
                  Path: SelfishModule → SelfishModule
                To fix, let it neither require nor add itself.
                """)
    }

    @Test("that throw leave no trace of what they have replaced, decorated or removed themselves")
    func traces() throws {
        struct Twice: ServiceModule {
            func register(in box: ServiceBox) throws {
                box.register(Cache(), as: "clock")
                box.register(Clock())
                throw Broken()
            }
        }
        struct Decorated: ServiceModule {
            func register(in box: ServiceBox) throws {
                box.decorate("clock" as ServiceKey<Clock>) { clock, _ in clock }
                box.register(Clock())
                throw Broken()
            }
        }
        struct Removed: ServiceModule {
            func register(in box: ServiceBox) throws {
                box.register(Cache())
                box.remove("cache")
                throw Broken()
            }
        }
        let box = ServiceBox()
        box.register(Clock())
        _ = try box.resolve(Clock.self)
        let before = "\(box)\n\(box.audit())"
        for module in [Twice(), Decorated(), Removed()] as [any ServiceModule] {
            #expect(throws: (any Error).self) { try box.add(module) }
            #expect("\(box)\n\(box.audit())" == before, "\(type(of: module))")
        }
    }

    @Test("that throw leave no finding about what another thread has decorated of theirs")
    func decoratedElsewhere() {
        let module = InterruptedModule { [cache] box in
            box.register(Cache())
            onThreads([
                {
                    _ = try? box.resolve(cache)
                    box.decorate(cache) { _, _ in Cache() }
                }
            ])
        }
        #expect(throws: (any Error).self) { try parent.add(module) }
        #expect(parent.audit().findings.map(\.kind) == [.unused])
    }

    @Test("that throw leave audits nothing to say of their services, and all that there is of others")
    func createdTypes() throws {
        final class First: @unchecked Sendable { @Injected var page: Page? }
        final class Second: @unchecked Sendable { @Injected var page: Page? }
        final class Third: @unchecked Sendable { @Injected var page: Page? }
        struct Adding: ServiceModule {
            func register(in box: ServiceBox) { box.register(as: "third", lifetime: .eager) { _ in Third() } }
        }
        final class Known: @unchecked Sendable { @Injected var page: Page? }
        final class FilledByFactory { @Injected var page: Page? }
        parent.register(as: "cache") { box in
            box.fill(FilledByFactory())
            return Cache()
        }
        parent.fill(Known())
        let inner = InterruptedModule { box in
            let first = "first" as ServiceKey<any Sendable>
            box.register(as: first) { _ in First() }
            _ = try box[first]
        }
        let outer = InterruptedModule { box in
            try? box.add(inner)
            try box.add(Adding())
            let second = "second" as ServiceKey<any Sendable>
            box.register(as: second) { _ in Second() }
            box.decorate(second) { _, _ in Cache() }
            box.register(as: "known") { _ in Known() }
            _ = try (box[second], box["known"] as Known, box["cache"] as Cache)
        }
        #expect(throws: ServiceBoxError.self) { try parent.add(outer) }
        let types = parent.graph().nodes.map(\.type)
        #expect(types == ["Cache", "FilledByFactory", "Known"])
    }

    @Test("that clear the box, add a module again and throw leave that one added")
    func reloading() throws {
        struct Storage: ServiceModule {
            static let runs = Counter()
            func register(in box: ServiceBox) {
                Self.runs.next()
                box.register(Clock())
            }
        }
        struct Other: ServiceModule { func register(in box: ServiceBox) {} }
        struct Search: ServiceModule {
            let needed: any ServiceModule.Type
            var requires: [any ServiceModule.Type] { [needed] }
            func register(in box: ServiceBox) {}
        }
        try parent.add(Storage())
        let reload = InterruptedModule { box in
            try box.add(Other())
            box.clear()
            try box.add(Storage())
        }
        try? parent.add(reload)
        try parent.add(Search(needed: Storage.self), Storage())
        #expect(Storage.runs.value == 2)
        parent.clear()
        #expect(throws: ServiceBoxError.self) { try parent.add(Search(needed: Other.self)) }
    }
}
