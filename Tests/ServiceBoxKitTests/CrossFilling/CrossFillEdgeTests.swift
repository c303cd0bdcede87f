// Part of ServiceBox, released under the MIT License.
// Tests of what cross-fills do and leave alone in rare constellations.

import ServiceBoxKit
import Testing

private final class Supply: Sendable {}

private final class Needy: @unchecked Sendable { @Injected var supply: Supply }

private final class NeedySeeker: @unchecked Sendable { @Injected var needy: Needy? }

private final class Seeker: @unchecked Sendable { @Injected var cache: Cache? }

private final class Numbers: @unchecked Sendable { @InjectedAll var numbers: [Int] }

private final class Thing: @unchecked Sendable { var cache: Cache? }

/// A type that has nothing to fill.
private final class Bare: Sendable {}

@MainActor private final class Mill {
    fileprivate var cache: Cache?
    nonisolated init() {}
}

extension Mill: @MainActor Injectable {
    static var injections: InjectionTable { ["cache": .keyPath(\Mill.cache)] }
}

/// The same, never read on the main actor.
@MainActor private final class Kiln {
    fileprivate var cache: Cache?
    nonisolated init() {}
}

extension Kiln: @MainActor Injectable {
    static var injections: InjectionTable { ["cache": .keyPath(\Kiln.cache)] }
}

private protocol Plugin {}

@MainActor private final class Theme { nonisolated init() {} }

extension Theme: @MainActor Plugin {}

private final class Desk: @unchecked Sendable { @Injected var theme: (any Plugin)? }

/// A service whose setter looks at what it gets.
private final class Tabled: Injectable, @unchecked Sendable {
    var wasWhole: Bool?

    static var injections: InjectionTable {
        ["other": .setter { (tabled: Tabled, other: Other) in tabled.wasWhole = other.$tabled.isFilled }]
    }
}

private final class Other: @unchecked Sendable { @Injected var tabled: Tabled }

/// Registers something while it is filled.
private final class Registrar: Injectable, Sendable {
    private let register: @Sendable () -> Void
    init(_ register: @escaping @Sendable () -> Void) { self.register = register }

    static var injections: InjectionTable {
        ["clock": .setter { (registrar: Registrar, _: Clock) in registrar.register() }]
    }
}

@Suite("A cross-fill, at its edges,")
struct CrossFillEdgeTests {
    private let box = ServiceBox()

    /// Uses the box, and gets nothing.
    private func use(_ box: ServiceBox) { _ = box.fill(Bare()) }

    @Test("has a list ask for a service that failed as soon as another one is created")
    func failedInList() throws {
        let (numbers, fails) = (Numbers(), Locked(true))
        box.register(numbers)
        box.register(1, as: "one")
        use(box)
        box.register(as: "two") { _ in
            if fails.withLock({ $0 }) { throw Broken() }
            return 2
        }
        box.register { _ in Clock() }
        use(box)
        #expect(numbers.numbers == [1])
        fails.withLock { $0 = false }
        _ = try box.resolve(Clock.self)
        use(box)
        #expect(numbers.numbers == [1, 2])
    }

    @Test("leaves a service of the main actor alone that was removed while others were filled")
    @MainActor func postponedAndRemoved() async throws {
        let mill = Mill()
        box.register(mill, as: "mill")
        box.register(Seeker())
        box.register(as: "cache") { [weak box] _ -> Cache in
            box?.remove("mill")
            throw Broken()
        }
        await Task.detached { [box] in _ = box.fill(Bare()) }.value
        box.register(Cache())
        _ = try box.resolve(Cache.self)
        #expect(mill.cache == nil)
    }

