// Part of ServiceBox, released under the MIT License.
// How properties that take all services of a type follow what is registered, and what they keep alive.

import ServiceBoxKit
import Testing

private protocol Plugin: Sendable {}

private final class Loud: Plugin {
    let number: Int
    init(_ number: Int = 0) { self.number = number }
}

private final class Editor: @unchecked Sendable {
    @InjectedAll var plugins: [any Plugin]
    var numbers: [Int] { plugins.compactMap { ($0 as? Loud)?.number } }
}

private final class Studio: @unchecked Sendable {
    @Injected var clock: Clock
    @InjectedAll var plugins: [any Plugin]
}

/// Registers something while it is filled.
private final class Registrar: Injectable, Sendable {
    private let register: @Sendable () -> Void
    init(_ register: @escaping @Sendable () -> Void) { self.register = register }

    static var injections: InjectionTable {
        ["clock": .setter { (registrar: Registrar, _: Clock) in registrar.register() }]
    }
}

@Suite("A service's property that takes all services of a type, while they change")
struct InjectedAllUpdateTests {
    private let box = ServiceBox()
    private let editor = Editor()

    init() { box.register(editor) }

    @Test("doesn't show what is removed to a thread that uses the box while another one collects")
    func removedMeanwhile() {
        let (box, editor) = (box, editor)
        let seen = Locked<[[Int]]>([])
        let isFirst = Locked(false)
        box.register(Loud(1), as: "first")
        box.register(as: ServiceKey<any Plugin>("second"), lifetime: .transient) { _ in
            let isFirst = isFirst.withLock { armed in
                defer { armed = false }
                return armed
            }
            if isFirst {
                onThreads([
                    {
                        _ = try? box.resolve(Editor.self)
                        seen.withLock { $0.append(editor.numbers) }
                    }
                ])
            }
            return Loud(2)
        }
        for _ in 1...2 { box.crossFill() }
        #expect(editor.numbers == [1, 2])
        box.remove("first")
        isFirst.withLock { $0 = true }
        _ = try? box.resolve(Editor.self)
        #expect(seen.withLock { $0 } == [[2]])
        #expect(editor.numbers == [2])
    }

    @Test("has a lazy service that another thread creates while it is added")
    func createdMeanwhile() {
        let (box, editor) = (box, editor)
        let isFirst = Locked(true)
        box.crossFill()
        box.register(as: "first") { _ -> any Plugin in Loud(1) }
        box.register(as: ServiceKey<any Plugin>("second"), lifetime: .transient) { _ in
            if isFirst.withLock({ exchange(&$0, with: false) }) {
                onThreads([
                    {
                        box.register(Loud(3), as: "third")
                        _ = try? box.resolve(Editor.self)
                    }
                ])
            }
            return Loud(2)
        }
        for _ in 1...3 { _ = try? box.resolve(Editor.self) }
        #expect(editor.numbers == [1, 2, 3])
    }

    @Test("has a transient service that is registered while a child uses the box")
    func registeredFromChild() {
        let child = box.makeChild()
        box.crossFill()
        child.register(Clock())
        child.register(Registrar { [box] in box.register(lifetime: .transient) { _ in Loud(1) } })
        child.register(Editor(), as: "childEditor")
        child.crossFill()
        box.crossFill()
        #expect(editor.numbers == [1])
    }

    @Test("is filled when its service is completed only after another one was awaited")
    func awaited() async throws {
        let box = ServiceBox()
        box.register(as: "loud") { _ -> any Plugin in Loud() }
        box.register { _ in
            await Task.yield()
            return Studio()
        }
        box.register { _ in
            await Task.yield()
            return Clock()
        }
        #expect(try await box.prepare(Studio.self).plugins.count == 1)
    }

    @Test(
        "is filled when its service is completed at a second attempt",
        arguments: [Lifetime.lazy, .weak, .transient])
    func secondAttempt(_ lifetime: Lifetime) throws {
        let box = ServiceBox()
        let studio = Studio()
        box.register(as: "loud") { _ -> any Plugin in Loud() }
        box.register(lifetime: lifetime) { _ in studio }
        #expect(throws: ServiceBoxError.self) { try box.resolve(Studio.self) }
        box.register(Clock())
        #expect(try box.resolve(Studio.self).plugins.count == 1)
    }

