// Part of ServiceBox, released under the MIT License.
// Slots beside fields that can't be read or copied.

import ServiceBoxKit
import Synchronization
import Testing

@Suite("Slots beside fields that can't be read or copied")
struct UnreadableFieldTests {
    private let box = ServiceBox()

    init() {
        box.register(1, as: "first")
        box.register(2, as: "second")
        box.register(3, as: "third")
    }

    @Test("fills slots before, between and after a mutex and an atomic")
    func mutexes() {
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
        let guarded = Guarded()
        box.register(guarded, as: "guarded")
        box.crossFill()
        #expect(guarded.first == 1)
    }

    @Test("fills a class with a field of a noncopyable type")
    func noncopyable() {
        for _ in 1...2 {
            let holder = TokenHolder()
            box.fill(holder)
            #expect(holder.first == 1)
            #expect(holder.second == 2)
            #expect(holder.token.number == 7)
        }
    }

    @Test("fills a generic class that stores a value of a noncopyable type parameter")
    func noncopyableParameter() {
        for _ in 1...2 {
            let vault = Vault(Token(number: 7))
            #expect(box.fill(vault).isComplete)
            #expect(vault.first == 1)
            #expect(vault.second == 2)
            #expect(vault.content.number == 7)
        }
    }

    @Test("reads no optional of a noncopyable type parameter", arguments: [nil, 7])
    func noncopyableOptional(number: Int?) {
        let safe = Safe(number.map { SlottedToken(number: $0) })
        let report = box.fill(safe)
        #expect(report.isComplete)
        #expect(report.properties.map(\.name) == ["first", "content"])
        #expect(safe.first == 1)
    }

    @Test("fills an object with an unowned reference whose object is gone, and registers it")
    func deadReference() {
        for _ in 1...2 {
            let part = Part(of: Whole())
            #expect(box.fill(part).isComplete)
            #expect(part.first == 1)
            #expect(part.second == 2)
        }
        let part = Part(of: Whole())
        box.register(part, as: "part")
        box.crossFill()
        #expect(part.second == 2)
    }

    @Test("fills a service that a factory made with such fields")
    func made() throws {
        box.register(as: "part") { _ in Part(of: Whole()) }
        #expect(try box.resolve(ServiceKey<Part>("part")).second == 2)
    }
}

private struct Token: ~Copyable {
    let number: Int
    deinit {}
}

private struct SlottedToken: ~Copyable {
    let second = Injected<Int?>()
    let number: Int
}

private final class Safe<Content: ~Copyable> {
    @Injected var first: Int?
    var content: Content?

    init(_ content: consuming Content?) { self.content = content }
}

private final class Vault<Content: ~Copyable> {
    @Injected var first: Int?
    let content: Content
    @Injected var second: Int?

    init(_ content: consuming Content) { self.content = content }
}

private final class Whole: Sendable {}

private final class Part: @unchecked Sendable {
    @Injected var first: Int?
    unowned let whole: Whole
    @Injected var second: Int?

    init(of whole: Whole) { self.whole = whole }
}

private final class Guarded: @unchecked Sendable {
    @Injected var first: Int?
    let count = Mutex(0)
    @Injected var second: Int?
    let flag = Atomic(false)
    @Injected var third: Int?
}

private final class TokenHolder {
    @Injected var first: Int?
    let token = Token(number: 7)
    @Injected var second: Int?
}
