// Part of ServiceBox, released under the MIT License.
// Look-ups that find nothing, as events.

import ServiceBoxKit
import Testing

@Suite("A missed look-up")
struct MissedLookUpTests {
    /// A way to look a service up, and what there is for it.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let code: ServiceBoxError.Code
        var name: String?
        let lookUp: @Sendable (ServiceBox) throws -> Void

        init(
            _ description: String, _ code: ServiceBoxError.Code, named name: String? = nil,
            _ lookUp: @escaping @Sendable (ServiceBox) throws -> Void
        ) {
            testDescription = description
            self.code = code
            self.name = name
            self.lookUp = lookUp
        }
    }

    static let cases = [
        Case("by a name", .missing, named: "cache") { _ = try $0.resolve("cache") as Cache },
        Case("by a subscript", .missing, named: "cache") { _ = try $0["cache"] as Cache },
        Case("by a type", .missing) { _ = try $0.resolve(Cache.self) },
        Case("of a provider", .missing, named: "cache") { _ = try $0.provider("cache" as ServiceKey<Cache>) },
        Case("with parameters", .missing, named: "cache") { _ = try $0.resolve("cache", with: 1) as Cache },
        Case("of another type", .typeMismatch, named: "clock") { _ = try $0.resolve("clock") as Cache },
        Case("of another type's provider", .typeMismatch, named: "clock") {
            _ = try $0.provider("clock" as ServiceKey<Cache>)
        },
        Case("of another type, with parameters", .typeMismatch, named: "clock") {
            _ = try $0.resolve("clock", with: 1) as Cache
        },
        Case("by a type that several fit", .ambiguous) { box in
            box.register(Cache(), as: "first")
            box.register(Cache(), as: "second")
            _ = try box.resolve(Cache.self)
        },
    ]

    private let box = ServiceBox(name: "app")
    private let events = Locked<[ServiceEvent]>([])

    private func misses(_ body: (ServiceBox) throws -> Void) rethrows -> [ServiceEvent] {
        let observation = box.observe { [events] event in events.withLock { $0.append(event) } }
        try body(box)
        observation.cancel()
        return events.withLock { $0 }.filter { $0.kind == .missed }
    }

    @Test("is one event with the error, the name and the type that were asked for", arguments: cases)
    func event(_ lookUp: Case) throws {
        box.register(Clock())
        let misses = misses { box in
            let error = #expect(throws: ServiceBoxError.self) { try lookUp.lookUp(box) }
            #expect(error?.code == lookUp.code)
        }
        let event = try #require(misses.first)
        #expect(misses.count == 1)
        #expect(event.error?.code == lookUp.code)
        #expect(event.serviceName == lookUp.name)
        #expect(event.type.map { $0 == Cache.self } == true)
        #expect(event.boxName == "app")
    }

    @Test("is no event where a service is found, can't be created or is one of none")
    func found() throws {
        box.register(Clock())
        box.register(as: "broken") { _ -> Cache in throw Broken() }
        let misses = try misses { box in
            _ = try box.resolve("clock") as Clock
            _ = try box.resolveAll(FileStore.self)
            _ = try? box.resolve("broken") as Cache
        }
        #expect(misses.isEmpty)
    }

    @Test("of a factory is an event of its own before that of the service that couldn't be created")
    func insideFactory() {
        box.register(as: "store") { box in
            _ = try box.resolve("cache") as Cache
            return FileStore()
        }
        let observation = box.observe { [events] event in events.withLock { $0.append(event) } }
        _ = try? box.resolve("store") as FileStore
        #expect(events.withLock { $0 }.map(\.kind) == [.missed, .failed])
        observation.cancel()
    }

    @Test("may be repaired by an observer, for the next one")
    func repaired() throws {
        let observation = box.observe { [box] event in
            if event.kind == .missed { box.register(Cache()) }
        }
        #expect(throws: ServiceBoxError.self) { try box.resolve("cache") as Cache }
        _ = try box.resolve("cache") as Cache
        observation.cancel()
    }

    @Test("is told after others were prepared on the same thread, too")
    func afterPreparing() async throws {
        for _ in 1...20 {
            let (box, journal) = (ServiceBox(), Journal())
            box.register { _ async in Clock() }
            box.register { _ async in Cache() }
            box.register { box in
                _ = try box["clock"] as Clock
                return Page()
            }
            box.register(as: "user") { box in
                _ = try box["cache"] as Cache
                return Page(number: 2)
            }
            let observation = box.observe { event in
                if event.kind == .failed { journal.add(event.serviceName ?? "") }
            }
            // An attempt that the wait for the clock follows has not failed.
            _ = try await box.prepare("page") as Page
            #expect(journal.all.isEmpty)
            #expect(box.failure(of: ServiceKey<Page>("user"))?.code == .notReady)
            #expect(journal.all == ["user"])
            withExtendedLifetime(observation) {}
        }
    }
}
