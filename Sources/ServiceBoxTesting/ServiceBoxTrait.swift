// Part of ServiceBox, released under the MIT License.
// Gives each test of Swift Testing its own default box.

public import ServiceBoxKit
public import Testing

/// A trait that gives each test its own default box.
///
/// Create it with `serviceBox(basedOn:requiring:_:)`.
public struct ServiceBoxTrait: TestTrait, SuiteTrait, TestScoping {
    fileprivate let base: ServiceBox?
    fileprivate let requirements: OverrideRequirements
    fileprivate let setUp: @Sendable (_ box: ServiceBox) async throws -> Void

    /// Whether a suite's trait gives each test inside a box of its own; always true.
    public var isRecursive: Bool { true }

    /// Runs a test, or a case of a test with arguments, with its box.
    ///
    /// - Parameters:
    ///   - test: The test, which gives the box its name.
    ///   - testCase: The case.
    ///   - function: Runs the test.
    /// - Throws: What the set-up or the test throws, and ``ServiceOverrideError`` if a requirement isn't met.
    public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let name = test.displayName ?? test.name
        try await withServiceBox(basedOn: base, named: name, requiring: requirements) { box in
            do { try await setUp(box) } catch { throw TestingMessage.setUpFailed(name, error) }
        } operation: {
            try await function()
        }
    }
}

extension Trait where Self == ServiceBoxTrait {
    /// Gives each test, and each case of a test with arguments, its own default box.
    ///
    /// Put it on a test or on a suite. Tests may run in parallel: no two share a box, or anything that a box
    /// creates.
    ///
    /// ```swift
    /// import ServiceBoxKit
    /// import ServiceBoxTesting
    /// import Testing
    ///
    /// final class Clock: Sendable {}
    /// final class Alarm: Injectable {
    ///     @Injected var clock: Clock
    ///     init() { fillWithDependencies() }
    /// }
    ///
    /// @Suite(.serviceBox { box in box.register(Clock()) })
    /// struct AlarmTests {
    ///     let alarm = Alarm()
    ///
    ///     @Test func ownClock() throws {
    ///         #expect(try alarm.clock === ServiceBox.default.resolve())
    ///     }
    /// }
    /// ```
    ///
    /// The box creates its own services from the base's registrations; all tests share the base's ready-made
    /// instances and registered providers. A trait inside a suite that has one builds on the suite's box for
    /// that test, unless it names a base. A set-up that throws fails the test, which then doesn't run.
    ///
    /// - Parameters:
    ///   - base: The box whose services a test sees; if nil, the box of the enclosing trait, if there is one.
    ///   - requirements: The requirements on each test's use of its services; a test that doesn't meet them
    ///     fails. Tests of one suite seldom all use every override.
    ///   - setUp: Registers services before a test; its box is already the default one.
    /// - Returns: The trait.
    public static func serviceBox(
        basedOn base: ServiceBox? = nil, requiring requirements: OverrideRequirements = [],
        _ setUp: @escaping @Sendable (_ box: ServiceBox) async throws -> Void = { _ in }
    ) -> Self {
        ServiceBoxTrait(base: base, requirements: requirements, setUp: setUp)
    }
}
