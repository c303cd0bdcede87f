// Part of ServiceBox, released under the MIT License.
// What is said of a service that took the name of another one, or that nobody keeps.

import ServiceBoxKit
import Testing

private enum Red {
    final class Bar: Sendable {}
}
private final class Bar: Sendable {}
private final class Screen { @Injected var bar: Bar? }
private final class Panel { @WeakInjected var bar: Bar? }

@Suite("A replaced service in words")
struct ReplacementMessageTests {
    private let box = ServiceBox()

    private var explanations: [String] {
        box.audit().findings.filter { $0.kind == .replaced }.map(\.explanation)
    }

    @Test("tells both types and both places, and to take another name")
    func otherType() {
        box.register(as: "bar", fileID: "App/A.swift", line: 1) { _ in 7 }
        box.register(Bar(), fileID: "App/B.swift", line: 2)
        #expect(
            explanations == [
                """
                Can't tell what 'bar' stands for: a Bar replaced an Int.
                  Replaced:   Int, App/A.swift:1
                  Registered: Bar, App/B.swift:2
                To fix, register one of them under another name.
                """
            ])
        #expect(box.audit().findings.first?.description == "'bar': a Bar replaced an Int")
    }

    @Test("tells that nothing holds the first one, if the box has looked")
    func unheld() throws {
        box.trackHolders()
        box.register(as: "bar", fileID: "App/A.swift", line: 1) { _ in 7 }
        _ = try box["bar"] as Int
        box.register(Bar(), fileID: "App/B.swift", line: 2)
        #expect(
            explanations == [
                """
                Can't tell what 'bar' stands for: a Bar replaced an Int that was handed out before.
                  Replaced:   Int, App/A.swift:1
                  Registered: Bar, App/B.swift:2
                  Held by:    nothing that is known
                To fix, register one of them under another name.
                """
            ])
    }

    @Test("tells that the first one was handed out, and to be earlier or to refill")
    func handedOut() {
        box.register(Bar(), fileID: "App/A.swift", line: 1)
        box.fill(Screen())
        let lines = Locked<[String]>([])
        let observation = box.observe { event in lines.withLock { $0.append(event.description) } }
        box.register(Bar(), fileID: "App/B.swift", line: 2)
        observation.cancel()
        #expect(
            explanations == [
                """
                Can't tell what 'bar' stands for: a Bar replaced another one that was handed out before.
                  Replaced:   Bar, App/A.swift:1
                  Registered: Bar, App/B.swift:2
                  Held by:    unknown, since not all fills were tracked
                To fix, register it before anything takes the first one, or call trackHolders() on each box that fills, before it does, and refill the holders of the first one.
                """
            ])
        #expect(
            lines.withLock { $0 } == [
                "replaced 'bar' (Bar), was a Bar registered at App/A.swift:1 and was handed out"
            ])
    }

    @Test("tells where it was decorated after it was handed out, and to be earlier or to refill")
    func decorated() {
        box.register(as: "bar", fileID: "App/A.swift", line: 1) { _ in Bar() }
        box.fill(Screen())
        let lines = Locked<[String]>([])
        let observation = box.observe { event in lines.withLock { $0.append(event.description) } }
        box.decorate("bar" as ServiceKey<Bar>, fileID: "App/B.swift", line: 2) { bar, _ in bar }
        observation.cancel()
        #expect(
            explanations == [
                """
                Can't tell what 'bar' stands for: it was decorated after it was handed out.
                  Registered: Bar, App/A.swift:1
                  Decorated:  App/B.swift:2
                  Held by:    unknown, since not all fills were tracked
                To fix, decorate it before anything takes it, or call trackHolders() on each box that fills, before it does, and refill its holders.
                """
            ])
        #expect(
            lines.withLock { $0 } == [
                "replaced 'bar' (Bar), was handed out before it was decorated at App/B.swift:2"
            ])
    }

    @Test("tells to reset the provider of a service whose factory had asked for it before it was decorated")
    func decoratedAfterAsk() throws {
        final class Foo: Sendable { init(_: Bar) {} }
        box.trackHolders()
        box.register(as: "bar") { _ in Bar() }
        box.register(as: "foo") { box in Foo(try box["bar"]) }
        _ = try box["foo"] as Foo
        box.decorate("bar" as ServiceKey<Bar>) { bar, _ in bar }
        let way = "To fix, decorate it before anything takes it, or reset() the provider of 'foo'."
        #expect(explanations.first?.hasSuffix(way) == true)
    }

    @Test(
        "has unknown holders if it was handed out before tracking began, even if nothing is known to hold it",
        arguments: [true, false])
    func trackedLate(_ isReplacedBefore: Bool) {
        box.register(Bar())
        box.fill(Screen())
        if isReplacedBefore { box.register(Bar()) }
        box.trackHolders()
        if !isReplacedBefore { box.register(Bar()) }
        let line = "  Held by:    unknown, since not all fills were tracked\n"
        #expect(explanations.count == 1 && explanations.first?.contains(line) == true)
    }

    @Test("has no holders if it was handed out since tracking began, and nothing holds it any more")
    func trackedInTime() {
        box.register(Bar())
        box.trackHolders()
        box.fill(Screen())
        box.register(Bar())
        #expect(explanations.isEmpty)
    }

    @Test("that nobody keeps says so of a weak property")
    func notKept() {
        box.register(as: "bar", lifetime: .transient) { _ in Bar() }
        #expect(
            box.fill(Panel()).holes.map(\.explanation) == [
                """
                Can't fill 'bar' of Panel: it holds its service weakly, and nothing else keeps it.
                  Property: Panel.bar, a Bar?
                  Found:    'bar' (Bar)
                To fix, declare the property with @Injected, or register the service with a lifetime that keeps it, such as .lazy.
                """
            ])
    }

    @Test("is a finding of the child whose properties hold the earlier one, until they are refilled")
    func heldInChild() throws {
        box.trackHolders()
        box.register(Bar(), fileID: "App/A.swift", line: 1)
        let child = box.makeChild()
        child.trackHolders()
        let screen = Screen()
        child.fill(screen)
        box.register(Bar(), fileID: "App/B.swift", line: 2)
        #expect(explanations.isEmpty)
        #expect(
            child.audit().findings.filter { $0.kind == .replaced }.map(\.explanation) == [
                """
                Can't tell what 'bar' stands for: a Bar replaced another one that was handed out before.
                  Replaced:   Bar, App/A.swift:1
                  Registered: Bar, App/B.swift:2
                  Held by:    Screen.bar
                To fix, register it before anything takes the first one, or refill the holders of the first one.
                """
            ])
        try child.refill("bar")
        #expect(child.audit().findings.filter { $0.kind == .replaced }.isEmpty)
        withExtendedLifetime(screen) {}
    }
}
