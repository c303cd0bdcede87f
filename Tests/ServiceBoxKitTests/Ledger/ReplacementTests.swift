// Part of ServiceBox, released under the MIT License.
// Services that take the name of another one.

import ServiceBoxKit
import Testing

private enum Red {
    final class Bar: Sendable {}
}
private enum Blue {
    final class Bar: Sendable {}
}
private final class Screen { @Injected var bar: Red.Bar? }

@Suite("A service that takes the name of another one")
struct ReplacementTests {
    private let box = ServiceBox()
    private let events = Locked<[ServiceEvent]>([])

    private var findings: [AuditFinding] { box.audit().findings.filter { $0.kind == .replaced } }

    private func observing(_ body: () throws -> Void) rethrows -> [ServiceEvent] {
        let observation = box.observe { [events] event in events.withLock { $0.append(event) } }
        try body()
        observation.cancel()
        return events.withLock { $0 }.filter { $0.kind == .replaced }
    }

    @Test("and has another type is an event and a finding of the audit, with both source locations")
    func otherType() throws {
        box.register(Red.Bar(), fileID: "App/Red.swift", line: 1)
        let event = try #require(
            observing { box.register(Blue.Bar(), fileID: "App/Blue.swift", line: 2) }.first)
        #expect(event.type.map(ObjectIdentifier.init) == ObjectIdentifier(Blue.Bar.self))
        #expect(event.description.contains("registered at App/Red.swift:1"))
        #expect(!event.description.contains("handed out"))
        #expect(findings.map(\.subject) == ["bar"])
        let error = #expect(throws: ServiceBoxError.self) {
            try box.audit().requireClean()
        }
        #expect(error?.code == .unclean)
    }

    @Test("after that one was handed out stays a finding when it is replaced itself, and a plan still tells")
    func twice() {
        box.register(Red.Bar())
        let screen = Screen()
        box.fill(screen)
        for _ in 1...2 { box.register(Red.Bar()) }
        #expect(findings.map(\.subject) == ["bar"])
        #expect(box.plan(for: screen).properties.map(\.outcome) == [.filled, .stale])
    }

    @Test("and has another type stays a finding when it is replaced itself")
    func otherTypeTwice() {
        box.register(Red.Bar())
        for _ in 1...2 { box.register(Blue.Bar()) }
        #expect(findings.map(\.subject) == ["bar"])
    }

    @Test("that couldn't be created is no finding, whoever resolved it")
    func failed() {
        struct Failure: Error {}
        for isFilled in [true, false] {
            box.register(as: "bar") { _ -> Red.Bar in throw Failure() }
            if isFilled { box.fill(Screen()) }
            if !isFilled { _ = try? box.resolve(ServiceKey<Red.Bar>("bar")) }
            box.register(Red.Bar(), as: "bar")
            #expect(findings.isEmpty)
            box.remove("bar")
        }
    }

    @Test(
        "after that one was handed out is an event and a finding too",
        arguments: ["fill", "look-up", "cross-fill", "child"])
    func handedOut(_ way: String) throws {
        box.register(Red.Bar())
        let screen = Screen()
        switch way {
        case "fill": box.fill(screen)
        case "look-up": _ = try box.resolve(ServiceKey<Red.Bar>("bar"))
        case "child": box.makeChild(name: "child").fill(screen)
        default:
            final class Service: @unchecked Sendable { @Injected var bar: Red.Bar? }
            box.register(Service())
            box.crossFill()
        }
        let event = try #require(observing { box.register(Red.Bar()) }.first)
        #expect(event.description.hasSuffix(" and was handed out"))
        #expect(findings.map(\.subject) == ["bar"])
    }

    @Test("stays a finding when a later one comes, and when that is gone, however it went", arguments: 0..<5)
    func undone(_ way: Int) throws {
        box.register(Red.Bar())
        box.fill(Screen())
        let middle = box.register(Red.Bar())
        #expect(findings.map(\.subject) == ["bar"])
        let key = ServiceKey<Red.Bar>("bar")
        switch way {
        case 0: box.withRegistration(Red.Bar(), as: key) { #expect(findings.map(\.subject) == ["bar"]) }
        case 1:
            box.register(Red.Bar())
            box.remove(newest: key)
        case 2: box.register(Red.Bar()).remove()
        case 3:
            #expect(throws: ServiceBoxError.self) {
                try box.add(InterruptedModule { $0.register(Red.Bar()) })
            }
        default:
            // The one in the middle goes first, and its finding with it.
            let last = box.register(Red.Bar())
            middle.remove()
            last.remove()
        }
        #expect(findings.map(\.subject) == (way == 4 ? [] : ["bar"]))
        box.remove(key)
        #expect(findings.isEmpty)
    }

    @Test("is no finding if it has the same type or interface and that one was unused, or in another box")
    func silent() throws {
        box.register(FileStore(), as: ServiceKey<any Store>("store"))
        let event = try #require(
            observing { box.register(as: ServiceKey<any Store>("store")) { _ in MemoryStore() } }.first)
        #expect(event.description == "replaced 'store' (Store)")
        box.register(Red.Bar())
        box.fill(Screen())
        let child = box.makeChild(name: "child")
        child.register(Blue.Bar())
        let copy = box.copy()
        copy.register(Blue.Bar())
        for box in [box, child, copy] {
            #expect(box.audit().findings.filter { $0.kind == .replaced }.isEmpty)
        }
        copy.register(Red.Bar())
        #expect(copy.audit().findings.contains { $0.kind == .replaced })
    }

    @Test("is no finding if it is the very object that was handed out")
    func sameObject() {
        let bar = Red.Bar()
        box.register(bar)
        box.fill(Screen())
        box.register(bar)
        #expect(findings.isEmpty)
    }

    @Test("leaves no finding when it is removed and that one comes back")
    func restored() {
        box.register(Red.Bar())
        let token = box.register(Red.Bar())
        box.fill(Screen())
        token.remove()
        #expect(findings.isEmpty)
    }

    @Test("is no finding once it is removed, the box is cleared, or its holders are refilled")
    func forgotten() throws {
        func replace() {
            box.register(Red.Bar())
            box.register(Blue.Bar())
            #expect(findings.count == 1)
        }
        replace()
        box.remove("bar")
        #expect(findings.isEmpty)
        replace()
        box.clear()
        #expect(findings.isEmpty)
        box.trackHolders()
        box.register(Red.Bar())
        let screen = Screen()
        box.fill(screen)
        box.register(Red.Bar())
        #expect(findings.count == 1)
        try box.refill("bar")
        #expect(findings.isEmpty)
        withExtendedLifetime(screen) {}
    }
}
