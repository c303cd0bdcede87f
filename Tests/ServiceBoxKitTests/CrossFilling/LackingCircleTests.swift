// Part of ServiceBox, released under the MIT License.
// Services that require each other, some of which the box doesn't create.

import ServiceBoxKit
import Testing

private final class User: Sendable {}

private final class Hub: @unchecked Sendable { @Injected var spoke: Spoke }

private final class Spoke: @unchecked Sendable {
    @Injected var hub: Hub
    @Injected var rim: Rim
}

private final class Rim: @unchecked Sendable {
    @Injected var hub: Hub
    @Injected var spoke: Spoke
    @Injected var user: User
}

private let hub = ServiceKey<Hub>("hub")
private let spoke = ServiceKey<Spoke>("spoke")
private let rim = ServiceKey<Rim>("rim")

/// How a service comes into the box.
private enum Way: CaseIterable, CustomTestStringConvertible {
    case instance, lazy, weak, foreign

    func register<Service: Sendable>(
        _ key: ServiceKey<Service>, in box: ServiceBox, _ make: @escaping @Sendable () -> Service
    ) {
        switch self {
        case .instance: box.register(make(), as: key)
        case .lazy: box.register(as: key) { _ in make() }
        case .weak: box.register(as: key, lifetime: .weak) { _ in make() }
        case .foreign: box.register(provider: ServiceProvider(.lazy) { make() }, as: key)
        }
    }

    var testDescription: String { "\(self)" }
}

@Suite("A circle of services that require each other")
struct LackingCircleTests {
    private let box = ServiceBox()

    private func isComplete(_ hub: Hub) -> Bool {
        guard hub.$spoke.isFilled, hub.spoke.$hub.isFilled, hub.spoke.$rim.isFilled else { return false }
        let rim = hub.spoke.rim
        return rim.$hub.isFilled && rim.$spoke.isFilled && rim.$user.isFilled
    }

    @Test("is handed out as a whole, whichever is asked for first", arguments: Way.allCases, Way.allCases)
    private func whole(_ first: Way, _ second: Way) throws {
        for third in Way.allCases {
            for asked in 0..<3 {
                let box = ServiceBox()
                first.register(hub, in: box) { Hub() }
                second.register(spoke, in: box) { Spoke() }
                third.register(rim, in: box) { Rim() }
                #expect(box.failure(of: hub)?.path == ["hub", "spoke", "rim", "user"])
                #expect(box.failure(of: spoke)?.path == ["spoke", "rim", "user"])
                #expect(box.failure(of: rim)?.path == ["rim", "user"])
                box.register(User())
                let found =
                    switch asked {
                    case 0: try box[hub]
                    case 1: try box[spoke].hub
                    default: try box[rim].hub
                    }
                #expect(isComplete(found))
            }
        }
    }

    @Test("is handed out as a whole after a factory that failed succeeds", arguments: Way.allCases)
    private func retried(_ way: Way) throws {
        let isReady = Locked(false)
        box.register { _ in
            guard isReady.withLock({ $0 }) else { throw Broken() }
            return User()
        }
        box.register(Hub())
        way.register(spoke, in: box) { Spoke() }
        box.register(as: "rim") { _ in Rim() }
        #expect(box.failure(of: spoke)?.path == ["spoke", "rim", "user"])
        isReady.withLock { $0 = true }
        #expect(isComplete(try box[spoke].hub))
    }

    @Test("doesn't count what was removed before it had all it requires")
    func removed() {
        let instance = Hub()
        box.register(instance)
        box.register(Spoke())
        box.crossFill()
        box.remove("spoke")
        #expect(box.failure(of: hub)?.path == ["hub", "spoke"])
        #expect(!instance.$spoke.isFilled)
    }

    @Test("lacks something for a copy too, whose original has dropped it")
    func copy() {
        box.register(Hub())
        let copy = box.copy()
        box.remove("hub")
        #expect(copy.failure(of: hub)?.path == ["hub", "spoke"])
    }

    @Test("leaves nothing incomplete in a ready-made service that is filled meanwhile")
    func filledMeanwhile() {
        final class Board: @unchecked Sendable { @Injected var note: Note? }
        final class Note: @unchecked Sendable { @Injected var lamp: Lamp }
        final class Lamp: @unchecked Sendable {
            @Injected var bulb: Cache
            @Injected var user: User
        }
        let board = Board()
        box.register(Clock())
        box.register(as: "note", lifetime: .transient) { _ in Note() }
        box.register(as: "lamp") { _ in Lamp() }
        box.register(as: "bulb") { box in
            box.register(board)
            _ = try box[ServiceKey<Clock>("clock")]
            return Cache()
        }
        #expect(box.failure(of: ServiceKey<Lamp>("lamp"))?.path == ["lamp", "user"])
        #expect(board.note == nil)
    }
}
