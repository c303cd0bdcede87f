// Part of ServiceBox, released under the MIT License.
// How long paths are worded.

import Testing

@testable import ServiceBoxKit  // for the words of long paths

private final class Mailbox: Sendable {}

@Suite("Paths in messages")
struct PathMessageTests {
    private func text(_ types: [Any.Type]) -> String {
        let steps = types.map { type in
            ServicePath.Step(provider: ObjectIdentifier(Mailbox.self), type: type)
        }
        return ServiceBoxError(.failed(.factoryFailed, Broken()), path: ServicePath(steps))
            .description
    }

    @Test("name services of one type that follow each other")
    func sameType() {
        let box = ServiceBox()
        box.register(as: "first") { _ -> Mailbox in throw Broken() }
        box.register(as: "second") { try $0.resolve("first") as Mailbox }
        box.register(as: "page") { box -> Page in
            _ = try box.resolve("second") as Mailbox
            return Page()
        }
        #expect(
            box.failure(of: ServiceKey<Page>("page"))?.description == """
                Can't make a Page: the factory of Mailbox failed.
                  Path:       Page → 'second' (Mailbox) → 'first' (Mailbox)
                  Registered: as 'first'
                  Error:      Broken() (Broken)
                To fix, correct what the factory of Mailbox reports, then ask again.
                """)
    }

    @Test("name services of one type that need each other in a circle, also if they are awaited")
    func circleOfOneType() async {
        let box = ServiceBox()
        box.register(as: "first") { try $0.resolve("second") as Mailbox }
        box.register(as: "second") { try $0.resolve("first") as Mailbox }
        box.register(as: "third") { try await $0.prepare("fourth") as Mailbox }
        box.register(as: "fourth") { try await $0.prepare("third") as Mailbox }
        let path = { (error: (any Error)?) in
            error.map { "\($0)" }?.split(separator: "\n").first { $0.hasPrefix("  Path:") }
        }
        #expect(
            path(box.failure(of: ServiceKey<Mailbox>("first")))
                == "  Path: 'first' (Mailbox) → 'second' (Mailbox) → 'first' (Mailbox)")
        #expect(
            path(await failure { try await box.prepare("third") as Mailbox })
                == "  Path: 'third' (Mailbox) → 'fourth' (Mailbox) → 'third' (Mailbox)")
    }

    @Test("show their ends if they are very long, and count what repeats")
    func long() {
        let pairs: [Any.Type] = (0..<8).flatMap { _ -> [Any.Type] in [Int.self, String.self] }
        #expect(
            text([Mailbox.self, Mailbox.self, Mailbox.self] + pairs) == """
                Can't make a Mailbox: the factory of String failed.
                  Path:  Mailbox (3 times) → Int → String → Int → String → Int → … 5 more … → Int → String → Int → String \
                → Int → String
                  Error: Broken() (Broken)
                To fix, correct what the factory of String reports, then ask again.
                """)
    }
}
