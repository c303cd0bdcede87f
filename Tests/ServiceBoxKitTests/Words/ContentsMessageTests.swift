// Part of ServiceBox, released under the MIT License.
// What is said of a container whose properties are registered one by one.

import ServiceBoxKit
import Testing

private struct Services: Sendable {
    let cache = Cache()
    let store: any Store = FileStore()
    let clock: Clock? = nil
    let pair = (1, 2)
}

private enum Level { case low }
private struct Limits: Sendable {}
private actor Cellar {}

@Suite("A container of services, in words")
struct ContentsMessageTests {
    @Test("lists what took the place of another service, and what was skipped")
    func summary() {
        let box = ServiceBox()
        box.register(Clock(), as: "user.cache")
        #expect(
            "\(box.register(contentsOf: Services(), under: "user"))" == """
                2 services registered, 1 in the place of another, 2 properties skipped.
                  user.cache: registered in the place of another
                  user.clock: it is nil
                  user.pair: it is a tuple
                """)
        #expect("\(box.register(contentsOf: Limits(), under: ""))" == "0 services registered.")
    }

    @Test("traps if it has no stored properties, or the box is sealed")
    func traps() async throws {
        let enumeration = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            ServiceBox().register(contentsOf: Level.low, under: "it", fileID: "App/Main.swift", line: 7)
        }
        try expect(
            """
            Can't register the contents of a Level: it is an enum.
              Registered: App/Main.swift:7
            To fix, pass a struct or a class instance, or register it as one service.
            """, in: enumeration)
        let optional = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            ServiceBox().register(contentsOf: Level?.none, under: "it", fileID: "App/Main.swift", line: 7)
        }
        try expect(
            """
            Can't register the contents of a Level?: it is an optional.
              Registered: App/Main.swift:7
            To fix, unwrap it, or pass a struct or a class instance.
            """, in: optional)
        let collection = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            ServiceBox().register(contentsOf: [1], under: "it")
        }
        try expect("Can't register the contents of an Array<Int>: it is a collection.", in: collection)
        let number = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            ServiceBox().register(contentsOf: 5, under: "it")
        }
        try expect(
            "Can't register the contents of an Int: it is a value of the standard library.", in: number)
        let actor = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            ServiceBox().register(contentsOf: Cellar(), under: "it")
        }
        try expect("Can't register the contents of a Cellar: it is an actor.", in: actor)
        let sealed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let box = ServiceBox()
            box.seal()
            box.register(contentsOf: Limits(), under: "it")
        }
        try expect("Can't register the contents of a Limits in a sealed box.", in: sealed)
    }

    private func expect(_ message: String, in result: ExitTest.Result?) throws {
        let errors = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(errors.contains("Fatal error: \(message)\n"), "\(errors)")
    }
}
