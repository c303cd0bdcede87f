// Part of ServiceBox, released under the MIT License.
// Every check notices a provider that breaks its rule.

import ServiceBoxKit
import ServiceBoxTesting
import Synchronization
import Testing

private typealias Probe = ProviderConformance.Probe
private typealias Check = ProviderConformance.Check

/// What a check must notice.
private struct Mistake: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let lifetime: Lifetime
    let check: Check
    let finding: String
    let provider: @Sendable (@escaping @Sendable () throws -> Probe) -> ServiceProvider<Probe>

    init(
        _ description: String, of lifetime: Lifetime, _ check: Check, _ finding: String,
        provider: @escaping @Sendable (@escaping @Sendable () throws -> Probe) -> ServiceProvider<Probe>
    ) {
        testDescription = description
        self.lifetime = lifetime
        self.check = check
        self.finding = finding
        self.provider = provider
    }
}

/// Keeps the first service that a closure makes, and hands it out again and again.
private final class Keeper: Sendable {
    private let kept = AtomicLazyReference<Probe>()
    private let make: @Sendable () throws -> Probe

    init(_ make: @escaping @Sendable () throws -> Probe) {
        self.make = make
    }

    /// The first service; threads that ask before it exists create one too many.
    func probe() throws -> Probe {
        if let probe = kept.load() { return probe }
        return try kept.storeIfNil(make())
    }

    /// The first service, though a new one is made each time.
    func first() throws -> Probe { try kept.storeIfNil(make()) }

    /// A new service, which is kept too.
    func fresh() throws -> Probe {
        let probe = try make()
        _ = kept.storeIfNil(probe)
        return probe
    }
}

private struct Wrapped: Error {}

extension Mistake {
    static let all = sharing + isMade + reset + errors + exactlyOnce

    private static let sharing = [
        Mistake(
            "creates again what should be shared", of: .lazy, .sharing,
            "two calls of resolve() returned two services"
        ) {
            ServiceProvider(.transient, $0)
        },
        Mistake(
            "shares a transient service", of: .transient, .sharing,
            "two calls of resolve() returned one service"
        ) {
            ServiceProvider(.lazy, $0)
        },
        Mistake(
            "keeps a transient service", of: .transient, .sharing,
            "two calls of resolve() returned one service"
        ) {
            let keeper = Keeper($0)
            return ServiceProvider(.transient) { try keeper.probe() }
        },
        Mistake(
            "throws for no reason", of: .lazy, .sharing,
            "resolve() threw an error with the code factoryFailed"
        ) {
            _ in ServiceProvider { throw Wrapped() }
        },
    ]

    private static let isMade = [
        Mistake(
            "is created too early", of: .lazy, .isMade, "isMade is true before the first call of resolve()"
        ) {
            ServiceProvider(.eager, $0)
        },
        Mistake(
            "is created too late", of: .eager, .isMade, "isMade is false before the first call of resolve()"
        ) {
            ServiceProvider(.lazy, $0)
        },
        Mistake("is never created", of: .lazy, .isMade, "isMade is false while the service is held") {
            ServiceProvider(.transient, $0)
        },
        Mistake(
            "keeps a weak service", of: .weak, .isMade, "isMade is true once the service is released"
        ) {
            let keeper = Keeper($0)
            return ServiceProvider(.weak) { try keeper.fresh() }
        },
        Mistake(
            "drops a lazy service", of: .lazy, .isMade, "isMade is false once the service is released"
        ) {
            ServiceProvider(.weak, $0)
        },
    ]

    private static let reset = [
        Mistake("forgets nothing", of: .lazy, .reset, "resolve() returned the old service after reset()") {
            let keeper = Keeper($0)
            return ServiceProvider { try keeper.probe() }
        },
        Mistake("can't forget", of: .lazy, .reset, "isMade is true after reset()") { make in
            (try? make()).map { ServiceProvider(instance: $0) } ?? ServiceProvider(.lazy, make)
        },
        Mistake(
            "creates too many", of: .lazy, .reset,
            "two calls of resolve() with reset() between them created 4 services"
        ) { make in
            ServiceProvider {
                _ = try make()
                return try make()
            }
        },
    ]

