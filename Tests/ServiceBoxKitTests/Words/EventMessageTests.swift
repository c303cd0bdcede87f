// Part of ServiceBox, released under the MIT License.
// Events of look-ups, and of children, as text.

import ServiceBoxKit
import Testing

private final class Reader { @Injected var clock: Clock? }

@Suite("Events in words")
struct EventMessageTests {
    private let box = ServiceBox(name: "app")
    private let log = Locked<[String]>([])

    private func lines(_ body: () -> Void) -> [String] {
        let observation = box.observe(includingChildren: true) { [log] event in
            log.withLock { $0.append(event.description) }
        }
        body()
        observation.cancel()
        return log.withLock { $0 }
    }

    @Test("tell what a look-up asked for and why there is nothing")
    func missed() {
        box.register(Clock())
        let lines = lines {
            _ = try? box.resolve("cache") as Cache
            _ = try? box.resolve(Cache.self)
            _ = try? box.resolve("clock") as Cache?
        }
        #expect(
            lines == [
                "missed 'cache' (Cache): Can't find a Cache named 'cache': no service is registered under that name.",
                "missed Cache: Can't find a Cache: no registered service fits.",
                "missed 'clock' (Cache?): Can't find a Cache named 'clock': the service under that name is a Clock.",
            ])
    }

    @Test("begin with the child in which they happened")
    func children() {
        let child = box.makeChild(name: "request")
        let lines = lines {
            child.register(Clock())
            child.fill(Reader())
            _ = try? child.resolve(Cache.self)
            child.clear()
            box.register(Clock())
        }
        #expect(
            lines == [
                "in 'request': registered 'clock' (Clock)", "in 'request': filled Reader: 1 of 1 filled.",
                "in 'request': missed Cache: Can't find a Cache: no registered service fits.",
                "in 'request': cleared", "registered 'clock' (Clock)",
            ])
    }
}
