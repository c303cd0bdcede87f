// Part of ServiceBox, released under the MIT License.
// Tests of every kind of property type that a service may fit.

import ServiceBoxKit
import Testing

private actor AnyActor {
    @Injected var pair: Any
    @Injected var double: Any
}

@Suite("Types of properties")
struct PropertyTypesTests {
    @Test("composed protocols, and a class with protocols, are matched as a whole")
    func compositions() {
        let box = ServiceBox()
        let both = Both()
        box.register(both, as: "service")
        let wanter = Wanter()
        #expect(box.fill(wanter).isComplete)
        #expect(wanter.composed as? Both === both)
        #expect(wanter.classAndProtocol === both)
        #expect(wanter.classAndComposed === both)
        for half: any Sendable in [OnlyNamed(), OnlyAged(), Base()] {
            box.register(half, as: "service")
            let report = box.fill(Wanter())
            #expect(report.holes.map(\.outcome) == [.typeMismatch, .typeMismatch, .typeMismatch])
        }
    }

    @Test("classes, subclasses and protocols follow one rule: a service fits where a cast would succeed")
    func oneRule() {
        let box = ServiceBox()
        let both = Both()
        box.register(both, as: "service")
        let wanter = RuleWanter()
        #expect(box.fill(wanter).isComplete)
        #expect(wanter.same === both)
        #expect(wanter.base === both)
        #expect(wanter.named?.name == "both")
    }

    @Test("a service registered as an interface fits that interface, what it inherits, and its own class")
    func registeredAsInterface() {
        let box = ServiceBox()
        let both = Both()
        box.register(both, as: ServiceKey<any Named>("service"))
        let wanter = RuleWanter()
        #expect(box.fill(wanter).isComplete)
        #expect(wanter.same === both)
    }

    @Test("non-optional, optional and twice optional properties are filled alike")
    func optionality() {
        let box = ServiceBox()
        box.register(6, as: "number")
        let levels = Levels()
        #expect(levels.twice == .some(.none) || levels.twice == nil)
        #expect(box.fill(levels).isComplete)
        #expect(levels.plain == 6)
        #expect(levels.once == 6)
        #expect(levels.twice == 6)
        #expect(levels.thrice == 6)
    }

    @Test("generic types are told apart by their arguments")
    func generics() {
        let box = ServiceBox()
        box.register(Wrapped(1), as: "number")
        box.register(Wrapped("one"), as: "text")
        let wanter = GenericWanter()
        let report = box.fill(wanter)
        #expect(report.outcomes == ["number": .filled, "text": .filled, "wrong": .typeMismatch])
        #expect(wanter.number?.value == 1)
        #expect(wanter.text?.value == "one")
    }

    @Test("existentials are told apart by their primary associated types")
    func primaryAssociatedTypes() {
        let box = ServiceBox()
        box.register([1, 2], as: "items")
        let wanter = SequenceWanter()
        #expect(box.fill(wanter).outcomes == ["numbers": .filled, "texts": .typeMismatch, "either": .filled])
        #expect(wanter.numbers.map { Array($0) } == [1, 2])
        box.register(PrimarySource(item: "x"), as: "items")
        let sourceWanter = SourceWanter()
        #expect(box.fill(sourceWanter).outcomes == ["texts": .filled, "numbers": .typeMismatch])
        #expect(sourceWanter.texts?.item == "x")
    }

    @Test("Any and Sendable take every service; AnyObject takes class instances only")
    func loose() {
        let box = ServiceBox()
        for service: any Sendable in [1, "text", Both(), Value(), Choice.one] {
            box.register(service, as: "service")
            let wanter = LooseWanter()
            let report = box.fill(wanter)
            let isObject = service is Both
            #expect(report.outcome(of: "anything") == .filled)
            #expect(report.outcome(of: "sendable") == .filled)
            #expect(report.outcome(of: "object") == (isObject ? .filled : .typeMismatch))
            #expect(report.outcome(of: "optionalObject") == (isObject ? .filled : .typeMismatch))
            #expect(report.outcome(of: "twiceOptionalObject") == (isObject ? .filled : .typeMismatch))
            #expect((wanter.optionalObject != nil) == isObject)
        }
    }

    @Test("structs, enums, arrays and dictionaries are services")
    func values() {
        let box = ServiceBox()
        box.register(Value(number: 3), as: "value")
        box.register(Choice.two, as: "choice")
        box.register([1, 2], as: "list")
        box.register(["a": 1], as: "map")
        let wanter = ValueWanter()
        #expect(box.fill(wanter).isComplete)
        #expect(wanter.value?.number == 3)
        #expect(wanter.choice == .two)
        #expect(wanter.list == [1, 2])
        #expect(wanter.map == ["a": 1])
    }

    @Test("functions are services, wrapped or bare, of exactly the property's type")
    func functions() {
        let box = ServiceBox()
        let double: @Sendable (Int) -> Int = { $0 * 2 }
        box.register(double, as: "bare")
        box.register(Doubler(run: double), as: "wrapped")
        box.register(double, as: "other")
        let wanter = FunctionWanter()
        let report = box.fill(wanter)
        #expect(report.outcomes == ["bare": .filled, "wrapped": .filled, "other": .typeMismatch])
        #expect(wanter.bare?(4) == 8)
        #expect(wanter.wrapped?.run(4) == 8)
    }

    @Test("an actor gets metatypes too, but none whose conformance belongs to another actor")
    func metatypesForActors() async {
        let box = ServiceBox()
        for name in ["exact", "base", "named"] { box.register(Both.self, as: ServiceKey<Both.Type>(name)) }
        let wanter = MetatypeActor()
        #expect(await box.fill(wanter).isComplete)
        #expect(await wanter.names == ["Both", "Both", "Both"])
        box.register(MainMarked.self, as: "marked")
        #expect(await box.fill(wanter).outcome(of: "marked") == .typeMismatch)
    }

