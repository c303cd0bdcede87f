// Part of ServiceBox, released under the MIT License.
// Tests of properties with names that are not written like most.

import ServiceBoxKit
import Testing

@Suite("Properties with unusual names")
struct OddNameTests {
    private let box = ServiceBox()

    @Test("a raw identifier is the name of its service, in a class, an actor and a struct")
    func rawIdentifiers() async {
        box.register(1, as: "with space")
        box.register(2, as: "2nd")
        let object = RawNames()
        #expect(box.fill(object).outcomes == ["with space": .filled, "2nd": .filled])
        #expect(object.`with space` == 1)
        #expect(object.`2nd` == 2)
        let actor = RawActor()
        await box.fill(actor)
        #expect(await actor.`with space` == 1)
        let value = RawValue()
        box.fill(value)
        #expect(value.inner.`2nd` == 2)
    }

    @Test("a name whose first character combines with its wrapper's underscore is found")
    func joiningCharacter() {
        let name = "\u{301}x"
        box.register(1, as: ServiceKey(name))
        let object = Joining()
        #expect(box.fill(object).outcomes == [name: .filled])
        #expect(object.`́x` == 1)
    }

    @Test("a name that begins with an underscore keeps it")
    func underscored() {
        box.register(1, as: "_cache")
        let object = Underscored()
        #expect(box.fill(object).outcomes == ["_cache": .filled])
        #expect(object._cache == 1)
    }

    @Test("a lazy property isn't optional, though its storage is")
    func lazyProperty() {
        final class Screen {
            @Injected var clock: Clock?
            lazy var cache = Cache()
        }
        box.register(Clock())
        box.register(Cache())
        #expect(box.fill(Screen()).outcomes == ["clock": .filled])
    }

    @Test("a table names a raw identifier as the source does")
    func table() {
        box.register(1, as: "with space")
        let object = RawTable()
        #expect(box.fill(object).outcomes == ["with space": .filled])
        #expect(object.`with space` == 1)
    }
}

private final class RawNames {
    let `let it be` = 1
    @Injected var `with space`: Int?
    @Injected var `2nd`: Int?
}

private actor RawActor {
    @Injected var `with space`: Int?
}

private struct RawValue {
    struct Inner {
        @Injected var `2nd`: Int?
    }

    let inner = Inner()
}

private final class Joining {
    @Injected var `́x`: Int?
}

private final class Underscored {
    @Injected var _cache: Int?
}

private final class RawTable: Injectable {
    var `with space`: Int?

    static var injections: InjectionTable { ["with space": .keyPath(\RawTable.`with space`)] }
}
