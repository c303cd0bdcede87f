// Part of ServiceBox, released under the MIT License.
// Tests of what a module that throws leaves alone, and what it brings back.

import ServiceBoxKit
import Testing

@Suite("Modules")
struct FailingModuleTests {
    private let box = ServiceBox()

    @Test("that throw leave what another thread has removed or decorated meanwhile")
    func anotherThreadsChanges() throws {
        struct Interrupted: ServiceModule {
            func register(in box: ServiceBox) throws {
                let page = ServiceKey<Page>("page")
                for name in ["page", "gone", "token"] { box.register(Page(number: 2), as: ServiceKey(name)) }
                box.decorate(page) { page, _ in Page(number: page.number * 10) }
                onThreads([
                    {
                        box.decorate(page) { page, _ in Page(number: page.number + 5) }
                        box.remove("gone")
                        box.remove(newest: "token")
                        box.remove(newest: "token")
                    }
                ])
                box.remove("own")
                throw Broken()
            }
        }
        for name in ["page", "gone", "token", "own"] { box.register(Page(number: 1), as: ServiceKey(name)) }
        let child = box.makeChild(name: "child")
        child.decorate(ServiceKey<Page>("page")) { page, _ in Page(number: -page.number) }
        #expect(throws: (any Error).self) { try box.add(Interrupted()) }
        #expect(try box.resolve(ServiceKey<Page>("page")) == Page(number: 6))
        #expect(try child.resolve(ServiceKey<Page>("page")) == Page(number: -6))
        #expect(!box.isRegistered("gone") && !box.isRegistered("token"))
        #expect(try box.resolve(ServiceKey<Page>("own")) == Page(number: 1))
        // What comes next is decorated as the other thread wants.
        box.register(Page(number: 7), as: "page")
        #expect(try box.resolve(ServiceKey<Page>("page")) == Page(number: 12))
    }

    @Test("that throw leave a child the service of its own that it created meanwhile")
    func ownOfChild() async throws {
        let cache = ServiceKey<Cache>("cache")
        let decorating = InterruptedModule { box in
            _ = try box[cache]
            box.decorate(cache) { _, _ in Cache() }
            _ = try box[cache]
        }
        let (created, ended) = (Counter(), Counter())
        box.register(as: "cache", per: .box, onStop: { (_: Cache) in ended.next() }) { _ in
            created.next()
            return Cache()
        }
        let child = box.makeChild(name: "child")
        #expect(throws: (any Error).self) { try child.add(decorating) }
        _ = try child.resolve(cache)
        #expect(created.value == 1)
        await child.stop()
        #expect(ended.value == 1)
    }

    @Test("that throw leave what a child inherits as others have decorated it meanwhile")
    func inherited() throws {
        struct Interrupted: ServiceModule {
            func register(in box: ServiceBox) throws {
                let page = ServiceKey<Page>("page")
                box.decorate(page) { page, _ in Page(number: page.number * 10) }
                onThreads([{ box.decorate(page) { page, _ in Page(number: page.number + 5) } }])
                _ = try box.resolve(page)
                throw Broken()
            }
        }
        box.register(Page(number: 1), as: "page")
        let child = box.makeChild(name: "child")
        #expect(try child.resolve(ServiceKey<Page>("page")) == Page(number: 1))
        #expect(throws: (any Error).self) { try child.add(Interrupted()) }
        #expect(try child.resolve(ServiceKey<Page>("page")) == Page(number: 6))
        #expect(try box.resolve(ServiceKey<Page>("page")) == Page(number: 1))
    }

    @Test("that throw leave a service that a child has of its own, and what decorates the next one")
    func keptVersions() throws {
        struct Interrupted: ServiceModule {
            let seen: Locked<Clock?>
            func register(in box: ServiceBox) throws {
                let clock: Clock = try box["clock"]
                seen.withLock { $0 = clock }
                box.register(Clock(), as: "clock")
                box.register(Page(number: 9), as: "page")
                throw Broken()
            }
        }
        box.register(as: "clock", per: .box) { _ in Clock() }
        let (child, seen) = (box.makeChild(name: "child"), Locked<Clock?>(nil))
        child.decorate(ServiceKey<Page>("page")) { page, _ in Page(number: page.number + 1) }
        #expect(throws: (any Error).self) { try child.add(Interrupted(seen: seen)) }
        #expect(try child["clock"] === seen.withLock { $0 })
        child.register(Page(number: 1), as: "page")
        #expect(try child.resolve(ServiceKey<Page>("page")) == Page(number: 2))
    }

    @Test("add their like to another box")
    func alike() throws {
        struct Twin: ServiceModule {
            let other: ServiceBox?
            func register(in box: ServiceBox) throws {
                try other?.add(Twin(other: nil))
                box.register(1, as: "number")
            }
        }
        let other = ServiceBox()
        try box.add(Twin(other: other))
        #expect(box.isRegistered("number") && other.isRegistered("number"))
    }

