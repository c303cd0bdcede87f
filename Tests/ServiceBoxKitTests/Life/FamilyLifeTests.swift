// Part of ServiceBox, released under the MIT License.
// Starting and stopping across families, decorations and time.

import ServiceBoxKit
import Testing

private final class Database: LifePart, @unchecked Sendable {}

private final class Web: LifePart, @unchecked Sendable {
    var database: Database?
}

private final class Pool: LifePart, @unchecked Sendable {
    @InjectedAll var databases: [Database]
}

/// A service that does what it is given when it stops.
private final class Stopper: ServiceLifecycle {
    let end: @Sendable () async throws -> Void

    init(_ end: @escaping @Sendable () async throws -> Void) { self.end = end }

    func stop() async throws { try await end() }
}

/// Counts those that have come and gone.
private final class Counted: ServiceLifecycle {
    private let gone: Counter

    init(_ made: Counter, _ gone: Counter) {
        made.next()
        self.gone = gone
    }

    deinit { gone.next() }
}

private final class Owner: @unchecked Sendable {
    @Injected("lazy") var part: Counted
    @InjectedAll var all: [Counted]
}

/// Waits until something holds that tasks which are ending make true.
private func settled(_ isSettled: () -> Bool) async -> Bool {
    for _ in 1...1_000_000 where !isSettled() { await Task.yield() }
    return isSettled()
}

@Suite("The life of a family")
struct FamilyLifeTests {
    private let box = ServiceBox(name: "app")
    private let journal = Journal()

    @Test("takes what tables, lists and factories have asked for as needs")
    func order() async throws {
        box.teach(Web.self, ["database": .keyPath(\Web.database)])
        box.register(Web("web", journal), as: "web")
        box.register(Pool("pool", journal), as: "pool")
        box.register(as: "page") { [journal] box in
            _ = try box.resolveAll(Database.self)
            return LifePart("page", journal)
        }
        box.register(Database("database", journal), as: "database")
        try await box.start()
        #expect(journal.take().first == "start database")
        await box.stop()
        #expect(journal.all.last == "stop database")
        #expect(journal.all.count == 4)
    }

    @Test("starts and stops in each box what each box has")
    func eachBox() async throws {
        box.register(as: "part", per: .box) { [journal] box in LifePart(box.name ?? "", journal) }
        let child = box.makeChild(name: "child")
        let grandchild = child.makeChild(name: "grandchild")
        try await child.start()
        try await grandchild.start()
        #expect(journal.take() == ["start child", "start grandchild"])
        await box.stop()
        #expect(journal.all == ["stop grandchild", "stop child"])
    }

    @Test("stops what each box has although its parent has another one by then, or none")
    func replacedAbove() async throws {
        func register(_ number: Int) {
            box.register(as: "part", per: .box) { [journal] _ in LifePart("\(number)", journal) }
        }
        let child = box.makeChild(name: "child")
        for number in 1...2 {
            register(number)
            _ = try await child.prepare("part") as LifePart
        }
        box.remove("part")
        register(3)
        try await child.start()
        #expect(journal.take() == ["start 3"])
        box.remove("part")
        await child.stop()
        #expect(journal.all.sorted() == ["stop 1", "stop 2", "stop 3"])
    }

    @Test("lets go of what its parent has replaced long ago")
    func releasedAbove() throws {
        let child = box.makeChild(name: "child")
        weak var first: Cache?
        for number in 0...17 {
            box.register(as: "cache", per: .box) { _ in Cache() }
            let cache: Cache = try child["cache"]
            if number == 0 { first = cache }
            #expect((first == nil) == (number > 16))
        }
    }

    @Test("comes back with what its parent had replaced, in what has come to decorate it")
    func restoredAbove() async throws {
        func part(of child: ServiceBox) throws -> LifePart { try child["part"] }
        box.register(as: "part", per: .box) { [journal] _ in LifePart("first", journal) }
        let child = box.makeChild(name: "child")
        let first = try part(of: child)
        for _ in 1...3 {
            let second = box.register(as: "part", per: .box) { [journal] _ in LifePart("second", journal) }
            #expect(try part(of: child) !== first)
            second.remove()
            #expect(try part(of: child) === first)
        }
        let second = box.register(as: "part", per: .box) { [journal] _ in LifePart("second", journal) }
        _ = try part(of: child)
        child.decorate(ServiceKey<LifePart>("part")) { [journal] _, _ in LifePart("wrapper", journal) }
        second.remove()
        #expect(try part(of: child) !== first)
        await child.stop()
        #expect(journal.all.sorted().suffix(2) == ["stop second", "stop wrapper"])
        #expect(journal.all.count { $0 == "stop first" } == 1)
    }

