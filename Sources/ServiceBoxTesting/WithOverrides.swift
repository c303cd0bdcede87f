// Part of ServiceBox, released under the MIT License.
// Other services in the place of a box's own, for a scope.

public import ServiceBoxKit

/// Overrides services of a box while an operation runs.
///
/// The overrides are registered in a box of their own, which builds on the given one and is the default box
/// inside. It makes for itself what its base's registrations make, so an override reaches every service that
/// is made in the operation, and nothing of it is left afterwards. What the base has ready, instances and
/// registered providers, is shared and keeps what it has been filled with.
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
/// May be called from anywhere. The overrides hold for the current task and the child tasks it starts. Scopes
/// may nest.
///
/// - Parameters:
///   - base: The box to override services of; the default one unless you say otherwise.
///   - name: The name of the scope, for messages; that of the calling function unless you say otherwise.
///   - requirements: What is required of the use of the services.
///   - setUp: Registers the overrides, before anything else.
///   - operation: Runs at once.
/// - Returns: What the operation returns.
/// - Throws: What the set-up or the operation throws; ``ServiceOverrideError`` if both succeed and a
///   requirement is not met.
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
/// As the function that takes a synchronous operation. May be called from anywhere; the closures run in the
/// caller's isolation.
///
/// - Parameters:
///   - base: The box to override services of; the default one unless you say otherwise.
///   - name: The name of the scope, for messages; that of the calling function unless you say otherwise.
///   - requirements: What is required of the use of the services.
///   - setUp: Registers the overrides, before anything else.
///   - operation: Runs at once.
/// - Returns: What the operation returns.
/// - Throws: What the set-up or the operation throws; ``ServiceOverrideError`` if both succeed and a
///   requirement is not met.
@discardableResult
public func withOverrides<Result>(
    of base: ServiceBox = .default, named name: String = #function,
    requiring requirements: OverrideRequirements = [],
    _ setUp: (_ overrides: ServiceBox) async throws -> Void, operation: () async throws -> Result
) async throws -> Result {
    try await withServiceBox(
        basedOn: base, named: name, requiring: requirements, setUp, operation: operation)
}
