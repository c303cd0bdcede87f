// Part of ServiceBox, released under the MIT License.
// Look-ups that a box has made so often that it remembers what they found.

import Foundation
import ServiceBoxKit
import Testing

private protocol Shape: Sendable {}
private protocol Outline: Sendable {}
private final class Square: Shape, Outline {}
private final class Circle: Shape {}

@MainActor private final class Window {}
private protocol Frame {}
extension Window: @MainActor Frame {}

/// Runs on the main thread, which isn't the main actor then.
private actor Guest {
    private final class MainThread: SerialExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private let executor = MainThread()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// How many frames each of many look-ups finds.
    func counts(in box: ServiceBox) throws -> Set<Int> {
        Set(try (0..<40).map { _ in try box.resolveAll((any Frame).self).count })
    }
}

private final class Numbered: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
}

@Suite("A look-up that was made many times before")
struct RememberedLookUpTests {
    private let box = ServiceBox()
    private let key = ServiceKey<Clock>("clock")

    /// Looks up more often than a box asks without remembering.
    private func repeatedly<Result>(_ lookUp: () throws -> Result) rethrows -> Result {
        for _ in 0..<40 { _ = try lookUp() }
        return try lookUp()
    }

    private func code(_ lookUp: () throws -> Any) -> ServiceBoxError.Code? {
        do {
            _ = try lookUp()
            return nil
        } catch {
            return (error as? ServiceBoxError)?.code
        }
    }

    @Test("finds what is registered by now, by key and by type", arguments: [false, true])
    func replacing(_ isInChild: Bool) throws {
        let asked = isInChild ? box.makeChild(name: "child").makeChild(name: "grandchild") : box
        box.register(as: key) { _ in Clock() }
        let old = try repeatedly { try asked[key] }
        #expect(try repeatedly { try asked.resolve(Clock.self) } === old)
        let new = Clock()
        box.register(new, as: key)
        #expect(try asked[key] === new)
        #expect(try asked.resolve(Clock.self) === new)
        box.remove(key)
        #expect(code { try asked[key] } == .missing)
        #expect(code { try asked.resolve(Clock.self) } == .missing)
    }

    @Test("finds a child's own service as soon as it has one")
    func overriding() throws {
        let child = box.makeChild(name: "child")
        box.register(Clock())
        let inherited = try repeatedly { try child[key] }
        let own = Clock()
        child.register(own)
        #expect(try child[key] === own && child.resolve(Clock.self) === own)
        #expect(try box[key] === inherited)
        child.clear()
        #expect(try child[key] === inherited && child.resolve(Clock.self) === inherited)
    }

    @Test("gets each box its own service that is registered for each box")
    func perBox() throws {
        box.register(as: key, per: .box) { _ in Clock() }
        let (child, copy) = (box.makeChild(name: "child"), box.copy())
        let services = try [box, child, copy].map { box in try repeatedly { try box[key] } }
        #expect(services[0] !== services[1] && services[0] === services[2])
        #expect(try zip([box, child, copy], services).allSatisfy { try $0[key] === $1 })
    }

    @Test("by a type finds none, one or too many, whatever it found before")
    func counting() throws {
        #expect(repeatedly { code { try box.resolve((any Shape).self) } } == .missing)
        box.register(Square())
        #expect(try repeatedly { try box.resolve((any Shape).self) } is Square)
        box.register(Circle())
        #expect(repeatedly { code { try box.resolve((any Shape).self) } } == .ambiguous)
        box.register(Square() as any Shape, as: "shape")
        #expect(try repeatedly { try box.resolve((any Shape).self) } is Square)
        #expect(try repeatedly { try box.resolve(Circle.self) } === box["circle"])
    }

