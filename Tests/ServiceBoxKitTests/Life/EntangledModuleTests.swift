// Part of ServiceBox, released under the MIT License.
// Decorating and modules where boxes, threads and failures get in the way.

import ServiceBoxKit
import Testing

private protocol Named: Sendable {
    var path: String { get }
}

private final class Base: Named {
    let path: String

    init(_ path: String = "base") { self.path = path }
}

private final class Layer: Named, @unchecked Sendable {
    @Injected var clock: Clock?
    let (name, base): (String, any Named)

    init(_ name: String, over base: any Named) { (self.name, self.base) = (name, base) }

    var path: String { "\(name)(\(base.path))" }
}

private enum Storage {
    struct Module: ServiceModule {
        func register(in box: ServiceBox) {}
    }
}

private enum Search {
    struct Module: ServiceModule {
        var requires: [any ServiceModule.Type] { [Storage.Module.self] }
        func register(in box: ServiceBox) {}
    }
}

private struct MarkingModule: ServiceModule {
    func register(in box: ServiceBox) { box.register(Clock(), as: "mark") }
}

private struct CountedModule: ServiceModule {
    let count: Counter
    func register(in box: ServiceBox) { count.next() }
}

/// Adds the other one of two, which another thread adds meanwhile; each pair of tags makes another type.
private struct MutualModule<Own, Other>: ServiceModule {
    let isInside: Signal
    let isOtherInside: Signal

    func register(in box: ServiceBox) throws {
        isInside.send()
        isOtherInside.wait()
        // For a second try.
        isOtherInside.send()
        try box.add(MutualModule<Other, Own>(isInside: isOtherInside, isOtherInside: isInside))
    }
}

private enum Left {}
private enum Right {}

private struct UserModule: ServiceModule {
    let journal: Journal
    var requires: [any ServiceModule.Type] { [SlowModule.self] }
    func register(in box: ServiceBox) { journal.add(box.isRegistered("seven") ? "there" : "missing") }
}

@Suite("Decorating and modules, entangled")
struct EntangledModuleTests {
    @Test("have registered when adding them returns, whichever of several threads has them register")
    func addedByFour() {
        let early = Counter()
        for _ in 0..<1_000 {
            let box = ServiceBox()
            onThreads(4) {
                try? box.add(MarkingModule())
                if !box.isRegistered("mark") { early.next() }
            }
        }
        #expect(early.value == 0)
    }

    private let box = ServiceBox(name: "app")
    private let key = ServiceKey<any Named>("named")

    private func decorate(_ name: String, in box: ServiceBox? = nil) {
        (box ?? self.box).decorate(key) { base, _ in Layer(name, over: base) }
    }

    // It fails about once in 200 rounds.
    @Test("keeps what is registered while another thread decorates, wrapped once")
    func race() throws {
        for _ in 1...Sanitizer.rounds(2_000) {
            let (box, key) = (ServiceBox(), key)
            box.register(Base("old"), as: key)
            onThreads([
                { box.decorate(key) { base, _ in Layer("a", over: base) } },
                { box.register(Base("new"), as: key) },
            ])
            #expect(try box[key].path == "a(new)")
        }
    }

    @Test("keeps all decorations that come at the same time", arguments: 0..<20)
    func decorationRace(round: Int) async throws {
        for _ in 1...Sanitizer.rounds(50) {
            let (box, key) = (ServiceBox(), key)
            box.register(Base(), as: key)
            await withTaskGroup { group in
                for _ in 1...8 {
                    group.addTask { box.decorate(key) { base, _ in Layer("a", over: base) } }
                }
            }
            #expect(try box[key].path.count == "base".count + 8 * 3)
        }
    }

    @Test("wraps what comes back after it was decorated")
    func comesBack() throws {
        box.register(Base("old"), as: key)
        let token = box.register(Base("new"), as: key)
        decorate("a")
        token.remove()
        #expect(try box[key].path == "a(old)")
    }

    @Test("wraps for a child what its parent has later")
    func laterInParent() throws {
        let child = box.makeChild(name: "child")
        decorate("own", in: child)
        box.register(Base("first"), as: key)
        #expect(try child[key].path == "own(first)")
    }

    @Test("wraps for a child what its parent has instead")
    func replacedInParent() throws {
        let child = box.makeChild(name: "child")
        box.register(Base("first"), as: key)
        decorate("own", in: child)
        box.register(Base("second"), as: key)
        #expect(try child[key].path == "own(second)")
    }

