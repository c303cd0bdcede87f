// Part of ServiceBox, released under the MIT License.
// Weak references to the library's own objects, which leave these as they are.

import Testing

@testable import ServiceBoxKit

@Suite("A weak reference to an object of the library's own")
struct WeakReferenceTests {
    @Test("has the object until nothing else holds it", arguments: ["swift_tryRetain", "no such function"])
    func lifetime(function: String) {
        var object: Ending? = Ending()
        let reference = object.map { WeakReference($0, by: RetainAttempt(by: function)) }
        #expect(reference?.object === object)
        object = nil
        #expect(reference?.object == nil)
        let copy = reference
        #expect(copy?.object == nil)
    }

    @Test("holds the object while it is handed out", arguments: ["swift_tryRetain", "no such function"])
    func handedOut(function: String) {
        let attempt = RetainAttempt(by: function)
        let log = Locked<[String]>([])
        var object: Ending? = Ending { _ in log.withLock { $0.append("ended") } }
        var taken = object.map(Unmanaged.passUnretained).flatMap(attempt.strong)
        object = nil
        #expect(taken?.word == 42)
        #expect(log.withLock { $0 } == [])
        taken = nil
        #expect(log.withLock { $0 } == ["ended"])
    }

    @Test("doesn't hand out an object that is ending", arguments: ["swift_tryRetain", "no such function"])
    func ending(function: String) {
        let attempt = RetainAttempt(by: function)
        let log = Locked<[String]>([])
        var object: Ending? = Ending { ending in
            let isRefused = attempt.strong(Unmanaged.passUnretained(ending)) == nil
            log.withLock { $0.append(isRefused ? "refused" : "handed out") }
        }
        object = nil
        #expect(object == nil)
        #expect(log.withLock { $0 } == ["refused"])
    }

    @Test("can be dumped when the object has ended")
    func dumped() {
        var object: Ending? = Ending()
        let holder = object.map { Holder(reference: WeakReference($0)) }
        object = nil
        var text = ""
        dump(holder, to: &text)
        #expect(text.contains("reference"))
    }

    @Test(
        "hands out a whole object or none while other threads let go of it",
        arguments: ["swift_tryRetain", "no such function"])
    func race(function: String) async {
        let attempt = RetainAttempt(by: function)
        let log = Locked<[String]>([])
        for _ in 0..<500 {
            let holder = Locked<Ending?>(Ending { _ in log.withLock { $0.append("ended") } })
            guard let reference = holder.withLock({ $0.map { WeakReference($0, by: attempt) } }) else {
                return
            }
            await withTaskGroup(of: Bool.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        if number == 2 { _ = holder.withLock { $0.take() } }
                        return reference.object.map { $0.word == 42 } ?? true
                    }
                }
                for await isWhole in group { #expect(isWhole) }
            }
            #expect(reference.object == nil)
        }
        #expect(log.withLock { $0.count } == 500)
    }
}

private final class Ending: Sendable {
    let word = 42
    private let end: @Sendable (Ending) -> Void

    init(_ end: @escaping @Sendable (Ending) -> Void = { _ in }) {
        self.end = end
    }

    deinit { end(self) }
}

private final class Holder: Sendable {
    let reference: WeakReference<Ending>

    init(reference: WeakReference<Ending>) {
        self.reference = reference
    }
}
