// Part of ServiceBox, released under the MIT License.
// Services that must be awaited and that need each other by their properties.

import ServiceBoxKit
import Testing

private class Node: @unchecked Sendable {}

/// A service that needs the next one, and a tag that is created for each attempt to create it.
private final class Link: Node, @unchecked Sendable {
    @Injected var tag: Tag
    @Injected var next: Node

    init(before number: Int) { _next = Injected("node\(number)") }
}

private final class Tag: Sendable {}

@Suite("Preparing services that must be awaited and need each other by properties")
struct PreparingChainTests {
    private let box = ServiceBox()
    private let tags = Counter()

    init() {
        box.register(as: "tag", lifetime: .transient) { [tags] _ in
            tags.next()
            return Tag()
        }
    }

    /// Registers services each of which needs the next, and the last one.
    private func registerChain(_ count: Int, last: @escaping @Sendable () throws -> Node) {
        for number in 0..<count {
            box.register(as: ServiceKey<Node>("node\(number)")) { _ in
                await Task.yield()
                return number + 1 < count ? Link(before: number + 1) : try last()
            }
        }
    }

    @Test("attempts each a few times, however long their chain is")
    func chain() async throws {
        registerChain(50) { Node() }
        var node = try await box.prepare("node0" as ServiceKey<Node>)
        for _ in 1..<50 { node = try #require(node as? Link).next }
        #expect(!(node is Link))
        #expect((49...150).contains(tags.value))
    }

    @Test("names the way to one whose factory fails")
    func failing() async {
        registerChain(5) { throw Broken() }
        let error = await failure { try await box.prepare("node0" as ServiceKey<Node>) } as? ServiceBoxError
        #expect(error?.path == Array(repeating: "Node", count: 5))
        #expect(error?.root.underlying is Broken)
    }
}