    @Test("leaves a parent's object alone that a child has too, with a table", arguments: [false, true])
    func parentsObject(isHandedOn: Bool) throws {
        let writes = Counter()
        let bare = Bare()
        box.register(bare)
        let child = box.makeChild()
        if isHandedOn {
            child.register(as: "alias") { try $0.resolve("bare") as Bare }
        } else {
            child.register(bare, as: "alias")
        }
        _ = try child.resolve("alias") as Bare
        child.teach(Bare.self, ["cache": .setter { (_: Bare, _: Cache) in writes.next() }])
        child.register(Cache())
        _ = try child.resolve("alias") as Bare
        #expect(writes.value == 0)
    }

    @Test("gives a child's service what the parent's owner has completed by hand")
    func completedByHand() throws {
        let (needy, seeker, child) = (Needy(), NeedySeeker(), box.makeChild())
        box.register(needy)
        child.register(seeker)
        use(child)
        #expect(seeker.needy == nil)
        needy.supply = Supply()
        _ = try box.resolve(Needy.self)
        use(child)
        #expect(seeker.needy != nil)
    }

    @Test("hands out a provider's service though its table is out of reach")
    func foreignTable() async {
        box.register(provider: ServiceProvider { Kiln() }, as: "kiln")
        let code = await Task.detached { [box] in box.failure(of: "kiln" as ServiceKey<Kiln>)?.code }.value
        #expect(code == nil)
    }

    @Test("creates nothing for a line that was written before")
    func writtenLine() {
        let (thing, count) = (Thing(), Counter())
        box.teach(Thing.self, ["cache": .keyPath(\Thing.cache)])
        box.register(thing)
        box.register(lifetime: .transient) { _ in
            count.next()
            return Cache()
        }
        use(box)
        #expect(thing.cache != nil)
        thing.cache = nil
        box.teach(Thing.self, ["clock": .setter { (_: Thing, _: Clock?) in }])
        use(box)
        #expect(count.value == 1)
    }

    @Test("gives a service one of the main actor at the first use there")
    @MainActor func isolated() async throws {
        let desk = Desk()
        box.register(desk)
        box.register(Theme(), as: "theme")
        await Task.detached { [box] in _ = box.fill(Bare()) }.value
        #expect(desk.theme == nil)
        _ = try box.resolve(Desk.self)
        #expect(desk.theme != nil)
    }

    @Test("forgets why a property was empty once it was filled")
    func oldFailure() {
        let (seeker, fails) = (Seeker(), Locked(true))
        box.register(seeker)
        box.register(as: "cache") { _ -> Cache in
            if fails.withLock({ $0 }) { throw Broken() }
            return Cache()
        }
        #expect(box.crossFill().report(on: Seeker.self)?.outcome(of: "cache") == .failed)
        fails.withLock { $0 = false }
        #expect(box.crossFill().report(on: Seeker.self)?.outcome(of: "cache") == .filled)
        seeker.cache = nil
        #expect(box.crossFill().report(on: Seeker.self)?.outcome(of: "cache") == .empty)
    }

    @Test("adds a decorated service to a list from its decorator alone")
    func decorated() {
        let numbers = Numbers()
        box.register(numbers)
        box.register(1, as: "one")
        box.decorate("two" as ServiceKey<Int>) { number, _ in number * 10 }
        use(box)
        box.register(2, as: "two")
        use(box)
        #expect(numbers.numbers == [1, 20])
    }

    @Test("tries again what lacked a service that a removal shows, if a property waits for that too")
    func shownByRemoval() {
        final class SupplySeeker: @unchecked Sendable { @Injected var supply: Supply? }
        box.register(Supply())
        let (child, seeker) = (box.makeChild(), NeedySeeker())
        child.register(Clock(), as: "supply")
        child.register { _ in Needy() }
        child.register(seeker)
        child.register(SupplySeeker())
        use(child)
        #expect(seeker.needy == nil)
        child.remove("supply")
        use(child)
        #expect(seeker.needy != nil)
    }

    @Test("calls a setter when the circle that it closes is complete")
    func setterInCircle() throws {
        box.register { _ in Tabled() }
        box.register { _ in Other() }
        #expect(try box.resolve(Tabled.self).wasWhole == true)
    }

