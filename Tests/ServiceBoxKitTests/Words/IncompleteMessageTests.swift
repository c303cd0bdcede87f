// Part of ServiceBox, released under the MIT License.
// What is said of services that lack what they require.

import ServiceBoxKit
import Testing

private final class User: Sendable {}

private final class Repository: @unchecked Sendable {
    @Injected var user: User
    @Injected var clock: Clock
}

private final class Handler: @unchecked Sendable { @Injected var repository: Repository }

private final class Shelf: Sendable { init(over repository: Repository) {} }

private final class Desk: @unchecked Sendable { @Injected var shelf: Shelf }

private actor Vault: Injectable {
    var cache: Cache?
    static var injections: InjectionTable {
        ["cache": .setter { (vault: isolated Vault, cache: Cache) in vault.cache = cache }]
    }
}

private let repository = ServiceKey<Repository>("repository")
private let handler = ServiceKey<Handler>("handler")

private final class Worn: @unchecked Sendable {
    @Injected var user: User
    @Injected var clock: Clock

    func replaceWrapper() { _user = Injected() }
}

@Suite("What is said of a service that lacks something")
struct IncompleteMessageTests {
    private let box = ServiceBox()

    init() {
        box.register(as: "repository") { _ in Repository() }
        box.register(as: "handler") { _ in Handler() }
    }

