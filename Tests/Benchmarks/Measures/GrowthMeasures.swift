// Part of ServiceBox, released under the MIT License.
// What a service costs of many that come one after the other; it should not depend on how many have come.

import Dispatch
import ServiceBoxKit

/// A service that takes all of a type.
final class Collector: @unchecked Sendable {
    @InjectedAll var services: [Service]
}

/// A service that starts.
private final class Starter: ServiceLifecycle, @unchecked Sendable {
    private(set) var hasStarted = false

    func start() { hasStarted = true }
}

/// An interface of one service.
private protocol Rare: AnyObject, Sendable {}
private final class Wanted: Rare {}

/// A service that takes what isn't registered yet.
private final class Waiting: @unchecked Sendable {
    @Injected var later: Collector?
}

/// A service, and one that needs another.
private class ChainEnd: @unchecked Sendable {}
private final class Link: ChainEnd, @unchecked Sendable {
    @Injected var next: ChainEnd

    init(to next: ServiceKey<ChainEnd>) { _next = Injected(next) }
}

/// A service that lacks something.
private final class Lacking: @unchecked Sendable {
    @Injected var absent: Collector
}

extension Suite {
    static func growthComparisons(_ bench: Bench) -> [Comparison] {
        [
            growth("replace the service of one property, n times", replacing),
            growth("register a service, n times, and use the box", gathering),
            growth("register a service and ask for another by an interface, n times", asking),
            growth("remove a service by its token, n times, before the box is used", removing),
            growth("remove a service that takes another once that is registered, n times", removingOpen),
            growth("add a module, n times", adding),
            growth("stop n services that have something to do", stopping),
            growth("prepare a service late, among n that have started", preparing(among:)),
            growth("audit n services that lack something", auditing),
            growth("start n independent services") { starting($0) },
            growth("start n services, each of which awaits the next") { starting($0, isChain: true) },
            growth("prepare n services, each of which needs the next", preparingChain),
            growth("stop n children", stoppingChildren),
        ]
    }

    /// What one of many costs beside one of a quarter of them.
    private static func growth(_ name: String, _ contender: (Int) -> Contender) -> Comparison {
        Comparison(name, contender(4000), against: contender(1000), atMost: 2)
    }

    private static func replacing(_ count: Int) -> Contender {
        let services = (0..<count).map(Service.init)
        var object = Slots1()
        return Contender("n = \(count)", fixedCount: count) { _ in
            let box = ServiceBox()
            object = Slots1()
            return Stopwatch.time {
                for service in services {
                    box.register(service, as: "service0")
                    box.fill(object)
                }
            }
        } isRight: {
            object.service0 == nil || object.service0 === services.last
        }
    }

    /// With a service in use that takes all.
    private static func gathering(_ count: Int) -> Contender {
        let names = (0..<count).map { "service\($0)" }
        let services = (0..<count).map(Service.init)
        var collector = Collector()
        var isRight = true
        return Contender("n = \(count)", fixedCount: count) { _ in
            let (box, object) = (ServiceBox(), Slots1())
            collector = Collector()
            box.register(collector)
            let time = Stopwatch.time {
                for (name, service) in zip(names, services) {
                    box.register(service, as: ServiceKey(name))
                    box.fill(object)
                    isRight = isRight && collector.services.last === service
                }
            }
            isRight = isRight && collector.services.count == count
            return time
        } isRight: {
            isRight
        }
    }

    private static func removing(_ count: Int) -> Contender {
        let keys = (0..<count).map { ServiceKey<Service>("service\($0)") }
        var left = 0
        return Contender("n = \(count)", fixedCount: count) { _ in
            let (box, service) = (ServiceBox(), Service(0))
            let tokens = keys.map { box.register(service, as: $0) }
            let time = Stopwatch.time { for token in tokens { token.remove() } }
            left += tokens.count { $0.remove() }
            return time
        } isRight: {
            left == 0
        }
    }

    private static func asking(_ count: Int) -> Contender {
        let keys = (0..<count).map { ServiceKey<Service>("service\($0)") }
        var isRight = true
        return Contender("n = \(count)", fixedCount: count) { _ in
            let (box, service, wanted) = (ServiceBox(), Service(0), Wanted())
            box.register(wanted)
            return Stopwatch.time {
                for key in keys {
                    box.register(service, as: key)
                    let found = try? box.resolve((any Rare).self)
                    isRight = isRight && found === wanted
                }
            }
        } isRight: {
            isRight
        }
    }

