// Part of ServiceBox, released under the MIT License.
// Tests of tables that a type lists or that a box is taught.

import ServiceBoxKit
import Testing

private class Elder: Injectable {
    fileprivate var first: Clock?
    fileprivate var second: Cache?

    class var injections: InjectionTable {
        ["second": .keyPath(\Elder.second), "first": .keyPath(\Elder.first)]
    }
}

private final class Heir: Elder {
    override class var injections: InjectionTable {
        ["second": .setter { (heir: Heir, cache: Cache) in heir.second = cache }]
    }
}

@Suite("Tables")
struct TableTests {
    @Test("key paths and setters write plain properties of a class")
    func classTable() {
        let box = themedBox()
        let screen = Screen()
        let report = box.fill(screen)
        #expect(screen.theme == "dark")
        #expect(screen.total == 3)
        #expect(report.outcomes == ["theme": .filled, "size": .filled])
        #expect(report.isComplete)
    }

    @Test("a type's table is read once, also if the type has a custom mirror")
    func readOnce() {
        final class Listed: Injectable {
            static let reads = Counter()
            static var injections: InjectionTable {
                reads.next()
                return ["theme": .setter { (_: Listed, _: String) in }]
            }
        }
        final class Mirrored: Injectable, CustomReflectable {
            static let reads = Counter()
            static var injections: InjectionTable {
                reads.next()
                return ["theme": .setter { (_: Mirrored, _: String) in }]
            }
            var customMirror: Mirror { Mirror(self, children: [:]) }
        }
        for _ in 1...3 {
            let box = themedBox()
            let observation = box.observe { _ in }
            #expect(box.fill(Listed()).outcomes == ["theme": .filled])
            #expect(box.fill(Mirrored()).outcomes == ["theme": .filled])
            #expect(box.plan(for: Listed.self).isComplete)
            withExtendedLifetime(observation) {}
        }
        #expect([Listed.reads.value, Mirrored.reads.value] == [1, 1])
    }

    @Test("a table writes a struct that is passed as a variable")
    func structTable() {
        let box = themedBox()
        var style = Style()
        #expect(box.fill(&style).outcomes == ["theme": .filled, "size": .filled, "label": .missing])
        #expect(style.theme == "dark")
        #expect(style.total == 3)
    }

    @Test("of a constant struct the entries that would be written are reported, and those without a service")
    func constantStruct() {
        let report = themedBox().fill(Style())
        #expect(report.outcomes == ["theme": .constant, "size": .constant, "label": .missing])
    }

    @Test("a subclass inherits its superclass's table, and its own entries win")
    func inheritedTable() {
        let box = themedBox()
        box.register(5, as: "extra")
        let wide = WideScreen()
        let report = box.fill(wide)
        #expect(wide.theme == "wide dark")
        #expect(wide.total == 3)
        #expect(wide.extra == 5)
        #expect(report.outcomes == ["theme": .filled, "size": .filled, "extra": .filled])
        #expect(report.properties.count == 3)
        let narrow = NarrowScreen()
        box.fill(narrow)
        #expect(narrow.theme == "dark")
        #expect(narrow.total == 3)
    }

    @Test("slots and entries mix in one type, and an entry wins over a slot of its name")
    func mixed() {
        let box = themedBox()
        box.register(6, as: "doubled")
        for _ in 1...2 {
            let mix = Mix()
            let report = box.fill(mix)
            #expect(report.outcomes == ["size": .filled, "theme": .filled, "doubled": .filled])
            #expect(report.properties.count == 3)
            #expect(mix.size == 3)
            #expect(mix.theme == "dark")
            #expect(mix.doubled == nil)
            #expect(mix.seen == [6])
        }
    }

    @Test("an entry tells the type of its service: another type, or none, is a hole")
    func holes() {
        let box = ServiceBox()
        box.register(7, as: "theme")
        let screen = Screen()
        let report = box.fill(screen)
        #expect(report.outcomes == ["theme": .typeMismatch, "size": .missing])
        #expect(screen.theme == nil)
        #expect(isSame(report.holes.first { $0.name == "theme" }?.wantedType, String?.self))
        #expect(isSame(report.holes.first { $0.name == "theme" }?.foundType, Int.self))
    }

