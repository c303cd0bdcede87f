// Part of ServiceBox, released under the MIT License.
// Wirings that are as they should be: services of all lifetimes, and those that come from providers.

import ServiceBoxKit

private final class Alarm { @Injected var clock: Clock }
private final class Watch { @WeakInjected var clock: Clock? }
private final class Tower: @unchecked Sendable { @Injected var clock: Clock }
private final class City { @Injected var tower: Tower }
private final class Lazy { @Injected var clock: ServiceProvider<Clock> }
private final class Book { @Injected var page: ServiceParametersProvider<Page, Int> }
private final class Mailbox { @Injected var inbox: String }
private final class Selfish: @unchecked Sendable { @WeakInjected var selfish: Selfish? }
private final class Guest: @unchecked Sendable { @WeakInjected var serviceBox: ServiceBox? }
private final class Hen: @unchecked Sendable { @Injected var chick: Chick }
private final class Chick: @unchecked Sendable { @WeakInjected var hen: Hen? }
private final class Crew: @unchecked Sendable { @InjectedAll var sailors: [Sailor] }
private final class Sailor: @unchecked Sendable { @WeakInjected var crew: Crew? }
private final class Left: @unchecked Sendable { @Injected var right: ServiceProvider<Right> }
private final class Right: @unchecked Sendable { @Injected var left: Left }
private final class Told: @unchecked Sendable, FillObserving {
    @Injected var clock: Clock
    func didFill(by report: FillReport) {}
}

private struct ClockFactory: ServiceFactory {
    let lifetime = Lifetime.lazy
    func makeService() -> Clock { Clock() }
}

private struct User: ServiceSession {
    let key: Int
}

private struct MailFactory: ServiceSessionFactory {
    let lifetime = Lifetime.lazy
    func makeService(for session: User) -> String { "inbox of \(session.key)" }
}

extension SilentWiring {
    static let lifetimes = [
        SilentWiring("a ready-made service") { box in
            box.register(Clock())
            return [Alarm()]
        },
        SilentWiring("an eager service") { box in
            box.register(lifetime: .eager) { _ in Clock() }
            return [Alarm()]
        },
        SilentWiring("a lazy service that another lazy one takes") { box in
            box.register { _ in Tower() }
            box.register { _ in Clock() }
            return [City()]
        },
        SilentWiring("a weak service that a property keeps") { box in
            box.register(lifetime: .weak) { _ in Clock() }
            return [Alarm()]
        },
        SilentWiring("a transient service") { box in
            box.register(lifetime: .transient) { _ in Clock() }
            return [Alarm(), Tower()]
        },
        SilentWiring("a service that one property holds weakly and another keeps") { box in
            box.register(lifetime: .weak) { _ in Clock() }
            let alarm = Alarm()
            box.fill(alarm)
            return [alarm, Watch()]
        },
        SilentWiring("a provider of one's own") { box in
            box.register(provider: ServiceProvider { Clock() })
            return [Alarm()]
        },
        SilentWiring("a provider of an instance") { box in
            box.register(provider: ServiceProvider(instance: Clock()))
            return [Alarm()]
        },
        SilentWiring("a factory that is an object") { box in
            box.register(factory: ClockFactory())
            return [Alarm()]
        },
        SilentWiring("a property that takes the provider") { box in
            box.register { _ in Clock() }
            return [Lazy()]
        },
        SilentWiring("a property that takes a provider with parameters", unexamined: ["page"]) { box in
            box.register(as: "page") { (_, number: Int) in Page(number: number) }
            return [Book()]
        },
        SilentWiring("a service of a session") { box in
            let mediator = ServiceSessionMediator(User(key: 1))
            box.register(provider: ServiceProvider(MailFactory(), mediator: mediator), as: "inbox")
            mediator.update(User(key: 2))
            return [Mailbox()]
        },
        SilentWiring("a service that is told of its fill") { box in
            box.register(Clock())
            box.register { _ in Told() }
            _ = try box.resolve(Told.self)
            return [Told()]
        },
        SilentWiring("a service that has itself, weakly") { box in
            box.register(Selfish())
            return []
        },
        SilentWiring("a service that has its box, weakly") { box in
            box.register(Guest())
            _ = try box.resolve(Guest.self)
            return [Guest.self]
        },
        SilentWiring("mutual services, one of which is weak") { box in
            box.register { _ in Hen() }
            box.register { _ in Chick() }
            return []
        },
        SilentWiring("mutual services that are ready-made") { box in
            box.register(Hen())
            box.register(Chick())
            return []
        },
        SilentWiring("all services of a type, which have the one that takes them, weakly") { box in
            box.register(Crew())
            box.register(Sailor(), as: "first")
            box.register { _ in Sailor() }
            return []
        },
        SilentWiring("mutual services, one of which creates as many of the other as it needs") { box in
            box.register { _ in Left() }
            box.register(lifetime: .transient) { _ in Right() }
            return []
        },
    ]
}
