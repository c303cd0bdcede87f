// Part of ServiceBox, released under the MIT License.
// Ready-made services that lack something while they are removed, or taught to require more.

import ServiceBoxKit
import Testing

private final class Supply: Sendable {}

private final class Requiring: @unchecked Sendable {
    @Injected var supply: Supply
    var cache: Cache?
}

/// A service that requires a page of some name, and takes another.
private final class Reader: @unchecked Sendable {
    @Injected var required: Page
    @Injected var optional: Page?

    init(_ number: Int) {
        _required = Injected(ServiceKey<Page>("required\(number)"))
        _optional = Injected(ServiceKey<Page>("optional\(number)"))
    }
}

@Suite("A ready-made service that lacks something")
struct LackingInBetweenTests {
    private let box = ServiceBox()
    private let requiring = "requiring" as ServiceKey<Requiring>

    private func isIncomplete() -> Bool {
        let error = #expect(throws: ServiceBoxError.self) { try box.resolve(requiring) }
        return error?.code == .incomplete
    }

    @Test("is released when it is removed")
    func released() {
        weak let gone: Requiring? = {
            let object = Requiring()
            box.register(object, as: requiring)
            #expect(isIncomplete())
            return object
        }()
        #expect(gone != nil)
        box.remove(requiring)
        #expect(throws: ServiceBoxError.self) { try box.resolve("cache") as Cache }
        #expect(gone == nil)
    }

    @Test("isn't filled once it is removed")
    func removed() throws {
        let object = Requiring()
        box.register(object, as: requiring)
        #expect(isIncomplete())
        box.remove(requiring)
        box.register(Supply())
        _ = try box.resolve(Supply.self)
        #expect(!object.$supply.isFilled)
    }

    @Test("isn't whole if it is taught to require more while it is filled")
    func taughtMeanwhile() throws {
        let fails = Locked(true)
        box.register(Clock())
        box.teach(
            Requiring.self,
            [
                "page": .setter { [weak box] (_: Requiring, _: Page) in
                    box?.teach(
                        Requiring.self,
                        ["cache": .setter { (object: Requiring, cache: Cache) in object.cache = cache }])
                    _ = try? box?.resolve(Clock.self)
                }
            ])
        box.register(Requiring(), as: requiring)
        box.register(as: "supply") { _ in
            if fails.withLock({ $0 }) { throw Broken() }
            return Supply()
        }
        box.register(as: "page") { _ in
            if fails.withLock({ $0 }) { throw Broken() }
            return Page()
        }
        #expect(isIncomplete())
        fails.withLock { $0 = false }
        _ = try? box.resolve(requiring)
        #expect(isIncomplete())
    }

    @Test("has what it waits for created in the same order in each run")
    func order() {
        let journal = Journal()
        let numbers = 10..<22
        func register(_ kind: String) {
            for number in numbers.reversed() {
                box.register(as: ServiceKey("\(kind)\(number)")) { _ in
                    journal.add("\(kind)\(number)")
                    return Page()
                }
            }
            #expect(throws: ServiceBoxError.self) { try box.resolve(Cache.self) }
        }
        for number in numbers { box.register(Reader(number), as: ServiceKey("reader\(number)")) }
        #expect(throws: ServiceBoxError.self) { try box.resolve(Cache.self) }
        register("required")
        #expect(journal.take() == numbers.map { "required\($0)" })
        register("optional")
        #expect(journal.take() == numbers.map { "optional\($0)" })
    }
}
