// Part of ServiceBox, released under the MIT License.
// Tests of reports where children have the like of their parent or of each other.

import ServiceBoxKit
import Testing

private final class Screen { @Injected var cache: Cache? }

@Suite("A report on a box with like children")
struct LikeChildrenReportTests {
    private let box = ServiceBox()

    @Test("counts a parent's service as used though another child has filled the same with its own before")
    func used() {
        box.register(Cache(), as: "cache", fileID: "App/Cache.swift", line: 1)
        for hasOwn in [true, false] {
            let child = box.makeChild()
            if hasOwn { child.register(Cache(), as: "cache", fileID: "App/Cache.swift", line: 1) }
            child.fill(Screen())
        }
        #expect(!box.audit().findings.contains { $0.subject == "cache" && $0.kind == .unused })
    }

    @Test("names the services of a child's list though another child has the like under another name")
    func names() {
        final class Wall { @InjectedAll var numbers: [Int] }
        let reports = ["one", "two"].map { name in
            let child = box.makeChild()
            child.register(1, as: ServiceKey<Int>(name))
            return child.fill(Wall()).description
        }
        #expect(reports[1].contains("two") && !reports[1].contains("one"))
    }

    @Test("doesn't take who has asked for the parent's service for one who has asked for the child's")
    func askers() throws {
        box.register(Cache())
        let child = box.makeChild()
        child.trackHolders()
        child.register { box in
            _ = try box.resolve("cache") as Cache
            return Clock()
        }
        _ = try child.resolve(Clock.self)
        child.register(Cache())
        var screen: Screen? = Screen()
        screen.map { _ = child.fill($0) }
        child.register(Cache())
        func isFound() -> Bool {
            child.audit().findings.contains { $0.subject == "cache" && $0.kind == .replaced }
        }
        #expect(isFound())
        screen = nil
        #expect(!isFound())
    }
}
