// Part of ServiceBox, released under the MIT License.
// Preparing what needs services that the box doesn't keep.

import ServiceBoxKit
import Testing

private final class Tracked: Sendable {
    private let ends: Counter

    init(_ ends: Counter) {
        self.ends = ends
    }

    deinit { ends.next() }
}

private final class Holder: @unchecked Sendable {
    @Injected var tracked: Tracked
}

private final class Starting: ServiceLifecycle, @unchecked Sendable {
    @Injected var tracked: Tracked
    let starts = Counter()

    func start() { starts.next() }
}

@Suite("Preparing with weak services")
struct PreparingWeakTests {
    private let box = ServiceBox()
    private let starts = Counter()
    private let ends = Counter()
    private let tracked = "tracked" as ServiceKey<Tracked>

    private func registerOnMainActor() {
        box.register(as: tracked, lifetime: .weak) { @MainActor [starts, ends] _ in
            starts.next()
            return Tracked(ends)
        }
    }

    private func registerAwaited() {
        box.register(as: tracked, lifetime: .weak) { [starts, ends] _ in
            await Task.yield()
            starts.next()
            return Tracked(ends)
        }
    }

    @Test("creates one on its actor for a property, and for a factory")
    func elsewhere() async throws {
        registerOnMainActor()
        box.register(as: "holder") { _ in Holder() }
        box.register(as: "wrapper") { [tracked] box in Holder(holding: try box.resolve(tracked)) }
        do {
            let holder = try await box.prepare("holder" as ServiceKey<Holder>)
            let wrapper = try await box.prepare("wrapper" as ServiceKey<Holder>)
            #expect(holder.tracked === wrapper.tracked)
        }
        #expect(starts.value == 1)
    }

    @Test("creates a decorated one on its actor")
    func decorated() async throws {
        registerOnMainActor()
        box.decorate(tracked) { tracked, _ in tracked }
        _ = try await box.prepare(tracked)
        #expect(starts.value == 1)
        #expect(ends.value == 1)
    }

    @Test("starts a service that has one")
    func starting() async throws {
        registerOnMainActor()
        box.register(as: "starting") { _ in Starting() }
        try await box.start()
        let starting: Starting = try box.resolve("starting")
        #expect(starting.starts.value == 1)
        #expect(starts.value == 1)
        #expect(await box.stop().isEmpty)
    }

    @Test("keeps one while a factory asks for it again")
    func again() async throws {
        registerAwaited()
        box.register(as: "holder") { [tracked] box in
            _ = try box.resolve(tracked)
            return Holder(holding: try box.resolve(tracked))
        }
        _ = try await box.prepare("holder" as ServiceKey<Holder>)
        #expect(starts.value == 1)
    }

    @Test("has many tasks share one, or have one each")
    func many() async throws {
        registerAwaited()
        box.register(as: "holder", lifetime: .transient) { _ in Holder() }
        try await withThrowingTaskGroup { [box] group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<100 { _ = try await box.prepare("holder" as ServiceKey<Holder>) }
                }
            }
            try await group.waitForAll()
        }
        #expect(starts.value == ends.value)
    }

    @Test("keeps none for a factory that fails")
    func failing() async {
        registerAwaited()
        box.register(as: "holder") { [tracked] box -> Holder in
            _ = try box.resolve(tracked)
            throw Broken()
        }
        await #expect(throws: ServiceBoxError.self) {
            _ = try await box.prepare("holder" as ServiceKey<Holder>)
        }
        #expect(starts.value == 1)
        #expect(ends.value == 1)
    }
}

extension Holder {
    fileprivate convenience init(holding tracked: Tracked) {
        self.init()
        self.tracked = tracked
    }
}
