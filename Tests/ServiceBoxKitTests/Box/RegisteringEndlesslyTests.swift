// Part of ServiceBox, released under the MIT License.
// Tests of user code that registers something each time the box asks it.

import ServiceBoxKit
import Testing

@Suite("User code that registers something each time it runs", .neverHanging)
struct RegisteringEndlesslyTests {
    private let runs = Counter()
    private let box = ServiceBox()

    @Test("ends where a factory that fails is one of all that a service takes")
    func failingElement() {
        box.register(Host(), as: "host")
        box.register(as: ServiceKey<any Plugin>("plugin")) { [runs] box in
            runs.next()
            box.register(runs.value, as: "attempt")
            throw Broken()
        }
        box.fill(Viewer())
        #expect((1...4).contains(runs.value))
    }

    @Test("ends where a transient service of the parent is one of all that a child's service takes")
    func transientElement() {
        let child = box.makeChild(name: "child")
        child.register(Host(), as: "host")
        box.register(as: ServiceKey<any Plugin>("plugin"), lifetime: .transient) { [runs] box in
            runs.next()
            box.register(runs.value, as: "attempt")
            return Extension()
        }
        child.fill(Viewer())
        #expect((1...4).contains(runs.value))
    }

    @Test("ends where a child's service waits for one that its parent can't create")
    func failingParent() {
        let child = box.makeChild(name: "child")
        child.register(Guest(), as: "guest")
        box.register(as: "room") { [runs] box -> Room in
            runs.next()
            box.register(runs.value, as: "attempt")
            throw Broken()
        }
        child.fill(Viewer())
        #expect((1...4).contains(runs.value))
    }

    @Test("ends where an observer registers another service to fill")
    func observer() {
        let observation = box.observe { [runs, box] event in
            guard event.kind == .filled else { return }
            runs.next()
            box.register(Guest(), as: ServiceKey("guest\(runs.value)"))
        }
        box.register(Guest(), as: "guest")
        box.fill(Viewer())
        #expect((1...6).contains(runs.value))
        observation.cancel()
    }
}

private protocol Plugin: Sendable {}
private struct Extension: Plugin {}
private final class Room: Sendable {}

private final class Host: @unchecked Sendable {
    @InjectedAll var plugins: [any Plugin]
}

private final class Guest: @unchecked Sendable {
    @Injected var room: Room?
}

private final class Viewer {
    @Injected var attempt: Int?
}
