// Part of ServiceBox, released under the MIT License.
// Services that are wrapped in others.

import ServiceBoxKit
import Testing

private protocol Named: Sendable {
    var path: String { get }
}

private final class Base: Named, @unchecked Sendable {
    @Injected var clock: Clock?
    var path: String { "base" }
}

private final class Layer: Named, @unchecked Sendable {
    @Injected var clock: Clock
    let (name, base): (String, any Named)

    init(_ name: String, over base: any Named) { (self.name, self.base) = (name, base) }

    var path: String { "\(name)(\(base.path))" }
}

@Suite("Decorating")
struct DecorationTests {
    private let box = ServiceBox()
    private let key = ServiceKey<any Named>("named")

    init() { box.register(Clock()) }

    private func decorate(_ names: String..., in box: ServiceBox? = nil) {
        for name in names { (box ?? self.box).decorate(key) { base, _ in Layer(name, over: base) } }
    }

    @Test("wraps in a copy of a child what both inherit, and what comes later")
    func copiedChild() throws {
        let page = ServiceKey<Page>("page")
        box.register(Page(number: 1), as: page)
        let child = box.makeChild()
        child.decorate(page) { page, _ in Page(number: page.number * 10) }
        let copy = child.copy()
        #expect(try copy.resolve(page) == Page(number: 10))
        box.register(Page(number: 2), as: page)
        #expect(try child.resolve(page) == Page(number: 20))
        #expect(try copy.resolve(page) == Page(number: 20))
    }

    @Test("has a type find the wrapper alone, though it has found the service before")
    func byType() throws {
        box.register(Base() as any Named, as: key)
        #expect(try box.resolve((any Named).self).path == "base")
        decorate("layer")
        #expect(try box.resolve((any Named).self).path == "layer(base)")
    }

    @Test(
        "wraps what comes before and after it, once, in the order of decoration",
        arguments: [Lifetime.lazy, .eager, .weak])
    func order(lifetime: Lifetime) throws {
        let count = Counter()
        decorate("a")
        box.register(as: key, lifetime: lifetime) { _ in
            count.next()
            return Base()
        }
        decorate("b")
        let (first, second) = (try box[key], try box[key])
        #expect(first.path == "b(a(base))")
        #expect(first as AnyObject === second as AnyObject)
        #expect(count.value == 1)
    }

    @Test("wraps an eager service at once")
    func eager() {
        let wraps = Counter()
        box.register(as: key, lifetime: .eager) { _ in Base() }
        box.decorate(key) { base, _ in
            wraps.next()
            return base
        }
        #expect(wraps.value == 1)
    }

    @Test("tries an eager service that lacks something once more, not twice")
    func eagerLack() {
        let tries = Counter()
        box.remove("clock")
        box.register(as: key, lifetime: .eager) { _ in
            tries.next()
            return Layer("base", over: Base())
        }
        #expect(tries.value == 1)
        decorate("layer")
        #expect(tries.value == 2)
    }

    @Test("wraps an instance, which is filled before, as the wrapper is afterwards")
    func instance() throws {
        let base = Base()
        box.register(base, as: key)
        decorate("a")
        let layer = try #require(try box[key] as? Layer)
        #expect(layer.base as AnyObject === base)
        let clock: Clock = try box.resolve()
        #expect(base.clock === clock)
        #expect(layer.clock === clock)
        final class Screen { @Injected var named: (any Named)? }
        let screen = Screen()
        box.fill(screen)
        #expect(screen.named as AnyObject === layer)
        #expect(try box.resolveAll((any Named).self).count == 1)
        #expect(try box.resolve((any Named).self) as AnyObject === layer)
    }

    @Test("wraps values, and each transient service anew")
    func values() throws {
        let number = ServiceKey<Int>("number")
        box.decorate(number) { number, _ in number * 2 }
        box.register(21, as: number)
        #expect(try box[number] == 42)
        let (count, page) = (Counter(), ServiceKey<Page>("page"))
        box.register(as: page, lifetime: .transient) { _ in Page(number: count.next()) }
        box.decorate(page) { page, _ in Page(number: page.number * 10) }
        #expect(try [box[page], box[page]].map(\.number) == [10, 20])
    }

    @Test("wraps whatever takes the place of a service, and what comes back")
    func replacement() throws {
        box.register(as: key) { _ in Base() }
        decorate("a")
        let token = box.register(Layer("new", over: Base()), as: key)
        #expect(try box[key].path == "a(new(base))")
        token.remove()
        #expect(try box[key].path == "a(base)")
    }

    @Test("wraps what must be awaited, and leaves it to those who prepare it")
    func awaited() async throws {
        box.register(as: key) { _ in
            await Task.yield()
            return Base()
        }
        decorate("a")
        #expect(box.failure(of: key)?.code == .notReady)
        #expect(try await box.prepare(key).path == "a(base)")
        #expect(try box[key].path == "a(base)")
        try await withRunning(box) {}
    }

