// Part of ServiceBox, released under the MIT License.
// Registering what a container of services has, property by property.

import ServiceBoxKit
import Synchronization
import Testing

private final class User {
    @Injected("user.store") var store: any Store
    @Injected("user.cache") var cache: Cache
    @Injected("user.cache") var cacheProvider: ServiceProvider<Cache>
    @Injected("user.page") var page: ServiceParametersProvider<Page, Int>
}

private struct Services: Sendable {
    let store: any Store
    let cache: ServiceProvider<Cache>
    let page = ServiceParametersProvider { (number: Int) in Page(number: number) }
    let level = Level.high(3)
    var clock: Clock?
    var archive: (any Store)?
    var backup: ServiceProvider<Cache>?

    init(_ store: any Store, _ cache: ServiceProvider<Cache> = ServiceProvider(.lazy) { Cache() }) {
        self.store = store
        self.cache = cache
    }
}

private enum Level: Equatable { case low, high(Int) }

private struct Settings: Sendable {
    struct Theme: Sendable { var color = "red" }
    var theme = Theme()
    var limits: Limits? = Limits()
    var none: Limits?
    var address: any Sendable = Theme()
}

private struct Limits: Sendable {
    let count: UInt8 = 7
    let size: Int64 = 1 << 40
}

private struct Nesting: Sendable {
    let settings = Settings()
    let text = "text"
    let numbers = [1, 2]
}

private struct Boxed<Value: Sendable>: Sendable {
    let flag = true
    let value: Value
}

private class Base: @unchecked Sendable {
    let clock = Clock()
    var flag = true
}

private final class Derived: Base, @unchecked Sendable {
    let cache: Cache = DiskCache()
    lazy var late = Cache()
}

private final class Changing: @unchecked Sendable {
    let clock = Clock()
    private let lock = Locked(0)
    private var text = "text"

    func change() {
        lock.withLock { count in
            count += 1
            text = "text number \(count) is too long for a small string"
        }
    }
}

private struct Lazily: Sendable {
    lazy var cache = Cache()
}

@propertyWrapper private struct Kept<Value: Sendable>: Sendable {
    var wrappedValue: Value
}

private struct Unique: ~Copyable, Sendable {}

private final class Odd: @unchecked Sendable {
    let run: @Sendable () -> Void = {}
    let pair = (1, 2)
    let kind: any Sendable.Type = Clock.self
    let unique = Unique()
    weak var parent: Cache?
    unowned let owner: Cache
    unowned(unsafe) let root: Cache
    @Injected var clock: Clock?
    @WeakInjected var weakClock: Clock?
    @InjectedAll var stores: [any Store]
    let serviceBox = 1
    let last = 3

    init(_ owner: Cache) {
        self.owner = owner
        root = owner
        parent = owner
    }
}

private struct Twice: Sendable {
    @Kept var store = 1
    var other = 2
}

private struct Reflecting: CustomReflectable, Sendable {
    let clock = Clock()
    var customMirror: Mirror { Mirror(self, children: ["secret": 1]) }
}

private struct Same: Sendable {
    // Stored as `_name`, beside a property that is stored as `name`.
    let _name = 1
    let name = "name"
}

@Suite("A container of services")
struct ContentsTests {
    private let box = ServiceBox()

    private func type(of name: String) -> Any.Type? {
        box.registrations.first { $0.name == name }?.type
    }

    @Test("is read without what is noncopyable, also if a generic parameter hides that")
    func noncopyable() {
        final class Holder<Content: ~Copyable & Sendable>: Sendable {
            let clock = Clock()
            let content: Content
            init(_ content: consuming Content) { self.content = content }
        }
        struct Wrapped<Content: ~Copyable & Sendable>: ~Copyable, Sendable { let content: Content }

        func expectSkipped(_ holder: some Sendable) {
            let result = box.register(contentsOf: holder, under: "")
            #expect(result.skipped.map(\.name) == ["content"])
            #expect(result.skipped.map(\.reason) == ["it is noncopyable, or Void"])
        }
        expectSkipped(Holder(Mutex(1)))
        expectSkipped(Holder(Atomic(1)))
        expectSkipped(Holder(Wrapped(content: Atomic(1))))
        expectSkipped(Holder<Atomic<Int>?>(Atomic(1)))
        expectSkipped(Holder<Result<Atomic<Int>, Broken>>(.success(Atomic(1))))
        expectSkipped(Holder<Result<Wrapped<Atomic<Int>>, Broken>>(.success(Wrapped(content: Atomic(1)))))
        #expect(box.register(contentsOf: Holder([1]), under: "").registered == ["clock", "content"])
    }

