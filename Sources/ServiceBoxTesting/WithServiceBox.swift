// Part of ServiceBox, released under the MIT License.
// Gives a test its own default box, with any test framework.

public import ServiceBoxKit

/// Gives an operation its own default box, as the trait `serviceBox` does for a test of Swift Testing.
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
/// The box creates its own services from the base's registrations, so parallel tests don't interfere, and
/// what the set-up registers reaches all of these services. What the base has ready, instances and registered
/// providers, is shared.
///
/// The box is the default one for the current task and its child tasks.
///
/// - Parameters:
///   - base: The box whose services are seen; if nil, the default box of the enclosing scope, if there is
///     one.
///   - name: The name of the box, for messages; by default that of the calling function.
///   - requirements: What the operation has to do with its services.
///   - setUp: Registers services, before anything else; the box is already the default one.
///   - operation: The operation to run.
/// - Returns: What the operation returns.
/// - Throws: What the set-up or the operation throws; ``ServiceOverrideError`` if both succeed and a
///   requirement isn't met.
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

/// Gives an asynchronous operation its own default box.
///
/// Like the function that takes a synchronous operation. The closures run in the caller's isolation.
///
/// - Parameters:
///   - base: The box whose services are seen; if nil, the default box of the enclosing scope, if there is
///     one.
///   - name: The name of the box, for messages; by default that of the calling function.
///   - requirements: What the operation has to do with its services.
///   - setUp: Registers services, before anything else; the box is already the default one.
///   - operation: The operation to run.
/// - Returns: What the operation returns.
/// - Throws: What the set-up or the operation throws; ``ServiceOverrideError`` if both succeed and a
///   requirement isn't met.
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
