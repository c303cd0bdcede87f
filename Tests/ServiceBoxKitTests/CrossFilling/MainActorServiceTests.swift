// Part of ServiceBox, released under the MIT License.
// Tests of services that take others whose conformances belong to the main actor.

import Foundation
import ServiceBoxKit
import Testing

private protocol Plugin {}

private final class Plain: Plugin, Sendable {}

@MainActor private final class Theme {
    nonisolated init() {}
}

extension Theme: @MainActor Plugin {}

@MainActor private final class Editor {
    @InjectedAll var plugins: [any Plugin]
    @Injected var theme: (any Plugin)?

    nonisolated init() {}
}

private final class Desk {
    @Injected var theme: (any Plugin)?
}

@MainActor private final class Mill {
    fileprivate var clock: Clock?
    fileprivate var cache: Cache?

    nonisolated init() {}
}

extension Mill: @MainActor Injectable {
    static var injections: InjectionTable {
        ["cache": .keyPath(\Mill.cache), "clock": .keyPath(\Mill.clock)]
    }
}

private let registrations: [@Sendable (ServiceBox) -> Void] = [
    { $0.register(Theme(), as: "theme") }, { $0.register(as: "theme") { _ in Theme() } },
]

/// What the editor's report says about its list.
@Sendable private func listed(_ box: ServiceBox) -> String? {
    box.crossFill().flatMap(\.properties).first { $0.name == "plugins" }?.description
}

@Suite("A service of the main actor")
@MainActor
struct MainActorServiceTests {
    private let box = ServiceBox()
    private let editor = Editor()

    /// The registered editor, after a use of the box here.
    private var usedEditor: Editor? { try? box["editor"] as Editor }

    private func elsewhere<Result: Sendable>(
        _ body: @escaping @Sendable (ServiceBox) -> Result
    ) async -> Result {
        await Task.detached { [box] in body(box) }.value
    }

    private func identities(_ plugins: [any Plugin]?) -> [ObjectIdentifier] {
        plugins?.map { ObjectIdentifier($0 as AnyObject) } ?? []
    }

    @Test("keeps what its list has when one of the main actor is added")
    func added() {
        let (plain, theme) = (Plain(), Theme())
        box.register(editor, as: "editor")
        box.register(plain, as: "plain")
        #expect(identities(usedEditor?.plugins) == [ObjectIdentifier(plain)])
        box.register(theme, as: "theme")
        #expect(identities(usedEditor?.plugins) == [ObjectIdentifier(plain), ObjectIdentifier(theme)])
    }

    @Test("keeps its list when one of its services is replaced elsewhere, and gets that one at the next use")
    func replacedElsewhere() async {
        let (theme, old, new) = (Theme(), Plain(), Plain())
        box.register(editor, as: "editor")
        box.register(theme, as: "theme")
        box.register(old, as: "plain")
        #expect(identities(usedEditor?.plugins) == identities([theme, old]))
        await elsewhere {
            $0.register(new, as: "plain")
            $0.fill(Desk())
        }
        #expect(identities(editor.plugins) == identities([theme, old]))
        #expect(identities(usedEditor?.plugins) == identities([theme, new]))
    }

    @Test("gets what is added elsewhere to a list at the next use")
    func addedElsewhere() async {
        let (theme, second, plain) = (Theme(), Theme(), Plain())
        box.register(as: "editor") { [editor] _ in editor }
        box.register(theme, as: "theme")
        #expect(identities(usedEditor?.plugins) == identities([theme]))
        await elsewhere {
            $0.register(plain, as: "plain")
            $0.register(second, as: "second")
            $0.fill(Desk())
        }
        #expect(identities(usedEditor?.plugins) == identities([theme, plain, second]))
    }

    @Test("gets what is added elsewhere and fits on the main actor alone at the next use")
    func isolatedAddedElsewhere() async {
        let (theme, plain) = (Theme(), Plain())
        box.register(editor, as: "editor")
        #expect(usedEditor?.plugins.isEmpty == true)
        box.register(plain, as: "plain")
        #expect(identities(usedEditor?.plugins) == identities([plain]))
        await elsewhere {
            $0.register(theme, as: "second")
            $0.fill(Desk())
        }
        box.fill(Desk())
        #expect(identities(editor.plugins) == identities([plain, theme]))
    }

    @Test("gets what fits on the main actor alone at the first use there", arguments: [false, true])
    func usedElsewhereFirst(isCreated: Bool) async {
        let (theme, plain) = (Theme(), Plain())
        if isCreated {
            box.register(as: "editor") { [editor] _ in editor }
        } else {
            box.register(editor, as: "editor")
        }
        box.register(theme, as: "theme")
        box.register(plain, as: "plain")
        await elsewhere { _ = try? $0["editor"] as Editor }
        #expect(identities(editor.plugins) == identities([plain]))
        #expect(editor.theme == nil)
        #expect(identities(usedEditor?.plugins) == identities([theme, plain]))
        #expect(editor.theme as AnyObject === theme)
    }

    @Test("has reports that tell what its list has, wherever they are asked for")
    func reports() async throws {
        box.register(editor, as: "editor")
        box.register(Theme(), as: "theme")
        box.register(Plain(), as: "plain")
        #expect(await elsewhere(listed) == "Editor.plugins: filled with 'plain' (Plain)")
        #expect(listed(box) == "Editor.plugins: filled with 'theme' (Theme), 'plain' (Plain)")
        #expect(await elsewhere(listed) == listed(box))
    }

    @Test(
        "gives an object the same cell each time, so that reports and holders know it",
        arguments: registrations)
    func knownAgain(register: @Sendable (ServiceBox) -> Void) throws {
        register(box)
        _ = try box["theme"] as Theme
        box.trackHolders()
        let desk = Desk()
        #expect(box.fill(desk).outcomes == ["theme": .filled])
        #expect(try box.holders(of: "theme").map(\.object) == [ObjectIdentifier(desk)])
        #expect(box.fill(desk, keepingExisting: true).outcomes == ["theme": .kept])
    }

    @Test("gets in its table what is registered while another line's factory runs", .neverHanging)
    func registeredMeanwhile() async {
        let (inside, go, mill) = (Signal(), Signal(), Mill())
        ServiceBox().fill(Mill())
        box.register(as: "mill") { _ in mill }
        box.register(as: "clock") { _ in
            inside.send()
            go.wait()
            return Clock()
        }
        await elsewhere { _ = try? $0["mill"] as Mill }
        Thread { [box] in
            inside.wait()
            box.register(Cache(), as: "cache")
            _ = try? box["cache"] as Cache
            go.send()
        }
        .start()
        for _ in 0..<2 { _ = try? box["mill"] as Mill }
        #expect(mill.clock != nil)
        #expect(mill.cache != nil)
    }
}
