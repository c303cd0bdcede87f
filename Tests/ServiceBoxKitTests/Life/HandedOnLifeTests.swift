// Part of ServiceBox, released under the MIT License.
// Services that a factory hands on as they are.

import ServiceBoxKit
import Testing

/// A value that starts and stops.
private struct Log: ServiceLifecycle {
    let journal: Journal

    func start() async { journal.add("start log") }
    func stop() async { journal.add("stop log") }
}

@Suite("A service that another box hands on as it is")
struct HandedOnLifeTests {
    private let box = ServiceBox(name: "app")
    private let journal = Journal()
    private let server = ServiceKey<LifePart>("server")
    private let main = ServiceKey<LifePart>("main")

    init() { box.register(as: server) { [journal] _ in LifePart("server", journal) } }

    private func handOn(_ key: ServiceKey<LifePart>, as name: ServiceKey<LifePart>, in other: ServiceBox) {
        other.register(as: name) { box in try box[key] }
    }

    /// Starts and stops both boxes, and compares what only the one that has the service does.
    private func expectOneLife(with other: ServiceBox) async throws {
        #expect(try other[main] === box[server])
        try await other.start()
        #expect(journal.take() == [])
        try await box.start()
        #expect(journal.take() == ["start server"])
        await other.stop()
        #expect(journal.take() == [])
        await box.stop()
        #expect(journal.take() == ["stop server"])
    }

    @Test("starts and stops once, with the box that has it", arguments: [true, false])
    func once(isCopy: Bool) async throws {
        let other = isCopy ? box.copy() : box.makeChild(name: "child")
        handOn(server, as: main, in: other)
        try await expectOneLife(with: other)
    }

    @Test("does so through factories that hand each other's on")
    func chain() async throws {
        let child = box.makeChild(name: "child")
        handOn(server, as: "middle", in: child)
        let grandchild = child.makeChild(name: "grandchild")
        handOn("middle", as: "inner", in: grandchild)
        handOn("inner", as: main, in: grandchild)
        try await expectOneLife(with: grandchild)
    }

    /// Has a child hand a service of the box on that its factory doesn't look up itself.
    private func handOnIndirectly(_ key: ServiceKey<LifePart>, _ way: Int) -> ServiceBox {
        final class Holder: @unchecked Sendable { @Injected("server") var part: LifePart }
        let child = box.makeChild(name: "child")
        switch way {
        case 0:
            box.register(as: "relay", lifetime: .transient) { box in try box[key] }
            handOn("relay", as: main, in: child)
        case 1: child.register(as: main) { [unowned box] _ in try box[key] }
        default:
            child.register { _ in Holder() }
            child.register(as: main) { box in try box.resolve(Holder.self).part }
        }
        return child
    }

    @Test("doesn't stop with a child while its own box runs", arguments: 0..<3)
    func running(_ way: Int) async throws {
        let child = handOnIndirectly(server, way)
        _ = try box[server]
        try await box.start()
        _ = try child[main]
        try await withRunning(child) {}
        #expect(journal.take() == ["start server"])
    }

    @Test("stops with the child that has its object if its own box has removed it")
    func removed() async throws {
        let child = box.makeChild()
        child.register(as: main) { [unowned box, server] _ in try box[server] }
        try await box.start()
        _ = try child[main]
        box.remove("server")
        try await withRunning(child) {}
        #expect(journal.all.last == "stop server")
    }

    @Test("is left alone where a registered provider has created it", arguments: 0..<3)
    func provided(_ way: Int) async throws {
        let box = ServiceBox()
        box.register(provider: ServiceProvider(instance: LifePart("part", journal)), as: server)
        let child = box.makeChild()
        switch way {
        case 0: box.decorate(server) { part, _ in part }
        case 1: handOn(server, as: main, in: box)
        default: child.decorate(server) { part, _ in part }
        }
        let user = way == 2 ? child : box
        _ = try user[way == 1 ? main : server]
        try await withRunning(user) {}
        #expect(journal.all == [])
    }

    @Test("does so where it was replaced or decorated since", arguments: [true, false])
    func changed(isReplaced: Bool) async throws {
        let child = box.makeChild(name: "child")
        handOn(server, as: main, in: child)
        let part = try child[main]
        if isReplaced {
            box.register(Cache(), as: "server")
        } else {
            box.decorate(server) { [journal] _, _ in LifePart("wrapper", journal) }
        }
        try await child.start()
        await child.stop()
        #expect(journal.all == [])
        await box.stop()
        #expect(journal.all == ["stop server"])
        withExtendedLifetime(part) {}
    }

    @Test("runs what its factory was given as an end of its own")
    func ownEnd() async throws {
        let child = box.makeChild(name: "child")
        child.register(as: main, onStop: { [journal] _ in journal.add("end main") }) { [server] box in
            try box[server]
        }
        let _: LifePart = try child[main]
        await child.stop()
        #expect(journal.take() == ["end main"])
        await box.stop()
        #expect(journal.take() == ["stop server"])
    }

    @Test("is the factory's to start and stop where the other box doesn't keep it")
    func transient() async throws {
        box.register(as: "transient", lifetime: .transient) { [journal] _ in LifePart("part", journal) }
        let child = box.makeChild(name: "child")
        handOn("transient", as: main, in: child)
        try await child.start()
        await child.stop()
        await box.stop()
        #expect(journal.all == ["start part", "stop part"])
    }

    @Test("starts and stops with each decoration that returns it, if it is a value")
    func value() async throws {
        let (box, log) = (ServiceBox(), ServiceKey<Log>("log"))
        box.register(Log(journal: journal), as: log)
        box.decorate(log) { log, _ in log }
        let _: Log = try box[log]
        try await withRunning(box) {}
        #expect(journal.all == ["start log", "start log", "stop log", "stop log"])
    }

    @Test("starts and stops here if it has itself in a property and two names", .neverHanging)
    func itself() async throws {
        final class Host: LifePart, @unchecked Sendable {
            @Injected var one: Host?
            @Injected var two: Host?
        }
        let (box, host) = (ServiceBox(), Host("host", journal))
        box.register(host, as: "one")
        box.register(host, as: "two")
        try await withRunning(box) {}
        #expect(journal.all == ["start host", "stop host"])
        box.clear()
        (host.one, host.two) = (nil, nil)
    }
}
