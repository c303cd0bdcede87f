// Part of ServiceBox, released under the MIT License.
// What users ask about builds, answered by the compiler or by a program.

import Testing

@Suite("Asked about a build")
struct BuildQuestionTests {
    @Test("the compiler names what isn't Sendable, and takes it once it is")
    func sendable() async throws {
        func answer(_ declaration: String) async throws -> [String] {
            let source = """
                import ServiceBoxKit
                \(declaration)
                func register(in box: ServiceBox) {
                    box.register(Cart(), as: "cart")
                    box.register { _ in Cart() }
                }
                """
            let library = try await StandaloneLibrary.shared.value
            let errors = try await library.compile(source, flags: ["-typecheck"]).compiler.errors
            return errors.split(separator: "\n").filter { $0.contains(": error: ") }.map { line in
                String(line.replacing(/^.*main.swift:(\d+):\d+/) { "line \($0.output.1)" })
            }
        }
        #expect(
            try await answer("final class Cart { var count = 0 }") == [
                "line 4: error: type 'Cart' does not conform to the 'Sendable' protocol",
                "line 5: error: type 'Cart' does not conform to the 'Sendable' protocol",
            ])
        #expect(
            try await answer("final class Cart: Sendable { @Injected var count: Int? }") == [
                "line 2: error: stored property '_count' of 'Sendable'-conforming class 'Cart' is mutable"
            ])
        for declaration in [
            "actor Cart { @Injected var count: Int? }",
            "@MainActor final class Cart { @Injected var count: Int?; nonisolated init() {} }",
            "struct Needs: Sendable { @Injected var count: Int? }\nfinal class Cart: Sendable { let needs = Needs() }",
        ] {
            #expect(try await answer(declaration) == [])
        }
    }

    @Test("a program without reflection metadata says so, in reports, in an audit and where it traps")
    func stripped() async throws {
        let source = """
            import Foundation
            import ServiceBoxKit
            final class Cache: Sendable {}
            final class Screen { @Injected var cache: Cache }
            let box = ServiceBox()
            box.register(Cache())
            let screen = Screen()
            print(box.fill(screen))
            do { try box.audit(including: [screen]).requireClean(allowing: ["cache"]) } catch { print(error) }
            fflush(nil)
            print(screen.cache)
            """
        let library = try await StandaloneLibrary.shared.value
        let (compiler, program) = try await library.compile(
            source, flags: StandaloneLibrary.withoutMetadataFlags)
        try #require(compiler.exitCode == 0, "\(compiler.errors)")
        let result = try await program.run()
        let way = """
            build the module without -disable-reflection-metadata, -disable-reflection-names and \
            -reflection-metadata-for-debugger-only
            """
        #expect(
            result.output == """
                Screen: 0 of 1 filled, 1 hole.
                  Screen: its module was built without reflection metadata
                Can't fill a Screen: its module was built without reflection metadata.
                To fix, \(way), or if only names are missing, give the property an explicit one: @Injected("name").

                """)
        let trap = """
            : Fatal error: Can't read an injected Cache: its module was built without reflection metadata.
              Declared: program/main.swift:4
            To fix, \(way).

            """
        #expect(result.errors.contains(trap), "\(result.errors)")
    }
}