    @Test("is registered property by property, each as its declared type, and nils are skipped")
    func properties() throws {
        let result = box.register(contentsOf: Services(FileStore()), under: "user")
        #expect(result.registered == ["user.store", "user.cache", "user.page", "user.level"])
        #expect(result.replaced.isEmpty)
        #expect(result.skipped.map(\.name) == ["user.clock", "user.archive", "user.backup"])
        #expect(Set(result.skipped.map(\.reason)) == ["it is nil"])
        #expect(isSame(type(of: "user.store"), (any Store).self))
        #expect(isSame(type(of: "user.cache"), Cache.self))
        #expect(try box.resolve(ServiceKey<Level>("user.level")) == .high(3))
        #expect(try box.resolve("user.page", with: 3) == Page(number: 3))
        #expect(try box.resolve((any Store).self) is FileStore)
    }

    @Test("gives the services of its providers, or the providers, to properties that ask for them")
    func providers() throws {
        let cache = ServiceProvider<Cache>(.lazy) { DiskCache() }
        box.register(contentsOf: Services(FileStore(), cache), under: "user")
        #expect(!cache.isMade)
        let user = User()
        try box.fill(user).requireComplete()
        #expect(user.store is FileStore)
        #expect(try user.cache === cache.resolve())
        #expect(try user.cacheProvider.resolve() === user.cache)
        #expect(try user.page.resolve(2) == Page(number: 2))
    }

    @Test("with optionals registers what they wrap, as the type that is wrapped")
    func optionals() throws {
        var services = Services(FileStore())
        services.clock = Clock()
        services.archive = MemoryStore()
        services.backup = ServiceProvider(instance: DiskCache())
        let result = box.register(contentsOf: services, under: "user")
        #expect(result.skipped.isEmpty)
        #expect(isSame(type(of: "user.clock"), Clock.self))
        #expect(isSame(type(of: "user.archive"), (any Store).self))
        #expect(try box.resolve(ServiceKey<Cache>("user.backup")) is DiskCache)
    }

