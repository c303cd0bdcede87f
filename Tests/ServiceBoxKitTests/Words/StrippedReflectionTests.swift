// Part of ServiceBox, released under the MIT License.
// A module that carries no reflection metadata or no names, in a build that does.

import Testing

@Suite("Modules without reflection")
struct StrippedReflectionTests {
    /// A program that fills an object and a service of its own and prints what came of it.
    private static let program = """
        import ServiceBoxKit
        final class Cache: Sendable {}
        final class Store {
            @Injected var cache: Cache?
            @Injected("cache") var named: Cache?
        }
        struct Settings {
            @Injected var cache: Cache?
        }
        final class Bare {
            var cache: Cache?
        }
        let box = ServiceBox()
        box.register(Cache())
        let store = Store()
        for subject in [store, Settings(), Bare()] as [Any] {
            let report = box.fill(subject)
            print(report)
            for hole in report.holes { print(hole.explanation) }
        }
        print(store.cache != nil, store.named != nil)
        """

    @Test("without names, slots with explicit names are filled and every other is reported")
    func namesStripped() async throws {
        let output = try await output(flags: StandaloneLibrary.withoutNamesFlags)
        #expect(
            output == """
                Store: 1 of 2 filled, 1 hole.
                  Store.program/main.swift:4: this build carries no property names
                  Store.program/main.swift:5: filled with 'cache' (Cache)
                Can't fill 'program/main.swift:4' of Store: this build carries no property names.
                  Property: Store.program/main.swift:4, a Cache?
                To fix, build without -disable-reflection-names, or give the property an explicit name: \
                @Injected("name").
                Settings: 0 of 1 filled, 1 hole.
                  Settings.program/main.swift:8: this build carries no property names
                Can't fill 'program/main.swift:8' of Settings: this build carries no property names.
                  Property: Settings.program/main.swift:8, a Cache?
                To fix, build without -disable-reflection-names, or give the property an explicit name: \
                @Injected("name").
                Bare: 0 of 1 filled, 1 hole.
                  Bare: this build carries no property names
                Can't fill a Bare: this build carries no property names.
                To fix, build without -disable-reflection-names.
                false true

                """)
    }

    @Test("without metadata, every object is reported as one that shows no properties")
    func metadataStripped() async throws {
        let reports = ["Store", "Settings", "Bare"].map { type in
            """
            \(type): 0 of 1 filled, 1 hole.
              \(type): it has properties and shows none
            Can't fill a \(type): it has properties and shows none.
            To fix, build without -disable-reflection-metadata.

            """
        }
        #expect(
            try await output(flags: StandaloneLibrary.withoutMetadataFlags) == reports.joined()
                + "false false\n")
    }

    @Test("a superclass of a module without metadata is reported, however many other slots were filled")
    func superclassStripped() async throws {
        let library = try await StandaloneLibrary.shared.value
        try await library.buildModule(
            "Stripped",
            source: """
                public import ServiceBoxKit
                public final class Cache: Sendable { public init() {} }
                open class Base {
                    @Injected public var hidden: Cache?
                    public init() {}
                }
                """, flags: StandaloneLibrary.withoutMetadataFlags)
        let program = """
            import ServiceBoxKit
            import Stripped
            final class Screen: Base { @Injected var cache: Cache? }
            let box = ServiceBox()
            box.register(Cache())
            let screen = Screen()
            let report = box.fill(screen)
            print(report)
            for hole in report.holes { print(hole.explanation) }
            print(screen.cache != nil, screen.hidden != nil)
            """
        let (compiler, built) = try await library.compile(program, flags: ["-lStripped"])
        try #require(compiler.exitCode == 0, "\(compiler.errors)")
        #expect(
            try await built.run().output == """
                Screen: 1 of 2 filled, 1 hole.
                  Screen: its superclass Base has properties and shows none
                  Screen.cache: filled with 'cache' (Cache)
                Can't fill a Screen: its superclass Base has properties and shows none.
                To fix, build the module of Base without -disable-reflection-metadata.
                true false

                """)
    }

    @Test("with all of it, the same program fills every slot")
    func nothingStripped() async throws {
        let output = try await output(flags: [])
        #expect(
            output == """
                Store: 2 of 2 filled.
                  Store.cache: filled with 'cache' (Cache)
                  Store.named: filled with 'cache' (Cache)
                Settings: 1 of 1 filled.
                  Settings.cache: filled with 'cache' (Cache)
                Bare: nothing to fill.
                  Bare.cache: 'cache' is registered, but a plain property can't be filled
                true true

                """)
    }

    private func output(flags: [String]) async throws -> String {
        let (compiler, program) = try await StandaloneLibrary.shared.value.compile(Self.program, flags: flags)
        try #require(compiler.exitCode == 0, "\(compiler.errors)")
        let result = try await program.run()
        #expect(result.exitCode == 0, "\(result.errors)")
        return result.output
    }
}
