// Part of ServiceBox, released under the MIT License.
// Circles of a lazy service and a transient one, entered from either.

import ServiceBoxKit
import Testing

/// A cursor whose factory or property leads to a player, which leads to another cursor.
private final class Cursor: @unchecked Sendable {
    @Injected var player: Player?
}

private protocol Player: Sendable {
    var cursor: Cursor { get }
}

private final class PlayerOfFactory: Player {
    let cursor: Cursor
    init(_ cursor: Cursor) { self.cursor = cursor }
}

private final class PlayerOfSlot: Player, @unchecked Sendable {
    @Injected var cursor: Cursor
}

/// The same with a table in place of a slot.
private final class Bookmark: @unchecked Sendable, Injectable {
    private(set) var album: Album?
    static var injections: InjectionTable { ["album": .keyPath(\Bookmark.album)] }
}

private final class Album: @unchecked Sendable {
    @Injected var bookmark: Bookmark
}

@Suite("A transient service in a circle with a lazy one")
struct TransientCircleTests {
    private let box = ServiceBox()
    private let key: ServiceKey<any Player> = "player"

    init() { box.register(lifetime: .transient) { _ in Cursor() } }

    @Test("has the lazy one, whose factory takes another one")
    func factory() throws {
        box.register(as: key) { box in PlayerOfFactory(try box.resolve()) }
        let cursor: Cursor = try box.resolve()
        let player = try #require(cursor.player)
        #expect(player.cursor !== cursor)
        #expect((try box.resolve(Cursor.self).player as? PlayerOfFactory) === player as? PlayerOfFactory)
    }

    @Test("has the decorated lazy one, which requires another one", arguments: [Lifetime.lazy, .eager])
    func decorated(_ lifetime: Lifetime) throws {
        box.register(as: key, lifetime: lifetime) { _ in PlayerOfSlot() }
        box.decorate(key) { player, _ in PlayerOfFactory(player.cursor) }
        let cursor: Cursor = try box.resolve()
        let player = try #require(cursor.player)
        #expect(player is PlayerOfFactory)
        #expect(player.cursor !== cursor)
    }

    @Test("has the lazy one in its table, which requires another one")
    func table() throws {
        box.register(lifetime: .transient) { _ in Bookmark() }
        box.register { _ in Album() }
        let bookmark: Bookmark = try box.resolve()
        let album = try #require(bookmark.album)
        #expect(album.bookmark !== bookmark)
        #expect(album.bookmark.album === album)
    }

    @Test("is an error if the other one is transient too and both are required, and never endless")
    func endless() throws {
        final class Left: @unchecked Sendable { @Injected var right: Right }
        final class Right: Sendable {
            init(_ left: Left) {}
        }
        box.register(lifetime: .transient) { _ in Left() }
        box.register(lifetime: .transient) { box in Right(try box.resolve()) }
        #expect(box.failure(of: ServiceKey<Left>("left"))?.code == .incomplete)
    }
}
