// Part of ServiceBox, released under the MIT License.
// Why nothing has used what a child or a copy has registered.

import ServiceBoxKit
import Testing

private final class User: Sendable {}
private final class Repository: @unchecked Sendable {
    @Injected var user: User?
    @Injected var handler: Handler?
}
private final class Handler: @unchecked Sendable { @Injected var repository: Repository? }

@Suite("The reason why nothing has used a service")
struct UnusedReasonTests {
    private let box = ServiceBox()

    /// The services that would take the user, each with the one that leads to it and whether that was registered ready-made.
    private func takers(in child: ServiceBox) -> [String] {
        child.register(User(), as: "user")
        guard case .shared(let takers) = child.reasonForNoUse(of: "user", askedNames: []) else { return [] }
        return takers.map {
            "\($0.root.name) (\($0.isReadyMade ? "ready-made" : "created"))"
                + "\($0.isRoot ? "" : " → \($0.service.name)"), filled: \($0.isFilled)"
        }
    }

    @Test("is that the parent creates, has or shares the service that would take it")
    func parents() throws {
        box.register(as: "made") { _ in Repository() }
        box.register(Repository(), as: "ready")
        box.register(provider: ServiceProvider(.transient) { Repository() }, as: "provided")
        _ = try box.resolve(ServiceKey<Repository>("made"))
        #expect(
            takers(in: box.makeChild(name: "child").makeChild(name: "grandchild")) == [
                "made (created), filled: false", "provided (created), filled: false",
                "ready (ready-made), filled: false",
            ])
    }

    @Test("is that the parent's would have got it, even if nobody has asked for that yet")
    func unmade() {
        box.register(as: "made") { _ in Repository() }
        #expect(takers(in: box.makeChild(name: "child")) == ["made (created), filled: false"])
    }

    @Test("is that the child's own service is filled only when the child is used")
    func notYet() {
        let child = box.makeChild(name: "child")
        child.register(User(), as: "user")
        child.register(Repository(), as: "repository")
        guard case .refused(let refusals) = child.reasonForNoUse(of: "user", askedNames: []) else {
            Issue.record("It wasn't refused.")
            return
        }
        #expect(refusals.map(\.outcome) == [.empty])
    }

    @Test("isn't a service that the child creates for itself")
    func perBox() throws {
        box.register(as: "made", per: .box) { _ in Repository() }
        let child = box.makeChild(name: "child")
        #expect(takers(in: child).isEmpty)
        #expect(try child.resolve(Repository.self).user != nil)
    }

    @Test("is what the parent's service leads to, in a circle too, also where the child has another")
    func circle() throws {
        box.register(User(), as: "user")
        box.register(as: "repository") { _ in Repository() }
        box.register(as: "handler") { _ in Handler() }
        _ = try box.resolve(Handler.self)
        let child = box.makeChild(name: "child")
        child.register(Repository(), as: "repository")
        #expect(takers(in: child) == ["handler (created) → repository, filled: true"])
    }

    @Test("is that a copy leaves its services to the original")
    func copy() {
        box.register(Repository(), as: "repository")
        #expect(takers(in: box.copy()) == ["repository (ready-made), filled: false"])
    }

    @Test("is none of the box's own services, of those that ask for another type, and of the box itself")
    func others() {
        final class Sheet: @unchecked Sendable { @Injected var user: String? }
        final class Owner: @unchecked Sendable { @InjectedAll var boxes: [ServiceBox] }
        box.register(Sheet())
        box.register(Owner())
        let child = box.makeChild(name: "child")
        child.register(Repository(), as: "repository")
        #expect(takers(in: child).isEmpty)
    }

    @Test("is that a property refused it, rather than that the parent's service would take it")
    func refusedFirst() {
        final class Sheet { @Injected var user: Clock? }
        box.register(Repository(), as: "repository")
        let child = box.makeChild(name: "child")
        child.register(User(), as: "user")
        child.fill(Sheet())
        guard case .refused(let reports) = child.reasonForNoUse(of: "user", askedNames: []) else {
            Issue.record("not that it was refused")
            return
        }
        #expect(reports.map(\.outcome) == [.typeMismatch])
    }

    @Test("is none of the parent's plain properties")
    func plain() {
        final class Sheet: @unchecked Sendable {
            @Injected var clock: Clock?
            var user: User?
        }
        box.register(Sheet())
        box.register(User(), as: "user")
        #expect(takers(in: box.makeChild(name: "child")).isEmpty)
    }

    @Test("is a service that takes it by its name, even if a name that was asked for is similar")
    func similarName() {
        box.register(Repository(), as: "repository")
        let child = box.makeChild(name: "child")
        child.register(User(), as: "user")
        guard case .shared = child.reasonForNoUse(of: "user", askedNames: ["users"]) else {
            Issue.record("not that it is shared")
            return
        }
    }

    @Test("is neither that the parent's service refuses it nor that its unused one is replaced")
    func parentsOwn() {
        final class Sheet: @unchecked Sendable { @Injected var user: String? }
        box.register(User(), as: "user")
        box.register(Sheet())
        box.crossFill()
        let child = box.makeChild(name: "child")
        child.register(User(), as: "user")
        guard case .unasked = child.reasonForNoUse(of: "user", askedNames: []) else {
            Issue.record("not that nothing asks for it")
            return
        }
    }
}