    @Test("a key path of a name that the type doesn't store is reported and not written")
    func drift() {
        let box = themedBox()
        box.register("dark", as: "thema")
        box.register("dark", as: "computed")
        let drifted = Drifted()
        let report = box.fill(drifted)
        #expect(
            report.outcomes == ["thema": .tableMismatch, "computed": .tableMismatch, "theme": .plainProperty])
        #expect(drifted.theme == nil)
    }

    @Test("an entry for another type is reported and not run")
    func wrongRoot() {
        let box = themedBox()
        box.teach(
            Bare.self,
            ["theme": .keyPath(\Screen.theme), "size": .setter { (_: Mix, _: Int) in Issue.record() }])
        let bare = Bare()
        let report = box.fill(bare)
        #expect(report.outcomes == ["theme": .tableMismatch, "size": .tableMismatch])
        #expect(bare.theme == nil)
    }

    @Test("keeping existing values leaves key paths with a value; setters run, since they can't tell")
    func keepingExisting() {
        let box = themedBox()
        let screen = Screen()
        screen.theme = "own"
        screen.total = 1
        let report = box.fill(screen, keepingExisting: true)
        #expect(report.outcomes == ["theme": .kept, "size": .filled])
        #expect(screen.theme == "own")
        #expect(screen.total == 3)
        var style = Style()
        style.theme = "own"
        #expect(box.fill(&style, keepingExisting: true).outcome(of: "theme") == .kept)
        #expect(style.theme == "own")
        let solid = Solid()
        #expect(box.fill(solid, keepingExisting: true).outcome(of: "theme") == .kept)
        #expect(solid.theme == "light")
        box.fill(solid)
        #expect(solid.theme == "dark")
    }

    @Test("a key path is written under the name of a property that begins with an underscore, or without it")
    func underscore() {
        final class Private: Injectable {
            var _theme: String?
            var _size: Int?
            static var injections: InjectionTable {
                ["_theme": .keyPath(\Private._theme), "size": .keyPath(\Private._size)]
            }
        }
        let (box, object) = (themedBox(), Private())
        box.register("light", as: "_theme")
        #expect(box.fill(object).isComplete)
        #expect(object._theme == "light" && object._size == 3)
    }

    @Test("an observed property is named as in its source")
    func observable() {
        let box = themedBox()
        let model = Model()
        #expect(box.fill(model).outcomes == ["theme": .filled])
        #expect(model.theme == "dark")
    }

    @Test("an entry that replaces the reference by an object of a superclass leaves the next entry its own")
    func replacedReference() {
        let box = ServiceBox()
        box.register(Trunk(), as: "aStem")
        box.register(3, as: "leaves")
        let twig = Twig()
        #expect(box.fill(twig).isComplete)
        #expect(twig.leaves == 3)
        #expect(box.fill(twig).isComplete)
    }

    @Test("a key path that replaces the object itself leaves it as it is, and alive")
    func replacingKeyPath() {
        var twin = Twin()
        do {
            let box = ServiceBox()
            box.register(Twin(), as: "twin")
            for _ in 0..<4 { #expect(box.fill(twin).outcomes == ["twin": .filled]) }
        }
        #expect(isKnownUniquelyReferenced(&twin))
    }

    private func themedBox() -> ServiceBox {
        let box = ServiceBox()
        box.register("dark", as: "theme")
        box.register(3, as: "size")
        return box
    }

    @Test("the lines that a subclass replaces come after those that it inherits")
    func replacedLines() {
        #expect(ServiceBox().fill(Heir()).properties.map(\.name) == ["first", "second"])
    }
}

private class Screen: Injectable {
    var theme: String?
    var total = 0

    class var injections: InjectionTable {
        [
            "theme": .keyPath(\Screen.theme),
            "size": .setter { (screen: Screen, size: Int) in screen.total = size },
        ]
    }
}

private final class WideScreen: Screen {
    var extra: Int?

    override class var injections: InjectionTable {
        [
            "theme": .setter { (screen: WideScreen, theme: String) in screen.theme = "wide \(theme)" },
            "extra": .keyPath(\WideScreen.extra),
        ]
    }
}

private final class NarrowScreen: Screen {}

private struct Style: Injectable {
    var theme: String?
    var label: String?
    var total = 0

    static var injections: InjectionTable {
        [
            "theme": .keyPath(\Style.theme), "label": .keyPath(\Style.label),
            "size": .setter { (style: inout Style, size: Int) in style.total = size },
        ]
    }
}

private final class Mix: Injectable {
    @Injected var size: Int?
    @Injected("size") var doubled: Int?
    var theme: String?
    var seen: [Int] = []

    static var injections: InjectionTable {
        [
            "theme": .keyPath(\Mix.theme),
            "doubled": .setter { (mix: Mix, number: Int) in mix.seen.append(number) },
        ]
    }
}

private final class Drifted: Injectable {
    var theme: String?
    var computed: String? {
        get { theme }
        set { theme = newValue }
    }

    static var injections: InjectionTable {
        ["thema": .keyPath(\Drifted.theme), "computed": .keyPath(\Drifted.computed)]
    }
}

private final class Bare {
    var theme: String?
}

private final class Solid: Injectable {
    var theme = "light"

    static var injections: InjectionTable { ["theme": .keyPath(\Solid.theme)] }
}

private protocol Swappable {}

extension Swappable {
    /// Of a class too, setting it exchanges what the reference refers to.
    fileprivate var twin: Self {
        get { self }
        set { self = newValue }
    }
}

private final class Twin: Swappable, Injectable, Sendable {
    static var injections: InjectionTable { ["twin": .keyPath(\Twin.twin)] }
}

private class Stem: Injectable {
    class var injections: InjectionTable { [:] }
}

/// Keeps an object that isn't `Sendable`, for a table that exchanges it.
private final class Trunk: @unchecked Sendable {
    let stem = Stem()
}

/// Longer than its superclass, so that a write to an object of that would overrun it.
private final class Twig: Stem {
    private let rings = (1, 2, 3, 4, 5, 6, 7, 8)
    private(set) var leaves = 0

    override class var injections: InjectionTable {
        [
            "aStem": .setter { (stem: inout Stem, trunk: Trunk) in stem = trunk.stem },
            "leaves": .setter { (twig: Twig, leaves: Int) in twig.leaves = leaves },
        ]
    }
}
