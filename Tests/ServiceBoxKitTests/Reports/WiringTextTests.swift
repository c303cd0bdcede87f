// Part of ServiceBox, released under the MIT License.
// The wiring as text to keep.

import ServiceBoxKit
import Testing

private final class FileAnalytics: Analytics, @unchecked Sendable { @Injected var clock: Clock? }
private final class Part: @unchecked Sendable { @Injected var clock: Clock? }

private final class Screen {
    @Injected var analytics: (any Analytics)?
    @Injected var cahce: Clock?
    @Injected("clock") var time: Part?
    @InjectedAll var clocks: [Clock]
    @Injected var serviceBox: ServiceBox?
    @Injected var parts: ServiceParametersProvider<Part, Int>?
}

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
                'analytics', Analytics, weak, App/Main.swift:3: properties unknown, never made
                'parts', Part, with parameters, App/Main.swift:5: properties unknown, never made
                Screen.analytics: 'analytics', Analytics, weak, App/Main.swift:3
                Screen.cahce: nothing for 'cahce' (missing)
                Screen.clocks: 'clock', Clock, ready-made, App/Main.swift:4
                Screen.parts: 'parts', Part, with parameters, App/Main.swift:5
                Screen.serviceBox: 'serviceBox'
                Screen.time: nothing for 'clock' (typeMismatch)

                """)
    }

    @Test("has the properties of a service once it is created")
    func made() throws {
        registerAll()
        let analytics = try box.resolve(ServiceKey<any Analytics>("analytics"))
        withExtendedLifetime(analytics) {}
        #expect(
            box.wiring() == """
                'parts', Part, with parameters, App/Main.swift:5: properties unknown, never made
                FileAnalytics.clock: 'clock', Clock, ready-made, App/Main.swift:4

                """)
    }

    @Test("doesn't depend on the order of registrations, nor on earlier fills")
    func stable() {
        registerAll()
        let text = box.wiring(including: [Screen(), Part()])
        let screen = Screen()
        screen.cahce = Clock()
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

    @Test("reports that a property that takes all of a type has none")
    func noneToTake() {
        final class Shelf { @InjectedAll var parts: [Part] }
        #expect(box.wiring(including: [Shelf()]) == "Shelf.parts: no services, none fits\n")
    }

    @Test("of an empty box is empty")
    func empty() {
        #expect(box.wiring().isEmpty)
    }
}
