// Part of ServiceBox, released under the MIT License.
// Tests of objects and values that are registered twice, in one box or in a family.

import ServiceBoxKit
import Testing

/// A service of a parent; a child has the clock.
private final class Logger: @unchecked Sendable {
    @Injected var clock: Clock?
    @InjectedAll var clocks: [Clock]

    var isUntouched: Bool { clock == nil && clocks.isEmpty }
}

private let logger: ServiceKey<Logger> = "logger"
private let alias: ServiceKey<Logger> = "alias"

private struct Settings: Sendable {
    @Injected var clock: Clock?
}

/// Counts how often its line is written, and it is told of fills.
private final class Board: FillObserving, @unchecked Sendable {
    static var injections: InjectionTable {
        ["clock": .setter { (board: Board, _: Clock) in board.writes.next() }]
    }

    let writes = Counter()
    let fills = Counter()
    @InjectedAll var clocks: [Clock]

    func didFill(by report: FillReport) { fills.next() }
}

@Suite("A service of a parent that a child hands on")
struct HandedOnServiceTests {
    private let parent = ServiceBox()
    private let child: ServiceBox

    init() throws {
        parent.register { _ in Logger() }
        parent.register { _ in Settings() }
        child = parent.makeChild()
        child.register(Clock(), as: "clock")
    }

    /// Uses the child, and expects the parent's service to have nothing of it.
    private func expectUntouched(_ service: Logger, by key: ServiceKey<Logger> = alias) throws {
        child.crossFill()
        #expect(try service === parent.resolve(logger))
        #expect(try service === child.resolve(key))
        child.register(Clock(), as: "second")
        child.crossFill()
        #expect(service.isUntouched)
    }

    @Test(
        "is not filled with the child's, as another name's service",
        arguments: [Lifetime.eager, .lazy, .weak, .transient])
    func factory(_ lifetime: Lifetime) throws {
        child.register(as: alias, lifetime: lifetime) { box in try box.resolve(logger) }
        try expectUntouched(try child.resolve(alias))
    }

    @Test("is not filled with the child's, as what an asynchronous factory returns")
    func awaited() async throws {
        child.register(as: alias) { box async throws in try box.resolve(logger) }
        try expectUntouched(try await child.prepare(alias))
    }

    @Test("is not filled with the child's, as what the child has captured")
    func captured() throws {
        child.register(as: logger) { [parent] _ in try parent.resolve(logger) }
        try expectUntouched(try child.resolve(logger), by: logger)
    }

    @Test("is not handed out by the child before it has what it requires")
    func lacking() throws {
        final class Wall: @unchecked Sendable { @Injected var lamp: Clock }
        let (wall, lamp) = (Wall(), Clock())
        parent.register(wall)
        child.register(as: "alias") { _ in wall }
        child.register(provider: ServiceProvider { wall }, as: "provided")
        #expect(child.failure(of: "alias" as ServiceKey<Wall>)?.code == .incomplete)
        #expect(child.failure(of: "provided" as ServiceKey<Wall>)?.code == .incomplete)
        child.register(Clock(), as: "lamp")
        #expect(child.failure(of: "alias" as ServiceKey<Wall>)?.code == .incomplete)
        parent.register(lamp, as: "lamp")
        #expect(try child.resolve("alias" as ServiceKey<Wall>).lamp === lamp)
        #expect(try child.resolve("provided" as ServiceKey<Wall>) === wall)
    }

    @Test("is not filled with the child's, as what the parent's provider supplies")
    func provided() throws {
        child.register(provider: try parent.provider(logger), as: alias)
        try expectUntouched(try child.resolve(alias))
    }

    @Test("is not filled with the child's, as what a decoration returns")
    func decorated() throws {
        child.decorate(logger) { service, _ in service }
        try expectUntouched(try child.resolve(logger), by: logger)
    }

    @Test("is not filled with a grandchild's")
    func grandchild() throws {
        let grandchild = child.makeChild()
        grandchild.register(as: alias) { box in try box.resolve(logger) }
        #expect(try grandchild.resolve(alias).isUntouched)
    }

    @Test("is not filled with the child's although another has replaced it in the parent")
    func replaced() throws {
        let service = try parent.resolve(logger)
        parent.register(Logger())
        child.register(as: alias) { _ in service }
        #expect(try child.resolve(alias) === service)
        #expect(service.isUntouched)
    }

