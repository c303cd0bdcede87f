// Part of ServiceBox, released under the MIT License.
// Tests of fields that nobody may read or copy, beside slots.

import ServiceBoxKit
import Testing

@Suite("Slots beside fields that must not be read")
struct UnreadableFieldTests {
    private let box = ServiceBox()

    init() {
        box.register(1, as: "first")
        box.register(2, as: "second")
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