    @Test("keeps nothing alive that is removed, or beneath what is removed")
    func keepsNothing() {
        weak var replaced: Loud?
        weak var removed: Loud?
        do {
            let (first, second) = (Loud(1), Loud(2))
            (replaced, removed) = (first, second)
            box.register(first, as: "first")
            box.register(second, as: "second")
            box.crossFill()
            #expect(editor.numbers == [1, 2])
        }
        box.register(Loud(3), as: "first")
        box.remove("second")
        box.crossFill()
        #expect(editor.numbers == [3])
        #expect(replaced != nil)
        box.remove("first")
        box.crossFill()
        #expect(replaced == nil)
        #expect(removed == nil)
    }

    @Test("has what a provider creates after its reset in the place of what it created before")
    func providerReset() throws {
        let (makings, key) = (Counter(), ServiceKey<Loud>("loud"))
        let provider = ServiceProvider { Loud(makings.next()) }
        box.register(provider: provider, as: key)
        _ = try box[key]
        box.crossFill()
        #expect(editor.numbers == [1])
        provider.reset()
        _ = try box[key]
        box.crossFill()
        #expect(editor.numbers == [2])
    }

    @Test("keeps nothing alive of what the box gave it once it is set by hand")
    func setByHand() {
        weak var gone: Loud?
        do {
            let first = Loud(1)
            gone = first
            box.register(first, as: "first")
            box.crossFill()
        }
        editor.plugins = [Loud(9)]
        box.remove("first")
        box.register(Loud(2), as: "second")
        box.crossFill()
        #expect(gone == nil)
        #expect(editor.numbers == [9])
    }

    @Test("has nothing created for it once it is set by hand", arguments: [false, true])
    func nothingCreated(isShared: Bool) {
        let makes = Counter()
        box.register(Loud(1), as: "first")
        box.crossFill()
        // While others have the property, its earlier list lives.
        let copy = isShared ? editor.$plugins : nil
        editor.plugins = []
        box.register(as: "second", lifetime: .transient) { _ in
            makes.next()
            return Loud(2)
        }
        box.crossFill()
        #expect(makes.value == 0)
        withExtendedLifetime(copy) {}
    }

    @Test("gets added services at its end, and leaves arrays that were read before alone")
    func added() {
        box.register(Loud(1), as: "1")
        box.crossFill()
        let before = editor.plugins
        for number in 2...5 {
            box.register(as: "\(number)") { _ in Loud(number) }
            box.register(number, as: "number\(number)")
            box.crossFill()
        }
        #expect(editor.numbers == [1, 2, 3, 4, 5])
        #expect(before.count == 1)
    }

    @Test("resolves a service once, and not again when others follow")
    func askedOnce() {
        let makes = Counter()
        box.register(as: "transient", lifetime: .transient) { _ in
            makes.next()
            return Loud(1)
        }
        box.crossFill()
        for number in 2...5 {
            box.register(Loud(number), as: "\(number)")
            box.crossFill()
        }
        #expect(editor.numbers == [1, 2, 3, 4, 5])
        #expect(makes.value == 1)
    }

    @Test("gets the new service of a provider that was reset when the next one is registered")
    func reset() throws {
        let makes = Counter()
        box.register(as: "lazy") { _ in
            makes.next()
            return Loud(makes.value)
        }
        let shared = ServiceProvider<Loud> {
            makes.next()
            return Loud(makes.value)
        }
        box.register(provider: shared, as: "shared")
        box.crossFill()
        #expect(editor.numbers == [1, 2])
        try box.provider(ServiceKey<Loud>("lazy")).reset()
        shared.reset()
        let (lazy, late): (Loud, Loud) = try (box.resolve("lazy"), box.resolve("shared"))
        box.register(Loud(9), as: "new")
        box.crossFill()
        #expect(editor.numbers == [3, 4, 9])
        #expect(editor.plugins[0] as? Loud === lazy)
        #expect(editor.plugins[1] as? Loud === late)
    }

    @Test("of a lazy service gets what is registered and used while its other properties are filled")
    func registeredMeanwhile() throws {
        final class Studio: @unchecked Sendable {
            @InjectedAll var plugins: [any Plugin]
            @Injected var engine: Engine?
        }
        final class Engine: Sendable {}
        box.register(Loud(1), as: "1")
        box.register(as: "studio") { _ in Studio() }
        box.register(as: "engine") { box in
            box.register(Loud(2), as: "2")
            _ = try box.resolve(ServiceKey<Loud>("2"))
            return Engine()
        }
        let studio: Studio = try box.resolve("studio")
        box.crossFill()
        #expect(studio.plugins.compactMap { ($0 as? Loud)?.number } == [1, 2])
        box.register(Loud(3), as: "3")
        box.crossFill()
        #expect(studio.plugins.compactMap { ($0 as? Loud)?.number } == [1, 2, 3])
    }