    @Test("names the property, what is registered and what to do")
    func one() {
        box.register(Clock())
        #expect(
            box.failure(of: repository)?.description == """
                Can't hand out 'repository': it needs 'user' of Repository, but no service is registered under that name.
                  Property:   Repository.user, a User
                  Registered: 'clock' (Clock), 'handler' (Handler), 'repository' (Repository), 'serviceBox' (ServiceBox)
                To fix, register a User as 'user' before filling.
                """)
    }

    @Test("says all that is behind a factory which passes it on, where nothing else is lacking")
    func behindFactory() {
        box.register(as: "shelf") { box in Shelf(over: try box[repository]) }
        box.register(as: "desk") { _ in Desk() }
        #expect(
            box.failure(of: ServiceKey<Desk>("desk"))?.description == """
                Can't hand out 'desk': it needs 'shelf' of Desk, but its service could not be made, since a look-up in its factory failed.
                  Property: Desk.shelf, a Shelf
                  Found:    'shelf' (Shelf)
                  Path:     Shelf → repository → user
                  Error:    Can't hand out 'repository': 2 required properties are empty.

                Can't fill 'user' of Repository: no service is registered under that name.
                  Property:   Repository.user, a User
                  Registered: 'desk' (Desk), 'handler' (Handler), 'repository' (Repository), 'serviceBox' (ServiceBox), 'shelf' (Shelf)
                To fix, register a User as 'user' before filling.

                Can't fill 'clock' of Repository: no service is registered under that name.
                  Property:   Repository.clock, a Clock
                  Registered: 'desk' (Desk), 'handler' (Handler), 'repository' (Repository), 'serviceBox' (ServiceBox), 'shelf' (Shelf)
                To fix, register a Clock as 'clock' before filling.
                """)
    }

    @Test("says the same when the box is gone")
    func gone() {
        func errors() -> [(error: ServiceBoxError, text: String)] {
            let box = ServiceBox()
            box.register(as: "repository") { _ in Repository() }
            box.register(as: "handler") { _ in Handler() }
            box.register(Clock(), as: "clocks")
            box.register(User(), as: "users")
            let errors = [box.failure(of: repository), box.failure(of: handler)].compactMap(\.self)
            return errors.map { ($0, $0.description) }
        }
        let errors = errors()
        #expect(errors.count == 2)
        for (error, text) in errors {
            #expect(text.contains("Did you mean 'clocks'?"))
            #expect(error.description == text)
        }
    }

    @Test("shows the way to what is missing, and the name that was meant")
    func way() {
        box.register(Clock())
        box.register(User(), as: "users")
        #expect(
            box.failure(of: handler)?.description == """
                Can't hand out 'handler': it needs 'user' of Repository, but no service is registered under that name.
                  Path:       handler → repository → user
                  Property:   Repository.user, a User
                  Registered: 'clock' (Clock), 'handler' (Handler), 'repository' (Repository), \
                'serviceBox' (ServiceBox), 'users' (User)
                  Did you mean 'users'?
                To fix, rename the property to 'users', or declare it with @Injected("users").
                """)
    }

    @Test("lists every hole")
    func several() {
        box.register(3, as: "clock")
        #expect(
            box.failure(of: handler)?.description == """
                Can't hand out 'handler': 2 required properties are empty.

                Can't fill 'user' of Repository: no service is registered under that name.
                  Path:       handler → repository → user
                  Property:   Repository.user, a User
                  Registered: 'clock' (Int), 'handler' (Handler), 'repository' (Repository), 'serviceBox' (ServiceBox)
                To fix, register a User as 'user' before filling.

                Can't fill 'clock' of Repository: the service under that name is an Int, not a Clock.
                  Path:     handler → repository → clock
                  Property: Repository.clock, a Clock
                  Found:    'clock' (Int)
                To fix, register a Clock under that name, or give the property the type of the service.
                """)
    }

    @Test("says so where a factory has looked it up")
    func factory() {
        struct Page: Sendable { let repository: Repository }
        box.register(Clock())
        box.register(as: "page") { box in Page(repository: try box["repository"]) }
        #expect(
            box.failure(of: ServiceKey<Page>("page"))?.description == """
                Can't make a Page: a look-up in its factory failed.
                  Path:       Page → repository → user
                  Error:      Can't hand out 'repository': it needs 'user' of Repository, but no service is registered \
                under that name.
                  Property:   Repository.user, a User
                  Registered: 'clock' (Clock), 'handler' (Handler), 'page' (Page), 'repository' (Repository), \
                'serviceBox' (ServiceBox)
                To fix, register a User as 'user' before filling.
                """)
    }

    @Test("says in a report that the service is incomplete, and what to do about the property that it lacks")
    func report() {
        final class Screen { @Injected var repository: Repository }
        box.register(Clock())
        #expect(
            box.fill(Screen()).holes.map(\.explanation) == [
                """
                Can't fill 'repository' of Screen: its service is incomplete, since it needs 'user' of Repository, but \
                no service is registered under that name.
                  Property:   Screen.repository, a Repository
                  Found:      'repository' (Repository)
                  Missing:    Repository.user, a User
                  Registered: 'clock' (Clock), 'handler' (Handler), 'repository' (Repository), 'serviceBox' (ServiceBox)
                To fix Repository.user, register a User as 'user' before filling.
                """
            ])
    }

    @Test(
        "says of a parent's service that only the box that asks has what it needs, in error, report and audit"
    )
    func captive() throws {
        box.register(Clock())
        let child = box.makeChild(name: "request")
        child.register(User())
        let hint =
            "'repository' is made by the parent of 'request', which has no 'user'; register 'repository' with per: .box"
        #expect(
            child.failure(of: repository)?.description == """
                Can't hand out 'repository': it needs 'user' of Repository, but no service is registered under that name.
                  Property:   Repository.user, a User
                  Registered: 'clock' (Clock), 'handler' (Handler), 'repository' (Repository), 'serviceBox' (ServiceBox)
                  \(hint).
                To fix, register 'repository' with per: .box, or register 'user' in the parent.
                """)
        final class Screen { @Injected var repository: Repository }
        let hole = try #require(child.fill(Screen()).holes.first)
        #expect(
            hole.description == """
                Screen.repository: its service is incomplete, since it needs 'user' of Repository, but no service is \
                registered under that name; \(hint)
                """)
        let finding = try #require(child.audit(makingServices: true).findings.first)
        #expect(finding.description == "Repository.user: no service is registered under that name; \(hint)")
    }

    @Test("says the same of what a parent's factory has looked up")
    func captiveLookUp() throws {
        let app = ServiceBox(name: "app")
        app.register(as: "page") { box in
            let user: User = try box["user"]
            return Page(number: ObjectIdentifier(user).hashValue)
        }
        app.register(as: "title") { box in try (box["page"] as Page).title }
        let child = app.makeChild(name: "request")
        #expect(child.failure(of: ServiceKey<String>("title"))?.description.contains("per: .box") == false)
        child.register(User())
        #expect(
            child.failure(of: ServiceKey<String>("title"))?.description == """
                Can't make a String: a look-up in the factory of Page failed.
                  Path:       String → Page → user
                  Error:      Can't find a User named 'user': no service is registered under that name.
                  Box:        'app'
                  Registered: 'page' (Page), 'serviceBox' (ServiceBox), 'title' (String)
                  'title' and 'page' are made by the parent of 'request', which has no 'user'; register 'title' and \
                'page' with per: .box.
                To fix, register 'title' and 'page' with per: .box, or register 'user' in the parent.
                """)
        #expect(app.failure(of: ServiceKey<String>("title"))?.description.contains("per: .box") == false)
    }

    @Test("says of a parent's ready-made service that it belongs where its needs are")
    func captiveInstance() throws {
        box.register(Repository(), as: "ready")
        box.register(Clock())
        let child = box.makeChild(name: "request").makeChild(name: "inner")
        child.register(User())
        let error = try #require(child.failure(of: ServiceKey<Repository>("ready")))
        #expect(
            error.description.contains(
                """
                  'ready' is registered in an ancestor of 'inner', which has no 'user'; register 'ready' where 'user' \
                is registered.
                To fix, register 'ready' where 'user' is registered, or register 'user' in that ancestor.
                """))
    }

    @Test("names the fill on an actor that has to be filled there")
    func actor() {
        box.register(Vault())
        box.register(Cache())
        #expect(
            box.failure(of: ServiceKey<Vault>("vault"))?.description == """
                Can't hand out 'vault': it needs 'cache' of Vault, but its table belongs to an actor on which this fill \
                did not run.
                  Property: Vault.cache, a Cache
                To fix, fill the object on its actor once it is registered; an actor itself with 'await box.fill(actor)'.
                """)
    }

    @Test("names the factory that can fill a table of the main actor")
    func mainActor() {
        @MainActor final class Panel: Injectable {
            var cache: Cache?
            static var injections: InjectionTable { ["cache": .keyPath(\Panel.cache)] }
        }
        box.register { _ in Panel() }
        box.register(Cache())
        #expect(
            box.failure(of: ServiceKey<Panel>("panel"))?.description == """
                Can't hand out 'panel': its table belongs to an actor on which this fill did not run.
                To fix, create it there: let its factory begin with { @MainActor _ in.
                """)
    }

    @Test("says in a plan for a type that a default value would do")
    func plannedByType() {
        struct Settings { @Injected var user: User }
        let box = ServiceBox()
        #expect(
            box.plan(for: Settings.self).holes.map(\.explanation) == [
                """
                Can't fill 'user' of Settings: no service is registered under that name.
                  Property:   Settings.user, a User
                  Required:   unless its declaration, unknown without an object, gives a value or another name
                  Registered: 'serviceBox' (ServiceBox)
                To fix, register a User as 'user' before filling.
                """
            ])
    }

    @Test("leaves out a property whose wrapper was replaced, since the box can't see whether that is empty")
    func replacedWrapper() {
        let (box, worn) = (ServiceBox(), Worn())
        box.register(worn)
        box.crossFill()
        worn.replaceWrapper()
        #expect(
            box.failure(of: ServiceKey<Worn>("worn"))?.description == """
                Can't hand out 'worn': it needs 'clock' of Worn, but no service is registered under that name.
                  Property:   Worn.clock, a Clock
                  Registered: 'serviceBox' (ServiceBox), 'worn' (Worn)
                To fix, register a Clock as 'clock' before filling.
                """)
    }
}

