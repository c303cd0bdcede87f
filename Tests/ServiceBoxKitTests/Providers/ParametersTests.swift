// Part of ServiceBox, released under the MIT License.
// Services made from parameters.

import ServiceBoxKit
import Testing

private struct PageFactory: ServiceParametersFactory {
    func makeService(_ number: Int) throws -> Page { Page(number: number) }
}

@Suite("A service created from parameters")
struct ParametersTests {
    @Test("is created from each value")
    func factory() throws {
        let pages = ServiceParametersProvider(PageFactory())
        #expect(try [pages.resolve(1), pages.resolve(2)] == [Page(number: 1), Page(number: 2)])
        #expect(pages.resolveOrFail(3) == Page(number: 3))
    }

    @Test("may be created by a closure, from what isn't Sendable")
    func closure() throws {
        final class Draft { var number = 4 }
        let pages = ServiceParametersProvider { (draft: Draft) in Page(number: draft.number) }
        #expect(try pages.resolve(Draft()) == Page(number: 4))
    }

    @Test("takes several side by side or in a tuple, also from a box's factory of as many")
    func several() throws {
        final class Reader { @Injected var page: ServiceParametersProvider<Page, (Int, Int, Bool)> }
        let box = ServiceBox()
        box.register(as: "page") { (_, first: Int, second: Int, isLeft: Bool) in
            Page(number: isLeft ? first : second)
        }
        let (reader, pages) = (
            Reader(), ServiceParametersProvider { (_: Int, second: Int) in Page(number: second) }
        )
        box.fill(reader)
        #expect(try reader.page.resolve(1, 2, true) == Page(number: 1))
        #expect(try reader.page.resolve((1, 2, false)) == Page(number: 2))
        #expect(try pages.resolve(3, 4) == Page(number: 4))
    }

    @Test("can be bound to a value, and the provider stays usable")
    func bound() throws {
        let makes = Counter()
        let pages = ServiceParametersProvider { (number: Int) in
            makes.next()
            return Page(number: number)
        }
        let first = pages.bound(to: 1)
        #expect(try [first.resolve(), first.resolve(), pages.resolve(2)].map(\.number) == [1, 1, 2])
        #expect(makes.value == 3)
        #expect(!first.isMade)
    }

    @Test("fails with its own path, bound or not")
    func errors() {
        let pages = ServiceParametersProvider<Page, Int> { _ in throw Broken() }
        #expect(throws: ServiceBoxError.self) { try pages.resolve(1) }
        #expect(failure(of: pages.bound(to: 1))?.path == ["Page"])
        #expect(failure(of: pages.bound(to: 1))?.underlying is Broken)
    }

    @Test("may need a part that is created from other parameters")
    func recursion() throws {
        let own = Later<ServiceParametersProvider<Page, Int>>()
        let pages = ServiceParametersProvider<Page, Int> { number in
            number == 0 ? Page(number: 0) : Page(number: try own.get().resolve(number - 1).number + 1)
        }
        own.set(pages)
        #expect(try pages.resolve(63) == Page(number: 63))
    }

    @Test("is refused when its factory resolves itself without end", .neverHanging)
    func endless() {
        let own = Later<ServiceParametersProvider<Page, Int>>()
        let pages = ServiceParametersProvider<Page, Int> { try own.get().bound(to: $0 + 1).resolve() }
        own.set(pages)
        let error = failure(of: pages.bound(to: 1))
        #expect(error?.code == .cycle)
        #expect(error?.path.count == 65)
    }
}
