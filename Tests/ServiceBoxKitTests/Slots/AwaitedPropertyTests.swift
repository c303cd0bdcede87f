// Part of ServiceBox, released under the MIT License.
// Tasks that wait until a property is filled.

// For the tasks that a slot knows of.
@testable import ServiceBoxKit
import Testing

private final class Screen {
    @Injected var cache: Cache?
    @WeakInjected var shared: Cache?
}

@Suite("Awaiting a property", .neverHanging)
struct AwaitedPropertyTests {
    @Test("goes on at once where it is filled, though the task is cancelled")
    @MainActor
    func filled() async {
        let screen = Screen()
        screen.cache = Cache()
        #expect(await screen.$cache.filled())
        let filled = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await screen.$cache.filled()
        }.value
        #expect(filled)
    }

    @Test("goes on when it is filled, set by hand, or filled late, weakly too")
    @MainActor
    func comes() async {
        let (box, screen) = (ServiceBox(), Screen())
        let cache = Cache()
        let waiting = (0..<3).map { _ in Task { await screen.$cache.filled() } }
        let other = Task { await screen.$shared.filled() }
        await Task.yield()
        screen.cache = cache
        for task in waiting { #expect(await task.value) }
        box.fill(screen, waiting: true)
        box.register(cache, as: "shared")
        #expect(await other.value)
        screen.cache = nil
        let last = Task { await screen.$cache.filled() }
        await Task.yield()
        box.register(cache)
        box.fill(screen)
        #expect(await last.value)
    }

    @Test("ends with false where the task is cancelled, before or while it waits, and others wait on")
    @MainActor
    func cancelled() async {
        let screen = Screen()
        let before = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await screen.$cache.filled()
        }
        #expect(await !before.value)
        let (ended, waiting) = (
            Task { await screen.$cache.filled() }, Task { await screen.$cache.filled() }
        )
        await Task.yield()
        ended.cancel()
        #expect(await !ended.value)
        screen.cache = Cache()
        #expect(await waiting.value)
    }

    @Test("waits on when the property is emptied")
    @MainActor
    func emptied() async {
        let screen = Screen()
        let task = Task { await screen.$cache.filled() }
        await Task.yield()
        screen.cache = nil
        task.cancel()
        #expect(await !task.value)
    }

    @Test("keeps the property alive, and nothing once it has ended")
    @MainActor
    func lifetimes() async {
        weak var gone: Screen?
        weak var cache: Cache?
        do {
            let (screen, service) = (Screen(), Cache())
            (gone, cache) = (screen, service)
            let property = screen.$cache
            let task = Task { await property.filled() }
            await Task.yield()
            screen.cache = service
            #expect(await task.value)
            #expect(property.slot.notes.waiters.withLock { $0.isEmpty })
        }
        #expect(gone == nil)
        #expect(cache == nil)
    }
}
