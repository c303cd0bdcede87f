// Part of ServiceBox, released under the MIT License.
// Wirings that are as they should be: tables, and what belongs to an actor.

import ServiceBoxKit

private class Player {
    var clock: Clock?
    var cache: Cache?
    private(set) var store: (any Store)?
}
private final class LoudPlayer: Player {}

private final class Panel: Injectable {
    var clock: Clock?
    var cache = Cache()
    private var volume = 0

    static var injections: InjectionTable {
        [
            "clock": .keyPath(\Panel.clock),
            "cache": .keyPath(\Panel.cache),
            "loudness": .setter(optional: true) { (panel: Panel, volume: Int) in panel.volume = volume },
        ]
    }
}

private class Base: Injectable {
    var clock: Clock?
    class var injections: InjectionTable { ["clock": .keyPath(\Base.clock)] }
}
private final class Mixed: Base { @Injected var cache: Cache; @Injected("clock") var other: Clock }

private struct Label: Injectable {
    var title: String?
    static var injections: InjectionTable { ["title": .keyPath(\Label.title)] }
}

private final class TableService: @unchecked Sendable, Injectable {
    var clock: Clock?
    static var injections: InjectionTable { ["clock": .keyPath(\TableService.clock)] }
}
private final class Room { @Injected var service: TableService? }

@MainActor private final class Dashboard { @Injected var clock: Clock }
@MainActor private final class Window {
    var clock: Clock?
    @Injected var dashboard: Dashboard
}
extension Window: @MainActor Injectable {
    static var injections: InjectionTable { ["clock": .keyPath(\Window.clock)] }
}
private final class Screen { @Injected var dashboard: Dashboard }
private protocol Router {}
@MainActor private final class AppRouter {}
extension AppRouter: @MainActor Router {}
private final class Link { @Injected var router: (any Router)? }
@MainActor private final class Told { @Injected var clock: Clock }
extension Told: @MainActor FillObserving {
    func didFill(by report: FillReport) {}
}

extension SilentWiring {
    static let tables = [
        SilentWiring("key paths and setters, one of which may stay without a service") { box in
            box.register(Clock())
            box.register(Cache())
            return [Panel()]
        },
        SilentWiring("an inherited table beside slots") { box in
            box.register(Clock())
            box.register(Cache())
            return [Mixed()]
        },
        SilentWiring("a key path to an optional, and nothing registered") { _ in [Label()] },
        SilentWiring("a type of others that the box was taught, and its subclass") { box in
            box.register(Clock())
            box.register(Cache())
            box.teach(Player.self, ["clock": .keyPath(\Player.clock), "cache": .keyPath(\Player.cache)])
            return [Player(), LoudPlayer()]
        },
        SilentWiring("a type that the box was taught twice") { box in
            box.register(Clock())
            box.teach(Player.self, ["clock": .setter { (_: Player, _: Clock) in }])
            box.teach(Player.self, ["clock": .keyPath(\Player.clock)])
            return [Player()]
        },
        SilentWiring("a service with a table, ready-made") { box in
            box.register(Clock())
            box.register(TableService(), as: "service")
            return [Room()]
        },
        SilentWiring("a service with a table, lazy") { box in
            box.register(Clock())
            box.register(as: "service") { _ in TableService() }
            return [Room()]
        },
    ]

    static let isolated = [
        SilentWiring("a service of the main actor that was created there, taken anywhere") { box in
            box.register(Clock())
            box.register(MainActor.shared, as: "main")
            return [Alarm()]
        }
    ]
}

private final class Alarm { @Injected var clock: Clock; @Injected var main: MainActor }

extension SilentMainActorWiring {
    static let all = [
        SilentMainActorWiring("services and objects of the main actor") { box in
            box.register(Clock())
            box.register { @MainActor _ in Dashboard() }
            return [Screen(), Window()]
        },
        SilentMainActorWiring("a ready-made service of the main actor with a table") { box in
            box.register(Clock())
            box.register(Dashboard())
            box.register(Window())
            return [try box.resolve(Window.self)]
        },
        SilentMainActorWiring("a service that conforms on the main actor, registered there") { box in
            box.register(AppRouter() as any Router & Sendable, as: "router")
            return [Link()]
        },
        SilentMainActorWiring("an object that is told on the main actor") { box in
            box.register(Clock())
            return [Told()]
        },
        SilentMainActorWiring("a table that was taught on the main actor") { box in
            box.register(Clock())
            box.teach(Player.self, ["clock": .keyPath(\Player.clock)])
            return [Player()]
        },
    ]
}
