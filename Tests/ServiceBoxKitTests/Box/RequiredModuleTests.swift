// Part of ServiceBox, released under the MIT License.
// Tests of a module that many others require.

import ServiceBoxKit
import Testing

/// Requires one module by two others.
private struct Fork<Inner: ServiceModule>: ServiceModule {
    let inner: Inner
    var requires: [any ServiceModule.Type] { [Prong<Inner, Int>.self, Prong<Inner, String>.self] }
    func register(in box: ServiceBox) {}
    var parts: [any ServiceModule] { [Prong<Inner, Int>(), Prong<Inner, String>()] }
}

private struct Prong<Inner: ServiceModule, Side>: ServiceModule {
    var requires: [any ServiceModule.Type] { [Inner.self] }
    func register(in box: ServiceBox) {}
}

private struct Handle: ServiceModule {
    func register(in box: ServiceBox) { box.register(Clock()) }
}

@Suite("A module that others require")
struct RequiredModuleTests {
    @Test("by very many ways is visited once", .neverHanging)
    func manyWays() throws {
        func forks(over inner: some ServiceModule, _ count: Int) -> [any ServiceModule] {
            if count == 0 { return [inner] }
            let fork = Fork(inner: inner)
            return forks(over: fork, count - 1) + fork.parts + [inner]
        }
        let box = ServiceBox()
        try box.add(forks(over: Handle(), 30))
        #expect(box.isRegistered("clock"))
    }
}
