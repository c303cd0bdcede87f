// Part of ServiceBox, released under the MIT License.
// Tests of slots that lie in structs inside the subject.

import ServiceBoxKit
import Testing

@Suite("Slots in structs inside")
struct NestedStructTests {
    @Test("slots in a struct property are filled and named by their path")
    func inObject() {
        let box = settingsBox()
        for _ in 1...3 {
            let panel = Panel()
            let report = box.fill(panel)
            #expect(
                report.properties.map(\.name) == ["title", "settings.theme", "settings.inner.size", "size"])
            #expect(report.isComplete)
            #expect(panel.settings.theme == "dark")
            #expect(panel.settings.inner.size == 3)
            #expect(panel.size == 3)
        }
    }

    @Test("slots two structs deep in a struct are filled, in a constant too")
    func inStruct() {
        let box = settingsBox()
        let settings = Settings()
        #expect(box.fill(settings).properties.map(\.name) == ["theme", "inner.size"])
        #expect(settings.theme == "dark")
        #expect(settings.inner.size == 3)
    }

    @Test("a registered struct is cross-filled through its slots, which its copies share")
    func service() {
        let box = settingsBox()
        let settings = Settings()
        box.register(settings, as: "settings")
        let report = box.crossFill().report(on: Settings.self)
        #expect(report?.isComplete == true)
        #expect(settings.inner.size == 3)
    }

    @Test("an object inside isn't read: it is filled on its own")
    func objectInside() {
        let box = settingsBox()
        let outer = Outer()
        let report = box.fill(outer)
        #expect(report.properties.map(\.name) == ["size"])
        #expect(outer.panel.size == nil)
    }

    @Test("two properties of one struct type are both filled")
    func twice() {
        let box = settingsBox()
        let pair = Pair()
        box.fill(pair)
        #expect(pair.first.size == 3)
        #expect(pair.second.size == 3)
    }

    @Test("slots in an optional struct are left alone, and the report says so")
    func optionalStruct() {
        let box = settingsBox()
        let outer = OptionalOuter()
        let report = box.fill(outer)
        #expect(outer.inner?.size == nil)
        #expect(
            report.holes.map(\.explanation) == [
                """
                Can't fill 'inner' of OptionalOuter: it is optional or lazy, with injected properties inside, where a \
                fill does not look.
                  Property: OptionalOuter.inner, an Inner?
                To fix, declare it neither optional nor lazy, or fill its value itself.
                """
            ])
    }

    @Test("a wrapper in an optional is left alone, and the report says so")
    func optionalWrapper() {
        let report = settingsBox().fill(OptionalWrapper())
        #expect(report.holes.map(\.name) == ["size"])
        #expect(report.holes.map(\.outcome) == [.notWalkable])
    }

    private func settingsBox() -> ServiceBox {
        let box = ServiceBox()
        box.register("Title", as: "title")
        box.register("dark", as: "theme")
        box.register(3, as: "size")
        return box
    }
}

private struct Inner: Sendable {
    let padding = true
    @Injected var size: Int?
}

private struct Settings: Sendable {
    @Injected var theme: String?
    var count = 1
    let inner = Inner()
}

private final class Panel {
    @Injected var title: String?
    let settings = Settings()
    @Injected var size: Int?
}

private final class Outer {
    let panel = Panel()
    @Injected var size: Int?
}

private final class OptionalOuter {
    var inner: Inner? = Inner()
    @Injected var size: Int?
}

private final class OptionalWrapper {
    var size: Injected<Int?>? = Injected()
}

private final class Pair {
    let first = Inner()
    let second = Inner()
}
