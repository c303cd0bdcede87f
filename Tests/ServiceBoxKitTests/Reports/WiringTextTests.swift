// Part of ServiceBox, released under the MIT License.
// The wiring as text to keep.

import ServiceBoxKit
import Testing

private final class FileAnalytics: Analytics, @unchecked Sendable { @Injected var clock: Clock? }
private protocol Ticking: Sendable {}
private final class Part: Ticking, @unchecked Sendable { @Injected var clock: Clock? }

private final class Screen {
    @Injected var analytics: (any Analytics)?
    @Injected var cahce: Clock?
    @Injected("clock") var time: Part?
    @InjectedAll var clocks: [Clock]
    @Injected var serviceBox: ServiceBox?
    @Injected var parts: ServiceParametersProvider<Part, Int>?
}

private protocol Lit: Sendable {}
private protocol Warm: Sendable {}
private struct Fire: Lit, Warm {}

@Suite("Wiring as text")
struct WiringTextTests {
    private let box = ServiceBox()

    private func registerAll() {
        box.register(
            as: ServiceKey<any Analytics>("analytics"), lifetime: .weak, fileID: "App/Main.swift", line: 3
        ) { _ in FileAnalytics() }
        box.register(Clock(), as: "clock", fileID: "App/Main.swift", line: 4)
        box.register(
            provider: ServiceParametersProvider { (_: Int) in Part() }, as: "parts", fileID: "App/Main.swift",
            line: 5)
    }

