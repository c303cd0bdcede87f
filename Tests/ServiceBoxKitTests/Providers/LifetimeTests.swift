// Part of ServiceBox, released under the MIT License.
// When services are made, and how often.

import ServiceBoxKit
import Testing

private final class SwitchingFactory: ServiceFactory {
    let reads = Counter()
    let makes = Counter()
    var lifetime: Lifetime { reads.next() == 1 ? .lazy : .transient }

    func makeService() -> any Store {
        makes.next()
        return FileStore()
    }
}

private struct PageFactory: ServiceSessionFactory {
    let makes = Counter()
    var lifetime: Lifetime { .weak }

    func makeService(for session: UserSession) -> Page { Page(number: makes.next()) }
}

@Suite("Lifetimes")
struct LifetimeTests {
    @Test("are read once, when a provider is created")
    func readOnce() throws {
        let factory = SwitchingFactory()
        let provider = ServiceProvider(factory)
        _ = try (provider.resolve(), provider.resolve())
        #expect(factory.reads.value == 1)
        #expect(factory.makes.value == 1)
    }

    @Test("have their names as descriptions")
    func descriptions() {
        let lifetimes: [Lifetime] = [.eager, .lazy, .weak, .transient]
        #expect(lifetimes.map(\.description) == ["eager", "lazy", "weak", "transient"])
    }

    @Test("an eager service is created once, with its provider")
    func eager() throws {
        let makes = Counter()
        let provider = ServiceProvider(.eager) { makes.next() }
        #expect(makes.value == 1)
        #expect(try provider.resolve() == 1)
        #expect(try provider.resolve() == 1)
        #expect(makes.value == 1)
    }

    @Test("an eager service that failed keeps its error and calls its factory no more")
    func eagerFailure() {
        let makes = Counter()
        let provider = ServiceProvider<Int>(.eager) {
            if makes.next() == 1 { throw Broken() }
            return 1
        }
        #expect(failure(of: provider)?.underlying is Broken)
        #expect(failure(of: provider)?.underlying is Broken)
        #expect(makes.value == 1)
    }

    @Test("an eager service that failed is created after a reset")
    func eagerReset() throws {
        let makes = Counter()
        let provider = ServiceProvider<Int>(.eager) {
            if makes.next() == 1 { throw Broken() }
            return 7
        }
        provider.reset()
        #expect(makes.value == 1)
        #expect(try provider.resolve() == 7)
    }

    @Test("validating throws the error of an eager service")
    func validatingEager() {
        let error = #expect(throws: ServiceBoxError.self) {
            try ServiceProvider<Int>(.eager) { throw Broken() }.validate()
        }
        #expect(error?.code == .factoryFailed)
        #expect(error?.path == ["Int"])
    }

    @Test(
        "validating creates nothing that isn't eager",
        arguments: [Lifetime.lazy, .transient])
    func validatingOthers(_ lifetime: Lifetime) throws {
        let makes = Counter()
        try ServiceProvider<Int>(lifetime) {
            makes.next()
            throw Broken()
        }
        .validate()
        #expect(makes.value == 0)
    }

    @Test("a lazy service is created on first resolve, also from a closure")
    func lazy() throws {
        let makes = Counter()
        let provider = ServiceProvider { makes.next() }
        #expect(makes.value == 0)
        #expect(try [provider.resolve(), provider.resolve()] == [1, 1])
    }

    @Test("a lazy service that failed is tried again until it succeeds")
    func lazyFailure() throws {
        let makes = Counter()
        let provider = ServiceProvider<Int> {
            let count = makes.next()
            if count < 3 { throw Broken() }
            return count
        }
        #expect(failure(of: provider)?.underlying is Broken)
        #expect(failure(of: provider)?.underlying is Broken)
        #expect(try [provider.resolve(), provider.resolve()] == [3, 3])
    }

    @Test("a transient service is created on every resolve, and fails each time on its own")
    func transient() throws {
        let makes = Counter()
        let provider = ServiceProvider<Int>(.transient) {
            let count = makes.next()
            if count == 2 { throw Broken() }
            return count
        }
        #expect(try provider.resolve() == 1)
        #expect(failure(of: provider)?.underlying is Broken)
        #expect(try provider.resolve() == 3)
    }

    @Test("a transient factory may return the same object each time")
    func transientShared() throws {
        let store = FileStore()
        let provider = ServiceProvider(.transient) { store }
        #expect(try provider.resolve() === provider.resolve())
    }

    @Test("a ready instance is returned and survives a reset")
    func instance() throws {
        let store = FileStore()
        let provider = ServiceProvider(instance: store)
        #expect(provider.isMade)
        provider.reset()
        #expect(try provider.resolve() === store)
    }

    @Test("a service may be typed as a protocol")
    func existential() throws {
        let provider = ServiceProvider<any Store> { FileStore() }
        #expect(try provider.resolve() is FileStore)
    }

    @Test("a provider is one object, whoever holds it")
    func reference() throws {
        let provider = ServiceProvider { FileStore() }
        let other = provider
        #expect(try provider.resolve() === other.resolve())
    }

    @Test("a resolve can be turned into an optional or a result")
    func getters() {
        let provider = ServiceProvider<Int> { throw Broken() }
        #expect((try? provider.resolve()) == nil)
        let result = Result { try provider.resolve() }
        #expect(throws: ServiceBoxError.self) { try result.get() }
    }

    @Test("a reset during creation hands the service to those who wait and then releases it")
    func resetWhileMaking() throws {
        let own = Later<ServiceProvider<Int>>()
        let makes = Counter()
        let provider = ServiceProvider {
            let count = makes.next()
            if count == 1 { try own.get().reset() }
            return count
        }
        own.set(provider)
        #expect(try provider.resolve() == 1)
        #expect(!provider.isMade)
        #expect(try provider.resolve() == 2)
        #expect(provider.isMade)
    }

    @Test("a service that a reset has overtaken doesn't take the place of the one that was begun since")
    func overtaken() throws {
        let (makes, first, second) = (Counter(), Signal(), Signal())
        let (hasBegun, hasBegunAgain) = (Signal(), Signal())
        let provider = ServiceProvider {
            let count = makes.next()
            (count == 1 ? hasBegun : hasBegunAgain).send()
            (count == 1 ? first : second).wait()
            return count
        }
        onThreads([
            {
                #expect((try? provider.resolve()) == 1)
                second.send()
            },
            {
                hasBegun.wait()
                provider.reset()
                #expect((try? provider.resolve()) == 2)
            },
            {
                hasBegunAgain.wait()
                first.send()
            },
        ])
        #expect(try provider.resolve() == 2)
    }
}

