// Part of ServiceBox, released under the MIT License.
// Gives a test its own default box, or overrides services of one, with any test framework.

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
/// registrations in the set-up reach all of these services. The base's ready-made instances and registered
/// providers are shared.
///
/// The box is the default one for the current task and the tasks that it starts, except detached ones; not on
/// threads and dispatch queues.
///
/// - Parameters:
///   - base: The box whose services are seen; if nil, the default box of the enclosing scope, if there is
///     one.
///   - name: The name of the box, for messages; by default that of the calling function.
///   - requirements: The requirements on the operation's use of its services.
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
        let overrides = scope.box.endSetUp()
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
///   - requirements: The requirements on the operation's use of its services.
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
        let overrides = scope.box.endSetUp()
        let result = try await operation()
        try scope.check(overrides)
        return result
    }
}

/// Overrides services of a box while an operation runs.
///
/// The overrides are registered in a box of their own, which builds on the given one and is the default box
/// inside. It creates its own services from the base's registrations, so an override reaches every service
/// that the operation creates, and nothing of it is left afterwards. The base's ready-made instances and
/// registered providers are shared and keep what they were filled with.
///
/// ```swift
/// import ServiceBoxKit
/// import ServiceBoxTesting
///
/// protocol Clock: Sendable {}
/// struct FixedClock: Clock {}
/// final class Alarm: Injectable {
///     @Injected var clock: any Clock
///     init() { fillWithDependencies() }
/// }
///
/// func testAlarm() throws {
///     let uses = try withOverrides(requiring: [.everyOverrideIsUsed, .nothingLiveIsUsed]) { overrides in
///         overrides.register(FixedClock() as any Clock, as: "clock")
///     } operation: {
///         _ = Alarm().clock
///         return ServiceBox.default.uses      // what each override went into
///     }
///     print(uses)
/// }
/// ```
///
/// The overrides apply to the current task and the tasks that it starts, except detached ones; not on threads
/// and dispatch queues. Scopes may nest.
///
/// - Parameters:
///   - base: The box to override services of; by default the default box.
///   - name: The name of the scope, for messages; by default that of the calling function.
///   - requirements: The requirements on the scope's use of its services.
///   - setUp: Registers the overrides, before anything else.
///   - operation: The operation to run.
/// - Returns: What the operation returns.
/// - Throws: What the set-up or the operation throws; ``ServiceOverrideError`` if both succeed and a
///   requirement isn't met.
@discardableResult
public func withOverrides<Result>(
    of base: ServiceBox = .default, named name: String = #function,
    requiring requirements: OverrideRequirements = [],
    _ setUp: (_ overrides: ServiceBox) throws -> Void, operation: () throws -> Result
) throws -> Result {
    try withServiceBox(basedOn: base, named: name, requiring: requirements, setUp, operation: operation)
}

/// Overrides services of a box while an asynchronous operation runs.
///
/// Like the function that takes a synchronous operation. The closures run in the caller's isolation.
///
/// - Parameters:
///   - base: The box to override services of; by default the default box.
///   - name: The name of the scope, for messages; by default that of the calling function.
///   - requirements: The requirements on the scope's use of its services.
///   - setUp: Registers the overrides, before anything else.
///   - operation: The operation to run.
/// - Returns: What the operation returns.
/// - Throws: What the set-up or the operation throws; ``ServiceOverrideError`` if both succeed and a
///   requirement isn't met.
@discardableResult
public func withOverrides<Result>(
    of base: ServiceBox = .default, named name: String = #function,
    requiring requirements: OverrideRequirements = [],
    _ setUp: (_ overrides: ServiceBox) async throws -> Void, operation: () async throws -> Result
) async throws -> Result {
    try await withServiceBox(
        basedOn: base, named: name, requiring: requirements, setUp, operation: operation)
}