    @Test("leaves a list what it has while one of its services is created, though another was replaced")
    func listWhileCreating() throws {
        final class Holder: @unchecked Sendable { @InjectedAll var caches: [Cache] }
        let (holder, isOn, seen) = (Holder(), Locked(false), Locked(0))
        box.register(holder)
        box.register(Cache(), as: "first")
        box.register(as: "second", lifetime: .transient) { box in
            if isOn.withLock({ $0 }) {
                isOn.withLock { $0 = false }
                box.register(Cache(), as: "first")
                _ = try box.resolve(Holder.self)
                seen.withLock { $0 = holder.caches.count }
            }
            return Cache()
        }
        use(box)
        isOn.withLock { $0 = true }
        _ = try box.resolve("second") as Cache
        #expect(seen.withLock { $0 } == 2)
    }

    @Test("gives a created service's list what its factory has had registered, also in another factory")
    func listInFactory() throws {
        box.register { box in
            box.register(Clock())
            box.register(Registrar { [weak box] in box?.register(2, as: "two") })
            return Numbers()
        }
        box.register(as: "page") { box in Page(number: try box.resolve(Numbers.self).numbers.count) }
        #expect(try box.resolve(Page.self).number == 1)
    }

    @Test("leaves a parent's object alone that a child hands on, and had registered before")
    func formerlyOwn() throws {
        let (seeker, child) = (Seeker(), box.makeChild())
        box.register(seeker)
        use(box)
        child.register(seeker)
        use(child)
        child.remove("seeker")
        child.register(as: "alias") { try $0.resolve("seeker") as Seeker }
        #expect(try child.resolve("alias") as Seeker === seeker)
        child.register(Cache())
        use(child)
        #expect(seeker.cache == nil)
    }

    @Test("gives a weak property what a later strong one keeps, by one use")
    func weakAndStrong() {
        final class Both: @unchecked Sendable {
            @WeakInjected("cache") var weak: Cache?
            @Injected("cache") var strong: Cache?
        }
        let both = Both()
        box.register(both)
        box.register(lifetime: .weak) { _ in Cache() }
        #expect(box.crossFill().report(on: Both.self)?.outcome(of: "weak") == .filled)
        #expect(both.weak != nil)
    }

    @Test("calls a setter that was taught later once for an object that another name hands on")
    func taughtAndHandedOn() throws {
        let writes = Counter()
        box.register(Bare())
        box.teach(Bare.self, ["cache": .setter { (_: Bare, _: Cache) in writes.next() }])
        box.register(Cache())
        box.register(as: "alias") { try $0.resolve("bare") as Bare }
        _ = try box.resolve("alias") as Bare
        #expect(writes.value == 1)
    }

    @Test("leaves the table of a provider's service alone that another name hands on")
    func providedAndHandedOn() throws {
        let writes = Counter()
        box.teach(Bare.self, ["cache": .setter { (_: Bare, _: Cache) in writes.next() }])
        box.register(Cache())
        box.register(provider: ServiceProvider { Bare() }, as: "bare")
        box.register(as: "alias") { try $0.resolve("bare") as Bare }
        _ = try box.resolve("bare") as Bare
        _ = try box.resolve("alias") as Bare
        #expect(writes.value == 0)
    }

    @Test("gives an object the name at once that hands it on")
    func ownAlias() throws {
        final class Node: @unchecked Sendable { @Injected var alias: Node? }
        let (node, fails) = (Node(), Locked(true))
        box.register(node)
        box.register(as: "alias") { box -> Node in
            if fails.withLock({ $0 }) { throw Broken() }
            return try box["node"]
        }
        use(box)
        #expect(node.alias == nil)
        fails.withLock { $0 = false }
        _ = try box.resolve("alias") as Node
        #expect(node.alias === node)
    }
}
