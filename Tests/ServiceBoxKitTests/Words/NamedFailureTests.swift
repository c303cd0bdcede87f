// Part of ServiceBox, released under the MIT License.
// What is said of failures where the type alone doesn't tell which service has failed.

import ServiceBoxKit
import Testing

private struct Down: Error {}

private struct LookingModule: ServiceModule {
    func register(in box: ServiceBox) throws {
        let _: Cache = try box["cahce"]
    }
}

private struct DownModule: ServiceModule {
    func register(in box: ServiceBox) throws { throw Down() }
}

private final class Looking: ServiceLifecycle {
    private let box: ServiceBox

    init(_ box: ServiceBox) { self.box = box }

    func start() async throws { let _: Cache = try box["cahce"] }
}

private final class Stall { @Injected var page: Page }

@Suite("What is said of a failure")
struct NamedFailureTests {
    private let box = ServiceBox()

    @Test("names the service that failed of several that have its type")
    func factory() {
        box.register(as: "primary") { _ in FileStore() }
        box.register(as: "backup") { _ -> FileStore in throw Down() }
        box.register { box in
            let stores: [FileStore] = [try box["primary"], try box["backup"]]
            return Page(number: stores.count)
        }
        #expect(
            box.failure(of: ServiceKey<Page>("page"))?.description == """
                Can't make a Page: the factory of FileStore failed.
                  Path:       Page → FileStore
                  Registered: as 'backup'
                  Error:      Down() (Down)
                To fix, correct what the factory of FileStore reports, then ask again.
                """)
    }

    @Test("shows what a module has looked up in vain, and what was meant")
    func module() {
        box.register(Cache())
        let error = #expect(throws: ServiceBoxError.self) { try box.add(LookingModule()) }
        #expect(
            error?.description == """
                Can't add LookingModule: it failed to register.
                  Path:      LookingModule → cahce
                  Error:     Can't find a Cache named 'cahce': no service is registered under that name.
                  Available: 'cache' (Cache), 'serviceBox' (ServiceBox)
                  Did you mean 'cache'?
                To fix, ask for 'cache'.
                """)
    }

    @Test("shows the way to what a module's service lacks, and the services that it has registered itself")
    func lookUpOfModule() {
        struct Shelving: ServiceModule {
            func register(in box: ServiceBox) throws {
                box.register { box in
                    _ = try box.resolve(FileStore.self)
                    return Page()
                }
                box.register { box in
                    let _: Cache = try box["cahce"]
                    return FileStore()
                }
                box.register(Cache())
                _ = try box.resolve(Page.self)
            }
        }
        let error = #expect(throws: ServiceBoxError.self) { try box.add(Shelving()) }
        #expect(
            error?.description == """
                Can't add Shelving: it failed to register.
                  Path:      Shelving → Page → FileStore → cahce
                  Error:     Can't find a Cache named 'cahce': no service is registered under that name.
                  Available: 'cache' (Cache, from Shelving), 'fileStore' (FileStore, from Shelving), 'page' (Page, from Shelving), 'serviceBox' (ServiceBox)
                  Did you mean 'cache'?
                To fix, ask for 'cache'.
                """)
        #expect(box.registrations.map(\.name) == ["serviceBox"])
    }

    @Test("names the service whose factory adds a module that fails, and the module")
    func moduleOfService() {
        box.register { box -> FileStore in
            try box.add(DownModule())
            return FileStore()
        }
        #expect(
            box.failure(of: ServiceKey<FileStore>("fileStore"))?.description == """
                Can't make a FileStore: DownModule failed to register.
                  Path:  FileStore → DownModule
                  Error: Down() (Down)
                To fix, correct what DownModule reports, then ask again.
                """)
    }

    @Test("shows what a service has looked up in vain that starts, and what was meant")
    func start() async {
        box.register(Cache())
        box.register(Looking(box), as: "primary")
        let error = await failure { try await box.start() } as? ServiceBoxError
        #expect(
            error?.description == """
                Can't start a Looking: its start failed.
                  Path:       Looking → cahce
                  Registered: as 'primary'
                  Error:      Can't find a Cache named 'cahce': no service is registered under that name.
                  Available:  'cache' (Cache), 'primary' (Looking), 'serviceBox' (ServiceBox)
                  Did you mean 'cache'?
                To fix, ask for 'cache'.
                """)
    }

    @Test("shows what was meant by a service that an object lacks in a module, though that was taken back")
    func objectInModule() {
        let module = InterruptedModule { box in
            box.register(Cache(), as: "cachee")
            box.register(as: "page") { box in
                let _: Cache = try box["cache"]
                return Page()
            }
            try box.fill(Stall()).requireComplete()
        }
        let error = #expect(throws: ServiceBoxError.self) { try box.add(module) }
        #expect(error?.description.contains("\n  Did you mean 'cachee'?\n") == true)
        #expect(error?.description.contains("is available now") == false)
    }
}