@Suite("Weak services")
struct WeakLifetimeTests {
    @Test("live as long as someone holds them")
    func weak() throws {
        let makes = Counter()
        let provider = ServiceProvider(.weak) {
            makes.next()
            return FileStore()
        }
        var store: FileStore? = try provider.resolve()
        let again = try provider.resolve() === store
        #expect(again)
        #expect(provider.isMade)
        store = nil
        #expect(!provider.isMade)
        _ = try provider.resolve()
        #expect(makes.value == 2)
    }

    @Test("are tried again after a failure")
    func weakFailure() throws {
        let makes = Counter()
        let provider = ServiceProvider(.weak) {
            if makes.next() == 1 { throw Broken() }
            return FileStore()
        }
        #expect(failure(of: provider)?.underlying is Broken)
        _ = try provider.resolve()
        #expect(makes.value == 2)
    }

    @Test("of a value type are refused when the provider is validated")
    func weakValueType() {
        let error = #expect(throws: ServiceBoxError.self) { try ServiceProvider(.weak) { 1 }.validate() }
        #expect(error?.code == .weakValue)
    }

    @Test("of a value type fail on every resolve and create nothing, whatever is reset")
    func weakValueTypeKept() {
        let makes = Counter()
        let provider = ServiceProvider(.weak) { makes.next() }
        provider.reset()
        #expect(failure(of: provider)?.code == .weakValue)
        #expect(makes.value == 0)
    }

    @Test("of a value type aren't made by a session's factory either")
    func weakValueOfSession() {
        let factory = PageFactory()
        let provider = ServiceProvider(factory, mediator: ServiceSessionMediator(UserSession(1)))
        #expect(failure(of: provider)?.code == .weakValue)
        #expect(factory.makes.value == 0)
    }

    @Test("of an optional type are refused, since an optional is a value")
    func weakOptional() {
        let provider = ServiceProvider<FileStore?>(.weak) { FileStore() }
        #expect(failure(of: provider)?.code == .weakValue)
    }

    @Test("typed as a protocol are refused when a value was created")
    func weakExistentialValue() {
        struct ValueStore: Store {}
        let provider = ServiceProvider<any Store>(.weak) { ValueStore() }
        #expect(failure(of: provider)?.code == .weakValue)
    }

    @Test("typed as a protocol are held if a class instance was created")
    func weakExistential() throws {
        let provider = ServiceProvider<any Store>(.weak) { FileStore() }
        let store = try provider.resolve()
        #expect(try provider.resolve() as? FileStore === store as? FileStore)
    }
}
