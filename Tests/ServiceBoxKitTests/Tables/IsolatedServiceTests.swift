// Part of ServiceBox, released under the MIT License.
// Tests of registered services whose tables belong to the main actor.

import ServiceBoxKit
import Testing

@Suite("Services with tables of the main actor")
struct IsolatedServiceTests {
    @Test(
        "a table known from the main actor is left alone by a cross-fill elsewhere, and written there later")
    func knownTable() async {
        let box = themedBox()
        await MainActor.run { _ = box.fill(Known()) }
        let service = Known()
        box.register(service, as: "service")
        let outside = box.crossFill().report(on: Known.self)
        #expect(outside?.outcomes == ["size": .filled, "theme": .wrongIsolation])
        #expect(await service.theme == nil)
        await MainActor.run {
            let inside = box.crossFill().report(on: Known.self)
            #expect(inside?.outcomes == ["size": .filled, "theme": .filled])
            #expect(service.theme == "dark")
        }
    }

    @Test("any use of the box on the main actor writes a table that waits, a fill of a well-known object too")
    func anyUse() async {
        let box = themedBox()
        let service = Awaited()
        box.register(service, as: "service")
        for _ in 1...3 { box.fill(Sized()) }
        #expect(await service.theme == nil)
        await MainActor.run {
            box.fill(Sized())
            #expect(service.theme == "dark")
        }
    }

    @Test("a struct's table taught on the main actor is written there only")
    func structTable() async {
        let box = themedBox()
        await MainActor.run { box.teach(Style.self, ["theme": .keyPath(\Style.theme)]) }
        var style = Style()
        #expect(box.fill(&style).outcomes == ["theme": .wrongIsolation])
        #expect(style.theme == nil)
        await MainActor.run {
            var style = Style()
            #expect(box.fill(&style).outcomes == ["theme": .filled])
            #expect(style.theme == "dark")
        }
    }

    private func themedBox() -> ServiceBox {
        let box = ServiceBox()
        box.register("dark", as: "theme")
        box.register("text", as: "text")
        box.register(3, as: "size")
        return box
    }
}

@MainActor private final class Known {
    @Injected var size: Int?
    var theme: String?

    nonisolated init() {}
}

extension Known: @MainActor Injectable {
    static var injections: InjectionTable { ["theme": .keyPath(\Known.theme)] }
}

@MainActor private final class Awaited {
    @Injected var size: Int?
    var theme: String?

    nonisolated init() {}
}

extension Awaited: @MainActor Injectable {
    static var injections: InjectionTable { ["theme": .keyPath(\Awaited.theme)] }
}

private struct Style {
    var theme: String?
}

private final class Sized {
    @Injected var size: Int?
}
