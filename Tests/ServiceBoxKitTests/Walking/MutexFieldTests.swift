// Part of ServiceBox, released under the MIT License.
// Tests of slots between fields that cannot be copied.

import ServiceBoxKit
import Synchronization
import Testing

@Suite("Slots beside fields that cannot be copied")
struct MutexFieldTests {
    @Test("fills slots before, between and after a mutex and an atomic")
    func mutexes() {
        let box = ServiceBox()
        box.register(1, as: "first")
        box.register(2, as: "second")
        box.register(3, as: "third")
        for _ in 1...3 {
            let guarded = Guarded()
            guarded.count.withLock { $0 = 41 }
            box.fill(guarded)
            #expect(guarded.first == 1)
            #expect(guarded.second == 2)
            #expect(guarded.third == 3)
            #expect(guarded.count.withLock { $0 } == 41)
        }
    }

    @Test("fills services that guard their state with a mutex")
    func services() {
        let box = ServiceBox()
        box.register(1, as: "first")
        let guarded = Guarded()
        box.register(guarded, as: "guarded")
        box.crossFill()
        #expect(guarded.first == 1)
    }

    @Test("fills a class with a field of a type that cannot be copied")
    func noncopyable() {
        let box = ServiceBox()
        box.register(1, as: "first")
        box.register(2, as: "second")
        for _ in 1...2 {
            let holder = TokenHolder()
            box.fill(holder)
            #expect(holder.first == 1)
            #expect(holder.second == 2)
            #expect(holder.token.number == 7)
        }
    }
}

private final class Guarded: @unchecked Sendable {
    @Injected var first: Int?
    let count = Mutex(0)
    @Injected var second: Int?
    let flag = Atomic(false)
    @Injected var third: Int?
}

private struct Token: ~Copyable {
    let number = 7
    deinit {}
}

private final class TokenHolder {
    @Injected var first: Int?
    let token = Token()
    @Injected var second: Int?
}
