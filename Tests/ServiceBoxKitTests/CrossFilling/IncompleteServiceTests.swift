// Part of ServiceBox, released under the MIT License.
// Services that the box creates and that lack what they require.

import ServiceBoxKit
import Testing

private final class User: Sendable {}

private final class Repository: @unchecked Sendable {
    @Injected var user: User
    @Injected var clock: Clock?
}

private final class Handler: @unchecked Sendable {
    @Injected var repository: Repository
}

private final class Visitor: @unchecked Sendable {
    @Injected var repository: Repository?
    @Injected var clock: Clock?
}

private final class Left: @unchecked Sendable {
    @Injected var right: Right
    @Injected var user: User?
}

private final class Right: @unchecked Sendable {
    @Injected var left: Left
    @Injected var user: User
}

private final class Loose: @unchecked Sendable { @Injected var tight: Tight? }

private final class Tight: @unchecked Sendable {
    @Injected var loose: Loose
    @Injected var user: User
}

private protocol Plugin: Sendable {}
private final class Good: Plugin {}
private final class Bad: Plugin, @unchecked Sendable {
    @Injected var host: Host
    @Injected var user: User
}
private final class Host: @unchecked Sendable { @InjectedAll var plugins: [any Plugin] }

private final class Defaulted: @unchecked Sendable { @Injected var user: User = User() }

private final class Preset: @unchecked Sendable {
    @Injected var user: User
    init(_ user: User) { self.user = user }
}

private final class Fork: @unchecked Sendable {
    @Injected var left: Fork
    @Injected var right: Fork

    init(before next: ServiceKey<Fork>) { (_left, _right) = (Injected(next), Injected(next)) }
}

private final class Outer: @unchecked Sendable { @Injected var inner: Inner }

private final class Inner: Sendable {}

private final class Stray: @unchecked Sendable {
    @Injected var outer: Outer
    @Injected var user: User
}

private final class StrayVisitor: @unchecked Sendable { @Injected var stray: Stray? }

private let lifetimes: [Lifetime] = [.eager, .lazy, .weak, .transient]

@Suite("A service that lacks what it requires")
struct IncompleteServiceTests {
    private let box = ServiceBox()

    private func registerHandler(_ lifetime: Lifetime = .lazy) {
        box.register(as: "handler", lifetime: lifetime) { _ in Handler() }
        box.register(as: "repository", lifetime: lifetime) { _ in Repository() }
    }

    private let handler = ServiceKey<Handler>("handler")

    @Test(
        "is not handed out by a look-up, and the error has the way to what is missing", arguments: lifetimes)
    func lookUp(_ lifetime: Lifetime) throws {
        registerHandler(lifetime)
        let error = try #require(throws: ServiceBoxError.self) { try box[handler] }
        #expect(error.code == .incomplete)
        #expect(error.path == ["handler", "repository", "user"])
        #expect(throws: error) { try box[handler] }
        #expect(throws: error) { try box.resolve(Handler.self) }
        #expect(throws: error) { try box.resolveAll(Handler.self) }
        #expect(throws: error) { try box.provider(handler).resolve() }
    }