    @Test("of all of a type in one of many children finds the child's own versions, and not what it hides")
    func children() throws {
        box.register(Square(), as: "hidden")
        box.register(as: "circle", per: .box) { _ in Circle() }
        box.register(Square(), as: "square")
        #expect(try repeatedly { try box.makeChild().resolveAll((any Shape).self) }.count == 3)
        let child = box.makeChild()
        child.register(Clock(), as: "hidden")
        child.register(Circle(), as: "own")
        let all = try child.resolveAll((any Shape).self).map { $0 as AnyObject }
        let keys: [ServiceKey<Circle>] = ["circle", "own"]
        let expected: [AnyObject] = try [child[keys[0]], box["square"] as Square, child[keys[1]]]
        #expect(all.elementsEqual(expected, by: ===))
        #expect(try child[keys[0]] !== box[keys[0]])
        box.register(Square(), as: "late")
        #expect(try repeatedly { try child.resolveAll((any Shape).self) }.count == 4)
    }

    @Test("has the box create a transient service that has registered it, and says what its closure throws")
    func transient() throws {
        let (box, isBroken) = (ServiceBox(name: "app"), Locked(false))
        box.register(as: "page", lifetime: .transient) { box in
            if isBroken.withLock({ $0 }) { throw Broken() }
            return Page(title: box.name ?? "")
        }
        let page = ServiceKey<Page>("page")
        for asked in [box, box.makeChild(name: "child")] {
            #expect(try repeatedly { try asked[page] } == Page(title: "app"))
            isBroken.withLock { $0 = true }
            let error = #expect(throws: ServiceBoxError.self) { try asked[page] }
            #expect(error?.underlying is Broken)
            #expect(error?.path == ["Page"])
            isBroken.withLock { $0 = false }
        }
    }

    @Test("of all of a type among many services follows what is added, replaced, removed and brought back")
    func amongMany() throws {
        for number in 0..<20 { box.register(Numbered(number), as: ServiceKey("\(number)")) }
        func all() throws -> [ObjectIdentifier] {
            try box.resolveAll((any Shape).self).map { ObjectIdentifier($0 as AnyObject) }
        }
        let (first, second, third) = (Circle(), Square(), Circle())
        box.register(first, as: "first")
        #expect(try all() == [ObjectIdentifier(first)])
        box.register(second, as: "second")
        #expect(try all() == [first, second].map(ObjectIdentifier.init))
        let token = box.register(third, as: "first")
        #expect(try all() == [second, third].map(ObjectIdentifier.init))
        token.remove()
        #expect(try all() == [first, second].map(ObjectIdentifier.init))
        box.remove("second")
        #expect(try all() == [ObjectIdentifier(first)])
        weak var old: Circle?
        do {
            let circle = Circle()
            old = circle
            box.register(circle, as: "circle")
        }
        #expect(try all().count == 2)
        box.remove("circle")
        #expect(old == nil)
    }

    @Test("of all of a type judges what a child has decorated by the type that it is registered as")
    func decoratingInChild() throws {
        let key = ServiceKey<any Outline>("square")
        box.register(Square(), as: key)
        #expect(try repeatedly { try box.makeChild().resolveAll((any Shape).self) }.count == 1)
        let child = box.makeChild()
        child.decorate(key) { square, _ in square }
        #expect(try child.resolveAll((any Shape).self).isEmpty)
        #expect(try child.resolveAll((any Outline).self).count == 1)
    }

    @MainActor
    @Test(
        "of all of a type finds what conforms on the main actor there alone",
        arguments: [(inChild: false, ofChild: false), (true, false), (true, true)])
    func isolationOfAll(_ service: (inChild: Bool, ofChild: Bool)) throws {
        let asked = service.inChild ? box.makeChild() : box
        (service.ofChild ? asked : box).register { @MainActor _ in Window() }
        let found = Counter()
        // Threads share tables, some of them that of the main thread.
        let asking: @Sendable () -> Void = {
            for _ in 0..<40 where (try? asked.resolveAll((any Frame).self))?.isEmpty != true { found.next() }
        }
        for _ in 1...2 {
            onThreads(Array(repeating: asking, count: 64))
            #expect(try repeatedly { try asked.resolveAll((any Frame).self) }.count == 1)
        }
        #expect(found.value == 0)
    }