@Suite("What an audit says of services and allowances")
struct AuditMessageTests {
    private let box = ServiceBox()

    @Test("that were registered and removed")
    func removed() {
        box.register(Clock(), as: "clock", fileID: "App/Main.swift", line: 1)
        box.remove("clock")
        #expect(
            box.audit().findings.map(\.explanation) == [
                """
                Can't see what 'clock' was registered for: it was removed, and nothing had asked for it.
                  Service:    'clock' (Clock)
                  Registered: App/Main.swift:1
                To fix, remove the registration and the removal.
                """
            ])
    }

    @Test("that are one object")
    func duplicate() throws {
        let cache = Cache()
        box.register(cache, as: "first", fileID: "App/Main.swift", line: 1)
        box.register(cache, as: "second", fileID: "App/Main.swift", line: 2)
        let finding = try #require(box.audit().findings.first)
        #expect(
            finding.explanation == """
                Can't tell 'second' from 'first': they are the same object, registered twice as a Cache.
                  'first':  App/Main.swift:1
                  'second': App/Main.swift:2
                To fix, register it once, or register it as the interface that each of its users asks for.
                """)
    }

    @Test("that nothing needs any more")
    func allowance() throws {
        let error = try #require(throws: ServiceBoxError.self) {
            try box.audit().requireClean(allowing: ["Screen.clock"])
        }
        #expect(
            error.description == """
                Can't see what 'Screen.clock' is allowed for: the audit finds nothing there.
                To fix, remove it from the allowances.
                """)
    }

    @Test("advises to have a service in each box that needs one of those")
    func captiveAbove() {
        final class Front: @unchecked Sendable { @Injected var repository: Repository }
        let app = ServiceBox(name: "app")
        app.register(Clock())
        app.register(as: "repository", per: .box) { _ in Repository() }
        app.register(as: "front") { _ in Front() }
        let child = app.makeChild(name: "request")
        child.register(User())
        #expect(
            child.failure(of: ServiceKey<Front>("front"))?.description == """
                Can't hand out 'front': it needs 'user' of Repository, but no service is registered under that name.
                  Path:       front → repository → user
                  Property:   Repository.user, a User
                  Box:        'app'
                  Registered: 'clock' (Clock), 'front' (Front), 'repository' (Repository), 'serviceBox' (ServiceBox)
                  'front' is made by the parent of 'request', which has no 'user'; register 'front' with per: .box.
                To fix, register 'front' with per: .box, or register 'user' in the parent.
                """)
    }

    @Test("is the same of a decorated service, and of those that need it", arguments: [false, true])
    func decorated(isReadyMade: Bool) {
        func text(isDecorated: Bool) -> [String?] {
            let box = ServiceBox()
            if isReadyMade { box.register(Repository()) } else { box.register { _ in Repository() } }
            box.register { _ in Handler() }
            if isDecorated { box.decorate(repository) { repository, _ in repository } }
            return [box.failure(of: repository)?.description, box.failure(of: handler)?.description]
        }
        #expect(text(isDecorated: true) == text(isDecorated: false))
    }
}
