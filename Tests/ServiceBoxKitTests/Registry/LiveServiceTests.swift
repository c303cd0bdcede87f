// Part of ServiceBox, released under the MIT License.
// Services that are marked as reaching outside the program.

import ServiceBoxKit
import Testing

private final class Network: Sendable {}

@Suite("A service that is marked live")
struct LiveServiceTests {
    private let box = ServiceBox()

    init() {
        for name in ["network", "store", "cache"] { box.register(Network(), as: ServiceKey(name)) }
        box.markLive("network", "store")
    }

    @Test("is live once it is marked")
    func marked() {
        #expect(["network", "store", "cache", "other"].map(box.isLive) == [true, true, false, false])
    }

    @Test("is live for children and copies too")
    func families() {
        let grandchild = box.makeChild(name: "child").makeChild(name: "grandchild")
        #expect(["network", "cache"].map(grandchild.isLive) == [true, false])
        let copy = box.copy()
        #expect(["network", "cache"].map(copy.isLive) == [true, false])
        copy.markLive("cache")
        #expect(!box.isLive("cache"))
    }

    @Test("stays live when it is replaced in its box, and is not live where a child replaces it")
    func replaced() {
        box.register(Network(), as: "network")
        #expect(box.isLive("network"))
        let child = box.makeChild(name: "child")
        child.register(Network(), as: "network")
        #expect(!child.isLive("network"))
        #expect(!child.makeChild(name: "grandchild").isLive("network"))
        #expect(box.isLive("network"))
        child.remove("network")
        #expect(child.isLive("network"))
    }

    @Test("may be marked in a child for the child alone")
    func markedInChild() {
        let child = box.makeChild(name: "child")
        child.markLive("cache")
        #expect(child.isLive("cache"))
        #expect(!box.isLive("cache"))
        child.register(Network(), as: "cache")
        #expect(child.isLive("cache"))
    }

    @Test("is no longer live when it was removed or the box was cleared")
    func dropped() {
        box.remove("network")
        box.register(Network(), as: "network")
        #expect(!box.isLive("network"))
        #expect(box.isLive("store"))
        box.clear()
        box.register(Network(), as: "store")
        #expect(!box.isLive("store"))
    }

    @Test("has to be registered before it is marked, or marking traps")
    func unknown() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let box = ServiceBox()
                box.register(Network(), as: "network")
                box.markLive("network", "netwrok", fileID: "App/Start.swift", line: 3)
            })
        let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(
            errors.contains(
                """
                Fatal error: Can't mark 'netwrok' as live: no service is registered under that name.
                  Registered: 'network' (Network), 'serviceBox' (ServiceBox)
                  Marked:     App/Start.swift:3
                  Did you mean 'network'?
                To fix, mark 'network'.

                """), "\(errors)")
    }

    @Test("can't be marked in a sealed box")
    func sealed() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let box = ServiceBox()
                box.register(Network(), as: "network")
                box.seal(fileID: "App/Start.swift", line: 3)
                box.markLive("network", fileID: "App/Later.swift", line: 4)
            })
        let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(
            errors.contains(
                """
                Fatal error: Can't mark 'network' as live in a sealed box.
                  Sealed:  App/Start.swift:3
                  Changed: App/Later.swift:4
                To fix, change the box before it is sealed, or change a child or a copy of it.

                """), "\(errors)")
    }
}
