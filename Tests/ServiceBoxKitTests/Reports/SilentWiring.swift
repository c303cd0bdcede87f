// Part of ServiceBox, released under the MIT License.
// A wiring that is as it should be, and what is needed to check it.

import ServiceBoxKit
import Testing

/// A wiring in which nothing is wrong.
struct SilentWiring: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// What an audit can't examine.
    let unexamined: [String]
    let assume: (@Sendable (ServiceBox) -> Void)?
    /// Registers services in a box, may put another box in its place, and returns the objects and types that the box
    /// fills beside.
    let wire: @Sendable (_ box: inout ServiceBox) throws -> [Any]

    init(
        _ description: String, unexamined: [String] = [],
        assuming assume: (@Sendable (ServiceBox) -> Void)? = nil,
        _ wire: @escaping @Sendable (_ box: inout ServiceBox) throws -> [Any]
    ) {
        testDescription = description
        self.unexamined = unexamined
        self.assume = assume
        self.wire = wire
    }

    static let all = lifetimes + properties + values + isolated + tables + families + changes + factories
}

/// A wiring on the main actor in which nothing is wrong.
struct SilentMainActorWiring: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let wire: @MainActor (_ box: inout ServiceBox) throws -> [Any]

    init(_ description: String, _ wire: @escaping @MainActor (_ box: inout ServiceBox) throws -> [Any]) {
        testDescription = description
        self.wire = wire
    }
}
