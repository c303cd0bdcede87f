// Part of ServiceBox, released under the MIT License.
// What every report says in a build that carries no reflection metadata or no names.

import Testing

@Suite("Builds without reflection, in words")
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

    @Test("without names, one finding says it in each report, and what has an explicit name is filled")
    func names() async throws {
        let words =
            "this build carries no property names, without which only slots with explicit names are filled"
        let output = try await output(
            of: Self.program, library: StandaloneLibrary.withoutNames,
            flags: StandaloneLibrary.withoutNamesFlags)
        #expect(
            output == """
                Store: 1 of 2 filled, 1 hole.
                  Store: \(words)
                  Store.program/main.swift:5: filled with 'cache' (Cache)
                Named: 2 of 2 filled.
                  Named: \(words)
                  Named.program/main.swift:8: filled with 'cache' (Cache)
                  Named.program/main.swift:9: filled with 'cache' (Cache)
                Bare: 2 of 3 filled, 1 hole.
                  Bare: \(words)
                  Bare.program/main.swift:12: filled with 'cache' (Cache)
                  Bare.cache: filled with 'cache' (Cache)
                Cache: nothing to fill.
                  Cache: \(words)
                Direction: 0 of 1 filled, 1 hole.
                  Direction: it is an enum, and only class instances, actors and structs have properties to fill
                  Direction: \(words)
                false true true true true
                Store: 1 of 2 filled, 1 hole.
                  Store: \(words)
                  Store.program/main.swift:5: filled with 'cache' (Cache)
                Desk: 0 of 2 filled, 2 holes.
                  Desk: \(words)
                  Desk: no box has seen an object of it yet
                Vault: 0 of 1 filled, 1 hole.
                  Vault: \(words)
                Vault: 0 of 1 filled, 1 hole.
                  Vault: \(words)
                Idle: nothing to fill.
                  Idle: \(words)
                'desk' (Desk): 0 of 1 filled, 1 hole.
                  Desk: \(words)

                """)
    }

    @Test("without metadata, one finding says it in each report, also where a table was written")
    func metadata() async throws {
        let words = "this build carries no reflection metadata, without which no slot is found"
        let output = try await output(
            of: Self.program, library: StandaloneLibrary.withoutMetadata,
            flags: StandaloneLibrary.withoutMetadataFlags)
        #expect(
            output == """
                Store: 0 of 1 filled, 1 hole.
                  Store: \(words)
                Named: 0 of 1 filled, 1 hole.
                  Named: \(words)
                Bare: 1 of 2 filled, 1 hole.
                  Bare: \(words)
                  Bare.cache: filled with 'cache' (Cache)
                Cache: nothing to fill.
                  Cache: \(words)
                Direction: 0 of 1 filled, 1 hole.
                  Direction: it is an enum, and only class instances, actors and structs have properties to fill
                  Direction: \(words)
                false false false true false
                Store: 0 of 1 filled, 1 hole.
                  Store: \(words)
                Desk: 0 of 2 filled, 2 holes.
                  Desk: \(words)
                  Desk: no box has seen an object of it yet
                Vault: 0 of 1 filled, 1 hole.
                  Vault: \(words)
                Vault: 0 of 1 filled, 1 hole.
                  Vault: \(words)
                Idle: nothing to fill.
                  Idle: \(words)
                'desk' (Desk): 0 of 1 filled, 1 hole.
                  Desk: \(words)

                """)
    }

    /// A program that prints the whole texts of a hole and of a note.
    private static let explanations = """
        import ServiceBoxKit
        final class Cache: Sendable {}
        struct Store { @Injected var cache: Cache? }
        for subject in [Store(), Cache()] as [Any] {
            for property in ServiceBox().fill(subject).properties { print(property.explanation) }
        }
        """

    @Test("the whole text names the flag to drop, for names")
    func namesText() async throws {
        let output = try await output(
            of: Self.explanations, library: StandaloneLibrary.withoutNames,
            flags: StandaloneLibrary.withoutNamesFlags)
        #expect(
            output == """
                Can't fill a Store: this build carries no property names, without which only slots with explicit \
                names are filled.
                To fix, build without -disable-reflection-names, or give each slot an explicit name: \
                @Injected("name").
                Nothing of a Cache is missed, but this build carries no property names, without which only slots \
                with explicit names are filled.
                To fix, build without -disable-reflection-names, or give each slot an explicit name: \
                @Injected("name").

                """)
    }

    @Test("the whole text names the flags to drop, for metadata")
    func metadataText() async throws {
        let output = try await output(
            of: Self.explanations, library: StandaloneLibrary.withoutMetadata,
            flags: StandaloneLibrary.withoutMetadataFlags)
        #expect(
            output == """
                Can't fill a Store: this build carries no reflection metadata, without which no slot is found.
                To fix, build without -disable-reflection-metadata and -reflection-metadata-for-debugger-only.
                Nothing of a Cache is missed, but this build carries no reflection metadata, without which no slot \
                is found.
                To fix, build without -disable-reflection-metadata and -reflection-metadata-for-debugger-only.

                """)
    }

    @Test("where the library alone was built without metadata, what is filled is complete")
    func libraryAlone() async throws {
        let program = """
            import ServiceBoxKit
            final class Cache: Sendable {}
            struct Store { @Injected var cache: Cache? }
            let box = ServiceBox()
            box.register(Cache())
            print(box.fill(Store()), box.fill(Store()).isComplete)
            """
        let output = try await output(of: program, library: StandaloneLibrary.withoutMetadata, flags: [])
        #expect(
            output == """
                Store: 1 of 1 filled.
                  Store: this build carries no reflection metadata, without which no slot is found
                  Store.cache: filled with 'cache' (Cache) true

                """)
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
