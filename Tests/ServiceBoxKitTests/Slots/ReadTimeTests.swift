// Part of ServiceBox, released under the MIT License.
// Properties that are looked up when they are first read.

import ServiceBoxKit
import Testing

extension ServiceKey where Service == Cache {
    fileprivate static var backup: Self { "backup" }
}

private class Screen {
    @Injected(when: .read) var cache: Cache
    @Injected("clock", when: .read) var time: Clock?
    @Injected(.backup, when: .read) var backup: Cache?
    @Injected(when: .read) var preset = Cache()
    @Injected var other: Clock?
}

private final class Service: @unchecked Sendable {
    @Injected(when: .read) var cache: Cache
    @Injected(when: .read) var peer: Service?
}

private final class Loop: @unchecked Sendable {
    @Injected(when: .read) var loop: Loop?
    init(_ box: ServiceBox) {
        box.fill(self)
        _ = loop
    }
}

@Suite("A property that is looked up when it is read")
struct ReadTimeTests {
    private static let cache: ServiceKey<Cache> = "cache"

    @Test("gets its service at the first read, though that was registered after the fill, and keeps it")
    func reads() {
        let (box, screen, created) = (ServiceBox(), Screen(), Counter())
        box.fill(screen)
        box.register(lifetime: .transient) { _ in
            created.next()
            return Cache()
        }
        #expect(created.value == 0 && !screen.$cache.isFilled)
        let cache = screen.cache
        #expect(screen.$cache.isFilled)
        box.register(Cache())
        #expect(screen.cache === cache)
        #expect(created.value == 1)
    }

    @Test("of a service in two boxes is looked up in the first one")
    func twoBoxes() {
        let (first, second, service, cache) = (ServiceBox(), ServiceBox(), Service(), Cache())
        first.register(cache)
        second.register(Cache())
        for box in [first, second] {
            box.register(service)
            box.crossFill()
        }
        #expect(service.cache === cache)
    }

    @Test("reads nil while there is nothing for it, if it is optional, and looks again at the next read")
    func optional() {
        let (box, screen) = (ServiceBox(), Screen())
        #expect(screen.time == nil)
        box.fill(screen)
        #expect(screen.time == nil)
        box.register(Cache(), as: "clock")
        #expect(screen.time == nil)
        box.register(as: "clock") { _ -> Clock in throw Broken() }
        #expect(screen.time == nil)
        let clock = Clock()
        box.register(clock)
        #expect(screen.time === clock)
        box.register(Cache(), as: .backup)
        #expect(screen.backup != nil)
    }

    @Test("reads nil once the box that filled its object is gone")
    func boxIsGone() {
        let screen = Screen()
        do {
            let box = ServiceBox()
            box.register(Clock())
            box.fill(screen)
        }
        #expect(screen.time == nil)
    }

    @Test("keeps a value of its own or one set by hand, and is looked up again once it was emptied")
    func values() {
        let (box, screen) = (ServiceBox(), Screen())
        let (preset, own, clock) = (screen.preset, Clock(), Clock())
        box.register(Cache(), as: "preset")
        box.register(clock)
        screen.time = own
        #expect(box.fill(screen).outcomes["time"] == .kept)
        #expect(screen.preset === preset && screen.time === own)
        screen.time = nil
        #expect(screen.time === clock)
    }

    @Test("is looked up in the box that filled its object last, unless that was to keep what is there")
    func boxes() {
        let (first, second) = (ServiceBox(), ServiceBox())
        for box in [first, second] { box.register(Clock()) }
        let (screen, kept) = (Screen(), Screen())
        for object in [screen, kept] { first.fill(object) }
        second.fill(screen)
        second.fill(kept, keepingExisting: true)
        #expect(screen.time === (try? second[ServiceKey<Clock>("clock")]))
        #expect(kept.time === (try? first[ServiceKey<Clock>("clock")]))
    }

