// Part of ServiceBox, released under the MIT License.
// A default box of its own for a test, with any test framework.

public import ServiceBoxKit

/// Gives an operation a default box of its own, as the trait `serviceBox` does for a test of Swift Testing.
///
/// ```swift
/// import ServiceBoxKit
/// import ServiceBoxTesting
///
/// final class Clock: Sendable {}
/// final class Alarm: Injectable {
///     @Injected var clock: Clock
///     init() { fillWithDependencies() }
/// }
///
/// // A method of a test case.
/// func testAlarm() throws {
///     try withServiceBox { box in
///         box.register(Clock())
///     } operation: {
///         _ = Alarm().clock
///     }
/// }
/// ```
///
/// The box makes for itself what its base's registrations make, so tests that run at the same time do not
/// meet, and what the set-up registers reaches all that is made for it. What the base has ready, instances
/// and registered providers, is shared.
///
/// May be called from anywhere. The box is the default one for the current task and the child tasks it
/// starts.
///
/// - Parameters:
///   - base: The box whose services are seen; if nil, the box that an enclosing scope has made the default
///     one, and none if there is no such scope.
///   - name: The name of the box, for messages; that of the calling function unless you say otherwise.
///   - requirements: What is required of the use of the services.
///   - setUp: Registers services, before anything else; the box is the default one already.
///   - operation: Runs at once.
/// - Returns: What the operation returns.
/// - Throws: What the set-up or the operation throws; ``ServiceOverrideError`` if both succeed and a
///   requirement is not met.
@discardableResult
public func withServiceBox<Result>(
    basedOn base: ServiceBox? = nil, named name: String = #function,
    requiring requirements: OverrideRequirements = [],
    _ setUp: (_ box: ServiceBox) throws -> Void = { _ in }, operation: () throws -> Result
) throws -> Result {
    let scope = BoxScope(of: base ?? ServiceBox.scopedDefault, named: name, requiring: requirements)
    return try ServiceBox.withDefault(scope.box) {
        try setUp(scope.box)
        let overrides = scope.box.ownUses
        let result = try operation()
        try scope.check(overrides)
        return result
    }
}

/// Gives an asynchronous operation a default box of its own, as the trait `serviceBox` does for a test of
/// Swift Testing.
///
/// As the function that takes a synchronous operation. May be called from anywhere; the closures run in the
/// caller's isolation.
///
/// - Parameters:
///   - base: The box whose services are seen; if nil, the box that an enclosing scope has made the default
///     one, and none if there is no such scope.
///   - name: The name of the box, for messages; that of the calling function unless you say otherwise.
///   - requirements: What is required of the use of the services.
///   - setUp: Registers services, before anything else; the box is the default one already.
///   - operation: Runs at once.
/// - Returns: What the operation returns.
/// - Throws: What the set-up or the operation throws; ``ServiceOverrideError`` if both succeed and a
///   requirement is not met.
@discardableResult
public func withServiceBox<Result>(
    basedOn base: ServiceBox? = nil, named name: String = #function,
    requiring requirements: OverrideRequirements = [],
    _ setUp: (_ box: ServiceBox) async throws -> Void = { _ in }, operation: () async throws -> Result
) async throws -> Result {
    let scope = BoxScope(of: base ?? ServiceBox.scopedDefault, named: name, requiring: requirements)
    return try await ServiceBox.withDefault(scope.box) {
        try await setUp(scope.box)
        let overrides = scope.box.ownUses
        let result = try await operation()
        try scope.check(overrides)
        return result
    }
}
