// Part of ServiceBox, released under the MIT License.
// What is said of services that an ancestor creates and that need what only the box that asks has.

import ServiceBoxKit
import Testing

private final class User: Sendable {}

private final class Session: Sendable {
    init(_ user: User) {}
}

private final class Handler: @unchecked Sendable { @Injected var session: Session }
private final class Repository: @unchecked Sendable { @Injected var user: User }
private final class Front: @unchecked Sendable { @Injected var repository: Repository }
private final class Index: @unchecked Sendable { @Injected var store: FileStore }

private final class Lounge { @InjectedAll var sessions: [Session] }

@Suite("What is said of a service that an ancestor creates")
struct CaptiveMessageTests {
    private let app = ServiceBox(name: "app")
    private let hint =
        "'session' is made by the parent of 'request', which has no 'user'; register 'session' with per: .box"

    @Test("is what an awaited look-up says too")
    func awaited() async {
        app.register(as: "session") { box in
            await Task.yield()
            return Session(try box["user"])
        }
        let request = app.makeChild(name: "request")
        request.register(User())
        let error = await #expect(throws: ServiceBoxError.self) {
            _ = try await request.prepare("session") as Session
        }
        #expect(error?.description.contains(hint) == true, "\(error.map(\.description) ?? "")")
    }

    /// What a request fails with, which is gone when the error is read.
    private func failure(_ body: (ServiceBox) throws -> Void) -> String? {
        let request = app.makeChild(name: "request")
        request.register(User())
        do {
            try body(request)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("when the box that asked is gone")
    func gone() throws {
        app.register(as: "session") { box in Session(try box["user"]) }
        var error: (any Error)?
        do {
            let request = app.makeChild(name: "request")
            request.register(User())
            error = #expect(throws: ServiceBoxError.self) { try request["session"] as Session }
        }
        #expect("\(try #require(error))".contains(hint))
    }

    @Test("when its factory looks a type up that has one service where it is asked for")
    func byType() throws {
        app.register(as: "session") { box in Session(try box.resolve()) }
        let request = app.makeChild(name: "request")
        let key = ServiceKey<Session>("session")
        #expect(request.failure(of: key)?.description.contains("per: .box") == false)
        request.register(User())
        #expect(request.failure(of: key)?.description.contains(hint) == true)
        request.register(User(), as: "other")
        #expect(request.failure(of: key)?.description.contains("per: .box") == false)
    }

    @Test("when its factory asks for what each box creates, which lacks something there")
    func perBox() {
        app.register(as: "handler", per: .box) { _ in Repository() }
        app.register(as: "session") { box in
            _ = try box["handler"] as Repository
            return Session(User())
        }
        #expect(failure { _ = try $0["session"] as Session }?.contains(hint) == true)
    }

    @Test("when it is a copy's original that creates it, and the copy alone has what it needs")
    func ofOriginal() {
        app.register(as: "session") { box in Session(try box["user"]) }
        let copy = app.copy()
        copy.register(User())
        let text = copy.failure(of: ServiceKey<Session>("session"))?.description
        let way = "register 'session' in the copy too"
        #expect(
            text?.hasSuffix(
                """
                  'session' is made by the original of 'app', which has no 'user'; \(way).
                To fix, \(way), or register 'user' in the original.
                """) == true, "\(text ?? "")")
    }

    @Test("when the ancestor has another service under that name")
    func other() {
        app.register(as: "handler") { _ in Handler() }
        app.register(Clock(), as: "session")
        let request = app.makeChild(name: "request")
        request.register(Session(User()))
        let hint =
            "'handler' is made by the parent of 'request', which has another 'session'; register 'handler' with per: .box"
        #expect(request.failure(of: ServiceKey<Handler>("handler"))?.description.contains(hint) == true)
    }

    @Test("when a provider creates it, which no box can create for itself")
    func provided() {
        app.register(provider: ServiceProvider { Repository() }, as: "repository")
        let request = app.makeChild(name: "request")
        request.register(User())
        let text = request.failure(of: ServiceKey<Repository>("repository"))?.description
        #expect(text?.contains("register 'repository' where 'user' is registered") == true)
    }

    @Test("is another thing where its own box is asked for what is meant for children")
    func ownOfChildren() throws {
        app.register(as: "front", per: .box) { _ in Front() }
        app.register(as: "repository", per: .box) { _ in Repository() }
        app.register(as: "session", per: .box) { box in Session(try box["user"]) }
        let way = "To fix, ask a child instead, or register what is missing in this box too."
        for box in [app, ServiceBox.makeScope(of: app, name: "scope")] {
            let repository = box.failure(of: ServiceKey<Repository>("repository"))?.description
            let session = box.failure(of: ServiceKey<Session>("session"))?.description
            for (name, text) in ["repository": repository, "session": session] {
                let hint = "  '\(name)' is registered with per: .box, for children.\n\(way)"
                #expect(text?.hasSuffix(hint) == true)
            }
        }
        app.register(as: "desk", per: .box) { box in try box["session"] as Session }
        let desk = app.failure(of: ServiceKey<Session>("desk"))?.description
        let both = "  'desk' and 'session' are registered with per: .box, for children.\n\(way)"
        #expect(desk?.hasSuffix(both) == true)
        let child = app.makeChild(name: "request")
        #expect(child.failure(of: ServiceKey<Session>("session"))?.description.contains("per: .box") == false)
        // A child would not create these itself.
        app.register(as: "front") { _ in Front() }
        app.register(as: "desk") { box in try box["session"] as Session }
        #expect(app.failure(of: ServiceKey<Front>("front"))?.description.contains("per: .box") == false)
        #expect(app.failure(of: ServiceKey<Session>("desk"))?.description.contains("per: .box") == false)
    }

    @Test("when it is created from parameters")
    func parameters() {
        app.register(as: "repository") { (_, _: Int) in Repository() }
        let hint = "'repository' is registered in the parent of 'request', which has no 'user'"
        #expect(failure { _ = try $0.resolve("repository", with: 1) as Repository }?.contains(hint) == true)
    }

    @Test("when its factory takes parameters and looks up what is missing")
    func lookUpWithParameters() {
        app.register(as: "session") { (box, _: Int) in Session(try box["user"]) }
        let hint = "'session' is registered in the parent of 'request', which has no 'user'"
        #expect(failure { _ = try $0.resolve("session", with: 1) as Session }?.contains(hint) == true)
    }

    @Test("when the box that asks decorates it, and its own box does", arguments: [false, true])
    func decorated(isTwice: Bool) {
        app.register(as: "repository") { _ in Repository() }
        if isTwice { app.decorate("repository" as ServiceKey<Repository>) { repository, _ in repository } }
        let hint =
            "'repository' is made by the parent of 'request', which has no 'user'; register 'repository' with"
        let text = failure { request in
            request.decorate("repository" as ServiceKey<Repository>) { repository, _ in repository }
            _ = try request["repository"] as Repository
        }
        #expect(text?.contains(hint) == true)
    }

    @Test("in the property of a service or of another object, when the box that asked is gone")
    func inProperty() {
        app.register(as: "session") { box in Session(try box["user"]) }
        app.register(as: "handler", per: .box) { _ in Handler() }
        #expect(failure { _ = try $0["handler"] as Handler }?.contains(hint) == true)
        #expect(failure { try $0.fill(Handler()).requireComplete() }?.contains(hint) == true)
    }

    @Test("through a box in between that has nothing to say of it")
    func inBetween() {
        app.register(as: "session") { box in Session(try box["user"]) }
        let middle = app.makeChild(name: "tenant")
        middle.register(as: "front") { box in
            let session: Session = try box["session"]
            return Page(number: ObjectIdentifier(session).hashValue)
        }
        let request = middle.makeChild(name: "request")
        request.register(User())
        let text = request.failure(of: ServiceKey<Page>("front"))?.description
        #expect(text?.contains("which has no 'user'; register 'front' and 'session' with per: .box") == true)
    }

    @Test("by another box that passes the error on and has nothing to say of it")
    func passedOn() {
        app.register(as: "handler") { _ in Handler() }
        let request = app.makeChild(name: "request")
        request.register(Session(User()))
        let other = ServiceBox().makeChild(name: "other")
        other.register(as: "page") { _ in
            let handler: Handler = try request["handler"]
            return Page(number: ObjectIdentifier(handler).hashValue)
        }
        let text = other.failure(of: ServiceKey<Page>("page"))?.description
        #expect(text?.contains("register 'handler' with per: .box") == true)
    }

    @Test("unless it asked the box itself, which had nothing yet")
    func askedItself() throws {
        let request = app.makeChild(name: "request")
        app.register(as: "session") { [unowned request] _ in Session(try request["user"]) }
        let error = try #require(request.failure(of: ServiceKey<Session>("session")))
        request.register(User())
        #expect(!error.description.contains("per: .box"))
    }

    @Test("in the audit of its own box, with what each child brings")
    func audit() throws {
        app.register(as: "repository", per: .box) { _ in Repository() }
        app.register(as: "front") { _ in Front() }
        let hint =
            "'front' is made by the parent of 'assumed', which has no 'user'; register 'front' with per: .box."
        let findings = app.audit(makingServices: true) { $0.register(User()) }.findings
        let finding = try #require(findings.first { $0.subject == "Repository.user" })
        #expect(finding.explanation.contains(hint))
    }

    @Test(
        "is nothing about the child where that has the same service, of a type that didn't fit",
        arguments: [ServiceScope.family, .box])
    func sameService(_ scope: ServiceScope) {
        app.register(as: "store", per: scope) { _ -> any Store in MemoryStore() }
        app.register(as: "index") { _ in Index() }
        let text = failure { _ = try $0.resolve(ServiceKey<Index>("index")) }
        #expect(
            text?.hasSuffix(
                "To fix, register a FileStore under that name, or give the property the type of the service.")
                == true, "\(text ?? "")")
    }

    @Test("by the box in between that has what it lacks, rather than by the one that asks")
    func nearest() {
        app.register(as: "session") { box in Session(try box["user"]) }
        let middle = app.makeChild(name: "tenant")
        middle.register(User())
        middle.register(as: "front") { box in
            let session: Session = try box["session"]
            return Page(number: ObjectIdentifier(session).hashValue)
        }
        let text = middle.makeChild(name: "request").failure(of: ServiceKey<Page>("front"))?.description
        #expect(text?.contains("'session' is made by the parent of 'tenant', which has no 'user'") == true)
    }

    @Test("when a look-up finds that its box has another service of the name")
    func another() {
        app.register(as: "session") { box in Session(try box["user"]) }
        app.register(7, as: "user")
        let request = app.makeChild(name: "request")
        request.register(User())
        let text = request.failure(of: ServiceKey<Session>("session"))?.description
        #expect(
            text?.contains("'session' is made by the parent of 'request', which has another 'user'") == true)
    }

    @Test("in the list of an object")
    func inList() {
        app.register(as: "session") { box in Session(try box["user"]) }
        let request = app.makeChild(name: "request")
        request.register(User())
        #expect(request.fill(Lounge()).properties.first?.explanation.contains(hint) == true)
    }
}