    @Test("has a sorted line for each property, and one for a service whose properties are unknown")
    func lines() {
        registerAll()
        #expect(
            box.wiring(including: [Screen()]) == """
                'analytics', Analytics, weak, App/Main.swift: properties unknown, never made
                'parts', Part, with parameters, App/Main.swift: properties unknown, never made
                Screen.analytics: 'analytics', Analytics, weak, App/Main.swift
                Screen.cahce: nothing for 'cahce' (missing)
                Screen.clocks: [Clock] with 'clock', Clock, ready-made, App/Main.swift
                Screen.parts: 'parts', Part, with parameters, App/Main.swift
                Screen.serviceBox: 'serviceBox'
                Screen.time: nothing for 'clock' (typeMismatch)

                """)
    }

    @Test("has both types of what is kept ready-made as an interface")
    func readyMade() {
        final class Taker { @Injected var ticking: any Ticking }
        box.register(Part(), as: ServiceKey<any Ticking>("ticking"), fileID: "App/Main.swift", line: 6)
        #expect(
            box.wiring(including: [Taker()]) == """
                Part.clock: nothing for 'clock' (missing)
                Taker.ticking: 'ticking', Part as Ticking, ready-made, App/Main.swift

                """)
    }

    @Test("has the properties of a service once it is created")
    func made() throws {
        registerAll()
        let analytics = try box.resolve(ServiceKey<any Analytics>("analytics"))
        withExtendedLifetime(analytics) {}
        #expect(
            box.wiring() == """
                'parts', Part, with parameters, App/Main.swift: properties unknown, never made
                FileAnalytics.clock: 'clock', Clock, ready-made, App/Main.swift

                """)
    }

    @Test("knows what was created from parameters and has nothing to fill")
    func madeFromParameters() throws {
        box.register(as: "page") { (_, _: Int) in Clock() }
        #expect(box.wiring().contains("properties unknown, never made"))
        _ = try box.resolve("page", with: 1) as Clock
        #expect(box.wiring().isEmpty)
    }

    @Test("doesn't depend on the order of registrations, nor on earlier fills")
    func stable() {
        registerAll()
        let text = box.wiring(including: [Screen(), Part()])
        let screen = Screen()
        ServiceBox().fill(screen)
        #expect(box.wiring(including: [Part(), screen]) == text)
        let other = ServiceBox()
        other.register(
            provider: ServiceParametersProvider { (_: Int) in Part() }, as: "parts", fileID: "App/Main.swift",
            line: 5)
        other.register(Clock(), as: "clock", fileID: "App/Main.swift", line: 4)
        other.register(
            as: ServiceKey<any Analytics>("analytics"), lifetime: .weak, fileID: "App/Main.swift", line: 3
        ) { _ in FileAnalytics() }
        #expect(other.wiring(including: [Part(), Screen()]) == text)
    }

    @Test("stays the same when a registration moves inside its file, not when it moves to another file")
    func movedRegistration() {
        func wiring(file: StaticString, line: UInt) -> String {
            let box = ServiceBox()
            box.register(Clock(), as: "clock", fileID: file, line: line)
            box.register(as: "part", fileID: file, line: line + 1) { _ in Part() }
            return box.wiring(including: [Part()])
        }
        let text = wiring(file: "App/Main.swift", line: 3)
        #expect(text == "Part.clock: 'clock', Clock, ready-made, App/Main.swift\n")
        #expect(wiring(file: "App/Main.swift", line: 400) == text)
        #expect(wiring(file: "App/Clocks.swift", line: 3) != text)
    }

    @Test("tells what each box has for itself, and lists decorations by their files")
    func scopeAndDecorations() {
        final class Taker { @Injected var part: Part }
        func wiring(per scope: ServiceScope, decoratedIn files: StaticString...) -> String {
            let box = ServiceBox()
            box.register(as: "part", per: scope, fileID: "App/Main.swift", line: 3) { _ in Part() }
            for file in files { box.decorate("part", fileID: file, line: 9) { (part: Part, _) in part } }
            return box.wiring(including: [Taker()])
        }
        let part = "'part', Part, lazy, App/Main.swift"
        let (mine, whole) = (
            "'part', Part, lazy, per box, App/Main.swift",
            "\(part), decorated in App/Second.swift, decorated in App/First.swift"
        )
        #expect(
            wiring(per: .family) == "\(part): properties unknown, never made\nTaker.part: \(part)\n")
        #expect(
            wiring(per: .box) == "\(mine): properties unknown, never made\nTaker.part: \(mine)\n")
        let decorated = wiring(per: .family, decoratedIn: "App/Second.swift", "App/First.swift")
        #expect(decorated.hasSuffix("\nTaker.part: \(whole)\n"))
    }

    @Test("has the type of which a property takes all services, whether there are any or none")
    func collections() {
        final class Shelf { @InjectedAll var parts: [Part] }
        final class Desk { @InjectedAll var parts: [any Ticking] }
        let given: [Any] = [Shelf(), Desk()]
        #expect(
            box.wiring(including: given) == """
                Desk.parts: [Ticking] with no services, none fits
                Shelf.parts: [Part] with no services, none fits

                """)
        for name in ["first", "second"] {
            box.register(Part(), as: ServiceKey(name), fileID: "App/Main.swift")
        }
        #expect(
            box.wiring(including: given) == """
                Desk.parts: [Ticking] with 'first', Part, ready-made, App/Main.swift
                Desk.parts: [Ticking] with 'second', Part, ready-made, App/Main.swift
                Part.clock: nothing for 'clock' (missing)
                Shelf.parts: [Part] with 'first', Part, ready-made, App/Main.swift
                Shelf.parts: [Part] with 'second', Part, ready-made, App/Main.swift

                """)
    }

    @Test("tells types of one name apart by what they are nested in")
    func namesakes() {
        box.register(Clock(), as: "first")
        box.register(Clock(), as: "second")
        let wiring = box.wiring(including: [Front.Panel(), Back.Panel()])
        let lines = wiring.split(separator: "\n").map { $0.prefix { $0 != "," } }
        #expect(
            lines == [
                "ServiceBoxKitTests.Back.Panel.clock: 'second'",
                "ServiceBoxKitTests.Front.Panel.clock: 'first'",
            ])
    }

    @Test("tells services' types of one name apart by their enclosing types, whichever of them is there")
    func enclosingTypes() {
        final class Alarm { @Injected var clock: (any Ticking)? }
        box.register(Live.Ticker(), as: "clock", fileID: "App/Main.swift")
        #expect(
            box.wiring(including: [Alarm()])
                == "Alarm.clock: 'clock', Live.Ticker, ready-made, App/Main.swift\n")
        box.register(Fake<Int>.Ticker() as any Ticking, as: "clock", fileID: "App/Main.swift")
        #expect(
            box.wiring(including: [Alarm()])
                == "Alarm.clock: 'clock', Fake.Ticker as Ticking, ready-made, App/Main.swift\n")
    }

    @Test("names functions and metatypes, which no type encloses, as they are")
    func withoutEnclosingTypes() {
        final class User { @InjectedAll var all: [any Sendable] }
        box.register(Live.Ticker.self, as: "type", fileID: "App/Main.swift")
        box.register({ _ in } as @Sendable (Live.Ticker) -> Void, as: "work", fileID: "App/Main.swift")
        #expect(
            box.wiring(including: [User()]) == """
                User.all: [Any] with 'type', Ticker.Type, ready-made, App/Main.swift
                User.all: [Any] with 'work', @Sendable (Ticker) -> (), ready-made, App/Main.swift

                """)
    }

    @Test("of an empty box is empty")
    func empty() {
        #expect(box.wiring().isEmpty)
    }

    @Test("has a property that is looked up when it is read, whether its service is there or not")
    func onRead() {
        final class Reader: @unchecked Sendable { @Injected(when: .read) var clock: Clock }
        let reader = Reader()
        #expect(box.wiring(including: [reader]) == "Reader.clock: nothing for 'clock' (onRead)\n")
        box.register(Clock(), as: "clock", fileID: "App/Main.swift")
        let wiring = box.wiring(including: [reader])
        #expect(wiring == "Reader.clock: 'clock', Clock, ready-made, App/Main.swift, at the first read\n")
        box.fill(reader)
        _ = reader.clock
        #expect(box.wiring(including: [reader]) == wiring)
    }

    @Test("names the protocols of a composition without their module")
    func composition() {
        box.register(as: ServiceKey<any Lit & Warm>("fire"), fileID: "App/Main.swift", line: 3) { _ in Fire()
        }
        #expect(
            box.wiring() == """
                'fire', Lit & Warm, lazy, App/Main.swift: properties unknown, never made

                """)
    }
}

private enum Live {
    final class Ticker: Ticking {}
}

private enum Fake<Value> {
    final class Ticker: Ticking {}
}

private enum Front {
    final class Panel {
        @Injected("first") var clock: Clock
    }
}

private enum Back {
    final class Panel {
        @Injected("second") var clock: Clock
    }
}
