// Part of ServiceBox, released under the MIT License.
// Long chains of services that are made for each other.

import ServiceBoxKit
import Testing

private final class Link: @unchecked Sendable {
    let number: Int
    @Injected var next: Link?

    init(_ number: Int) {
        self.number = number
        _next = Injected("link\(number + 1)")
    }
}

private final class Knot: @unchecked Sendable {
    @Injected var first: Knot?
    @Injected var second: Knot?
    @Injected var third: Knot?

    init(_ number: Int, of count: Int) {
        _first = Injected("knot\((number + 1) % count)")
        _second = Injected("knot\((number + 7) % count)")
        _third = Injected("knot\((number * 3) % count)")
    }
}

private final class Step: Sendable {
    let next: Step?
    init(_ next: Step?) { self.next = next }
}

@Suite("A long chain of lazy services", .neverHanging)
struct LazyChainTests {
    private func chain(_ count: Int, _ lifetime: (Int) -> Lifetime = { _ in .lazy }) -> ServiceBox {
        let box = ServiceBox()
        for number in 0..<count {
            box.register(as: "link\(number)", lifetime: lifetime(number)) { _ in Link(number) }
        }
        return box
    }

    /// Counts the links that are reached from the first, and cuts them apart: links that are freed by the one
    /// before need a stack too.
    private static func take(apart first: Link) -> Int {
        var count = 1
        var link = first
        while let next = link.next {
            link.next = nil
            link = next
            count += 1
        }
        return count
    }

    @Test("that are linked by properties is created on a small stack, and every link is filled")
    func properties() throws {
        let box = chain(5000)
        let count = try onSmallThread {
            let first: Link = try box.resolve("link0")
            return Self.take(apart: first)
        }
        #expect(count == 5000)
    }

    @Test("that a fill of an object starts is created on a small stack")
    func fill() throws {
        let box = chain(1000)
        let count = try onSmallThread {
            let root = Link(-1)
            #expect(box.fill(root).isComplete)
            return Self.take(apart: root)
        }
        #expect(count == 1001)
    }

    @Test("of which every other is transient is created on a small stack")
    func transient() throws {
        let box = chain(1000) { $0.isMultiple(of: 2) ? .lazy : .transient }
        let count = try onSmallThread { Self.take(apart: try box.resolve(ServiceKey<Link>("link0"))) }
        #expect(count == 1000)
    }

    @Test("of which every other is weak is created on a small stack, and each lives until its user holds it")
    func weak() throws {
        let box = chain(1000) { $0.isMultiple(of: 2) ? .lazy : .weak }
        let count = try onSmallThread { Self.take(apart: try box.resolve(ServiceKey<Link>("link0"))) }
        #expect(count == 1000)
    }

    @Test("that is a web of fifty services with three properties each is created on a small stack")
    func web() throws {
        let box = ServiceBox()
        for number in 0..<50 { box.register(as: "knot\(number)") { _ in Knot(number, of: 50) } }
        try onSmallThread { _ = try box.resolve(ServiceKey<Knot>("knot0")) }
        for number in 0..<50 {
            let knot: Knot = try box.resolve("knot\(number)")
            #expect(try knot.first === box.resolve(ServiceKey<Knot>("knot\((number + 1) % 50)")))
            #expect(try knot.second === box.resolve(ServiceKey<Knot>("knot\((number + 7) % 50)")))
            #expect(try knot.third === box.resolve(ServiceKey<Knot>("knot\((number * 3) % 50)")))
        }
        for number in 0..<50 {
            let knot: Knot = try box.resolve("knot\(number)")
            (knot.first, knot.second, knot.third) = (nil, nil, nil)
        }
    }

    @Test(
        "whose factories look each other up is an error with its path before the stack ends",
        arguments: [Lifetime.lazy, .weak, .transient])
    func lookUps(_ lifetime: Lifetime) throws {
        let box = ServiceBox()
        for number in 0..<5000 {
            box.register(as: "step\(number)", lifetime: lifetime) { box in
                Step(number == 4999 ? nil : try box.resolve(ServiceKey<Step>("step\(number + 1)")))
            }
        }
        let error = #expect(throws: ServiceBoxError.self) {
            try onSmallThread { try box.resolve(ServiceKey<Step>("step0")) }
        }
        #expect(error?.code == .tooDeep)
        #expect(error?.path.count ?? 0 > 10)
        #expect(Set(error?.path ?? []) == ["Step"])
        // What was not made can be made, and the box works.
        let end = try onSmallThread { try box.resolve(ServiceKey<Step>("step4990")) }
        #expect(end.next != nil)
    }

    @Test("whose providers look each other up is an error with its path before the stack ends")
    func providers() throws {
        // No provider keeps the next one, or they would be freed in a chain too.
        let chain = Later<[ServiceProvider<Step>]>()
        chain.set((1...5000).map { next in ServiceProvider { Step(try chain.get()[next].resolve()) } })
        let code = try onSmallThread { failure(of: try chain.get()[0])?.code }
        chain.set([])
        #expect(code == .tooDeep)
    }

    @Test("whose factories ask the box of a late generation is an error before the stack ends")
    func lateGeneration() async {
        // In a process of its own, where later chains end sooner.
        await #expect(processExitsWith: .success) {
            var box = ServiceBox()
            for _ in 0..<250 { box = box.makeChild(name: "child") }
            for number in 0..<5000 {
                box.register(as: "step\(number)") { box in
                    _ = box.isRegistered("gone")
                    return Step(try box.resolve(ServiceKey<Step>("step\(number + 1)")))
                }
            }
            let error = try onSmallThread { [box] in box.failure(of: ServiceKey<Step>("step0")) }
            precondition(error?.code == .tooDeep)
        }
    }
}
