// Part of ServiceBox, released under the MIT License.
// Tests of objects that fill themselves.

import ServiceBoxKit
import Testing

@Suite("Objects that fill themselves")
struct SelfInjectionTests {
    @Test("an object fills itself from the default box in its initialiser")
    func fromDefault() {
        let box = titledBox()
        let page = ServiceBox.withDefault(box) { TitledPage() }
        #expect(page.title == "Home")
    }

    @Test("an object fills itself from any box it is given")
    func fromGivenBox() {
        let page = TargetedPage(box: titledBox())
        #expect(page.title == "Home")
    }

    @Test("a struct fills itself, its table too")
    func structs() {
        let leaf = ServiceBox.withDefault(titledBox()) { Leaf() }
        #expect(leaf.title == "Home")
        #expect(leaf.size == 4)
    }

    @Test("an actor fills itself in its initialiser and in its methods")
    func actors() async {
        let box = titledBox()
        let store = SelfFillingStore(box: box)
        #expect(await store.title == "Home")
        box.register("Next", as: "title")
        #expect(await store.refill(from: box).isComplete)
        #expect(await store.title == "Next")
    }

    @Test("self-injection keeps existing values on request")
    func keeping() {
        let page = TargetedPage(box: ServiceBox())
        page.title = "Mine"
        let report = page.fillWithDependencies(from: titledBox(), keepingExisting: true)
        #expect(page.title == "Mine")
        #expect(report.outcome(of: "title") == .kept)
    }

    @Test("a superclass's initialiser fills subclass properties after their declared values are set")
    func superclassInitialiser() {
        let page = ServiceBox.withDefault(titledBox()) { DetailPage() }
        #expect(page.title == "Home")
        #expect(page.size == 4)
        #expect(page.sizeAfterSuper == 4)
    }

    @Test("the first object of a class may be filled inside the superclass's initialiser")
    func hierarchyFirstMet() {
        let box = titledBox()
        let pages = ServiceBox.withDefault(box) { [WidePage(), WidePage()] }
        #expect(pages.map(\.size) == [4, 4])
        #expect(pages.map(\.title) == ["Home", "Home"])
        box.register(5, as: "size")
        for page in pages { box.fill(page) }
        #expect(pages.map(\.size) == [5, 5])
    }

    private func titledBox() -> ServiceBox {
        let box = ServiceBox()
        box.register("Home", as: "title")
        box.register(4, as: "size")
        return box
    }

    @Test("a service that has filled itself is reported as filled, however often it is created")
    func selfFilledService() throws {
        final class Own: Injectable, @unchecked Sendable {
            @Injected var clock: Clock?
            init(_ box: ServiceBox) { fillWithDependencies(from: box) }
        }
        let box = ServiceBox()
        box.register { _ in Clock() }
        box.register(as: "own", lifetime: .transient) { Own($0) }
        let own: Own = try box["own"]
        #expect(own.clock != nil)
        #expect(box.graph().edges.first { $0.source == "service:own" }?.outcome == "filled")
    }
}

private class TitledPage: Injectable {
    @Injected var title: String?

    init() { fillWithDependencies() }
}

private final class TargetedPage: Injectable {
    @Injected var title: String?

    init(box: ServiceBox) { fillWithDependencies(from: box) }
}

private final class DetailPage: TitledPage {
    @Injected var size: Int? = 1
    var sizeAfterSuper: Int?

    override init() {
        super.init()
        sizeAfterSuper = size
    }
}

private final class WidePage: TitledPage {
    private let padding = (1 as Int8, true)
    @Injected var size: Int?
    private let tail = "tail"
}

private struct Leaf: Injectable {
    @Injected var title: String?
    var size: Int?

    static var injections: InjectionTable { ["size": .keyPath(\Leaf.size)] }

    init() { fillWithDependencies() }
}

private actor SelfFillingStore: Injectable {
    @Injected var title: String?

    init(box: ServiceBox) { fillWithDependencies(from: box) }

    func refill(from box: ServiceBox) -> FillReport { fillWithDependencies(from: box) }
}