    @Test("is told of once, however many ways lead to it")
    func ways() {
        let count = 30
        for number in 0..<count {
            box.register(as: ServiceKey("fork\(number)")) { _ in Fork(before: ServiceKey("fork\(number + 1)"))
            }
        }
        let names = (0..<count).map { "fork\($0)" }
        let error = #expect(throws: ServiceBoxError.self) {
            try box[ServiceKey<Fork>("fork0")]
        }
        #expect(error?.path == names + ["left"])
    }

    @Test("is not handed out when it is created from parameters")
    func parameters() throws {
        box.register(as: "repository") { (_, _: Int) in Repository() }
        let error = try #require(throws: ServiceBoxError.self) {
            try box.resolve(ServiceKey<Repository>("repository"), with: 1)
        }
        #expect(error.path == ["repository", "user"])
    }

    @Test("is a hole of an object, with the error", arguments: lifetimes)
    func object(_ lifetime: Lifetime) throws {
        registerHandler(lifetime)
        box.register(Clock())
        final class Screen { @Injected var handler: Handler }
        let screen = Screen()
        let report = box.fill(screen)
        #expect(!screen.$handler.isFilled)
        #expect(report.outcome(of: "handler") == .failed)
        #expect(report.holes.first?.error?.path == ["handler", "repository", "user"])
    }

    @Test("is created again by the next ask, which may find all", arguments: lifetimes)
    func triedAgain(_ lifetime: Lifetime) throws {
        registerHandler(lifetime)
        #expect(box.failure(of: handler)?.code == .incomplete)
        let user = User()
        box.register(user)
        #expect(try box[handler].repository.user === user)
    }

    @Test("is created once more for each ask")
    func countsMakings() {
        let count = Counter()
        box.register(as: "repository") { _ in
            count.next()
            return Repository()
        }
        for _ in 0..<3 { #expect(box.failure(of: ServiceKey<Repository>("repository")) != nil) }
        #expect(count.value == 3)
    }

    @Test("leaves an optional property of another service empty", arguments: lifetimes)
    func optional(_ lifetime: Lifetime) throws {
        let clock = Clock()
        registerHandler(lifetime)
        box.register(clock)
        box.register(as: "visitor", lifetime: lifetime) { _ in Visitor() }
        let visitor: Visitor = try box["visitor"]
        #expect(visitor.repository == nil)
        #expect(visitor.clock === clock)
    }

    @Test("takes a circle of required properties along", arguments: [Lifetime.eager, .lazy, .weak])
    func circle(_ lifetime: Lifetime) throws {
        box.register(as: "left", lifetime: lifetime) { _ in Left() }
        box.register(as: "right", lifetime: lifetime) { _ in Right() }
        let left = ServiceKey<Left>("left")
        #expect(box.failure(of: left)?.path == ["left", "right", "user"])
        #expect(box.failure(of: ServiceKey<Right>("right"))?.path == ["right", "user"])
        box.register(User())
        let whole = try box[left]
        #expect(whole.right.left === whole)
    }

    @Test("is taken out of an optional property that closes a circle", arguments: [Lifetime.lazy, .weak])
    func optionalCircle(_ lifetime: Lifetime) throws {
        box.register(as: "loose", lifetime: lifetime) { _ in Loose() }
        box.register(as: "tight", lifetime: lifetime) { _ in Tight() }
        let loose: Loose = try box["loose"]
        #expect(loose.tight == nil)
        #expect(box.failure(of: ServiceKey<Tight>("tight"))?.path == ["tight", "user"])
        let user = User()
        box.register(user)
        let tight: Tight = try box["tight"]
        #expect(tight.user === user)
    }

    @Test("is taken out of a property for all services of a type that closes a circle")
    func collectionCircle() throws {
        box.register(Good(), as: "good")
        box.register(as: "bad") { _ in Bad() }
        box.register(as: "host") { _ in Host() }
        let host: Host = try box["host"]
        #expect(host.plugins.map { $0 is Good } == [true])
        box.register(User())
        box.crossFill()
        #expect(host.plugins.count == 2)
    }

    @Test("is let go of if it was awaited, too, and created again for the next who ask")
    func awaited() async throws {
        let (makings, latest) = (Counter(), Locked<@Sendable () -> Repository?> { nil })
        box.register(as: "repository") { _ in
            await Task.yield()
            makings.next()
            let new = Repository()
            latest.withLock { $0 = { [weak new] in new } }
            return new
        }
        let key = ServiceKey<Repository>("repository")
        let error = await failure { [box] in try await box.prepare(key) } as? ServiceBoxError
        #expect(error?.code == .incomplete)
        #expect(latest.withLock { $0 }() == nil)
        box.register(User())
        _ = try await box.prepare(key).user
        #expect(makings.value == 2)
    }

    @Test("has what its declaration or its initialiser gave it", arguments: lifetimes)
    func values(_ lifetime: Lifetime) throws {
        box.register(as: "defaulted", lifetime: lifetime) { _ in Defaulted() }
        let user = User()
        box.register(as: "preset", lifetime: lifetime) { _ in Preset(user) }
        _ = try box[ServiceKey<Defaulted>("defaulted")]
        #expect(try box[ServiceKey<Preset>("preset")].user === user)
    }

    @Test("doesn't fail a factory during which another service was to get it")
    func met() throws {
        box.register(Clock())
        box.register(as: "outer") { _ in Outer() }
        box.register(as: "stray") { _ in Stray() }
        box.register(as: "inner") { box in
            box.register(StrayVisitor())
            _ = try box[ServiceKey<Clock>("clock")]
            return Inner()
        }
        let outer: Outer = try box["outer"]
        #expect(outer.$inner.isFilled)
        #expect(box.failure(of: ServiceKey<Stray>("stray"))?.path == ["stray", "user"])
    }

    @Test("fails a factory that looks it up, with its own name in the path")
    func factory() throws {
        registerHandler()
        struct Report: Sendable { let handler: Handler }
        box.register(as: "report") { box in Report(handler: try box["handler"]) }
        let error = box.failure(of: ServiceKey<Report>("report"))
        #expect(error?.code == .incomplete)
        #expect(error?.path == ["Report", "handler", "repository", "user"])
    }
}
