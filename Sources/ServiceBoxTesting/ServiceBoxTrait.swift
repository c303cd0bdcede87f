// Part of ServiceBox, released under the MIT License.
// A default box of its own for each test of Swift Testing.

public import ServiceBoxKit
public import Testing

/// A trait that gives each test a default box of its own.
///
/// Make it with `serviceBox(basedOn:requiring:_:)`.
public struct ServiceBoxTrait: TestTrait, SuiteTrait, TestScoping {
    fileprivate let base: ServiceBox?
    fileprivate let requirements: OverrideRequirements
    fileprivate let setUp: @Sendable (_ box: ServiceBox) async throws -> Void

    /// Whether the trait of a suite gives a box to each test inside, and not one to all; always true.
    public var isRecursive: Bool { true }

    /// Runs a test, or a case of a test with arguments, with its box.
    ///
    /// - Parameters:
    ///   - test: The test, after which the box is named.
    ///   - testCase: The case.
    ///   - function: Runs the test.
    /// - Throws: What the set-up or the test throws, and ``ServiceOverrideError`` if a requirement is not
    ///   met.
    public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let name = test.displayName ?? test.name
        try await withServiceBox(basedOn: base, named: name, requiring: requirements) { box in
            do { try await setUp(box) } catch { throw SetUpError(name: name, cause: error) }
        } operation: {
            try await function()
        }
    }

    /// What a test records whose set-up threw an error.
    private struct SetUpError: Error, CustomStringConvertible {
        let name: String
        let cause: any Error

        var description: String { TestingMessage.setUpFailed(name, cause) }
    }
}

extension Trait where Self == ServiceBoxTrait {
    /// Gives each test, and each case of a test with arguments, a default box of its own.
    ///
    /// Put it on a test or on a suite, whose tests may run in parallel: no two share a box, nor anything that
    /// a box makes.
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
    /// The box makes for itself what its base's registrations make; what the base has ready, instances and
    /// registered providers, is shared by all tests. A trait within a suite that has one builds on the
    /// suite's box of that test, unless it names a base. A set-up that throws fails the test, which then does
    /// not run.
    ///
    /// - Parameters:
    ///   - base: The box whose services a test sees; if nil, the box of the enclosing trait, and none without
    ///     one.
    ///   - requirements: What is required of each test's use of the services; a test that does not meet them
    ///     fails. That every override is used is seldom to be asked of all tests of a suite.
    ///   - setUp: Registers services before a test; its box is the default one already.
    /// - Returns: The trait.
    public static func serviceBox(
        basedOn base: ServiceBox? = nil, requiring requirements: OverrideRequirements = [],
        _ setUp: @escaping @Sendable (_ box: ServiceBox) async throws -> Void = { _ in }
    ) -> Self {
        ServiceBoxTrait(base: base, requirements: requirements, setUp: setUp)
    }
}
