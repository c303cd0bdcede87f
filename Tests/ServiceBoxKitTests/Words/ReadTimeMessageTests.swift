// Part of ServiceBox, released under the MIT License.
// What is said of a property that is looked up when it is read.

import ServiceBoxKit
import Testing

@Suite("What is said of a property that is looked up when it is read")
struct ReadTimeMessageTests {
    private final class Screen {
        static let line = #line + 1
        @Injected(when: .read) var cache: Cache
    }

    private func expect(_ message: String, in result: ExitTest.Result?) throws {
        let errors = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(errors.contains("Fatal error: \(message)\n"), "\(errors)")
    }

    @Test("in a report")
    func note() {
        let report = ServiceBox().fill(Screen())
        #expect(
            report.description == """
                Screen: nothing to fill.
                  Screen.cache: it is looked up when it is first read
                """)
        #expect(
            report.properties.map(\.explanation) == [
                """
                Note on 'cache' of Screen: it is looked up when it is first read.
                  Property: Screen.cache, a Cache
                """
            ])
    }

    @Test("in the graph and the wiring")
    func graph() {
        let box = ServiceBox()
        let screen = Screen()
        box.fill(screen)
        #expect(
            box.graph(planned: true).description == """
                Graph of a box: 0 services, 1 type, 1 property, 0 holes.
                Screen
                  cache ⇢ 'cache', at the first read
                """)
        #expect(!box.graph(planned: true).mermaid.contains("hole"))
        #expect(box.wiring() == "Screen.cache: nothing for 'cache' (onRead)\n")
        box.register(Cache(), fileID: "App/Main.swift")
        #expect(
            box.wiring()
                == "Screen.cache: 'cache', Cache, ready-made, App/Main.swift, at the first read\n")
        #expect(box.graph(planned: true).mermaid.contains("-.->|\"cache\"|"))
    }

    @Test("where no service is there by then")
    func missing() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (box, screen) = (ServiceBox(), Screen())
            box.fill(screen)
            box.register(Clock())
            withExtendedLifetime(box) { _ = screen.cache }
        }
        try expect(
            """
            Can't read 'cache' of Screen: no service is registered under that name.
              Declared:   ServiceBoxKitTests/ReadTimeMessageTests.swift:\(Screen.line)
              Property:   Screen.cache, a Cache
              Registered: 'clock' (Clock), 'serviceBox' (ServiceBox)
            To fix, register a Cache as 'cache' before reading.
            """, in: result)
    }

    @Test("where its service can't be created")
    func failed() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (box, screen) = (ServiceBox(), Screen())
            box.fill(screen)
            box.register { _ -> Cache in throw Broken() }
            withExtendedLifetime(box) { _ = screen.cache }
        }
        try expect(
            """
            Can't read 'cache' of Screen: its service could not be made, since its factory failed.
              Declared: ServiceBoxKitTests/ReadTimeMessageTests.swift:\(Screen.line)
              Property: Screen.cache, a Cache
              Found:    'cache' (Cache)
              Error:    Broken() (Broken)
            To fix, correct what the factory of Cache reports, then read it again.
            """, in: result)
    }

    @Test("where the box is gone")
    func boxIsGone() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let screen = Screen()
            do { ServiceBox().fill(screen) }
            _ = screen.cache
        }
        try expect(
            """
            Can't read 'cache' of Screen: the box that filled the object is gone.
              Declared: ServiceBoxKitTests/ReadTimeMessageTests.swift:\(Screen.line)
              Property: Screen.cache, a Cache
            To fix, keep the box as long as such properties may be read.
            """, in: result)
    }

    @Test("where nothing has filled its object")
    func unfilled() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Screen().cache
        }
        try expect(
            """
            Can't read an injected Cache: nothing has filled it yet.
              Declared: ServiceBoxKitTests/ReadTimeMessageTests.swift:\(Screen.line)
            To fix, fill the object before reading the property, or declare the property optional.
            """, in: result)
    }
}