    @Test("of a copy gets the new service of a provider that the copy shares and that was reset")
    func resetInCopy() throws {
        box.register(as: "lazy") { _ in Loud(1) }
        let (copy, editor) = (box.copy(), Editor())
        copy.register(editor, as: "own")
        copy.crossFill()
        try copy.provider(ServiceKey<Loud>("lazy")).reset()
        let late: Loud = try copy.resolve("lazy")
        copy.register(Loud(2), as: "new")
        copy.crossFill()
        #expect(editor.numbers == [1, 2])
        #expect(editor.plugins.first as? Loud === late)
    }

    @Test("of a child gets what overrides the parent's service at its end")
    func hiding() {
        let child = box.makeChild(name: "child")
        let editor = Editor()
        child.register(editor, as: "own")
        box.register(Loud(1), as: "1")
        box.register(Loud(2), as: "2")
        child.crossFill()
        #expect(editor.numbers == [1, 2])
        child.register(Loud(10), as: "1")
        child.crossFill()
        #expect(editor.numbers == [2, 10])
        child.remove("1")
        child.register(Loud(3), as: "3")
        child.crossFill()
        #expect(editor.numbers == [1, 2, 3])
    }

    @Test("gets each service once, in order, while others register and use the box")
    func concurrent() async {
        for _ in 1...20 {
            let (box, editor) = (ServiceBox(), Editor())
            box.register(editor)
            await withTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        for number in 0..<8 {
                            box.register(Loud(8 * task + number), as: "\(task) \(number)")
                            if number.isMultiple(of: 2) { box.crossFill() }
                            _ = editor.numbers
                        }
                    }
                }
            }
            box.crossFill()
            let registered = box.registrations.compactMap { try? box.resolve(ServiceKey<Loud>($0.name)) }
            #expect(editor.numbers.sorted() == Array(0..<64))
            #expect(registered.count == 64)
            #expect(editor.numbers == (try? box.resolveAll(Loud.self).map(\.number)))
        }
    }

    @Test("has what is decorated in its wrapper alone")
    func decorated() throws {
        let key = ServiceKey<any Plugin>("first")
        box.decorate(key) { _, _ in Loud(2) }
        box.crossFill()
        box.register(Loud(1) as any Plugin, as: key)
        box.crossFill()
        #expect(editor.numbers == [2])
    }

    @Test("has no more what was removed, in whatever way, when it is next looked up")
    func removed() throws {
        box.register(Loud(1), as: "first")
        box.register(Loud(2), as: "second")
        let token = box.register(Loud(3), as: "third")
        func numbers() throws -> [Int] { try box.resolve(Editor.self).numbers }
        #expect(try numbers() == [1, 2, 3])
        token.remove()
        #expect(try numbers() == [1, 2])
        box.remove("first")
        #expect(try numbers() == [2])
        box.remove(newest: "second")
        #expect(try numbers() == [])
        let meanwhile = try box.withRegistration(Loud(4), as: "fourth") { try numbers() }
        #expect(meanwhile == [4])
        #expect(try numbers() == [])
    }

    @Test("has a transient service again after its factory has had all of them collected")
    func collectedByFactory() throws {
        let replaces = Locked(false)
        box.register(1, as: "number")
        box.register(as: "first", lifetime: .transient) { box in
            if replaces.withLock({ $0 }) {
                box.register(2, as: "number")
                box.register(Loud(3), as: "third")
                box.crossFill()
            }
            return Loud(1)
        }
        box.register(Loud(2), as: "second")
        box.crossFill()
        #expect(editor.numbers == [1, 2])
        replaces.withLock { $0 = true }
        _ = try box.resolve(ServiceKey<Loud>("first"))
        #expect(editor.numbers == [1, 2, 3])
        replaces.withLock { $0 = false }
        box.remove("second")
        box.crossFill()
        #expect(editor.numbers == [1, 3])
    }

    @Test("follows what is registered after a refill")
    func refilled() throws {
        box.trackHolders()
        box.register(Loud(1), as: "first")
        box.crossFill()
        box.register(Loud(2), as: "first")
        try box.refill("first")
        box.register(Loud(3), as: "second")
        box.crossFill()
        #expect(editor.numbers == [2, 3])
    }
}
