// Part of ServiceBox, released under the MIT License.
// Weak properties of services that nobody else keeps.

import ServiceBoxKit
import Testing

private final class Router: Sendable {}
private final class Screen { @WeakInjected var router: Router? }
private final class Service: @unchecked Sendable { @WeakInjected var router: Router? }
private final class Maker {
    @WeakInjected var router: ServiceProvider<Router>?
}

@Suite("A weak property whose service nobody else keeps")
struct UnkeptServiceTests {
    private let box = ServiceBox()
    private let kept = Router()

    private func expectHole(_ report: FillReport?) {
        #expect(report?.outcome(of: "router") == .notKept)
        #expect(report?.holes.map(\.name) == ["router"])
    }

    @Test("is a hole of the plan, of the audit and of a fill", arguments: [1, 2])
    func transient(count: Int) {
        box.register(as: "router", lifetime: .transient) { _ in Router() }
        for _ in 0..<count {
            let screen = Screen()
            expectHole(box.fill(screen))
            #expect(screen.router == nil)
            #expect(!screen.$router.isFilled)
        }
        expectHole(box.plan(for: Screen()))
        let findings = box.audit().findings
        #expect(findings.map(\.subject) == ["Screen.router"])
        #expect(findings.first?.property?.outcome == .notKept)
    }

    @Test("is a hole of a registered service")
    func crossFilled() throws {
        box.register(as: "router", lifetime: .transient) { _ in Router() }
        let service = Service()
        box.register(service)
        expectHole(box.crossFill().first { $0.serviceName == "service" })
        #expect(service.router == nil)
        box.register(as: "router") { _ in Router() }
        #expect(box.crossFill().first { $0.serviceName == "service" }?.isComplete == true)
        #expect(service.router != nil)
    }

    @Test("is filled while the factory returns what others keep, and a hole afterwards")
    func shared() {
        let router = Locked<Router?>(kept)
        box.register(as: "router", lifetime: .transient) { _ in router.withLock { $0 } ?? Router() }
        let service = Service()
        box.register(service)
        let screen = Screen()
        #expect(box.fill(screen).isComplete)
        #expect(screen.router === kept)
        #expect(service.router === kept)
        #expect(box.crossFill().first { $0.serviceName == "service" }?.isComplete == true)
        router.withLock { $0 = nil }
        expectHole(box.fill(Screen()))
    }

    @Test("is a hole where the box itself holds the service weakly, until something keeps it")
    func weakly() throws {
        box.register(as: "router", lifetime: .weak) { _ in Router() }
        expectHole(box.fill(Screen()))
        #expect(box.plan(for: Screen()).isComplete)
        let router: Router = try box.resolve("router")
        let screen = Screen()
        #expect(box.fill(screen).isComplete)
        #expect(screen.router === router)
    }

    @Test("is a hole of a service that a factory creates", arguments: [Lifetime.weak, .transient])
    func created(_ lifetime: Lifetime) throws {
        box.register(as: "router", lifetime: lifetime) { _ in Router() }
        box.register { _ in Service() }
        let service = try box.resolve(Service.self)
        #expect(service.router == nil)
        expectHole(box.crossFill().first { $0.serviceName == "service" })
    }

    @Test("is filled again once the service is created, and by a fill that keeps what is there")
    func lost() throws {
        box.register(as: "router", lifetime: .weak) { _ in Router() }
        let (created, screen) = (Counter(), Screen())
        box.register { _ in Service() }
        box.register(Service(), as: "other")
        let services = (try box.resolve("service") as Service, try box.resolve("other") as Service)
        try withExtendedLifetime(box.resolve("router") as Router) {
            box.fill(screen)
            #expect(screen.router != nil)
        }
        #expect(screen.router == nil && services.0.router == nil)
        box.register(as: "router", lifetime: .weak) { _ in
            created.next()
            return Router()
        }
        let router: Router = try box.resolve("router")
        #expect(services.0.router === router && services.1.router === router)
        #expect(box.fill(screen, keepingExisting: true).outcome(of: "router") == .filled)
        #expect(screen.router === router)
        #expect(created.value == 1)
    }

