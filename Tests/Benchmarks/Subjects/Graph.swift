// Part of ServiceBox, released under the MIT License.
// Ten services that need each other to be made: a tree in which each has a maker of its own.

import ServiceBoxKit

/// A service that needs two others, or one, or none.
final class Node: Sendable {
    let left: Node?
    let right: Node?

    init(_ left: Node? = nil, _ right: Node? = nil) {
        self.left = left
        self.right = right
    }

    /// How many services the graph has from here on.
    var count: Int { 1 + (left?.count ?? 0) + (right?.count ?? 0) }
}

/// The graph, made in different ways; what needs nothing comes first, and the last one needs all others.
enum Graph {
    static let size = 10

    typealias Make = @Sendable () throws -> Node

    /// The graph by hand: each service has a closure, which calls those of what it needs.
    static func closures() -> Make {
        build { left, right in
            Opaque.value { @Sendable in Node(try left?(), try right?()) }
        }
    }

    /// The graph of providers, all transient.
    static func provider() -> ServiceProvider<Node> {
        build { left, right in
            ServiceProvider(.transient) { Node(try left?.resolve(), try right?.resolve()) }
        }
    }

    /// Registers the graph in a box, all transient, as `node0` to `node9`.
    ///
    /// - Returns: The name of the whole.
    static func register(in box: ServiceBox) -> String {
        build { (left: String?, right: String?) in
            let name = "node\(box.registrations.count)"
            box.register(as: ServiceKey(name), lifetime: .transient) { box in
                Node(
                    try left.map { try box.resolve(ServiceKey<Node>($0)) },
                    try right.map { try box.resolve(ServiceKey<Node>($0)) })
            }
            return name
        }
    }

    /// Builds makers from the leaves to the root, in the shape of a heap.
    private static func build<Maker>(_ make: (_ left: Maker?, _ right: Maker?) -> Maker) -> Maker {
        func maker(_ index: Int) -> Maker? {
            guard index < size else { return nil }
            return make(maker(2 * index + 1), maker(2 * index + 2))
        }
        return maker(0) ?? make(nil, nil)
    }
}
