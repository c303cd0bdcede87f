// Part of ServiceBox, released under the MIT License.
// What users ask about actors and what is Sendable, answered by the box and the compiler alone.

import ServiceBoxKit
import Testing

@MainActor private final class Dashboard {}
private final class Screen { @Injected var dashboard: Dashboard }
@MainActor private final class Window {
    var clock: Clock?
}
extension Window: @MainActor Injectable {
    static var injections: InjectionTable { ["clock": .keyPath(\Window.clock)] }
}

@Suite("Asked about the main actor, the box says")
struct MainActorQuestionTests {
    private let box = ServiceBox()

    @Test("where a service of it is created, and that it is available everywhere then")
    func service() async throws {
        box.register { @MainActor _ in Dashboard() }
        #expect(
            box.failure(of: ServiceKey<Dashboard>("dashboard"))?.description == """
                Can't make a Dashboard: its factory belongs to the main actor and was called elsewhere.
                To fix, in a box await prepare(…), which goes there, or ask on the main actor; a shared service is available everywhere once made.
                """)
        #expect(
            box.fill(Screen()).holes.map(\.explanation) == [
                """
                Can't fill 'dashboard' of Screen: its service could not be made, since its factory belongs to the main \
                actor and was called elsewhere.
                  Property: Screen.dashboard, a Dashboard
                  Found:    'dashboard' (Dashboard)
                To fix, in a box await prepare(…), which goes there, or fill on the main actor; a shared service is available everywhere once made.
                """
            ])
        _ = try await MainActor.run { try box.resolve(Dashboard.self) }
        #expect(
            "\(box.fill(Screen()))" == """
                Screen: 1 of 1 filled.
                  Screen.dashboard: filled with 'dashboard' (Dashboard)
                """)
    }

    @Test("where an object of it is filled")
    func object() async {
        box.register(Clock())
        let window = Window()
        let report = box.fill(window)
        #expect(
            "\(report)" == """
                Window: 0 of 1 filled, 1 hole.
                  Window: its table belongs to an actor on which this fill did not run
                """)
        #expect(
            report.holes.map(\.explanation) == [
                """
                Can't fill a Window: its table belongs to an actor on which this fill did not run.
                To fix, fill the object on its actor; an actor itself with 'await box.fill(actor)'.
                """
            ])
        let answer = await MainActor.run { "\(box.fill(window))" }
        #expect(
            answer == """
                Window: 1 of 1 filled.
                  Window.clock: filled with 'clock' (Clock)
                """)
    }
}