    @Test("is a note of reports, plans and cross-fills, and no hole of a service that is handed out")
    func reports() throws {
        let (box, screen) = (ServiceBox(), Screen())
        let report = box.fill(screen)
        #expect(report.isComplete)
        #expect(report.notes.map(\.name) == ["cache", "time", "backup"])
        #expect(report.outcome(of: "cache") == .onRead)
        #expect(box.plan(for: Screen.self).outcome(of: "cache") == .onRead)
        #expect(box.plan(for: screen).isComplete)
        box.register(as: "made") { _ in Service() }
        box.register(Service(), as: "service")
        let (made, instance): (Service, Service) = (try box["made"], try box["service"])
        #expect(box.crossFill().report(on: Service.self)?.isComplete == true)
        #expect(!box.audit().findings.contains { $0.subject.hasSuffix(".cache") })
        box.register(Cache())
        box.register(Service(), as: "peer")
        #expect(made.cache === instance.cache)
        #expect(made.peer === instance.peer && made.peer != nil)
        #expect(box.crossFill().report(on: Service.self)?.outcome(of: "cache") == .filled)
    }

    @Test("of a service is looked up though nothing but the registration has come before")
    func crossFilled() {
        let box = ServiceBox()
        let service = Service()
        box.register(Cache())
        box.register(service)
        box.crossFill()
        #expect(service.cache === (try? box[Self.cache]))
    }

    @Test("of a service beside one that waits is left alone when that is filled")
    func besideWaiting() throws {
        final class Both: @unchecked Sendable {
            @Injected var clock: Clock?
            @Injected(when: .read) var cache: Cache?
        }
        let (box, service, created) = (ServiceBox(), Both(), Counter())
        box.register { _ in
            created.next()
            return Cache()
        }
        box.register(service, as: "service")
        box.crossFill()
        box.register(Clock())
        box.crossFill()
        #expect(service.clock != nil)
        #expect(created.value == 0 && !service.$cache.isFilled)
        #expect(service.cache != nil)
    }

    @Test("of a service is kept once the service has set it itself")
    func setByService() {
        let (box, service) = (ServiceBox(), Service())
        box.register(Cache())
        box.register(service)
        box.crossFill()
        service.cache = Cache()
        #expect(box.crossFill().report(on: Service.self)?.outcome(of: "cache") == .kept)
    }

    @Test("is a dashed edge of the graph, a line of the wiring, and a use of its service")
    func wiring() {
        let (box, screen) = (ServiceBox(), Screen())
        box.register(Cache())
        box.fill(screen)
        let edges = box.graph(planned: true).edges.filter { $0.outcome == "onRead" }
        #expect(edges.map(\.property) == ["cache", "time", "backup", "preset"])
        #expect(edges.map(\.target) == ["service:cache", nil, nil, nil])
        #expect(box.graph(planned: true).holes.map(\.property) == ["other"])
        #expect(box.audit().findings.isEmpty)
        _ = screen.cache
        #expect(box.uses.first { $0.name == "cache" }?.isUsed == true)
        #expect(box.graph().edges.first { $0.property == "cache" }?.outcome == "filled")
    }

    @Test("reads nil inside the construction that it would need, instead of going round")
    func circle() throws {
        let box = ServiceBox()
        box.register { Loop($0) }
        let loop: Loop = try box["loop"]
        #expect(loop.loop === loop)
    }

    @Test("is looked up in a subclass, a child's own box, a struct and an actor")
    func subjects() async {
        final class Sub: Screen {}
        struct Value { @Injected(when: .read) var cache: Cache? }
        actor Desk {
            @Injected(when: .read) var cache: Cache?
            func fill(from box: ServiceBox) { box.fill(self) }
        }
        let parent = ServiceBox()
        let own = Cache()
        for turn in 0..<3 {
            let (box, sub, desk) = (parent.makeChild(name: "child \(turn)"), Sub(), Desk())
            var value = Value()
            box.fill(sub)
            box.fill(&value)
            await desk.fill(from: box)
            box.register(own)
            #expect(sub.cache === own)
            #expect(value.cache === own)
            #expect(await desk.cache === own)
        }
    }

    @Test("that many tasks read at once reads one and the same service")
    func tasks() async {
        final class Shared: Sendable {
            struct Slots: Sendable { @Injected(when: .read) var cache: Cache? }
            let slots = Slots()
        }
        for _ in 0..<20 {
            let (box, shared) = (ServiceBox(), Shared())
            box.fill(shared)
            box.register(lifetime: .transient) { _ in Cache() }
            let seen = await withTaskGroup(of: ObjectIdentifier?.self) { group in
                for _ in 0..<8 { group.addTask { shared.slots.cache.map(ObjectIdentifier.init) } }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(seen.count == 1 && !seen.contains(nil))
        }
    }
}
