// Part of ServiceBox, released under the MIT License.
// Tests of modules that change something themselves and add others that do.

import ServiceBoxKit
import Testing

private struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let body: @Sendable (ServiceBox) -> Void

    static let all = [
        Change(testDescription: "registers") { $0.register(Page(number: 2), as: "page") },
        Change(testDescription: "removes") { $0.remove("page") },
        Change(testDescription: "decorates") { box in
            box.decorate(ServiceKey<Page>("page")) { _, _ in Page() }
            box.decorate(ServiceKey<Cache>("cache")) { _, _ in Cache() }
        },
        Change(testDescription: "clears") { $0.clear() },
        Change(testDescription: "replaces") { box in
            box.remove("number")
            box.register(2, as: "number")
        },
        Change(testDescription: "prefers") { $0.prefer("empty", for: Page.self) },
    ]
}

private struct Inner: ServiceModule {
    let change: Change

    func register(in box: ServiceBox) { change.body(box) }
}

@Suite("A module that adds another one")
struct NestedModuleTests {
    private let parent = ServiceBox()
    private let created = Counter()

    @Test(
        "and throws takes back what both have done",
        arguments: Change.all, Change.all)
    fileprivate func takenBack(_ first: Change, _ second: Change) throws {
        parent.register(as: "cache", per: .box) { [created] _ in
            created.next()
            return Cache()
        }
        let box = parent.makeChild()
        box.register("one", as: "number")
        _ = try box["number"] as String
        box.register(1, as: "number")
        box.register(Page(number: 1), as: "page")
        box.register(Page(), as: "empty")
        box.prefer("page", for: Page.self)
        let cache: Cache = try box["cache"]
        let (registrations, audit) = (box.registrations.description, box.audit().description)
        let outer = InterruptedModule { box in
            first.body(box)
            try box.add(Inner(change: second))
        }
        let error = #expect(throws: ServiceBoxError.self) { try box.add(outer) }
        #expect(error?.underlying is Broken)
        #expect(box.registrations.description == registrations)
        #expect(box.audit().description == audit)
        #expect(try box["cache"] === cache)
        #expect(created.value == 1)
        #expect(try box.resolve(Page.self) == Page(number: 1))
        // What comes next is as undecorated as before.
        box.register(Page(number: 7), as: "page")
        #expect(try box["page"] == Page(number: 7))
    }

    @Test("and throws takes back the seal that the other one has set")
    func seal() throws {
        let box = ServiceBox()
        let outer = InterruptedModule { box in
            box.register(Clock())
            let change = Change(testDescription: "seals twice") { box in
                box.seal()
                box.seal()
            }
            try box.add(Inner(change: change))
        }
        let error = #expect(throws: ServiceBoxError.self) { try box.add(outer) }
        #expect(error?.underlying is Broken)
        #expect(!box.isSealed)
    }
}
