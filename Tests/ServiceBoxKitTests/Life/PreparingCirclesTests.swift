// Part of ServiceBox, released under the MIT License.
// Services that take each other through properties, created on several actors or reset meanwhile.

import ServiceBoxKit
import Testing

@globalActor private actor Audio { static let shared = Audio() }

private final class Player: @unchecked Sendable { @Injected var panel: Panel }

private final class Panel: @unchecked Sendable { @Injected var player: Player }

@Audio private final class Mixer {
    var clock: Clock?
    nonisolated init() {}
}

extension Mixer: @Audio Injectable {
    static var injections: InjectionTable { ["clock": .keyPath(\Mixer.clock)] }
}

private final class Studio: @unchecked Sendable { @Injected var mixer: Mixer }

@Suite("Services that take each other", .neverHanging)
struct PreparingCirclesTests {
    private let box = ServiceBox()

    @Test("are prepared on the actor of each, if one of them is awaited", arguments: [true, false])
    func twoActors(_ areBothAwaited: Bool) async throws {
        box.register { @Audio _ async in Player() }
        if areBothAwaited {
            box.register { @MainActor _ async in Panel() }
        } else {
            box.register { @MainActor _ in Panel() }
        }
        let player = try await box.prepare(Player.self)
        #expect(player.panel.player === player)
    }

    @Test(
        "start with their box, and are prepared at the same time by several tasks", arguments: [true, false])
    func atOnce(_ areAllAwaited: Bool) async throws {
        final class One: @unchecked Sendable { @Injected var two: Two }
        final class Two: @unchecked Sendable { @Injected var three: Three }
        final class Three: @unchecked Sendable {
            @Injected var one: One
            @Injected var two: Two
        }
        func newBox() -> ServiceBox {
            let box = ServiceBox()
            box.register { @Audio _ async in One() }
            box.register { @MainActor _ async in Three() }
            if areAllAwaited { box.register { _ async in Two() } } else { box.register { _ in Two() } }
            return box
        }
        for _ in 0..<Sanitizer.rounds(20) {
            let (started, box) = (newBox(), newBox())
            try await started.start()
            let first: One = try started.resolve()
            #expect(first.two.three.one === first)
            async let one: One = box.prepare()
            async let two: Two = box.prepare()
            async let three: Three = box.prepare()
            let all = try await (one, two, three)
            #expect(all.0.two === all.1 && all.1.three === all.2 && all.2.one === all.0)
        }
    }

    @Test("are filled on their factories' actors if they are in no circle, since their tables belong there")
    func isolatedTable() async throws {
        box.register(Clock())
        box.register { @Audio _ async in Mixer() }
        box.register { @MainActor _ async in Studio() }
        let studio: Studio = try await box.prepare()
        #expect(await studio.mixer.clock != nil)
    }

    @Test("are handed out whole though one is reset meanwhile, and not kept")
    func reset() throws {
        let count = Counter()
        box.register { _ in Player() }
        box.register { box in
            if count.next() == 1 {
                onThread { try? box.provider("player" as ServiceKey<Player>).reset() }
            }
            return Panel()
        }
        let player = try box.resolve(Player.self)
        #expect(player.panel.player === player)
        #expect(try box.resolve(Player.self) !== player)
    }

    @Test("keep none of their factories alive by the error of another actor's")
    func released() async throws {
        final class Theme: Sendable {}
        final class Editor: @unchecked Sendable { @Injected var theme: Theme }
        weak var captured: Clock?
        let editor: Editor
        let error: (any Error)?
        do {
            let (box, clock) = (ServiceBox(), Clock())
            captured = clock
            box.register { @MainActor _ in
                _ = clock
                return Theme()
            }
            box.register { _ async in Editor() }
            error = box.failure(of: "theme" as ServiceKey<Theme>)
            editor = try await box.prepare()
        }
        #expect((error as? ServiceBoxError)?.code == .wrongIsolation)
        withExtendedLifetime(editor) { #expect(captured == nil) }
    }

    @Test("by way of a provider's service that a factory asks for end in an error, not in endless attempts")
    func endless() async {
        final class Desk: @unchecked Sendable {
            @Injected var database: Database
            @Injected var plugin: Plugin?
        }
        final class Plugin: @unchecked Sendable { @Injected var cache: Cache }
        final class Index: @unchecked Sendable { @Injected var desk: Desk }
        final class Database: Sendable {}
        box.register { _ in Desk() }
        box.register { box in
            _ = try box.resolve(Desk.self)
            return Cache()
        }
        box.register(provider: ServiceProvider { Plugin() }, as: "plugin")
        box.register { box in
            _ = try? box.resolve(Plugin.self)
            return Index()
        }
        box.register { box in
            _ = try await box.prepare(Index.self)
            return Database()
        }
        let error = await failure { try await box.prepare(Database.self) } as? ServiceBoxError
        #expect(error?.code == .cycle)
        #expect(error?.path == ["Database", "Index", "Desk", "Database"])
    }
}
