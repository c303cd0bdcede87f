// Part of ServiceBox, released under the MIT License.
// An environment is a service like any other.

import ServiceBoxKit
import Testing

private struct Environment: Hashable, Sendable {
    let name: String
    var isRelease = false

    static let production = Environment(name: "production", isRelease: true)
    static let testing = Environment(name: "testing")
}

extension ServiceKey where Service == Environment {
    fileprivate static var environment: Self { "environment" }
}

extension ServiceKey where Service == any Store {
    fileprivate static var store: Self { "store" }
}

private final class Screen {
    @Injected(.environment) var environment: Environment
    @Injected(.store) var store: any Store
}

@Suite("An environment")
struct EnvironmentTests {
    private let box = ServiceBox()

    init() {
        box.register(as: .store, per: .box) { box -> any Store in
            try box[.environment].isRelease ? FileStore() : MemoryStore()
        }
    }

    @Test("is what factories branch on and objects take", arguments: [true, false])
    func branches(isRelease: Bool) throws {
        box.register(Environment(name: "custom", isRelease: isRelease), as: .environment)
        let screen = Screen()
        try box.fill(screen).requireComplete()
        #expect(screen.environment.isRelease == isRelease)
        #expect(screen.store is FileStore == isRelease)
    }

    @Test("may be another one in a child, which creates its own services for it")
    func children() throws {
        box.register(Environment.production, as: .environment)
        let child = box.makeChild(name: "preview")
        child.register(Environment.testing, as: .environment)
        #expect(try child[.store] is MemoryStore)
        #expect(try box[.store] is FileStore)
    }

    @Test("that nobody registered is an error with the path to it")
    func missing() throws {
        let error = try #require(throws: ServiceBoxError.self) { try box[.store] }
        #expect(error.code == .missing)
        #expect(error.path == ["Store", "environment"])
    }
}