    @Test("ends what is still being created when its parent has another one", .neverHanging)
    func replacedWhileCreated() async throws {
        let (entered, gate) = (Gate(), Gate())
        box.register(as: "part", per: .box) { [journal] _ in
            entered.open()
            await Task.detached { await gate.pass() }.value
            return LifePart("first", journal)
        }
        let child = box.makeChild(name: "child")
        let first = Task { try await child.prepare("part") as LifePart }
        await entered.pass()
        box.register(as: "part", per: .box) { [journal] _ in LifePart("second", journal) }
        let _: LifePart = try child["part"]
        gate.open()
        _ = try await first.value
        await box.stop()
        #expect(journal.all.sorted() == ["stop first", "stop second"])
    }

    @Test("starts and stops once what a decoration hands on as it is, with the box that has it")
    func undecorated() async throws {
        let part = ServiceKey<LifePart>("part")
        box.register(LifePart("part", journal), as: part)
        let child = box.makeChild(name: "child")
        for box in [box, child] { box.decorate(part) { part, _ in part } }
        let _: LifePart = try child[part]
        try await child.start()
        await child.stop()
        #expect(journal.all == [])
        try await box.start()
        await box.stop()
        #expect(journal.all == ["start part", "stop part"])
    }

    @Test("stops before a box those below it that were never started, if they have something to stop")
    func unstarted() async throws {
        let journal = journal
        box.register(LifePart("box", journal), as: "box")
        box.register(as: "each", per: .box, onStop: { _ in journal.add("close each") }) { _ in Cache() }
        let child = box.makeChild(name: "child")
        let _: Cache = try child["each"]
        let grandchild = child.makeChild(name: "grandchild")
        grandchild.register(LifePart("instance", journal), as: "instance")
        let decorated = grandchild.makeChild(name: "decorated")
        decorated.decorate(ServiceKey<Page>("page")) { page, _ in page }
        decorated.register(Page(), as: "page", onStop: { _ in journal.add("close page") })
        let weak = decorated.makeChild(name: "weak")
        weak.register(as: "weak", lifetime: .weak, onStop: { _ in journal.add("close weak") }) { _ in Cache()
        }
        let held: Cache = try weak["weak"]
        box.makeChild(name: "idle").register(Cache())
        await box.stop()
        #expect(
            journal.all == ["close weak", "close page", "stop instance", "close each", "stop box"])
        withExtendedLifetime(held) {}
        #expect(child.failure(of: ServiceKey<Cache>("each"))?.code == .stopped)
    }

    @Test("is stopped by a factory that is awaited, also while it starts", .neverHanging)
    func stoppedByFactory() async {
        for isStarting in [true, false] {
            let box = ServiceBox()
            box.register(as: "page") { box in
                await box.stop()
                return Page()
            }
            _ = await failure {
                if isStarting { try await box.start() } else { _ = try await box.prepare("page") as Page }
            }
            await box.stop()
            #expect(box.failure(of: ServiceKey<Page>("page"))?.code == .stopped)
        }
    }

    @Test("stops what is created and registered while it stops")
    func madeMeanwhile() async {
        let journal = journal
        box.register(as: "late", onStop: { (_: Cache) in journal.add("stop late") }) { _ in Cache() }
        box.register(
            Stopper { [box] in
                let _: Cache = try box["late"]
                box.register(LifePart("new", journal), as: "new")
            }, as: "stopper")
        #expect(await box.stop() == [])
        #expect(Set(journal.all) == ["stop late", "stop new"])
    }

    @Test("stops to the end in a task that is cancelled", .neverHanging)
    func cancelledStop() async {
        let journal = journal
        box.register(
            Stopper {
                await Task.yield()
                journal.add(Task.isCancelled ? "cancelled" : "fine")
            }, as: "stopper")
        let stop = Task { [box] in
            while !Task.isCancelled { await Task.yield() }
            await box.stop()
        }
        stop.cancel()
        await stop.value
        #expect(journal.all == ["fine"])
    }

    @Test(
        "says each time who hasn't ended within what limit, and nothing when all have",
        .neverHanging)
    func limits() async {
        let isHeld = Locked(true)
        box.register(Stopper { while isHeld.withLock({ $0 }) { await Task.yield() } }, as: "stopper")
        for limit in [Duration.milliseconds(20), .milliseconds(1), .seconds(-1)] {
            #expect(await box.stop(within: limit).map(\.code) == [.stopTimedOut])
        }
        isHeld.withLock { $0 = false }
        #expect(await box.stop(within: .seconds(60)) == [])
    }

    @Test("hands a closure what was registered, and not what it is wrapped in")
    func decorated() async throws {
        let key = ServiceKey<Page>("page")
        box.register(as: key, onStop: { [journal] page in journal.add("\(page.number)") }) { _ in
            Page(number: 1)
        }
        box.decorate(key) { page, _ in Page(number: page.number + 1) }
        #expect(try box[key].number == 2)
        await box.stop()
        #expect(journal.all == ["1"])
    }

    @Test("ends a weak service that somebody has, and a value whose closure throws")
    func weakAndValue() async throws {
        box.register(as: "weak", lifetime: .weak, onStop: { [journal] (_: Cache) in journal.add("weak") }) {
            _ in
            Cache()
        }
        box.register(
            Page(number: 3), as: "value",
            onStop: { [journal] (page: Page) in
                journal.add("value \(page.number)")
                throw Broken()
            })
        let cache: Cache = try box["weak"]
        #expect(await box.stop().map(\.code) == [.stopFailed])
        #expect(journal.all == ["weak", "value 3"])
        withExtendedLifetime(cache) {}
    }

    @Test("ends the child of an operation that is cancelled, and hands out what the operation has thrown")
    func cancelledOperation() async throws {
        let error = await failure { [box, journal] in
            try await box.withChild { child in
                child.register(
                    Stopper {
                        journal.add("stop")
                        throw Broken()
                    }, as: "stopper")
                throw CancellationError()
            }
        }
        #expect(error is CancellationError)
        #expect(journal.all == ["stop"])
    }

    @Test("keeps a scope's services apart from those of its base")
    func scope() async throws {
        let made = Counter()
        box.register(as: "page", onStop: { [journal] (page: Page) in journal.add("\(page.number)") }) { _ in
            await Task.yield()
            return Page(number: made.next())
        }
        let base: Page = try await box.prepare("page")
        let scope = ServiceBox.makeScope(of: box, name: "scope")
        try await scope.start()
        #expect(try scope[ServiceKey<Page>("page")].number == 2)
        await scope.stop()
        #expect(journal.all == ["2"])
        #expect(try box["page"] == base)
    }

    // MARK: Memory

    @Test("lets go of all that it had, however that came about")
    func released() async throws {
        let (made, gone, box) = (Counter(), Counter(), box)
        func fill() {
            box.register(as: "lazy") { _ in Counted(made, gone) }
            box.register(as: "awaited") { _ in
                await Task.yield()
                return Counted(made, gone)
            }
            box.register(as: "eager", lifetime: .eager) { _ in Counted(made, gone) }
            box.register(Counted(made, gone), as: "replaced")
            box.register(Counted(made, gone), as: "replaced")
            box.decorate(ServiceKey<Counted>("lazy")) { _, _ in Counted(made, gone) }
            box.register(Owner())
            box.register(as: "owner.2") { _ in Owner() }
        }
        fill()
        try await box.start()
        await box.stop()
        #expect(await settled { gone.value == made.value })
    }

    @Test("leaves nothing behind of its children, however many there were")
    func children() async throws {
        let (made, gone, ended) = (Counter(), Counter(), Counter())
        box.register(as: "part", per: .box, onStop: { (_: Counted) in ended.next() }) { _ in
            Counted(made, gone)
        }
        weak let child = try await box.withChild { child in
            _ = try child[ServiceKey<Counted>("part")]
            return child
        }
        let rounds = Sanitizer.rounds(2_000)
        for _ in 1...rounds {
            try await box.withChild { child in _ = try child[ServiceKey<Counted>("part")] }
        }
        #expect(ended.value == rounds + 1)
        #expect(await settled { gone.value == rounds + 1 && child == nil })
    }

    @Test("keeps no box alive that has started, or whose start was cancelled", .neverHanging)
    func boxes() async throws {
        final class Slow: ServiceLifecycle {
            let gate: Gate
            init(_ gate: Gate) { self.gate = gate }
            func start() async throws { await gate.pass() }
        }
        func begin() async -> ServiceBox {
            let (box, gate) = (ServiceBox(), Gate())
            box.register(Slow(gate))
            let start = Task { try await box.start() }
            await gate.arrivals()
            start.cancel()
            gate.open()
            _ = await start.result
            await box.stop()
            return box
        }
        weak let gone = await begin()
        #expect(await settled { gone == nil })
    }

    @Test("takes what was looked up when it was read as a need")
    func readNeeds() async throws {
        final class Reader: LifePart, @unchecked Sendable {
            @Injected("database", when: .read) var database: Database
        }
        let reader = Reader("reader", journal)
        box.register(reader, as: "reader")
        box.register(Database("database", journal), as: "database")
        box.crossFill()
        #expect(reader.database.name == "database")
        try await box.start()
        #expect(journal.take() == ["start database", "start reader"])
        await box.stop()
        #expect(journal.all == ["stop reader", "stop database"])
    }
}