    @Test("wraps in a child alone what the child inherits, and in each child what is made there")
    func children() throws {
        box.register(as: key) { _ in Base() }
        let child = box.makeChild(name: "child")
        decorate("own", in: child)
        #expect(try child[key].path == "own(base)")
        #expect(try box[key].path == "base")
        #expect(try (child[key] as? Layer)?.base as AnyObject === box[key] as AnyObject)

        let cart = ServiceKey<any Named>("cart")
        box.register(as: cart, per: .box) { _ in Base() }
        box.decorate(cart) { base, _ in Layer("each", over: base) }
        let (one, two) = (box.makeChild(name: "one"), box.makeChild(name: "two"))
        #expect(try one[cart].path == "each(base)")
        #expect(try one[cart] as AnyObject === one[cart] as AnyObject)
        #expect(try one[cart] as AnyObject !== two[cart] as AnyObject)
    }

    @Test("hands on what the wrapper or the service throws, with the path")
    func failing() {
        box.register(as: key) { _ in throw Broken() }
        decorate("a")
        #expect(box.failure(of: key)?.path == ["Named", "Named"])
        box.decorate(ServiceKey<Clock>("clock")) { _, _ in throw Broken() }
        #expect(box.failure(of: ServiceKey<Clock>("clock"))?.underlying is Broken)
    }