    @Test("is not filled with the child's as a value, whose copies share their slots")
    func value() throws {
        let settings: Settings = try parent.resolve()
        child.register(as: "copied") { box in try box.resolve("settings") as Settings }
        let copied: Settings = try child.resolve("copied")
        #expect(copied.clock == nil)
        #expect(settings.clock == nil)
    }

    @Test("is not filled with the child's by a table that a box was taught", arguments: [false, true])
    func taught(_ isChild: Bool) throws {
        final class Wall: @unchecked Sendable { var clock: Clock? }
        (isChild ? child : parent).teach(Wall.self, ["clock": .keyPath(\Wall.clock)])
        parent.register { _ in Wall() }
        child.register(as: "alias") { box in try box.resolve("wall") as Wall }
        let wall: Wall = try child.resolve("alias")
        child.crossFill()
        #expect(wall.clock == nil)
    }

    @Test("leaves another object of its type to the child")
    func another() throws {
        _ = try parent.resolve(logger)
        child.register(as: alias) { _ in Logger() }
        let service = try child.resolve(alias)
        #expect(service.clock != nil)
        #expect(service.clocks.count == 1)
    }

    @Test("is filled with what the parent gets later")
    func later() throws {
        child.register(as: alias) { box in try box.resolve(logger) }
        let (service, clock) = (try child.resolve(alias), Clock())
        parent.register(clock)
        _ = try child.resolve(alias)
        #expect(service.clock === clock)
    }

    @Test("is not filled with a copy's services, as what the copy hands on")
    func copy() throws {
        _ = try parent.resolve(logger)
        let copy = parent.copy()
        copy.register(Clock())
        copy.register(as: alias) { box in try box.resolve(logger) }
        #expect(try copy.resolve(alias).isUntouched)
    }
}

@Suite("An object under two names of a box")
struct TwiceRegisteredTests {
    private let box = ServiceBox()

    init() {
        box.register { _ in Board() }
        box.register(Clock(), as: "clock")
    }

    @Test("has its table written, and is told of its fill, once")
    func once() throws {
        box.register(as: "alias") { box in try box.resolve("board") as Board }
        let board: Board = try box.resolve("alias")
        box.crossFill()
        #expect(board.writes.value == 1)
        #expect(board.fills.value == 1)
    }

    @Test("has its table written, and is told of its fill, once if a decoration returns it")
    func decorated() throws {
        box.decorate("board") { (board: Board, _) in board }
        let board: Board = try box.resolve("board")
        #expect(board.writes.value == 1)
        #expect(board.fills.value == 1)
    }

    @Test("gets what is registered later under both names, the first, or the second", arguments: [0, 1, 2])
    func later(_ left: Int) throws {
        box.register(as: "alias") { box in try box.resolve("board") as Board }
        let board: Board = try box.resolve("alias")
        if left == 1 { box.remove("alias") }
        if left == 2 { box.remove("board") }
        box.register(Clock(), as: "second")
        box.crossFill()
        #expect(board.clocks.count == 2)
        #expect(board.writes.value == 1)
    }

    @Test("is not filled again under a third, when one of them is gone", arguments: ["alias", "board"])
    func third(_ removed: String) throws {
        box.register(as: "alias") { box in try box.resolve("board") as Board }
        let board: Board = try box.resolve("alias")
        let left = removed == "alias" ? "board" : "alias"
        box.register(as: "third") { box in try box.resolve(ServiceKey<Board>(left)) }
        box.remove(removed)
        let third: Board = try box.resolve("third")
        #expect(third === board)
        #expect(board.writes.value == 1)
        #expect(board.fills.value == 1)
    }

    @Test("is filled under the name whose registration fills it")
    func filledByOne() throws {
        box.register(as: "raw", fills: false) { _ in Board() }
        box.register(as: "alias") { box in try box.resolve("raw") as Board }
        let (other, board): (Board, Board) = (try box.resolve("board"), try box.resolve("alias"))
        #expect([other, board].map(\.clocks.count) == [1, 1])
        #expect(board.writes.value == 1)
    }

    @Test("is reported on under either")
    func reported() throws {
        box.register(as: "alias") { box in try box.resolve("board") as Board }
        let _: Board = try box.resolve("alias")
        #expect(Set(box.crossFill().compactMap(\.serviceName)) == ["alias", "board"])
    }
}
