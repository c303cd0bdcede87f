// Part of ServiceBox, released under the MIT License.
// What users ask about services that are replaced, kept or never needed, answered by the box alone.

import ServiceBoxKit
import Testing

private final class Screen { @Injected var theme: Page? }
private final class Reader { @Injected var page: Page }
private final class Window: @unchecked Sendable { @Injected var document: Document }
private final class Document: @unchecked Sendable { @Injected var window: Window }

@Suite("Asked about what it keeps, the box says")
struct ReplacementQuestionTests {
    private let box = ServiceBox()

    private func replaceTheme(of screen: Screen) {
        box.register(Page(title: "light"), as: "theme", fileID: "App/Main.swift", line: 1)
        box.fill(screen)
        box.register(Page(title: "dark"), as: "theme", fileID: "App/Settings.swift", line: 9)
    }

    @Test("who holds a service that was replaced since")
    func stale() throws {
        let screen = Screen()
        box.trackHolders()
        replaceTheme(of: screen)
        #expect(
            "\(box.plan(for: screen))" == """
                Screen: 1 of 1 filled.
                  Screen.theme: it holds a service that was replaced since
                  Screen.theme: filled with 'theme' (Page)
                """)
        #expect(
            "\(try box.holders(of: "theme"))" == "[Screen.theme, whose service was replaced or removed since]"
        )
        #expect(
            box.audit().findings.map(\.explanation) == [
                """
                Can't tell what 'theme' stands for: a Page replaced another one that was handed out before.
                  Replaced:   Page, App/Main.swift:1
                  Registered: Page, App/Settings.swift:9
                  Held by:    Screen.theme
                To fix, register it before anything takes the first one, or refill the holders of the first one.
                """
            ])
        #expect("\(try box.refill("theme").refilled)" == "[Screen.theme]")
        #expect(screen.theme?.title == "dark")
        try box.audit().requireClean()
    }

    @Test("that it can't know who holds what was replaced, if it doesn't track that")
    func staleUntracked() {
        let screen = Screen()
        replaceTheme(of: screen)
        let note = box.plan(for: screen).properties.first { $0.outcome == .stale }
        #expect(
            note?.explanation == """
                Note on 'theme' of Screen: it may hold a service that was replaced; the fill was not tracked.
                  Property:   Screen.theme, a Page?
                  Replaced:   'theme' (Page), App/Main.swift:1
                  Registered: 'theme' (Page), App/Settings.swift:9
                To fix, fill the object again, or call trackHolders() on the box that fills it, before it does, to know.
                """)
        let error = #expect(throws: ServiceBoxError.self) { try box.holders(of: "theme") }
        #expect(
            error?.description == """
                Can't list the holders of 'theme': the box does not track who holds its services.
                To fix, call trackHolders() before filling.
                """)
    }

    @Test("which services keep each other alive, and who keeps one that should be gone")
    func leaks() throws {
        box.trackHolders()
        box.register { _ in Window() }
        box.register { _ in Document() }
        box.register(as: "page", lifetime: .weak) { _ in Cache() }
        final class Viewer { @Injected var page: Cache? }
        let viewer = Viewer()
        box.fill(viewer)
        #expect("\(try box.holders(of: "page"))" == "[Viewer.page]")
        withExtendedLifetime(viewer) {}
        _ = try box.resolve(Window.self)
        let notes = box.crossFill().flatMap(\.properties).filter { $0.outcome == .strongCycle }
        #expect(
            notes.map(\.explanation) == [
                """
                Note on 'window' of Document: it closes a strong cycle, which keeps the services alive: \
                document.window → window.document → document.
                  Property: Document.window, a Window
                To fix, declare a property on the way with @WeakInjected.
                """
            ])
    }

    @Test("what has been created so far, in which order, how often and for whom")
    func costs() {
        let journal = Journal()
        let observation = box.observe { if $0.kind == .made { journal.add("\($0)") } }
        box.register(as: "database") { _ in FileStore() }
        box.register(as: "page", lifetime: .transient) { box in
            Page(title: "\(try box["title"] as String)")
        }
        box.register(as: "title") { _ in "Notes" }
        for _ in 1...3 { box.fill(Reader()) }
        observation.cancel()
        #expect(journal.all == ["made 'title' (String)"] + Array(repeating: "made 'page' (Page)", count: 3))
        #expect(
            "\(box.graph())" == """
                Graph of a box: 3 services, 1 type, 1 property, 0 holes.
                'database' (FileStore), lazy, not made
                'page' (Page), transient, filled 3rd
                  asked for → 'title'
                'title' (String), lazy, filled 2nd
                Reader, filled 1st
                  page → 'page'
                """)
        #expect(
            box.uses.map(\.description) == [
                "'database' (FileStore): unused", "'page' (Page): 1 property",
                "'title' (String): looked up, asked for by 1 factory",
            ])
    }
}