    @Test("wraps what a copy has with what the copy has")
    func copy() throws {
        decorate("a")
        let (copy, clock) = (box.copy(), Clock())
        copy.register(clock)
        copy.register(Base(), as: key)
        #expect(try (copy[key] as? Layer)?.clock === clock)
    }

    @Test("refuses to decorate the box itself")
    func boxItself() async {
        await #expect(processExitsWith: .failure) {
            ServiceBox().decorate(ServiceKey<ServiceBox>("serviceBox")) { box, _ in box }
        }
    }

    @Test("brings back what a module that throws has decorated")
    func moduleDecorates() throws {
        box.register(Base("old"), as: key)
        box.register(Base("new"), as: key)
        #expect(throws: ServiceBoxError.self) {
            try box.add(InterruptedModule { [key] in $0.decorate(key) { base, _ in Layer("a", over: base) } })
        }
        #expect(try box[key].path == "new")
    }

    @Test("brings back what a module that throws has removed by its token, or as the newest")
    func moduleRemoves() throws {
        box.register(1, as: "number")
        box.register(2, as: "number")
        #expect(throws: ServiceBoxError.self) {
            try box.add(InterruptedModule { $0.remove(newest: "number") })
        }
        #expect(try box["number"] == 2)
    }

    @Test("brings back all that a module that throws has cleared")
    func moduleClears() throws {
        let count = Counter()
        box.register(Base("old"), as: key)
        decorate("a")
        box.register(2, as: "two")
        box.register(3, as: "three")
        box.prefer("two", for: Int.self)
        try box.add(CountedModule(count: count))
        #expect(throws: ServiceBoxError.self) { try box.add(InterruptedModule { $0.clear() }) }
        #expect((try? box.resolve(Int.self)) == 2)
        box.register(Base("new"), as: key)
        #expect(try box[key].path == "a(new)")
        try box.add(CountedModule(count: count))
        #expect(count.value == 1)
    }

    @Test("brings back what a module that throws has replaced again and again")
    func moduleReplaces() throws {
        box.register(1, as: "number")
        #expect(throws: ServiceBoxError.self) {
            try box.add(InterruptedModule { for number in 2...40 { $0.register(number, as: "number") } })
        }
        #expect((try? box["number"]) == 1)
    }

    @Test("tells modules from others by their types, not by their names")
    func sameNames() throws {
        try box.add(Search.Module(), Storage.Module())
    }

    @Test(
        "adds a module when all has registered that it requires, also on another thread",
        .neverHanging)
    func twoThreads() async throws {
        let (slow, journal, box) = (SlowModule(), Journal(), box)
        // On threads of their own alone: tests that run beside this one may keep those of all tasks.
        let second = Signal()
        onThreads([
            { try? box.add(slow) },
            {
                slow.inside.wait()
                second.send()
                try? box.add(UserModule(journal: journal), slow)
            },
            {
                second.wait()
                for number in 1...10_000 { _ = box.isRegistered("\(number)") }
                slow.go.send()
            },
        ])
        #expect(journal.all == ["there"])
    }

    @Test("that add each other on two threads fail, instead of one that counts as added", .neverHanging)
    func addingEachOther() {
        let (box, left, right) = (ServiceBox(), Signal(), Signal())
        let codes = Locked<[ServiceBoxError.Code?]>([])
        func add(_ module: any ServiceModule & Sendable) -> @Sendable () -> Void {
            {
                do throws(ServiceBoxError) {
                    try box.add(module)
                    codes.withLock { $0.append(nil) }
                } catch {
                    codes.withLock { $0.append(error.code) }
                }
            }
        }
        onThreads([
            add(MutualModule<Left, Right>(isInside: left, isOtherInside: right)),
            add(MutualModule<Right, Left>(isInside: right, isOtherInside: left)),
        ])
        #expect(codes.withLock { $0 } == [.cycle, .cycle])
    }

    @Test("leaves nothing in properties of what a module that throws has registered")
    func waitingSlots() {
        final class Screen { @Injected var number: Int? }
        let screen = Screen()
        box.fill(screen, waiting: true)
        #expect(throws: ServiceBoxError.self) {
            try box.add(InterruptedModule { $0.register(3, as: "number") })
        }
        #expect(screen.number == nil)
        let eager = InterruptedModule { $0.register(as: "number", lifetime: .eager) { _ in 3 } }
        #expect(throws: ServiceBoxError.self) { try box.add(eager) }
        #expect(screen.number == nil)
        box.register(4, as: "number")
        #expect(screen.number == 4)
    }
}
