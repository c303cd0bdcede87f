// Part of ServiceBox, released under the MIT License.
// A default box of its own for each test.

import ServiceBoxKit
import ServiceBoxTesting
import Testing

private final class Cart: @unchecked Sendable {
    @Injected var clock: Clock?
}
private final class Basket: Injectable {
    @Injected var cart: Cart
    init() { fillWithDependencies() }
}

/// What an application would have: a lazy service, and a ready one.
private let application: ServiceBox = {
    let box = ServiceBox()
    box.register(as: "cart") { _ in Cart() }
    box.register(Clock(), as: "ready")
    return box
}()

/// Things that different cases have seen, kept so that no two can have one address.
private final class Seen: Sendable {
    private let objects = Guarded<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    /// Notes an object.
    ///
    /// - Returns: Whether nobody has noted it before.
    func isNew(_ object: any AnyObject & Sendable) -> Bool {
        objects.withLock { $0.updateValue(object, forKey: ObjectIdentifier(object)) == nil }
    }
}

private let seen = Seen()

@Suite("The trait of a suite", .serviceBox(basedOn: application) { $0.register(Clock(), as: "clock") })
struct SuiteTraitTests {
    private let basket = Basket()
    private let box = ServiceBox.default

    @Test("gives each case a box of its own with its own services, in parallel", arguments: 0..<128)
    func isolates(_ number: Int) async throws {
        #expect(seen.isNew(box))
        #expect(seen.isNew(basket.cart))
        box.register(number, as: "number")
        for _ in 0..<10 {
            await Task.yield()
            #expect(ServiceBox.default === box)
            #expect(try ServiceBox.default.resolve("number") == number)
            #expect(Basket().cart === basket.cart)
        }
        #expect(!application.isRegistered("number"))
    }

    @Test("runs its closure first, so that the suite's own properties are filled")
    func setsUpFirst() throws {
        let clock: Clock = try box.resolve("clock")
        #expect(basket.cart.clock === clock)
    }

    @Test("shares the instances of the base")
    func sharesReady() throws {
        let ready: Clock = try box.resolve("ready")
        #expect(try application.resolve("ready") === ready)
    }

    @Test("names the box after the test")
    func namesBox() {
        #expect(box.name == "names the box after the test")
    }

    @Test func namesBoxAfterFunction() {
        #expect(ServiceBox.default.name == "namesBoxAfterFunction()")
    }

    @Test("holds in child tasks")
    func childTasks() async {
        async let inner = ServiceBox.default
        #expect(await inner === box)
    }

    @Suite("with a suite inside that has a trait too", .serviceBox { $0.register(Clock(), as: "inner") })
    struct Inner {
        @Test("is the base of the inner trait")
        func buildsOnOuter() throws {
            let box = ServiceBox.default
            #expect(["cart", "clock", "inner"].allSatisfy(box.isRegistered))
            #expect(Array(box.ownUses.keys) == ["inner"])
            #expect(seen.isNew(Basket().cart))
        }

        @Test("gives way to a base that it names", .serviceBox(basedOn: ServiceBox()))
        func ownBase() {
            #expect(ServiceBox.default.registrations.map(\.name) == ["serviceBox"])
        }
    }
}

@Suite("The trait of a test")
struct TestTraitTests {
    @Test("gives an empty box without a base", .serviceBox())
    func empty() {
        #expect(ServiceBox.default !== ServiceBox.named("default"))
        #expect(ServiceBox.default.registrations.map(\.name) == ["serviceBox"])
    }

    @Test(
        "awaits its closure, one of the main actor too",
        .serviceBox { @MainActor box in TestTraitTests.register(in: box) })
    func mainActor() throws {
        #expect(ServiceBox.default.isRegistered("cart"))
    }

    @MainActor private static func register(in box: ServiceBox) { box.register(Cart(), as: "cart") }

    private func run(
        _ trait: ServiceBoxTrait, _ body: @Sendable () async throws -> Void = {}
    ) async throws {
        let test = try #require(Test.current)
        try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
    }

    @Test("fails the test if its closure throws, and doesn't run it")
    func failingSetUp() async throws {
        struct Refusal: Error {}
        let error = await #expect(throws: (any Error).self) {
            try await run(.serviceBox { _ in throw Refusal() }) { Issue.record("The test ran.") }
        }
        #expect(
            "\(try #require(error))" == """
                Can't set up the box of 'fails the test if its closure throws, and doesn't run it': the closure of its \
                trait 'serviceBox' failed.
                  Error: Refusal() (Refusal)
                To fix, correct what the closure reports; the test did not run.
                """)
    }

    @Test("shows the first line of an error of the library")
    func failingLookUp() async throws {
        let error = await #expect(throws: (any Error).self) {
            try await run(.serviceBox { _ = try $0.resolve(Clock.self) })
        }
        let text = "\(try #require(error))"
        #expect(text.contains("\n  Error: Can't find a Clock: no registered service fits.\nTo fix, correct "))
    }

    @Test("rethrows what the test throws")
    func throwing() async {
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            try await run(.serviceBox(requiring: .everyOverrideIsUsed) { $0.register(Clock()) }) {
                throw Failure()
            }
        }
    }

    @Test("fails a test that doesn't meet its requirements")
    func requirements() async throws {
        let error = await #expect(throws: ServiceOverrideError.self) {
            try await run(.serviceBox(requiring: .everyOverrideIsUsed) { $0.register(Clock()) })
        }
        #expect(error?.unusedOverrides == ["clock"])
        #expect(error?.scopeName == "fails a test that doesn't meet its requirements")
    }
}

private final class Alarm: Injectable {
    @Injected var clock: Clock
    init() { fillWithDependencies() }
}

@Suite(
    "The trait of a suite with several services",
    .serviceBox { box in
        box.register(Clock())
        box.register(Cart())
    })
struct AlarmTests {
    private let alarm = Alarm()

    @Test("fills the suite's own objects with what a test resolves by type")
    func takesTheClock() throws {
        #expect(try alarm.clock === ServiceBox.default.resolve(Clock.self))
    }
}
