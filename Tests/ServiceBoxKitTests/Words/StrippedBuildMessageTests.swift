// Part of ServiceBox, released under the MIT License.
// What every report says in a build that carries no reflection metadata or no names.

import Testing

@Suite("Builds without reflection metadata")
struct StrippedBuildMessageTests {
    /// A program that prints a report of every kind, on subjects of every kind.
    private static let program = """
        import ServiceBoxKit
        final class Cache: Sendable {}
        final class Store {
            @Injected var cache: Cache?
            @Injected("cache") var named: Cache?
        }
        final class Named {
            @Injected("cache") var cache: Cache?
            @InjectedAll var caches: [Cache]
        }
        final class Bare: Injectable {
            @Injected("cache") var named: Cache?
            var cache: Cache?
            static var injections: InjectionTable { ["cache": .keyPath(\\Bare.cache)] }
        }
        actor Vault { @Injected var cache: Cache? }
        actor Idle {}
        final class Desk: @unchecked Sendable { @Injected var cache: Cache? }
        enum Direction { case north }

        let box = ServiceBox()
        box.register(Cache())
        let store = Store(), named = Named(), bare = Bare()
        for subject in [store, named, bare, Cache(), Direction.north] as [Any] { print(box.fill(subject)) }
        print(store.cache != nil, store.named != nil, named.cache != nil, bare.cache != nil, bare.named != nil)
        print(box.plan(for: store))
        print(box.plan(for: Desk.self))
        let vault = Vault()
        print(box.fill(vault as AnyObject))
        print(await box.fill(vault))
        print(await box.fill(Idle()))
        box.register(Desk())
        for report in box.crossFill() { print(report) }
        """

    private static let reason = "its module was built without reflection metadata"

