// Part of ServiceBox, released under the MIT License.
// What users ask about an object, answered by the box alone.

import Foundation
import ServiceBoxKit
import Testing

/// What a decoder creates.
private struct Draft: Decodable {
    let title: String
    @Injected var clock: Clock?
    private enum CodingKeys: CodingKey { case title }
}

/// What a framework creates.
private final class Player {
    var clock: Clock?
}

private final class Screen {
    static let lineOfClock = #line + 1
    @Injected var clock: Clock
}

private final class Told: @unchecked Sendable, FillObserving {
    @Injected var clock: Clock
    let journal: Journal

    init(_ journal: Journal) {
        self.journal = journal
        journal.add("its initialiser: \($clock.isFilled ? "filled" : "not filled yet")")
    }

    func didFill(by report: FillReport) { journal.add("told: \(report)") }
}

@Suite("Asked about an object, the box says")
struct ObjectQuestionTests {
    private let box = ServiceBox()

    @Test("what a fill gives it, whoever has created it")
    func createdElsewhere() throws {
        box.register(Clock())
        let draft = try JSONDecoder().decode(Draft.self, from: Data(#"{"title": "Notes"}"#.utf8))
        #expect(
            "\(box.fill(draft))" == """
                Draft: 1 of 1 filled.
                  Draft.clock: filled with 'clock' (Clock)
                """)
        #expect(draft.clock != nil)
        box.teach(Player.self, ["clock": .keyPath(\Player.clock)])
        #expect(
            "\(box.fill(Player()))" == """
                Player: 1 of 1 filled.
                  Player.clock: filled with 'clock' (Clock)
                """)
    }

    @Test("where it is read before anything has filled it, that this is so")
    func neverFilled() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Screen().clock
        }
        let errors = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let answer = """
            Can't read an injected Clock: nothing has filled it yet.
              Declared: ServiceBoxKitTests/ObjectQuestionTests.swift:\(Screen.lineOfClock)
            To fix, fill the object before reading the property, or declare the property optional.

            """
        #expect(errors.contains(": Fatal error: \(answer)"), "\(errors)")
    }

    @Test("when it was filled, to the object and to observers")
    func whenFilled() throws {
        let journal = Journal()
        let observation = box.observe { journal.add("observer: \($0)") }
        box.register { _ in Clock() }
        box.register(as: "told") { _ in Told(journal) }
        box.fill(Told(journal))
        _ = try box.resolve("told") as Told
        observation.cancel()
        #expect(
            journal.all == [
                "observer: registered 'clock' (Clock)",
                "observer: registered 'told' (Told)",
                "its initialiser: not filled yet",
                "observer: made 'clock' (Clock)",
                "observer: filled Told: 1 of 1 filled.",
                "told: Told: 1 of 1 filled.\n  Told.clock: filled with 'clock' (Clock)",
                "its initialiser: not filled yet",
                "told: Told: 1 of 1 filled.\n  Told.clock: filled with 'clock' (Clock)",
                "observer: filled 'told' (Told): 1 of 1 filled.",
                "observer: made 'told' (Told)",
            ])
        #expect(
            "\(box.graph())" == """
                Graph of a box: 2 services, 0 types, 1 property, 0 holes.
                'clock' (Clock), lazy, filled 1st
                'told' (Told), lazy, filled 2nd
                  clock → 'clock'
                """)
    }
}
