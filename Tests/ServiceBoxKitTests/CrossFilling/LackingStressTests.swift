// Part of ServiceBox, released under the MIT License.
// Services that lack something, asked for from many tasks.

import ServiceBoxKit
import Testing

private final class User: Sendable {}

private final class Hub: @unchecked Sendable {
    @Injected var spoke: Spoke
    @Injected var visitor: Visitor?
}

private final class Spoke: @unchecked Sendable {
    @Injected var rim: Rim
    @Injected var visitor: Visitor
}

private final class Rim: @unchecked Sendable {
    @Injected var hub: Hub
    @Injected var user: User
}

private final class Visitor: @unchecked Sendable {
    @Injected var hub: Hub?
    @Injected var rim: Rim?
    @Injected var clock: Clock
}

private final class Link: @unchecked Sendable {
    @Injected var next: Link
    @Injected("link0") var first: Link

    init(before next: ServiceKey<Link>) { _next = Injected(next) }

    static func key(_ number: Int) -> ServiceKey<Link> { ServiceKey("link\(number)") }
}

@Suite("Services that lack something, under load from many tasks", .neverHanging)
struct LackingStressTests {
    private static let rounds = Sanitizer.rounds(40)
    private static let tasks = 8

    private static func isComplete(_ hub: Hub) -> Bool {
        guard hub.$spoke.isFilled, hub.spoke.$rim.isFilled, hub.spoke.$visitor.isFilled else { return false }
        return hub.spoke.rim.$hub.isFilled && hub.spoke.rim.$user.isFilled
            && hub.spoke.visitor.$clock.isFilled
    }

    /// Asks for one of the services.
    ///
    /// - Returns: Whether what was handed out, if anything was, has all that it requires.
    private static func ask(_ box: ServiceBox, _ turn: Int) -> Bool {
        switch turn % 4 {
        case 0: (try? box[ServiceKey<Hub>("hub")]).map(isComplete) ?? true
        case 1:
            (try? box[ServiceKey<Spoke>("spoke")]).map { $0.$rim.isFilled && isComplete($0.rim.hub) } ?? true
        case 2: (try? box[ServiceKey<Rim>("rim")]).map { $0.$hub.isFilled && isComplete($0.hub) } ?? true
        default:
            (try? box[ServiceKey<Visitor>("visitor")]).map {
                $0.$clock.isFilled && ($0.hub.map(isComplete) ?? true)
            } ?? false
        }
    }

    @Test(
        "are never handed out, and what they need comes at last", arguments: [Lifetime.lazy, .weak],
        [false, true])
    func circle(_ lifetime: Lifetime, _ isHubReadyMade: Bool) async throws {
        for _ in 0..<Self.rounds {
            let box = ServiceBox()
            box.register(Clock())
            if isHubReadyMade {
                box.register(Hub())
            } else {
                box.register(as: "hub", lifetime: lifetime) { _ in Hub() }
            }
            box.register(as: "spoke", lifetime: lifetime) { _ in Spoke() }
            box.register(as: "rim", lifetime: lifetime) { _ in Rim() }
            box.register(as: "visitor", lifetime: lifetime) { _ in Visitor() }
            let areComplete = await withTaskGroup(of: Bool.self) { group in
                for task in 0..<Self.tasks {
                    group.addTask {
                        if task == 0 {
                            for turn in 0..<20 { _ = Self.ask(box, turn) }
                            box.register(User())
                        }
                        return (0..<40).allSatisfy { Self.ask(box, task + $0) }
                    }
                }
                return await group.allSatisfy { $0 }
            }
            #expect(areComplete)
            #expect(Self.isComplete(try box[ServiceKey<Hub>("hub")]))
        }
    }

    @Test("are found out by all who look through a long circle at once")
    func longCircle() async throws {
        let count = 30
        for _ in 0..<Self.rounds {
            let box = ServiceBox()
            for number in 0..<count {
                box.register(as: Link.key(number)) { _ in Link(before: Link.key((number + 1) % count)) }
            }
            // One of them lacks something, and so do all.
            box.register(as: Link.key(count / 2)) { _ in Link(before: "missing") }
            await withTaskGroup(of: Bool.self) { group in
                for task in 0..<Self.tasks {
                    group.addTask {
                        (0..<4).allSatisfy { (try? box[Link.key((task * 7 + $0) % count)]) == nil }
                    }
                }
                for await areRefused in group { #expect(areRefused) }
            }
        }
    }
}