    @MainActor
    @Test("of all of a type finds what conforms on the main actor there alone, on one thread too")
    func isolationOfMainThread() async throws {
        box.register { @MainActor _ in Window() }
        let guest = Guest()
        for _ in 1...2 {
            #expect(try await guest.counts(in: box) == [0])
            #expect(try repeatedly { try box.resolveAll((any Frame).self) }.count == 1)
        }
    }

    @MainActor
    @Test("finds by an interface what conforms on the main actor there alone")
    func isolation() async throws {
        box.register { @MainActor _ in Window() }
        let box = box
        for _ in 0..<40 { #expect(try box.resolve((any Frame).self) is Window) }
        let codes = await Task.detached {
            (0..<40).map { _ in self.code { try box.resolve((any Frame).self) } }
        }
        .value
        #expect(codes.allSatisfy { $0 == .missing })
        #expect(try box.resolve((any Frame).self) is Window)
    }

    @MainActor
    @Test("finds by an interface on the main actor what it doesn't find on other threads, however many ask")
    func isolationOfThreads() throws {
        box.register { @MainActor _ in Window() }
        #expect(try box.resolve((any Frame).self) is Window)
        let (tests, missing) = (self, Counter())
        // As above.
        let asking: @Sendable () -> Void = {
            for _ in 0..<40 where tests.code({ try tests.box.resolve((any Frame).self) }) == .missing {
                missing.next()
            }
        }
        onThreads(Array(repeating: asking, count: 64))
        #expect(missing.value == 40 * 64)
        #expect(try box.resolve((any Frame).self) is Window)
    }

    @Test("keeps no service that was removed")
    func letsGo() throws {
        weak var clock: Clock?
        do {
            let new = Clock()
            box.register(new)
            #expect(try repeatedly { try box[key] } === new)
            #expect(try repeatedly { try box.resolve(Clock.self) } === new)
            clock = new
        }
        #expect(clock != nil)
        box.remove(key)
        #expect(clock == nil)
    }

    @Test("in a factory is noted as its", arguments: ["key", "type", "interface", "provider"])
    func asking(_ way: String) throws {
        let lookUp: @Sendable (ServiceBox) throws -> Void = { box in
            switch way {
            case "key": _ = try box["square"] as Square
            case "type": _ = try box.resolve(Square.self)
            case "interface": _ = try box.resolve((any Shape).self)
            default: _ = try box.provider(ServiceKey<Square>("square"))
            }
        }
        box.register { _ in Square() }
        box.register(as: "store", lifetime: .transient) { box in
            try lookUp(box)
            return Numbered(0)
        }
        try repeatedly { try lookUp(box) }
        _ = try box[ServiceKey<Numbered>("store")]
        #expect(box.uses.first { $0.name == "square" }?.factories == ["store"])
    }

    @Test("sees what another task has registered before", .neverHanging)
    func stress() async {
        let (rounds, tasks) = (200, 8)
        for _ in 0..<20 {
            let box = ServiceBox()
            let child = box.makeChild(name: "child")
            let latest = Locked(0)
            box.register(Numbered(0))
            let areRight = await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    for number in 1...rounds {
                        box.register(Numbered(number))
                        latest.withLock { $0 = number }
                    }
                    return true
                }
                for task in 1..<tasks {
                    let asked = task.isMultiple(of: 2) ? box : child
                    group.addTask {
                        (0..<rounds).allSatisfy { turn in
                            let known = latest.withLock { $0 }
                            let found =
                                turn.isMultiple(of: 2)
                                ? try? asked[ServiceKey<Numbered>("numbered")]
                                : try? asked.resolve(Numbered.self)
                            return (found?.number ?? -1) >= known
                        }
                    }
                }
                return await group.allSatisfy { $0 }
            }
            #expect(areRight)
        }
    }
}