    @Test("has its own structs looked into by their paths, and those of other modules not")
    func nested() throws {
        let result = box.register(contentsOf: Nesting(), under: "app")
        #expect(
            result.registered == [
                "app.settings", "app.settings.theme", "app.settings.theme.color", "app.settings.limits",
                "app.settings.limits.count", "app.settings.limits.size", "app.settings.address", "app.text",
                "app.numbers",
            ])
        #expect(result.skipped.map(\.name) == ["app.settings.none"])
        #expect(try box.resolve(ServiceKey<String>("app.settings.theme.color")) == "red")
        #expect(try box.resolve(ServiceKey<UInt8>("app.settings.limits.count")) == 7)
        #expect(try box.resolve(ServiceKey<Int64>("app.settings.limits.size")) == 1 << 40)
        #expect(try box.resolve(ServiceKey<[Int]>("app.numbers")) == [1, 2])
    }

    @Test("has lazy properties once they are there")
    func lazily() throws {
        var lazily = Lazily()
        #expect(box.register(contentsOf: lazily, under: "").skipped.map(\.name) == ["cache"])
        let cache = lazily.cache
        box.register(contentsOf: lazily, under: "")
        #expect(try box.resolve(ServiceKey<Cache>("cache")) === cache)
    }

    @Test("that is a class instance shows what its superclasses store too, but for variables")
    func classes() throws {
        let derived = Derived()
        let result = box.register(contentsOf: derived as Base, under: "")
        #expect(result.registered == ["clock", "cache"])
        #expect(
            result.skipped.map { "\($0.name): \($0.reason)" } == [
                "flag: it is a variable of a class, which others may be changing",
                "late: it is a variable of a class, which others may be changing",
            ])
        #expect(try box.resolve(ServiceKey<Clock>("clock")) === derived.clock)
        #expect(try box.resolve(ServiceKey<Cache>("cache")) === derived.cache)
        #expect(isSame(type(of: "cache"), Cache.self))
    }

    @Test("is read while others change its variables")
    func concurrently() async {
        let changing = Changing()
        for round in 0..<20 {
            await withTaskGroup { group in
                for task in 0..<8 {
                    group.addTask {
                        if task.isMultiple(of: 2) {
                            changing.change()
                        } else {
                            box.register(contentsOf: changing, under: "\(round).\(task)")
                        }
                    }
                }
            }
        }
        #expect(box.isRegistered("19.7.clock"))
    }

    @Test("may be generic, and known as an interface")
    func generic() throws {
        let any: any Sendable = Boxed<any Store>(value: FileStore())
        #expect(box.register(contentsOf: any, under: "it").registered == ["it.flag", "it.value"])
        #expect(isSame(type(of: "it.value"), (any Store).self))
        box.register(contentsOf: Boxed(value: UInt16(9)), under: "number")
        #expect(try box.resolve(ServiceKey<UInt16>("number.value")) == 9)
    }

    @Test("that reflects itself is read by what it stores")
    func reflecting() {
        #expect(box.register(contentsOf: Reflecting(), under: "it").registered == ["it.clock"])
    }

    @Test("skips what is no service and says why")
    func skipped() throws {
        let owner = Cache()
        let result = box.register(contentsOf: Odd(owner), under: "")
        #expect(
            result.skipped.map { "\($0.name): \($0.reason)" } == [
                "run: it is a function or a metatype", "pair: it is a tuple",
                "kind: it is a function or a metatype", "unique: it is noncopyable, or Void",
                "parent: it is a weak or unowned reference", "owner: it is a weak or unowned reference",
                "root: it is a weak or unowned reference", "clock: it is injected itself",
                "weakClock: it is injected itself", "stores: it is injected itself",
                "serviceBox: the name is reserved for the box itself",
            ])
        #expect(result.registered == ["last"])
        #expect(try box.resolve(ServiceKey<Int>("last")) == 3)
    }

    @Test("takes names that other services of the box have, and lists them")
    func overlapping() throws {
        box.register(Clock(), as: "user.other")
        let result = box.register(contentsOf: Twice(), under: "user")
        #expect(result.registered == ["user.store", "user.store.wrappedValue", "user.other"])
        #expect(result.replaced == ["user.other"])
        #expect(try box.resolve(ServiceKey<Int>("user.other")) == 2)
        // A child hides what its parent has.
        let child = box.makeChild(name: "child")
        #expect(child.register(contentsOf: Twice(), under: "user").replaced == result.registered)
    }

    @Test("lists a name that two of its properties come to")
    func sameName() throws {
        let result = box.register(contentsOf: Same(), under: "")
        #expect(result.registered == ["name"])
        #expect(result.replaced == ["name"])
        #expect(box.register(contentsOf: Same(), under: "").replaced == ["name"])
        #expect(try box.resolve(ServiceKey<String>("name")) == "name")
    }

    @Test("gives what waits for such a name the service that later fills get")
    func sameNameAwaited() {
        final class Label {
            @Injected var name: String?
        }
        let (waiting, later) = (Label(), Label())
        box.fill(waiting, waiting: true)
        box.register(contentsOf: Same(), under: "")
        box.fill(later)
        #expect(waiting.name != nil)
        #expect(waiting.name == later.name)
    }

    @Test("is named in messages by the place of the call, and isn't kept")
    func place() throws {
        weak var weak: Derived?
        do {
            let derived = Derived()
            weak = derived
            box.register(contentsOf: derived, under: "it", fileID: "App/Main.swift", line: 7)
        }
        #expect(weak == nil)
        #expect(box.audit().findings.first?.explanation.contains("App/Main.swift:7") == true)
    }
}
