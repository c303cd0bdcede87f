// Part of ServiceBox, released under the MIT License.
// Which of several services a look-up by type takes.

import ServiceBoxKit
import Testing

private final class Plain: Store {}
private final class Wanting: Sendable {
    let store: any Store; init(_ store: any Store) { self.store = store }
}
private protocol Pane {}
@MainActor private final class Window {}
extension Window: @MainActor Pane {}

extension ServiceKey where Service == FileStore {
    fileprivate static var files: Self { "files" }
}

@Suite("A preference")
struct PreferenceTests {
    private let box = ServiceBox()
    private let files = FileStore()
    private let memory = MemoryStore()

    init() {
        box.register(files, as: .files)
        box.register(memory, as: "memory")
    }

    private func code() -> ServiceBoxError.Code? {
        do throws(ServiceBoxError) {
            _ = try box.resolve((any Store).self)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("decides which of several services a look-up by type takes")
    func decides() throws {
        #expect(code() == .ambiguous)
        box.prefer("memory", for: (any Store).self)
        #expect(try box.resolve((any Store).self) as? MemoryStore === memory)
        #expect(try box.resolve((any Store)?.self) as? MemoryStore === memory)
        #expect(try box.resolve(FileStore.self) === files)
        #expect(try box.resolveAll((any Store).self).count == 2)
    }

    @Test("wins over a service that is registered as the very type")
    func exact() throws {
        box.register(Plain(), as: ServiceKey<any Store>("plain"))
        #expect(try box.resolve((any Store).self) is Plain)
        box.prefer(.files, for: (any Store).self)
        #expect(try box.resolve((any Store).self) as? FileStore === files)
    }

    @Test("gives one object however it is asked for, and creates no other")
    func oneObject() throws {
        box.register(as: .files) { _ in FileStore() }
        box.register(as: "memory") { _ in
            Issue.record("The other store was created.")
            return MemoryStore()
        }
        box.prefer(.files, for: (any Store).self)
        let store = try box.resolve((any Store).self) as? FileStore
        #expect(try store === box.resolve(.files))
        #expect(try store === box.resolve(FileStore.self))
    }

    @Test("gives way to a later one for the type, also where look-ups were remembered")
    func later() throws {
        for _ in 0..<40 {
            box.prefer("memory", for: (any Store).self)
            for _ in 0..<20 { #expect(try box.resolve((any Store).self) is MemoryStore) }
            box.prefer(.files, for: (any Store).self)
            for _ in 0..<20 { #expect(try box.resolve((any Store).self) is FileStore) }
        }
    }

    @Test("is never ignored: where its service isn't there, one that fits isn't taken in its place")
    func neverIgnored() throws {
        box.remove(.files)
        box.prefer(.files, for: (any Store).self)
        #expect(code() == .missing)
        #expect(try box.resolve(ServiceKey<any Store>("memory")) is MemoryStore)
        box.register(Clock(), as: "files")
        #expect(code() == .typeMismatch)
        // Nothing is cached for ever.
        box.register(FileStore(), as: .files)
        #expect(try box.resolve((any Store).self) is FileStore)
    }

    @Test("holds for what replaces its service, also by a service of another type")
    func replaced() throws {
        box.prefer(.files, for: (any Store).self)
        let other = Plain()
        box.register(other, as: "files")
        #expect(try box.resolve((any Store).self) as? Plain === other)
    }

    @Test("may name a service that only itself could tell whether it fits")
    func unknown() throws {
        box.register(as: ServiceKey<any Sendable>("any")) { _ in Plain() }
        box.prefer("any", for: (any Store).self)
        #expect(try box.resolve((any Store).self) is Plain)
        #expect(box.audit().findings.filter { $0.kind == .typeMismatch }.isEmpty)
    }

    @Test("may name a service that fits on the main actor, and holds there")
    func isolated() async throws {
        let box = ServiceBox()
        _ = await MainActor.run {
            box.register(Window(), as: "window")
        }
        box.prefer("window", for: (any Pane).self)
        #expect(box.audit().findings.filter { $0.kind == .typeMismatch }.isEmpty)
        #expect(throws: ServiceBoxError.self) { try box.resolve((any Pane).self) }
        try await MainActor.run { _ = try box.resolve((any Pane).self) }
        #expect(throws: ServiceBoxError.self) { try box.resolve((any Pane).self) }
    }

    @Test("may name the box itself")
    func ofBox() throws {
        box.register(ServiceBox(), as: "other")
        #expect(throws: ServiceBoxError.self) { try box.resolve(ServiceBox.self) }
        box.prefer("serviceBox", for: ServiceBox.self)
        #expect(try box.resolve(ServiceBox.self) === box)
    }

    @Test("resolves an ambiguity for the audit, and is a finding where it can't hold")
    func audit() throws {
        box.register { box in Wanting(try box.resolve()) }
        #expect(throws: ServiceBoxError.self) { try box.resolve(Wanting.self) }
        func kinds() -> [String] { box.audit().findings.map { "\($0.kind) \($0.subject)" } }
        #expect(kinds().contains("ambiguousType Store"))
        box.prefer("memory", for: (any Store).self)
        #expect(!kinds().contains { $0.contains("Store") })
        #expect(try box.resolve(Wanting.self).store is MemoryStore)
        box.remove("memory")
        #expect(kinds().contains("missing Store"))
        #expect(throws: ServiceBoxError.self) { try box.audit().requireClean() }
    }

    @Test("of the parent holds in a child, where the nearest wins, and never the other way")
    func families() throws {
        box.prefer(.files, for: (any Store).self)
        let child = box.makeChild(name: "child")
        #expect(try child.resolve((any Store).self) as? FileStore === files)
        let own = FileStore()
        child.register(own, as: .files)
        #expect(try child.resolve((any Store).self) as? FileStore === own)
        child.prefer("memory", for: (any Store).self)
        #expect(try child.makeChild(name: "grandchild").resolve((any Store).self) is MemoryStore)
        #expect(try box.resolve((any Store).self) as? FileStore === files)
        // A child that remembers look-ups sees a later preference of its parent.
        let other = box.makeChild(name: "other")
        for _ in 0..<20 { #expect(try other.resolve((any Store).self) is FileStore) }
        box.prefer("memory", for: (any Store).self)
        #expect(try other.resolve((any Store).self) is MemoryStore)
    }

    @Test("is taken over by a copy, and dropped when the box is cleared")
    func copied() throws {
        box.prefer(.files, for: (any Store).self)
        let copy = box.copy()
        box.clear()
        #expect(try copy.resolve((any Store).self) is FileStore)
        box.register(memory, as: "memory")
        #expect(try box.resolve((any Store).self) is MemoryStore)
        #expect(box.audit().findings.map(\.kind).contains(.missing) == false)
    }

    @Test("may change from eight tasks while others look the type up")
    func concurrently() async {
        for _ in 0..<20 {
            await withTaskGroup { group in
                for task in 0..<8 {
                    group.addTask {
                        box.prefer(task.isMultiple(of: 2) ? "files" : "memory", for: (any Store).self)
                        for _ in 0..<20 {
                            let store = try? box.resolve((any Store).self)
                            #expect(store is FileStore || store is MemoryStore)
                        }
                    }
                }
            }
        }
    }

    @Test("for an optional type is one for the type that it wraps")
    func optional() throws {
        box.prefer("memory", for: (any Store)?.self)
        #expect(try box.resolve((any Store).self) is MemoryStore)
    }

    @Test("of a parent isn't looked at in the audit of a child that has its own for the type")
    func ofChild() {
        box.prefer("missing", for: (any Store).self)
        let child = box.makeChild()
        child.prefer("memory", for: (any Store).self)
        #expect(box.audit().findings.contains { $0.subject == "Store" })
        #expect(!child.audit().findings.contains { $0.subject == "Store" })
    }
}