    @Test("that throw leave it to another thread's token to remove what the token stands for")
    func tokens() throws {
        struct Interrupted: ServiceModule {
            let token: Locked<ServiceRegistration?>

            func register(in box: ServiceBox) throws {
                box.decorate(ServiceKey<Page>("page")) { page, _ in Page(number: page.number * 10) }
                onThreads([{ token.withLock { $0 = box.register(Page(number: 2), as: "page") } }])
                throw Broken()
            }
        }
        let token = Locked<ServiceRegistration?>(nil)
        box.register(Page(number: 1), as: "page")
        #expect(throws: (any Error).self) { try box.add(Interrupted(token: token)) }
        #expect(try box.resolve(ServiceKey<Page>("page")) == Page(number: 2))
        #expect(token.withLock { $0 }?.remove() == true)
        #expect(try box.resolve(ServiceKey<Page>("page")) == Page(number: 1))
    }

    @Test("that throw bring back what they have replaced too often to be kept, whatever they do then")
    func replacedOften() throws {
        let key = ServiceKey<Page>("page")
        let changes: [@Sendable (ServiceBox) -> Void] = [{ _ in }, { $0.remove("page") }, { $0.clear() }]
        for number in 0...1 { box.register(Page(number: number), as: key) }
        for change in changes {
            let tireless = InterruptedModule { box in
                for number in 2..<40 { box.register(Page(number: number), as: key) }
                change(box)
            }
            #expect(throws: (any Error).self) { try box.add(tireless) }
            #expect(try box.resolve(key) == Page(number: 1))
        }
        box.remove(newest: "page")
        #expect(try box.resolve(key) == Page(number: 0))
    }

    @Test("that throw give whoever waits since then what they bring back")
    func waiting() {
        final class Holder: @unchecked Sendable { @Injected var page: Page? }
        struct Interrupted: ServiceModule {
            let holder: Holder

            func register(in box: ServiceBox) throws {
                box.remove("page")
                box.fill(holder, waiting: true)
                throw Broken()
            }
        }
        let holder = Holder()
        box.register(Page(number: 1))
        #expect(throws: (any Error).self) { try box.add(Interrupted(holder: holder)) }
        #expect(holder.page == Page(number: 1))
    }

    @Test("that throw take back what modules did which they have added to another box")
    func throughAnotherBox() throws {
        struct Inner: ServiceModule {
            let outer: ServiceBox
            func register(in box: ServiceBox) {
                box.register(Page(number: 1), as: "inner")
                outer.register(Page(number: 2), as: "through")
                outer.decorate(ServiceKey<Page>("page")) { page, _ in Page(number: -page.number) }
            }
        }
        struct Outer: ServiceModule {
            let other: ServiceBox
            func register(in box: ServiceBox) throws {
                try other.add(Inner(outer: box))
                throw Broken()
            }
        }
        let other = ServiceBox()
        box.register(Page(number: 1))
        #expect(throws: (any Error).self) { try box.add(Outer(other: other)) }
        #expect(!box.isRegistered("through"))
        #expect(try box.resolve(Page.self) == Page(number: 1))
        #expect(other.isRegistered("inner"))
    }

    @Test("that throw after they have cleared the box bring back which modules it has")
    func addedBefore() throws {
        struct Counted: ServiceModule {
            let count: Counter
            func register(in box: ServiceBox) { count.next() }
        }
        struct Clearing: ServiceModule {
            func register(in box: ServiceBox) throws {
                box.clear()
                throw Broken()
            }
        }
        let count = Counter()
        try box.add(Counted(count: count))
        #expect(throws: (any Error).self) { try box.add(Clearing()) }
        try box.add(Counted(count: count))
        #expect(count.value == 1)
    }

    @Test("that throw bring back services that go on waiting for what they lack")
    func waitingAgain() {
        let lamp = Lamp()
        box.register(lamp)
        box.crossFill()
        let module = InterruptedModule { box in
            box.register(Lamp())
            box.crossFill()
        }
        #expect(throws: (any Error).self) { try box.add(module) }
        let switcher = Switcher()
        box.register(switcher)
        box.crossFill()
        #expect(lamp.switcher === switcher)
    }

    @Test("that throw leave services to be filled with what they have decorated in vain")
    func decoratedInVain() {
        let (child, lamp) = (box.makeChild(), Lamp())
        box.register(as: "switcher") { _ in Switcher() }
        child.register(lamp)
        let module = InterruptedModule { box in
            box.decorate("switcher" as ServiceKey<Switcher>) { _, _ in throw Broken() }
            box.crossFill()
        }
        #expect(throws: (any Error).self) { try child.add(module) }
        #expect(lamp.switcher == nil)
        child.fill(Lamp())
        #expect(lamp.switcher != nil)
    }