    private static let errors = [
        Mistake("hides the cause", of: .lazy, .errors, "the error of a failed factory lacks its cause") {
            make in
            ServiceProvider {
                guard let probe = try? make() else { throw Wrapped() }
                return probe
            }
        },
        Mistake(
            "hides the error", of: .lazy, .errors, "the error of a failed factory has the code missing"
        ) { make in
            ServiceProvider { do { return try make() } catch { return try ServiceBox()["probe"] as Probe } }
        },
        Mistake("keeps the error", of: .lazy, .errors, "resolve() after a failure failed") {
            ServiceProvider(.eager, $0)
        },
        Mistake(
            "forgets the error", of: .eager, .errors, "resolve() after a failure didn't throw the kept error"
        ) {
            ServiceProvider(.lazy, $0)
        },
        Mistake("fails forever", of: .lazy, .errors, "resolve() after a failure failed") { make in
            let first = Result { try make() }
            return ServiceProvider { try first.get() }
        },
        Mistake(
            "fails for good", of: .eager, .errors, "resolve() after a failure and reset() failed"
        ) { make in
            let first = Result { try make() }
            return ServiceProvider(.eager) { try first.get() }
        },
    ]

    private static let exactlyOnce = [
        Mistake("creates one for each thread", of: .lazy, .exactlyOnce, "8 threads created 8 services") {
            ServiceProvider(.transient, $0)
        },
        Mistake("creates one for all threads", of: .transient, .exactlyOnce, "8 threads created 1 service") {
            ServiceProvider(.lazy, $0)
        },
        Mistake("gives all threads one service", of: .transient, .exactlyOnce, "8 threads got 1 service") {
            let keeper = Keeper($0)
            return ServiceProvider(.transient) { try keeper.first() }
        },
        Mistake("fails on most threads", of: .transient, .exactlyOnce, "7 of 8 threads got an error") {
            make in
            let makes = Atomic(0)
            return ServiceProvider(.transient) {
                if makes.add(1, ordering: .relaxed).oldValue > 0 { throw Wrapped() }
                return try make()
            }
        },
    ]
}

@Suite("The conformance suite")
struct BrokenProviderTests {
    @Test("finds a provider that", arguments: Mistake.all)
    private func notices(_ mistake: Mistake) {
        let suite = ProviderConformance(of: mistake.lifetime, provider: mistake.provider)
        let error = #expect(throws: ProviderConformanceError.self) { try suite.check([mistake.check]) }
        #expect(error?.failedChecks == [mistake.check])
        #expect(error?.description.contains("  \(mistake.check): \(mistake.finding)\n") == true, "\(error)")
    }

    @Test("runs every check and reports what all of them found")
    func wholeText() {
        let suite = ProviderConformance(of: .lazy) { ServiceProvider(.transient, $0) }
        let error = #expect(throws: ProviderConformanceError.self) { try suite.check() }
        #expect(error?.lifetime == .lazy)
        #expect(error?.failedChecks == [.sharing, .isMade, .exactlyOnce])
        #expect(
            error?.description == """
                Can't accept these providers as lazy ones: 3 of 5 checks failed.
                  sharing:     two calls of resolve() returned two services
                  isMade:      isMade is false while the service is held
                  exactlyOnce: 8 threads created 8 services
                To fix, let the factory call the closure that it is given once for each service and return or rethrow its result, and leave keeping and sharing to the provider.
                """)
    }

    @Test("has a name for each check")
    func names() {
        #expect(Check.all.map(\.description) == ["sharing", "isMade", "reset", "errors", "exactlyOnce"])
        #expect(Set(Check.all).count == 5)
    }
}
