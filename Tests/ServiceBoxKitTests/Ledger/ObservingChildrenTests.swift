// Part of ServiceBox, released under the MIT License.
// What a box tells its observers of its children.

import ServiceBoxKit
import Testing

private final class Reader: @unchecked Sendable { @Injected var clock: Clock? }

@Suite("Observing a box with its children")
struct ObservingChildrenTests {
    private let box = ServiceBox(name: "app")
    private let log = Locked<[String]>([])

    /// What happened since the last call, each with the name of its box.
    private var lines: [String] {
        log.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    private func observe(_ box: ServiceBox, includingChildren: Bool = true) -> ServiceObservation {
        box.observe(includingChildren: includingChildren) { [log] event in
            log.withLock { $0.append("\(event.boxName ?? "?"): \(event.kind)") }
        }
    }

    @Test("reports what happens in children and grandchildren, created before or after")
    func descendants() {
        let earlier = box.makeChild(name: "earlier")
        let observation = observe(box)
        let later = earlier.makeChild(name: "later")
        box.register(Clock())
        earlier.register(Clock())
        later.fill(Reader())
        #expect(lines == ["app: registered", "earlier: registered", "later: filled"])
        observation.cancel()
    }

    @Test("reports fills that a child has done before without anyone watching")
    func warmFills() {
        box.register(Clock())
        let child = box.makeChild(name: "child")
        child.fill(Reader())
        child.fill(Reader())
        let observation = observe(box)
        child.fill(Reader())
        #expect(lines == ["child: filled"])
        observation.cancel()
        child.fill(Reader())
        #expect(lines.isEmpty)
    }

    @Test(
        "reports what a child creates for itself as the child's, and what it has from the parent as the parent's"
    )
    func creations() throws {
        box.register(as: "clock", per: .box) { _ in Clock() }
        box.register(as: "store") { _ in FileStore() }
        let child = box.makeChild(name: "child")
        let observation = observe(box)
        _ = try child.resolve(ServiceKey<Clock>("clock"))
        _ = try child.resolve(ServiceKey<FileStore>("store"))
        #expect(lines == ["child: made", "app: made"])
        observation.cancel()
    }

    @Test("leaves out parents, siblings and boxes of other families")
    func others() {
        let child = box.makeChild(name: "child")
        let observation = observe(child)
        box.register(Clock())
        box.makeChild(name: "sibling").fill(Reader())
        ServiceBox(name: "other").register(Clock())
        box.copy().register(Clock())
        #expect(lines.isEmpty)
        child.copy().makeChild(name: "copy's child").register(Clock())
        #expect(lines.isEmpty)
        observation.cancel()
    }

    @Test("reports a copy of a child as a child")
    func copies() {
        let observation = observe(box)
        box.makeChild(name: "child").copy().register(Clock())
        box.copy().register(Clock())
        #expect(lines == ["child: registered"])
        observation.cancel()
    }

    @Test(
        "tells the child's observers first, then those of the parent and of its parent; only who wants to know"
    )
    func order() {
        let child = box.makeChild(name: "child")
        let grandchild = child.makeChild(name: "grandchild")
        let names = Locked<[String]>([])
        func observe(_ box: ServiceBox, as name: String, includingChildren: Bool) -> ServiceObservation {
            box.observe(includingChildren: includingChildren) { _ in names.withLock { $0.append(name) } }
        }
        let observations = [
            observe(box, as: "box", includingChildren: true),
            observe(child, as: "child alone", includingChildren: false),
            observe(child, as: "child", includingChildren: true),
            observe(grandchild, as: "grandchild", includingChildren: false),
        ]
        grandchild.register(Clock())
        #expect(names.withLock { $0 } == ["grandchild", "child", "box"])
        for observation in observations { observation.cancel() }
    }

    @Test("goes on after the box was cleared")
    func cleared() {
        let child = box.makeChild(name: "child")
        let observation = observe(box)
        box.clear()
        child.register(Clock())
        #expect(lines == ["app: cleared", "child: registered"])
        observation.cancel()
    }

    @Test("ends for all boxes when it is cancelled, also when the observed box is gone")
    func ends() {
        let observation = observe(box)
        var child: ServiceBox? = box.makeChild(name: "child")
        let inner = child.map { observe($0) }
        child = nil
        inner?.cancel()
        observation.cancel()
        box.makeChild(name: "later").register(Clock())
        #expect(lines.isEmpty)
    }

    @Test("lets an observer use the child without an event for itself")
    func reentrance() {
        let child = box.makeChild(name: "child")
        let count = Locked(0)
        let observation = box.observe(includingChildren: true) { _ in
            count.withLock { $0 += 1 }
            child.register(Clock())
            child.fill(Reader())
        }
        child.register(Clock())
        #expect(count.withLock { $0 } == 1)
        observation.cancel()
    }

    @Test("reports the work of eight children to observers that come and go")
    func stress() async {
        for _ in 0..<20 {
            let box = ServiceBox()
            box.register(Clock())
            let count = Locked(0)
            let kept = box.observe(includingChildren: true) { event in
                if event.boxName != nil { count.withLock { $0 += 1 } }
            }
            await withTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        let observation = box.observe(includingChildren: true) { event in
                            _ = event.description
                        }
                        let child = box.makeChild(name: "child\(task)")
                        child.register(FileStore())
                        child.fill(Reader())
                        observation.cancel()
                    }
                }
            }
            #expect(count.withLock { $0 } == 16)
            kept.cancel()
        }
    }
}