    private static func removingOpen(_ count: Int) -> Contender {
        let keys = (0..<count).map { ServiceKey<Waiting>("waiting\($0)") }
        var isRight = true
        return Contender("n = \(count)", fixedCount: count) { _ in
            let (box, services) = (ServiceBox(), keys.map { _ in Waiting() })
            for (key, service) in zip(keys, services) { box.register(service, as: key) }
            isRight = isRight && box.crossFill().count == count
            return Stopwatch.time { for key in keys { isRight = box.remove(key) && isRight } }
        } isRight: {
            isRight
        }
    }

    private static func adding(_ count: Int) -> Contender {
        var types = FreshTypes()
        let modules = (0..<count).map { _ in types.nextService() }
        var isRight = true
        return Contender("n = \(count)", fixedCount: count) { _ in
            let box = ServiceBox()
            return Stopwatch.time {
                for module in modules { isRight = (try? box.add(module)) != nil && isRight }
            }
        } isRight: {
            isRight
        }
    }

    private static func stopping(_ count: Int) -> Contender {
        let keys = (0..<count).map { ServiceKey<Service>("service\($0)") }
        var isRight = true
        return Contender("n = \(count)", fixedCount: count) { _ in
            let (box, service) = (ServiceBox(), Service(0))
            for key in keys { box.register(service, as: key, onStop: { _ in }) }
            let time = Stopwatch.time { wait { await box.stop() } }
            isRight = isRight && (try? box[keys[0]]) == nil
            return time
        } isRight: {
            isRight
        }
    }

    private static func starting(_ count: Int, isChain: Bool = false) -> Contender {
        let keys = (0..<count).map { ServiceKey<Starter>("service\($0)") }
        var isRight = true
        return Contender("n = \(count)", fixedCount: count) { _ in
            let (box, first) = (ServiceBox(), Starter())
            box.register(first, as: keys[0])
            for (key, next) in zip(keys.dropFirst(), keys) {
                box.register(as: key) { box in
                    if isChain { _ = try await box.prepare(next) }
                    return Starter()
                }
            }
            let time = Stopwatch.time { wait { try? await box.start() } }
            isRight = isRight && first.hasStarted
            return time
        } isRight: {
            isRight
        }
    }

    private static func preparingChain(_ count: Int) -> Contender {
        let keys = (0...count).map { ServiceKey<ChainEnd>("service\($0)") }
        var isRight = true
        return Contender("n = \(count)", fixedCount: count) { _ in
            let box = ServiceBox()
            for (key, next) in zip(keys, keys.dropFirst()) {
                box.register(as: key) { _ async in Link(to: next) }
            }
            box.register(ChainEnd(), as: keys[count])
            let time = Stopwatch.time { wait { _ = try? await box.prepare(keys[0]) } }
            isRight = isRight && (try? box[keys[0]]) is Link
            return time
        } isRight: {
            isRight
        }
    }

    private static func stoppingChildren(_ count: Int) -> Contender {
        let key: ServiceKey<Service> = "service"
        var isRight = true
        return Contender("n = \(count)", fixedCount: count) { _ in
            let (box, service) = (ServiceBox(), Service(0))
            let children = (0..<count).map { box.makeChild(name: "child\($0)") }
            for child in children { child.register(service, as: key, onStop: { _ in }) }
            let time = Stopwatch.time { wait { await box.stop() } }
            isRight = isRight && (try? children[0][key]) == nil
            return time
        } isRight: {
            isRight
        }
    }

    private static func preparing(among count: Int) -> Contender {
        let keys = (0..<count).map { ServiceKey<Service>("service\($0)") }
        let late = (0..<100).map { ServiceKey<Starter>("late\($0)") }
        var isRight = true
        return Contender("n = \(count)", fixedCount: late.count) { _ in
            let (box, service, starter) = (ServiceBox(), Service(0), Starter())
            for key in keys { box.register(service, as: key) }
            wait { try? await box.start() }
            for key in late { box.register(as: key) { _ in Starter() } }
            box.register(starter, as: late[0])
            let time = Stopwatch.time { wait { for key in late { _ = try? await box.prepare(key) } } }
            isRight = isRight && starter.hasStarted
            return time
        } isRight: {
            isRight
        }
    }

    private static func auditing(_ count: Int) -> Contender {
        let keys = (0..<count).map { ServiceKey<Lacking>("holder of what isn't there \($0)") }
        var isRight = true
        return Contender("n = \(count)", fixedCount: count) { _ in
            let box = ServiceBox()
            for key in keys { box.register(as: key) { _ in Lacking() } }
            return Stopwatch.time {
                let audit = box.audit(makingServices: true)
                isRight = isRight && audit.findings.count { $0.subject == "Lacking.absent" } == count
            }
        } isRight: {
            isRight
        }
    }

    /// Waits for an asynchronous operation.
    private static func wait(for operation: @escaping @Sendable () async -> Void) {
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            await operation()
            end.signal()
        }
        end.wait()
    }
}
