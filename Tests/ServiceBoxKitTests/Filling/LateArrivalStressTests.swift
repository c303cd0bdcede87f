// Part of ServiceBox, released under the MIT License.
// Waiting for services while many tasks register, fill and cancel.

import ServiceBoxKit
import Testing

private final class Screen: Sendable {
    struct Slots: Sendable {
        @Injected var cache: Cache?
        @Injected var clock: Clock?
        @WeakInjected var shared: DiskCache?
    }

    let slots = Slots()
}

@Suite("Waiting for services, under load from many tasks", .neverHanging)
struct LateArrivalStressTests {
    private static let rounds = 20
    private static let tasks = 8

    @Test("every object gets what comes, whoever is first, and every service is created once")
    func objects() async {
        for _ in 0..<Self.rounds {
            let parent = ServiceBox()
            let (box, created, disk) = (parent.makeChild(name: "child"), Counter(), DiskCache())
            let screens = await withTaskGroup(of: [Screen].self) { group in
                for task in 0..<Self.tasks {
                    group.addTask {
                        switch task {
                        case 0:
                            parent.register(lifetime: .lazy) { _ in
                                created.next()
                                return Cache()
                            }
                        case 1: box.register(Clock())
                        case 2: parent.register(disk, as: "shared")
                        default: break
                        }
                        return (0..<10).map { _ in
                            let screen = Screen()
                            box.fill(screen, waiting: true)
                            return screen
                        }
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
            #expect(screens.allSatisfy { $0.slots.cache != nil && $0.slots.clock != nil })
            #expect(screens.allSatisfy { $0.slots.shared === disk })
            #expect(Set(screens.compactMap { $0.slots.cache.map(ObjectIdentifier.init) }).count == 1)
            #expect(created.value == 1)
        }
    }

    @Test("an object whose weak property has lost what was set by hand waits for another, also among many")
    func lost() {
        final class Holder { @WeakInjected var cache: Cache? }
        let (box, holder) = (ServiceBox(), Holder())
        box.fill(holder, waiting: true)
        do {
            let guest = Cache()
            holder.cache = guest
            withExtendedLifetime(guest) {}
        }
        box.fill(holder, waiting: true)
        let others = (0..<100).map { number in box.whenRegistered(ServiceKey<Cache>("other\(number)")) {} }
        let cache = Cache()
        box.register(cache)
        withExtendedLifetime(others) { #expect(holder.cache === cache) }
    }

    @Test(
        "a handler is called once though all register at once, and at most once where it is cancelled meanwhile"
    )
    func handlers() async {
        for _ in 0..<Self.rounds {
            let (box, calls) = (ServiceBox(), (0..<Self.tasks).map { _ in Counter() })
            let before = Counter()
            let first = box.whenRegistered("cache" as ServiceKey<Cache>) { before.next() }
            await withTaskGroup(of: Void.self) { group in
                for task in 0..<Self.tasks {
                    group.addTask {
                        let own = box.whenRegistered("cache" as ServiceKey<Cache>) { calls[task].next() }
                        if task % 2 == 0 { own.cancel() }
                        box.register(Cache())
                        for _ in 0..<10 { box.whenRegistered("clock" as ServiceKey<Clock>) {}.cancel() }
                        withExtendedLifetime(own) {}
                    }
                }
            }
            #expect(before.value == 1)
            for task in 0..<Self.tasks {
                #expect(task % 2 == 0 ? calls[task].value <= 1 : calls[task].value == 1)
            }
            withExtendedLifetime(first) {}
        }
    }

    @Test("factories that register something and fail at each try don't keep each other going")
    func failures() async {
        final class Pair: Sendable {
            struct Slots: Sendable {
                @Injected var cache: Cache?
                @Injected var clock: Clock?
            }
            let slots = Slots()
        }
        for _ in 0..<Self.rounds {
            let (box, pair, numbers) = (ServiceBox(), Pair(), Counter())
            box.fill(pair.slots, waiting: true)
            await withTaskGroup(of: Void.self) { group in
                for task in 0..<Self.tasks {
                    group.addTask {
                        if task % 2 == 0 {
                            box.register { box -> Cache in
                                box.register(numbers.next(), as: "number")
                                throw Broken()
                            }
                        } else {
                            box.register { box -> Clock in
                                box.register(numbers.next(), as: "number")
                                throw Broken()
                            }
                        }
                    }
                }
            }
            #expect(pair.slots.cache == nil && pair.slots.clock == nil)
            box.register(Cache())
            box.register(Clock())
            #expect(pair.slots.cache != nil && pair.slots.clock != nil)
        }
    }

    @Test(
        "every task that awaits a property goes on, with true where it was filled and false where it was cancelled"
    )
    func waiters() async {
        for _ in 0..<Self.rounds {
            let (box, screen) = (ServiceBox(), Screen())
            box.fill(screen, waiting: true)
            let waiting = (0..<Self.tasks).map { task in
                Task { await task % 2 == 0 ? screen.slots.$cache.filled() : screen.slots.$shared.filled() }
            }
            let cancelled = (0..<Self.tasks).map { _ in Task { await screen.slots.$clock.filled() } }
            let disk = DiskCache()
            await withTaskGroup(of: Void.self) { group in
                for task in 0..<Self.tasks {
                    group.addTask {
                        switch task {
                        case 0: box.register(Cache())
                        case 1: box.register(disk, as: "shared")
                        default: cancelled[task].cancel()
                        }
                    }
                }
            }
            for task in waiting { #expect(await task.value) }
            for task in cancelled { task.cancel() }
            for task in cancelled { #expect(await !task.value) }
        }
    }
}