    @Test("that throw don't bring back the modules that another thread has cleared away meanwhile")
    func clearedByAnother() throws {
        struct Pages: ServiceModule {
            func register(in box: ServiceBox) { box.register(Page(number: 1)) }
        }
        struct Interrupted: ServiceModule {
            func register(in box: ServiceBox) throws {
                onThreads([{ box.clear() }])
                throw Broken()
            }
        }
        try box.add(Pages())
        #expect(throws: (any Error).self) { try box.add(Interrupted()) }
        try box.add(Pages())
        #expect(box.isRegistered("page"))
    }

    @Test("that throw take back which modules their modules have added")
    func addedDeep() throws {
        struct Innermost: ServiceModule {
            func register(in box: ServiceBox) { box.register(Page(number: 1)) }
        }
        struct Middle: ServiceModule {
            func register(in box: ServiceBox) throws { try box.add(Innermost()) }
        }
        struct Outer: ServiceModule {
            func register(in box: ServiceBox) throws {
                try box.add(Middle())
                throw Broken()
            }
        }
        #expect(throws: (any Error).self) { try box.add(Outer()) }
        try box.add(Innermost())
        #expect(box.isRegistered("page"))
    }

    @Test("that throw bring back what they have decorated and then removed")
    func decoratedAndRemoved() throws {
        struct Interrupted: ServiceModule {
            func register(in box: ServiceBox) throws {
                box.decorate(ServiceKey<Page>("page")) { page, _ in Page(number: -page.number) }
                box.remove("page")
                throw Broken()
            }
        }
        box.register(Page(number: 1))
        #expect(throws: (any Error).self) { try box.add(Interrupted()) }
        #expect(try box.resolve(Page.self) == Page(number: 1))
    }

    @Test("that throw leave the seal that another thread has set meanwhile")
    func seal() {
        struct Interrupted: ServiceModule {
            func register(in box: ServiceBox) throws {
                box.register(Clock())
                onThreads([{ box.seal() }])
                throw Broken()
            }
        }
        #expect(throws: (any Error).self) { try box.add(Interrupted()) }
        #expect(box.isSealed)
    }

    @Test("that throw tell observers what they take back and what they bring back")
    func events() {
        struct Interrupted: ServiceModule {
            let events: Journal
            func register(in box: ServiceBox) throws {
                box.register(Page(number: 2), as: "page")
                box.register(1, as: "new")
                box.remove("own")
                _ = events.take()
                throw Broken()
            }
        }
        let events = Journal()
        for name in ["page", "own"] { box.register(Page(number: 1), as: ServiceKey(name)) }
        let observation = box.observe { events.add("\($0.kind) \($0.serviceName ?? "")") }
        #expect(throws: (any Error).self) { try box.add(Interrupted(events: events)) }
        #expect(events.all.sorted() == ["registered own", "removed new", "replaced page"])
        withExtendedLifetime(observation) {}
    }

    @Test("that throw keep nothing alive that they have registered, and have none of it filled")
    func released() {
        final class Holder: @unchecked Sendable {
            @Injected var clock: Clock?
            weak var released: Clock?
        }
        struct Interrupted: ServiceModule {
            let holder: Holder
            func register(in box: ServiceBox) throws {
                let clock = Clock()
                holder.released = clock
                box.register(clock)
                let page = Holder()
                for _ in 0..<2 { box.fill(page) }
                page.clock = nil
                box.remove("clock")
                box.register(holder, as: "holder")
                box.register(clock)
                box.fill(page)
                throw Broken()
            }
        }
        let holder = Holder()
        #expect(throws: (any Error).self) { try box.add(Interrupted(holder: holder)) }
        holder.clock = nil
        #expect(holder.released == nil)
        box.register(Clock())
        box.crossFill()
        #expect(holder.clock == nil)
    }

    @Test(
        "that throw leave the audit what it knows of registrations that they change",
        arguments: [
            { box in box.remove("number") }, { box in box.clear() },
            { box in box.decorate("number" as ServiceKey<String>) { number, _ in number } },
        ] as [@Sendable (ServiceBox) -> Void])
    func knownReplacements(_ change: @escaping @Sendable (ServiceBox) -> Void) throws {
        box.register(1, as: "number")
        _ = try box.resolve("number") as Int
        box.register("one", as: "number")
        let before = box.audit().description
        #expect(before.contains("replaced"))
        let module = InterruptedModule { box in
            change(box)
            if !box.isRegistered("number") {
                box.register(Page(), as: "number")
                box.register(Clock(), as: "number")
            }
        }
        #expect(throws: (any Error).self) { try box.add(module) }
        #expect(box.audit().description == before)
    }

    @Test("that throw leave no trace of what they have replaced")
    func replacements() throws {
        struct Interrupted: ServiceModule {
            func register(in box: ServiceBox) throws {
                box.register(Clock())
                throw Broken()
            }
        }
        box.register(Clock())
        _ = try box.resolve(Clock.self)
        let before = box.audit().description
        #expect(throws: (any Error).self) { try box.add(Interrupted()) }
        #expect(box.audit().description == before)
    }
}