    @Test("shows its layers in the graph")
    func graph() throws {
        box.register(as: key) { _ in Base() }
        decorate("a", "b")
        _ = try box[key]
        #expect(
            box.graph().description == """
                Graph of a box: 4 services, 0 types, 3 properties, 0 holes.
                'clock' (Clock), filled 1st
                'named' (Layer as Named), lazy, filled 4th
                  decorates → 'named'
                  clock → 'clock'
                'named' (Layer as Named), lazy, filled 3rd
                  decorates → 'named'
                  clock → 'clock'
                'named' (Base as Named), lazy, filled 2nd
                  clock → 'clock'
                """)
        #expect(
            box.graph().edges.filter(\.isDecoration).map { [$0.source, $0.target] } == [
                ["service:named", "service#2:named"], ["service#2:named", "service#3:named"],
            ])
    }

    @Test("has a place of its own in a graph, whatever other services are called")
    func places() throws {
        box.register(as: "clock") { _ in Clock() }
        box.decorate(ServiceKey<Clock>("clock")) { clock, _ in clock }
        for name in ["clock#2", "#2:clock"] { box.register(Clock(), as: ServiceKey(name)) }
        let ids = box.graph().nodes.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(ids.contains("service#2:clock"))
    }

    @Test("wraps what a child has made already, which ends once, whichever box decorates")
    func madeInChild() async throws {
        let (count, ends) = (Counter(), Counter())
        box.register(as: key, per: .box, onStop: { _ in _ = ends.next() }) { _ in
            count.next()
            return Base()
        }
        let child = box.makeChild(name: "child")
        let grandchild = child.makeChild(name: "grandchild")
        let (made, madeBelow) = (try child[key], try grandchild[key])
        decorate("a", in: child)
        decorate("b", in: box)
        decorate("c", in: grandchild)
        #expect(try child[key].path == "a(b(base))")
        #expect(try grandchild[key].path == "c(a(b(base)))")
        func innermost(_ service: any Named) -> AnyObject {
            (service as? Layer).map { innermost($0.base) } ?? service as AnyObject
        }
        #expect(try innermost(child[key]) === made as AnyObject)
        #expect(try innermost(grandchild[key]) === madeBelow as AnyObject)
        #expect(count.value == 2)
        await grandchild.stop()
        #expect(ends.value == 1)
        await child.stop()
        #expect(ends.value == 2)
    }

    @Test("is found by an audit where there is nothing to wrap")
    func idle() {
        box.decorate(key, fileID: "App/Main.swift", line: 7) { base, _ in base }
        let finding = box.audit().findings.first { $0.subject == "named" }
        #expect(
            finding?.explanation == """
                Can't decorate 'named': it is decorated, but not registered.
                  Decorated: App/Main.swift:7
                To fix, register a service as 'named', or remove the decoration.
                """)
        box.clear()
        #expect(box.audit().findings.isEmpty)
    }

    @Test("keeps the place of the service among those of its type, whenever it was decorated")
    func order() throws {
        let first = ServiceKey<any Store>("first")
        box.register(FileStore() as any Store, as: first)
        box.register(FileStore() as any Store, as: "second")
        box.decorate(first) { _, _ in MemoryStore() }
        #expect(try box.resolveAll((any Store).self).map { $0 is MemoryStore } == [true, false])
    }

    @Test("holds for what a child inherits, also if the child had its own meanwhile")
    func inheritedAfterOwn() throws {
        let key = ServiceKey<Page>("page")
        box.register(Page(number: 1), as: key)
        let child = box.makeChild(name: "child")
        child.decorate(key) { page, _ in Page(number: page.number * 10) }
        #expect(try child[key].number == 10)
        let own = child.register(Page(number: 2), as: key)
        child.decorate(key) { page, _ in Page(number: page.number + 1) }
        #expect(try child[key].number == 21)
        own.remove()
        #expect(try child[key].number == 11)
    }

    @Test("leaves what comes back or is inherited as another type, and an audit says so")
    func misfit() throws {
        box.register(1, as: "number", fileID: "App/Main.swift", line: 1)
        let newest = box.register("x", as: "number")
        box.decorate(ServiceKey<String>("number"), fileID: "App/Main.swift", line: 7) { text, _ in text + "!"
        }
        newest.remove()
        let number: Int = try box["number"]
        #expect(number == 1)
        let finding = box.audit().findings.first { $0.kind == .unused && $0.subject == "number" }
        #expect(
            finding?.explanation == """
                Can't decorate 'number' as a String: it is registered as an Int.
                  Registered: App/Main.swift:1
                  Decorated:  App/Main.swift:7
                To fix, register and decorate it with one key.
                """)
        let parent = ServiceBox()
        let child = parent.makeChild(name: "child")
        child.decorate(ServiceKey<String>("text")) { text, _ in text + "!" }
        parent.register(2, as: "text")
        let inherited: Int = try child["text"]
        #expect(inherited == 2)
    }

    @Test("leaves what a child hides of its parent, and may be of another type")
    func hidden() throws {
        box.register(as: "part", per: .box) { _ in Clock() }
        let (child, page) = (box.makeChild(name: "child"), ServiceKey<Page>("part"))
        _ = try child[ServiceKey<Clock>("part")]
        child.register(Page(number: 1), as: page)
        child.decorate(page) { page, _ in Page(number: page.number + 1) }
        #expect(try child[page].number == 2)
        child.remove("part")
        _ = try child[ServiceKey<Clock>("part")]
    }

    @Test("traps where the service is registered as another type")
    func otherType() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let box = ServiceBox()
            box.register(Cache(), as: "cache", fileID: "App/Main.swift", line: 1)
            box.decorate(ServiceKey<Clock>("cache"), fileID: "App/Main.swift", line: 2) { clock, _ in clock }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                """
                Can't decorate 'cache' as a Clock: it is registered as a Cache.
                  Registered: App/Main.swift:1
                  Decorated:  App/Main.swift:2
                To fix, register and decorate it with one key.
                """))
    }

    @Test(
        "traps where a child inherits the service as another type, shared or not, looked up before or not",
        arguments: [ServiceScope.family, .box], [false, true])
    func inheritedType(_ scope: ServiceScope, isKnown: Bool) async {
        let (isPerBox, isKnown) = (scope == .box, isKnown)
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [isPerBox = isPerBox as Bool, isKnown = isKnown as Bool] in
            let box = ServiceBox()
            box.register(as: "cache", per: isPerBox ? .box : .family, fileID: "App/Main.swift", line: 1) {
                _ in
                Cache()
            }
            let child = box.makeChild(name: "child")
            if isKnown { _ = try child[ServiceKey<Cache>("cache")] }
            child.decorate(ServiceKey<Clock>("cache"), fileID: "App/Main.swift", line: 2) { clock, _ in clock
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Can't decorate 'cache' as a Clock: it is registered as a Cache."))
    }

    @Test("traps where the service is made from parameters, whichever comes first")
    func parameters() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let box = ServiceBox()
            box.decorate(ServiceKey<Page>("page"), fileID: "App/Main.swift", line: 1) { page, _ in page }
            // By a closure with parameters, 6.3.1 crashes while it optimises this file.
            let provider = ServiceParametersProvider<Page, Int> { Page(number: $0) }
            box.register(provider: provider, as: "page", fileID: "App/Main.swift", line: 2)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                """
                Can't decorate 'page' as a Page: it is made from an Int on each call.
                  Registered: App/Main.swift:2
                  Decorated:  App/Main.swift:1
                To fix, wrap it in its factory.
                """))
    }

    @Test("is done once by eight tasks that ask and decorate at the same time", arguments: 0..<20)
    func stress(round: Int) async {
        let count = Counter()
        box.register(as: key) { _ in
            count.next()
            return Base()
        }
        await withTaskGroup { group in
            for index in 1...8 {
                group.addTask { [box, key] in
                    if index.isMultiple(of: 4) { box.decorate(key) { base, _ in Layer("a", over: base) } }
                    _ = try? box[key]
                }
            }
        }
        #expect((try? box[key].path) == "a(a(base))")
        #expect(count.value == 1)
    }
}
