// Part of ServiceBox, released under the MIT License.
// What is said of a preference that names no service that fits.

import ServiceBoxKit
import Testing

@Suite("A preference that names no fitting service")
struct PreferenceMessageTests {
    private let box = ServiceBox(name: "app")

    private func prefer(_ name: String) {
        box.prefer(name, for: (any Store).self, fileID: "App/Main.swift", line: 7)
    }

    private func text() throws -> String {
        try #require(throws: ServiceBoxError.self) { try box.resolve((any Store).self) }.description
    }

    @Test("says which name is preferred, where, and what would fit")
    func missing() throws {
        box.register(FileStore(), as: "files")
        prefer("archive")
        #expect(
            try text() == """
                Can't find a Store: 'archive' is preferred, and no service is registered under that name.
                  Box:        'app'
                  Registered: 'files' (FileStore), 'serviceBox' (ServiceBox)
                  Preferred:  App/Main.swift:7
                  'files' (FileStore) would fit.
                To fix, prefer 'files'.
                """)
    }

    @Test("is what a property of that type is told of, rather than of all that fit")
    func property() {
        final class Screen { @Injected var storage: any Store }
        box.register(FileStore(), as: "files")
        box.register(FileStore(), as: "cloud")
        prefer("files")
        #expect(
            box.fill(Screen()).holes.first?.explanation == """
                Can't fill 'storage' of Screen: no service is registered under that name.
                  Property:   Screen.storage, a Store
                  Box:        'app'
                  Registered: 'cloud' (FileStore), 'files' (FileStore), 'serviceBox' (ServiceBox)
                  'files' (FileStore) would fit.
                To fix, declare it with @Injected("files").
                """)
    }

    @Test("says which name was probably meant")
    func near() throws {
        box.register(FileStore(), as: "files")
        prefer("flies")
        #expect(try text().hasSuffix("  Did you mean 'files'?\nTo fix, prefer 'files'."))
    }

    @Test("says what to register where nothing fits, and when the box has changed since")
    func nothing() throws {
        prefer("archive")
        let error = try #require(throws: ServiceBoxError.self) { try box.resolve((any Store)?.self) }
        #expect(
            error.description == """
                Can't find a Store: 'archive' is preferred, and no service is registered under that name.
                  Box:        'app'
                  Registered: 'serviceBox' (ServiceBox)
                  Preferred:  App/Main.swift:7
                To fix, register a Store as 'archive' before looking it up, or prefer another service.
                """)
        box.register(Clock())
        #expect(
            error.description == """
                Can't find a Store: 'archive' is preferred, and no service was registered under that name.
                  Box:        'app'
                  Registered: 'clock' (Clock), 'serviceBox' (ServiceBox)
                  Preferred:  App/Main.swift:7
                  Box:        changed since the look-up, shown as it is now
                To fix, register a Store as 'archive' before looking it up, or prefer another service.
                """)
    }

    @Test("says what is registered under the name by then")
    func otherwise() throws {
        prefer("files")
        box.register(Clock(), as: "files")
        #expect(
            try text() == """
                Can't find a Store: 'files' is preferred, and the service under that name is a Clock.
                  Found:     'files' (Clock)
                  Preferred: App/Main.swift:7
                To fix, register a Store under that name, or prefer another service.
                """)
        box.register(as: "files") { (_, _: Int) in FileStore() }
        #expect(
            try text().hasPrefix(
                "Can't find a Store: 'files' is preferred, and the service under that name is made from an Int."
            ))
    }

    @Test("says the same in an audit")
    func audit() throws {
        prefer("archive")
        let finding = try #require(box.audit().findings.first)
        #expect(finding.kind == .missing)
        #expect(try finding.explanation == text())
        #expect(
            "\(finding)" == "Store: 'archive' is preferred, and no service is registered under that name")
        box.register(Clock(), as: "archive")
        #expect(box.audit().findings.map(\.kind) == [.typeMismatch, .unused])
    }

    @Test("traps at once if it can't fit")
    func trap() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let box = ServiceBox()
                box.register(Clock())
                box.register(FileStore(), as: "files")
                box.prefer("clock", for: (any Store).self, fileID: "App/Main.swift", line: 7)
            })
        let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(
            errors.contains(
                """
                Fatal error: Can't prefer 'clock' for a Store: the service under that name is a Clock.
                  Found:     'clock' (Clock)
                  Preferred: App/Main.swift:7
                  'files' (FileStore) would fit.
                To fix, prefer 'files'.

                """), "\(errors)")
    }

    @Test("traps where the box is sealed")
    func sealed() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let box = ServiceBox()
                box.seal(fileID: "App/Main.swift", line: 3)
                box.seal(fileID: "App/Main.swift", line: 4)
                box.prefer("files", for: (any Store).self, fileID: "App/Main.swift", line: 7)
            })
        let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(errors.contains("Fatal error: Can't prefer 'files' in a sealed box.\n"), "\(errors)")
        // Sealing it again doesn't change the place.
        #expect(errors.contains("App/Main.swift:3") && !errors.contains("App/Main.swift:4"), "\(errors)")
    }
}