    /// Each test runs with a library that was built as the program is, and with one that has all metadata.
    @Test("without names fill slots with explicit names and report every other", arguments: [true, false])
    func names(isLibraryStripped: Bool) async throws {
        let reason = Self.reason
        let output = try await output(
            of: Self.program,
            library: isLibraryStripped ? StandaloneLibrary.withoutNames : StandaloneLibrary.shared,
            flags: StandaloneLibrary.withoutNamesFlags)
        #expect(
            output == """
                Store: 1 of 2 filled, 1 optional left empty.
                  Store.program/main.swift:4: \(reason)
                  Store.program/main.swift:5: filled with 'cache' (Cache)
                Named: 2 of 2 filled.
                  Named.program/main.swift:8: filled with 'cache' (Cache)
                  Named.program/main.swift:9: filled with 'cache' (Cache)
                Bare: 2 of 2 filled.
                  Bare.program/main.swift:12: filled with 'cache' (Cache)
                  Bare.cache: filled with 'cache' (Cache)
                Cache: nothing to fill.
                Direction: 0 of 1 filled, 1 hole.
                  Direction: it is an enum, and only class instances, actors and structs have properties to fill
                false true true true true
                Store: 1 of 2 filled, 1 optional left empty.
                  Store.program/main.swift:4: \(reason)
                  Store.program/main.swift:5: filled with 'cache' (Cache)
                Desk: 0 of 1 filled, 1 hole.
                  Desk: \(reason)
                Vault: 0 of 1 filled, 1 optional left empty.
                  Vault.program/main.swift:16: \(reason)
                Vault: 0 of 1 filled, 1 optional left empty.
                  Vault.program/main.swift:16: \(reason)
                Idle: nothing to fill.
                'desk' (Desk): 0 of 1 filled, 1 optional left empty.
                  Desk.program/main.swift:18: \(reason)

                """)
    }

    @Test("without metadata report every object that has properties", arguments: [true, false])
    func metadata(isLibraryStripped: Bool) async throws {
        let reason = Self.reason
        let output = try await output(
            of: Self.program,
            library: isLibraryStripped ? StandaloneLibrary.withoutMetadata : StandaloneLibrary.shared,
            flags: StandaloneLibrary.withoutMetadataFlags)
        #expect(
            output == """
                Store: 0 of 1 filled, 1 hole.
                  Store: \(reason)
                Named: 0 of 1 filled, 1 hole.
                  Named: \(reason)
                Bare: 1 of 1 filled.
                  Bare: \(reason)
                  Bare.cache: filled with 'cache' (Cache)
                Cache: nothing to fill.
                Direction: 0 of 1 filled, 1 hole.
                  Direction: it is an enum, and only class instances, actors and structs have properties to fill
                false false false true false
                Store: 0 of 1 filled, 1 hole.
                  Store: \(reason)
                Desk: 0 of 1 filled, 1 hole.
                  Desk: \(reason)
                Vault: 0 of 1 filled, 1 hole.
                  Vault: \(reason)
                Vault: 0 of 1 filled, 1 hole.
                  Vault: \(reason)
                Idle: nothing to fill.
                'desk' (Desk): 0 of 1 filled, 1 hole.
                  Desk: \(reason)

                """)
    }

    @Test("register no contents, and say so")
    func contents() async throws {
        let program = """
            import ServiceBoxKit
            final class Cache: Sendable {}
            struct Services: Sendable { let cache = Cache() }
            print(ServiceBox().register(contentsOf: Services(), under: "user"))
            """
        let builds = [
            (flags: StandaloneLibrary.withoutNamesFlags, type: "Cache"),
            (flags: StandaloneLibrary.withoutMetadataFlags, type: "Services"),
        ]
        for (flags, type) in builds {
            #expect(
                try await output(of: program, library: StandaloneLibrary.shared, flags: flags) == """
                    0 services registered, 1 property skipped.
                      user.\(type): \(Self.reason)

                    """)
        }
    }

    /// A program that prints the whole texts of a hole and of a note.
    private static let explanations = """
        import ServiceBoxKit
        final class Cache: Sendable {}
        struct Store { @Injected var cache: Cache? }
        final class Bare: Injectable {
            var cache: Cache?
            static var injections: InjectionTable { ["cache": .keyPath(\\Bare.cache)] }
        }
        let box = ServiceBox()
        box.register(Cache())
        for subject in [Store(), Bare()] as [Any] {
            for property in box.fill(subject).properties where property.outcome != .filled {
                print(property.explanation)
            }
        }
        """

    @Test("name the flags to drop")
    func wholeText() async throws {
        let fix = """
            To fix, build the module without -disable-reflection-metadata, -disable-reflection-names and \
            -reflection-metadata-for-debugger-only, or if only names are missing, give the property an explicit one: \
            @Injected("name").
            """
        let withoutNames = try await output(
            of: Self.explanations, library: StandaloneLibrary.shared,
            flags: StandaloneLibrary.withoutNamesFlags)
        #expect(
            withoutNames == """
                Can't fill 'program/main.swift:3' of Store: \(Self.reason).
                  Property: Store.program/main.swift:3, a Cache?
                \(fix)

                """)
        let withoutMetadata = try await output(
            of: Self.explanations, library: StandaloneLibrary.shared,
            flags: StandaloneLibrary.withoutMetadataFlags)
        #expect(
            withoutMetadata == """
                Can't fill a Store: \(Self.reason).
                \(fix)
                Note on a Bare: \(Self.reason).
                \(fix)

                """)
    }

    @Test("stop a read of what no fill can see with the flags to drop")
    func unfilledRead() async throws {
        let program = """
            import ServiceBoxKit
            final class Cache: Sendable {}
            final class Store { @Injected var cache: Cache }
            let store = Store()
            ServiceBox().fill(store)
            _ = store.cache
            """
        let (compiler, built) = try await StandaloneLibrary.shared.value.compile(
            program, flags: StandaloneLibrary.withoutMetadataFlags)
        try #require(compiler.exitCode == 0, "\(compiler.errors)")
        let errors = try await built.run().errors
        let trap = """
            : Fatal error: Can't read an injected Cache: \(Self.reason).
              Declared: program/main.swift:3
            To fix, build the module without -disable-reflection-metadata, -disable-reflection-names and \
            -reflection-metadata-for-debugger-only.

            """
        #expect(errors.contains(trap), "\(errors)")
    }

    @Test("report a superclass of a module without metadata, however many other slots were filled")
    func superclass() async throws {
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
            print(box.fill(screen))
            print(screen.cache != nil, screen.hidden != nil)
            """
        #expect(
            try await output(of: program, library: StandaloneLibrary.shared, flags: ["-lStripped"]) == """
                Screen: 1 of 2 filled, 1 hole.
                  Base: \(Self.reason)
                  Screen.cache: filled with 'cache' (Cache)
                true false

                """)
    }

    @Test("where the library alone was built without metadata, miss nothing")
    func libraryAlone() async throws {
        let program = """
            import ServiceBoxKit
            final class Cache: Sendable {}
            struct Store { @Injected var cache: Cache? }
            let box = ServiceBox()
            box.register(Cache())
            print(box.fill(Store()))
            """
        let output = try await output(of: program, library: StandaloneLibrary.withoutMetadata, flags: [])
        #expect(output == "Store: 1 of 1 filled.\n  Store.cache: filled with 'cache' (Cache)\n")
    }

    private func output(
        of program: String, library: Task<StandaloneLibrary, any Error>, flags: [String]
    ) async throws -> String {
        let (compiler, program) = try await library.value.compile(program, flags: flags)
        try #require(compiler.exitCode == 0, "\(compiler.errors)")
        let result = try await program.run()
        #expect(result.exitCode == 0, "\(result.errors)")
        return result.output
    }
}
