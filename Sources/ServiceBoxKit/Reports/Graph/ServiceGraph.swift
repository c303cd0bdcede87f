// Part of ServiceBox, released under the MIT License.
// The wiring of a box as nodes and edges.

/// Who has what from a box: services and the types it fills as nodes, properties as edges.
///
/// The order of nodes and edges depends on names and on the source alone, so two graphs of the same wiring
/// are equal and read the same.
///
/// ```swift
/// print(box.graph)                            // what was filled so far
/// print(box.graph(planned: true).mermaid)     // what would be; draws in a Markdown viewer
/// ```
///
/// May be used from anywhere. It keeps neither the box nor services alive.
public struct ServiceGraph: Hashable, Sendable, Codable {
    /// A registered service, or a type of other objects.
    public struct Node: Hashable, Sendable, Codable, Identifiable {
        /// What tells the node from others: the name of a service behind `service:`, or of a type behind
        /// `type:`.
        public let id: String
        /// The name that the service is registered under; nil for a type.
        public let serviceName: String?
        /// The type that the service is registered as, or the type of the objects.
        public let type: String
        /// The type of the service itself, if that is known to be another.
        public let implementation: String?
        /// `eager`, `lazy`, `weak` or `transient`; nil for a type, and for a service that is registered
        /// ready-made or made with parameters.
        public let lifetime: String?
        /// Where the service was registered, as `Module/File.swift:12`; nil for a type.
        public let place: String?
        /// The place among all that the box has filled, from 1; nil if the box has filled none of it.
        public let order: Int?
        /// Whether the service has never been made, so that its own properties are not known if its type is
        /// not.
        public let isUnmade: Bool
    }

    /// A property that takes a service.
    public struct Edge: Hashable, Sendable, Codable {
        /// What became of the property.
        ///
        /// May be used from anywhere.
        public enum State: String, Hashable, Sendable, Codable {
            /// It has the service, or would get it.
            case filled
            /// It holds what the box did not give it, or a service that the box does not see: it is no longer
            /// registered, or it is an ancestor's and the box has another of that name.
            case kept
            /// It has nothing and should have something.
            case hole
        }

        /// The ``Node/id`` of the service or the type that the property belongs to.
        public let source: String
        /// The property's name; `self` for a hole that is about the whole object.
        public let property: String
        /// The ``Node/id`` of the service; nil for a hole, and for a property that keeps what the box does
        /// not know.
        public let target: String?
        /// The name that a service for the property is registered under.
        public let serviceName: String
        /// The type that the property asks for.
        public let wantedType: String
        /// What became of it.
        public let state: State
        /// How it went, in one word: the name of a ``PropertyReport/Outcome``.
        public let outcome: String
        /// Whether the property holds the service weakly.
        public let isWeak: Bool
    }

    /// The services, sorted by name, then the types.
    public let nodes: [Node]
    /// The properties, in the order of the nodes and of the source.
    public let edges: [Edge]

    /// The properties that have nothing and should have something.
    public var holes: [Edge] { edges.filter { $0.state == .hole } }
}

extension ServiceBox {
    /// What the box has filled so far: the registered services, and the types of other objects.
    ///
    /// Of a type the latest fill counts. May be called from anywhere; fills nothing and makes nothing.
    ///
    /// - Complexity: O(*n* log *n*) for *n* services, types and their properties.
    public var graph: ServiceGraph { ServiceGraph(WiringMap(of: self, isPlanned: false)) }

    /// What the box has filled so far, or what it would fill.
    ///
    /// A plan covers the registered services and the types that this box has filled. A service that was never
    /// made counts with its properties if an object of the type that it is registered as was filled or is
    /// given.
    ///
    /// Call it in the isolation of the objects in `others`; without those it may be called from anywhere. It
    /// fills nothing and makes nothing.
    ///
    /// - Parameters:
    ///   - planned: Whether to show what fills would do now.
    ///   - others: Types and objects to plan for besides; only for a plan.
    /// - Returns: The graph.
    /// - Complexity: O(*n* log *n*) for *n* services, types and their properties.
    public func graph(planned: Bool, including others: [Any] = []) -> ServiceGraph {
        ServiceGraph(WiringMap(of: self, isPlanned: planned, including: planned ? others : []))
    }
}
