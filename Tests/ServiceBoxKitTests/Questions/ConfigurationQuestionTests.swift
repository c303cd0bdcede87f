// Part of ServiceBox, released under the MIT License.
// What users ask about a whole configuration, answered by the box alone.

import ServiceBoxKit
import Testing

private final class Handler { @Injected var repository: Repository }
private final class Repository: @unchecked Sendable { @Injected var database: Database }
private final class Database: @unchecked Sendable { @Injected var connection: String }

private final class Screen {
    @Injected var cache: Cache
    @Injected var store: Cache
}

private final class Shop: @unchecked Sendable {
    @Injected var store: any Store
    @WeakInjected var owner: Cache?
}
private final class Till: @unchecked Sendable { @Injected("shop") var register: Shop }

@Suite("Asked about the whole configuration, the box says")
struct ConfigurationQuestionTests {
    private let box = ServiceBox()

    @Test("all that is wrong with it, in one test")
    func inOneTest() throws {
        func register(in box: ServiceBox) {
            box.register(FileStore(), as: "store", fileID: "App/Main.swift", line: 1)
            box.register(as: "clock", fileID: "App/Main.swift", line: 2) { _ -> Clock in throw Broken() }
        }
        register(in: box)
        let error = #expect(throws: ServiceBoxError.self) {
            try box.audit(including: [Screen.self], makingServices: true).requireClean()
        }
        #expect(
            error?.description == """
                Can't pass the audit: 3 findings.

                Can't fill 'cache' of Screen: no service is registered under that name.
                  Property:   Screen.cache, a Cache
                  Required:   unless its declaration, unknown without an object, gives a value or another name
                  Registered: 'clock' (Clock), 'serviceBox' (ServiceBox), 'store' (FileStore)
                To fix, register a Cache as 'cache' before filling.

                Can't fill 'store' of Screen: the service under that name is a FileStore, not a Cache.
                  Property: Screen.store, a Cache
                  Required: unless its declaration, unknown without an object, gives a value or another name
                  Found:    'store' (FileStore)
                To fix, register a Cache under that name, or give the property the type of the service.

                Can't make a Clock: its factory failed.
                  Service: 'clock' (Clock)
                  Error:   Broken() (Broken)
                To fix, correct what the factory of Clock reports, then ask again.
                """)
    }

    @Test("at the start what the first request would miss")
    func atTheStart() throws {
        box.register(as: "repository") { _ in Repository() }
        box.register(as: "database") { _ in Database() }
        #expect(
            "\(box.audit(including: [Handler.self]))" == """
                Audit of 2 services and 1 type: clean.
                  Never made, so not examined: 'database', 'repository'; examine them with makingServices: true
                """)
        #expect(
            "\(box.audit(including: [Handler.self], makingServices: true))" == """
                Audit of 2 services and 1 type: 1 finding.
                  Database.connection: no service is registered under that name
                """)
        #expect(
            box.failure(of: ServiceKey<Repository>("repository"))?.description == """
                Can't hand out 'repository': it needs 'connection' of Database, but no service is registered under that name.
                  Path:       repository → database → connection
                  Property:   Database.connection, a String
                  Registered: 'database' (Database), 'repository' (Repository), 'serviceBox' (ServiceBox)
                To fix, register a String as 'connection' before filling.
                """)
    }

    @Test("who has what, as text and as a picture")
    func graph() {
        box.register(as: "store") { box in
            _ = try box["cache"] as Cache
            return FileStore()
        }
        box.register(as: "cache") { _ in Cache() }
        box.register(as: "shop") { _ in Shop() }
        box.fill(Till())
        #expect(
            "\(box.graph())" == """
                Graph of a box: 3 services, 1 type, 3 properties, 1 hole.
                'cache' (Cache), lazy, filled 2nd
                'shop' (Shop), lazy, filled 4th
                  store → 'store'
                  owner ✗ missing, wants 'owner' (Cache?)
                'store' (FileStore), lazy, filled 3rd
                  asked for → 'cache'
                Till, filled 1st
                  register → 'shop'
                """)
        #expect(
            box.graph().mermaid == """
                flowchart LR
                    n0["cache<br/>Cache<br/>lazy, filled 2nd"]
                    n1["shop<br/>Shop<br/>lazy, filled 4th"]
                    n2["store<br/>FileStore<br/>lazy, filled 3rd"]
                    n3(["Till<br/>filled 1st"])
                    n1 -->|"store"| n2
                    h1["no 'owner'"]:::hole
                    n1 --x|"owner"| h1
                    n2 -.->|"asked for"| n0
                    n3 -->|"register"| n1
                    classDef hole color:#b00,stroke:#b00,stroke-dasharray:3
                """)
    }
}
