// Part of ServiceBox, released under the MIT License.
// Look-ups whose errors are read when the box is another, or gone.

import ServiceBoxKit
import Testing

@Suite("The message of a look-up that is read later")
struct LaterLookUpMessageTests {
    private func error<Result>(_ body: () throws -> Result) throws -> ServiceBoxError {
        try #require(#expect(throws: ServiceBoxError.self) { _ = try body() })
    }

    @Test("is the same if the box has only stopped since", arguments: [false, true])
    func stopped(_ isChild: Bool) async throws {
        let parent = ServiceBox()
        let box = isChild ? parent.makeChild() : parent
        box.register(Clock())
        box.register(as: "store") { _ async in Counter() }
        let missing = try error { try box.resolve(Cache.self) }
        await box.stop()
        await parent.stop()
        let name = isChild ? "\n  Box:        'child'" : ""
        #expect(
            missing.description == """
                Can't find a Cache: no registered service fits.\(name)
                  Registered: 'clock' (Clock), 'serviceBox' (ServiceBox), 'store' (Counter)
                To fix, register a Cache before looking it up.
                """)
    }

    @Test("says that the box has changed, and tells of it as it is by then")
    func changed() throws {
        let box = ServiceBox()
        let missing = try error { try box.resolve(ServiceKey<Cache>("cache")) }
        let type = try error { try box.resolve(Cache.self) }
        box.register(Clock(), as: "cache")
        #expect(
            missing.description == """
                Can't find a Cache named 'cache': no service was registered under that name.
                  Registered: 'cache' (Clock), 'serviceBox' (ServiceBox)
                  Box:        changed since the look-up, shown as it is now
                To fix, register a Cache as 'cache' before looking it up.
                """)
        #expect(
            type.description == """
                Can't find a Cache: no registered service fitted.
                  Registered: 'cache' (Clock), 'serviceBox' (ServiceBox)
                  Box:        changed since the look-up, shown as it is now
                To fix, register a Cache before looking it up.
                """)
        let mismatch = try error { try box.resolve(ServiceKey<Cache>("cache")) }
        #expect(!mismatch.description.contains("changed since"))
        box.register(Cache(), as: "caches")
        #expect(
            mismatch.description == """
                Can't find a Cache named 'cache': the service under that name is a Clock.
                  Found: 'cache' (Clock)
                  Box:   changed since the look-up, shown as it is now
                  Did you mean 'caches'?
                To fix, ask for 'caches'.
                """)
    }

    @Test("has no candidates if those that fitted are gone by then")
    func noCandidates() throws {
        let box = ServiceBox()
        for name in ["first", "second"] { box.register(Cache(), as: ServiceKey(name)) }
        let ambiguous = try error { try box.resolve(Cache.self) }
        for name in ["first", "second"] { box.remove(name) }
        #expect(
            ambiguous.description == """
                Can't choose a Cache: 2 registered services fit.
                  Candidates: nothing
                  Box:        changed since the look-up, shown as it is now
                To fix, ask for one of them by its name, or prefer one of them.
                """)
    }

    @Test("asks for another look-up if the service is there by then")
    func present() throws {
        let box = ServiceBox()
        let missing = try error { try box.resolve(ServiceKey<Cache>("cache")) }
        box.register(Cache(), as: "cache", fileID: "App/Main.swift", line: 7)
        #expect(
            missing.description == """
                Can't find a Cache named 'cache': no service was registered under that name.
                  Registered: 'cache' (Cache), 'serviceBox' (ServiceBox)
                  Box:        changed since the look-up, shown as it is now
                  'cache' (Cache) is available now, registered at App/Main.swift:7.
                To fix, look it up again, or register it before looking it up.
                """)
    }

    @Test("says that a parent has changed")
    func changedParent() throws {
        let box = ServiceBox()
        let child = box.makeChild(name: "child")
        let missing = try error { try child.resolve(ServiceKey<Cache>("cache")) }
        #expect(!missing.description.contains("changed since"))
        box.register(Cache(), as: "caches")
        #expect(missing.description.contains("changed since the look-up, "))
        #expect(missing.description.contains("\n  Did you mean 'caches'?\n"))
    }

    @Test("counts and suggests each name once, also where a child hides its parent's service")
    func hiding() throws {
        let box = ServiceBox()
        for number in 1...8 { box.register(number, as: ServiceKey("number\(number)")) }
        box.register(Cache(), as: "caches")
        box.register(Cache(), as: "gone")
        let child = box.makeChild(name: "child")
        child.register("two", as: "number2")
        child.register(Cache(), as: "caches")
        let missing = try error { try child.resolve(ServiceKey<Cache>("cache")) }
        // The ten and the box.
        #expect(
            missing.description == """
                Can't find a Cache named 'cache': no service is registered under that name.
                  Box:        'child'
                  Registered: 'caches' (Cache), 'gone' (Cache), 'number1' (Int), 'number2' (String), \
                'number3' (Int), 'number4' (Int), 'number5' (Int), 'number6' (Int) and 3 more
                  Did you mean 'caches'?
                To fix, ask for 'caches'.
                """)
    }

    @Test("says the same when the box is gone")
    func gone() throws {
        func errors() throws -> [(error: ServiceBoxError, text: String)] {
            let box = ServiceBox()
            box.register(Cache(), as: "cache")
            box.register(Cache(), as: "caches")
            return [
                try error { try box.resolve(ServiceKey<Clock>("clock")) },
                try error { try box.resolve(ServiceKey<Cache>("cachet")) },
                try error { try box.resolve(ServiceKey<Clock>("cache")) },
                try error { try box.resolve(Cache.self) },
            ].map { ($0, $0.description) }
        }
        for (error, text) in try errors() { #expect(error.description == text) }
    }

    @Test("shows a box that has changed and is gone as it was last")
    func changedAndGone() throws {
        func missing() throws -> ServiceBoxError {
            let box = ServiceBox()
            let missing = try error { try box.resolve(ServiceKey<Clock>("clock")) }
            box.register(Cache())
            return missing
        }
        #expect(
            try missing().description == """
                Can't find a Clock named 'clock': no service was registered under that name.
                  Registered: 'cache' (Cache), 'serviceBox' (ServiceBox)
                  Box:        changed since the look-up, shown as it was last
                To fix, register a Clock as 'clock' before looking it up.
                """)
    }

    @Test("says that the box is gone, and what was asked for, where many failed after it")
    func goneLongAgo() throws {
        func errors() throws -> [ServiceBoxError] {
            let box = ServiceBox()
            box.register(Cache(), as: "cache")
            box.register(Cache(), as: "caches")
            let errors = [
                try error { try box.resolve(ServiceKey<Clock>("clock")) },
                try error { try box.resolve(ServiceKey<Clock>("cache")) },
                try error { try box.resolve(Cache.self) },
            ]
            for _ in 0..<256 { _ = try error { try box.resolve(ServiceKey<Clock>("clock")) } }
            return errors
        }
        #expect(
            try errors().map(\.description) == [
                """
                Can't find a Clock named 'clock': no service is registered under that name.
                  Box: gone since the look-up
                To fix, register a Clock as 'clock' before looking it up.
                """,
                """
                Can't find a Clock named 'cache': the service under that name is a Cache.
                  Found: 'cache' (Cache)
                  Box:   gone since the look-up
                To fix, register a Clock under that name, or ask for a Cache.
                """,
                """
                Can't choose a Cache: 2 registered services fit.
                  Box: gone since the look-up
                To fix, ask for one of them by its name, or prefer one of them.
                """,
            ])
    }

    @Test("for a type alone says what the service is made from, and how to ask for it")
    func parameters() throws {
        let box = ServiceBox()
        box.register(provider: ServiceParametersProvider { (_: Int) in Page() }, as: "page")
        let one = try error { try box.resolve(Page.self) }
        #expect(one.code == .missing)
        #expect(
            one.description == """
                Can't find a Page by its type alone: it is made from an Int.
                  Found: 'page' (Page)
                To fix, ask for it by its name with an Int: resolve("page", with: …).
                """)
        box.register(provider: ServiceParametersProvider { (_: String) in Page() }, as: "leaf")
        #expect(
            try error { try box.resolve(Page.self) }.description == """
                Can't find a Page by its type alone: it is made from parameters.
                  Found: 'leaf' (Page), 'page' (Page)
                To fix, ask for it by its name with parameters: resolve("leaf", with: …).
                """)
    }
}