    @Test("an actor's property of any type gets tuples and functions too")
    func anythingForActors() async {
        let box = ServiceBox()
        let double: @Sendable (Int) -> Int = { $0 * 2 }
        box.register((1, 2), as: "pair" as ServiceKey<(Int, Int)>)
        box.register(double, as: "double")
        #expect(await box.fill(AnyActor()).isComplete)
    }

    @Test("metatypes are services, those of subclasses too")
    func metatypes() {
        let box = ServiceBox()
        box.register(Both.self, as: "exact")
        box.register(Both.self, as: "base")
        box.register(Both.self, as: "named")
        box.register(Base.self, as: "narrow")
        let wanter = MetatypeWanter()
        let report = box.fill(wanter)
        #expect(
            report.outcomes == ["exact": .filled, "base": .filled, "named": .filled, "narrow": .typeMismatch])
        #expect(isSame(wanter.exact, Both.self))
        #expect(isSame(wanter.base, Both.self))
        #expect(isSame(wanter.named, Both.self))
    }

    @Test("a tuple is a service of its own type")
    func tuples() {
        let box = ServiceBox()
        let slot = TupleWanter()
        box.register(Value(number: 1), as: "pair")
        #expect(box.fill(slot).outcome(of: "pair") == .typeMismatch)
        box.register(MetaPair(pair: (1, "a")), as: "holder")
        #expect(box.fill(slot).outcome(of: "holder") == .filled)
        #expect(slot.holder?.pair.1 == "a")
    }

    @Test("actors and main-actor objects are services")
    @MainActor func isolatedServices() async {
        let box = ServiceBox()
        let store = Warehouse()
        let screen = MainScreen()
        box.register(store, as: "store")
        box.register(screen, as: "screen")
        let wanter = IsolatedWanter()
        #expect(box.fill(wanter).isComplete)
        #expect(wanter.store === store)
        #expect(wanter.screen === screen)
    }
}

private protocol Named: Sendable { var name: String { get } }

private protocol Aged: Sendable { var age: Int { get } }

private class Base: @unchecked Sendable {}

private final class Both: Base, Named, Aged, @unchecked Sendable {
    let name = "both"
    let age = 2
}

private final class OnlyNamed: Base, Named, @unchecked Sendable { let name = "named" }

private final class OnlyAged: Aged { let age = 1 }

private final class Wanter {
    @Injected("service") var composed: (any Named & Aged)?
    @Injected("service") var classAndProtocol: (any Base & Aged)?
    @Injected("service") var classAndComposed: (any Base & Named & Aged)?
}

private final class RuleWanter {
    @Injected("service") var same: Both?
    @Injected("service") var base: Base?
    @Injected("service") var named: (any Named)?
}

private final class Levels {
    @Injected("number") var plain: Int
    @Injected("number") var once: Int?
    @Injected("number") var twice: Int??
    @Injected("number") var thrice: Int???
}

private final class Wrapped<Content: Sendable>: Sendable {
    let value: Content

    init(_ value: Content) { self.value = value }
}

private final class GenericWanter {
    @Injected var number: Wrapped<Int>?
    @Injected var text: Wrapped<String>?
    @Injected("number") var wrong: Wrapped<Double>?
}

private protocol Source<Item>: Sendable {
    associatedtype Item
    var item: Item { get }
}

private struct PrimarySource<Item: Sendable>: Source { let item: Item }

private final class SequenceWanter {
    @Injected("items") var numbers: (any Sequence<Int>)?
    @Injected("items") var texts: (any Sequence<String>)?
    @Injected("items") var either: (any Sequence)?
}

private final class SourceWanter {
    @Injected("items") var texts: (any Source<String>)?
    @Injected("items") var numbers: (any Source<Int>)?
}

private final class LooseWanter {
    @Injected("service") var anything: Any
    @Injected("service") var sendable: any Sendable
    @Injected("service") var object: AnyObject
    @Injected("service") var optionalObject: AnyObject?
    @Injected("service") var twiceOptionalObject: AnyObject??
}

private struct Value: Sendable { var number = 0 }

private enum Choice { case one, two }

private final class ValueWanter {
    @Injected var value: Value?
    @Injected var choice: Choice?
    @Injected var list: [Int]?
    @Injected var map: [String: Int]?
}

private struct Doubler: Sendable { let run: @Sendable (Int) -> Int }

private final class FunctionWanter {
    @Injected var bare: (@Sendable (Int) -> Int)?
    @Injected var wrapped: Doubler?
    @Injected var other: ((String) -> String)?
}

private final class MetatypeWanter {
    @Injected var exact: Both.Type?
    @Injected var base: Base.Type?
    @Injected var named: (any Named.Type)?
    @Injected var narrow: Both.Type?
}

private actor MetatypeActor {
    @Injected var exact: Both.Type?
    @Injected var base: Base.Type?
    @Injected var named: (any Named.Type)?
    @Injected var marked: (any Marked.Type)?

    var names: [String?] { [exact.map { "\($0)" }, base.map { "\($0)" }, named.map { "\($0)" }] }
}

private protocol Marked {}

@MainActor private final class MainMarked {}

extension MainMarked: @MainActor Marked {}

private struct MetaPair: Sendable { let pair: (Int, String) }

private final class TupleWanter {
    @Injected var pair: (Int, Int)?
    @Injected var holder: MetaPair?
}

private actor Warehouse {}

@MainActor private final class MainScreen {}

@MainActor private final class IsolatedWanter {
    @Injected var store: Warehouse?
    @Injected var screen: MainScreen?
}