    @Test("is filled again when the service is created again", arguments: [true, false])
    func createdAgain(fills: Bool) throws {
        final class Guide: @unchecked Sendable { @Injected var clock: Clock? }
        final class Tour: @unchecked Sendable {
            @WeakInjected var router: Router?
            @WeakInjected var guide: Guide?
        }
        box.register(as: "router", lifetime: .weak, fills: fills) { _ in Router() }
        box.register(as: "guide", lifetime: .weak, fills: fills) { _ in Guide() }
        box.register { _ in Tour() }
        func hold() throws -> (Router, Guide) { (try box.resolve("router"), try box.resolve("guide")) }
        let tour = try withExtendedLifetime(hold()) {
            let tour = try box.resolve(Tour.self)
            #expect(tour.router != nil && tour.guide != nil)
            return tour
        }
        #expect(tour.router == nil && tour.guide == nil)
        let (router, guide) = try hold()
        #expect(tour.router === router && tour.guide === guide)
    }

    @Test("isn't one once it was set to an object that is kept")
    func setAfterwards() throws {
        box.register(as: "router", lifetime: .weak) { _ in Router() }
        let service = Service()
        box.register(service)
        box.register(Service(), as: "other")
        try withExtendedLifetime(box.resolve("router") as Router) {
            box.crossFill()
            #expect(service.router != nil)
        }
        service.router = kept
        #expect(box.crossFill().first { $0.serviceName == "service" }?.outcome(of: "router") == .kept)
    }

    @Test("isn't created again and again for services that lost it")
    func notAgain() throws {
        let created = Counter()
        box.register(as: "router", lifetime: .weak) { _ in
            created.next()
            return Router()
        }
        box.register { _ in Service() }
        box.register(Service(), as: "other")
        _ = try box.resolve("service") as Service
        let count = created.value
        for _ in 0..<5 {
            _ = try box.resolve("service") as Service
            box.crossFill()
        }
        #expect(created.value == count)
    }

    @Test("gets the provider of a service, which the box keeps")
    func provider() {
        box.register(as: "router", lifetime: .transient) { _ in Router() }
        let maker = Maker()
        #expect(box.fill(maker).isComplete)
        #expect(maker.router != nil)
    }

    @Test("gets the provider of an instance, which the box keeps too")
    func readyProvider() {
        box.register(kept, as: "router")
        let maker = Maker()
        #expect(box.fill(maker).isComplete)
        #expect(maker.router != nil)
    }

    @Test("is filled if another property of its object keeps the service, declared before it or after it")
    func keptBeside() throws {
        final class After: @unchecked Sendable {
            @WeakInjected var router: Router?
            @Injected("router") var owned: Router?
        }
        box.register(as: "router", lifetime: .weak) { _ in Router() }
        do {
            let after = After()
            #expect(box.fill(after).holes.isEmpty)
            #expect(after.router != nil)
        }
        for isMade in [false, true] {
            let box = ServiceBox()
            box.register(as: "router", lifetime: .weak) { _ in Router() }
            if isMade { box.register { _ in After() } } else { box.register(After()) }
            let after: After = try box["after"]
            #expect(box.crossFill().report(on: After.self)?.holes.isEmpty == true)
            #expect(after.router != nil)
        }
    }

    @Test("isn't kept when it has lost its service and that was removed")
    func lostAndRemoved() {
        let screen = Screen()
        let service = Service()
        box.register(service)
        do {
            let router = Router()
            box.register(as: "router", lifetime: .weak) { [weak router] _ in router ?? Router() }
            box.fill(screen)
            #expect(box.crossFill().report(on: Service.self)?.outcome(of: "router") == .filled)
            withExtendedLifetime(router) {}
        }
        box.remove("router")
        #expect(box.crossFill().report(on: Service.self)?.outcome(of: "router") == .missing)
        #expect(box.plan(for: screen).outcome(of: "router") == .missing)
        #expect(box.fill(screen, keepingExisting: true).outcome(of: "router") == .missing)
    }
}
