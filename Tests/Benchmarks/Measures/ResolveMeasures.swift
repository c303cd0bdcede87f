// Part of ServiceBox, released under the MIT License.
// Looking made services up, and making new ones.

import ServiceBoxKit
import Synchronization

extension Suite {
    static func resolveComparisons(_ bench: Bench) -> [Comparison] {
        lookUps(bench)
            + [
                lookUpInterface(bench), lookUpDecorated(bench), made(), madeInterface(), madeWeakly(),
                graph(),
                boxGraph(),
            ]
    }

    /// Beside a dictionary of services of one type, and beside one of services of all types.
    private static func lookUps(_ bench: Bench) -> [Comparison] {
        let box = bench.boxWithLazyServices()
        let (services, anything) = (
            Holder(bench.dictionary()), Holder(bench.dictionary().mapValues { $0 as any Sendable })
        )
        let lookUp = asker("box[key]") { count in
            var sum = 0
            for _ in 0..<count { sum &+= try box[.made].number }
            return sum
        }
        return [
            Comparison(
                "look up a made service by its key", lookUp,
                against: asker("a locked dictionary") { count in
                    var sum = 0
                    for _ in 0..<count { sum &+= services.mutex.withLock { $0["made"] }?.number ?? 0 }
                    return sum
                }, atMost: 3),
            Comparison(
                "look up a made service by its key, of any type", lookUp,
                against: asker("a locked dictionary and a cast") { count in
                    var sum = 0
                    for _ in 0..<count {
                        sum &+= (anything.mutex.withLock { $0["made"] } as? Service)?.number ?? 0
                    }
                    return sum
                }, atMost: 1.5),
        ]
    }

    private static func made() -> Comparison {
        let provider = Opaque.value(ServiceProvider { Service(1) })
        return Comparison("resolve a made service", resolver(of: provider), against: locker(), atMost: 3)
    }

    private static func graph() -> Comparison {
        let provider = Opaque.value(Graph.provider())
        let make = Graph.closures()
        return Comparison(
            "make \(counted(Graph.size, "transient service"))",
            asker("resolve", expecting: Graph.size) { count in
                var node = Node()
                for _ in 0..<count { node = try provider.resolve() }
                return node.count * count
            },
            against: asker("closures", expecting: Graph.size) { count in
                var node = Node()
                for _ in 0..<count { node = try make() }
                return node.count * count
            }, atMost: 4)
    }

    // MARK: - Reported beside them

    private static func lookUpInterface(_ bench: Bench) -> Comparison {
        let box = bench.boxWithLazyServices()
        let held = Holder(bench.dictionary().mapValues { $0 as any Numbered })
        return Comparison(
            "look up a made service by its key, as an interface",
            asker("box[key]") { count in
                var sum = 0
                for _ in 0..<count { sum &+= try box[.interface].number }
                return sum
            },
            against: asker("a locked dictionary") { count in
                var sum = 0
                for _ in 0..<count { sum &+= held.mutex.withLock { $0["interface"] }?.number ?? 0 }
                return sum
            })
    }

    private static func lookUpDecorated(_ bench: Bench) -> Comparison {
        func finder(_ name: String, in box: ServiceBox) -> Contender {
            asker(name) { count in
                var sum = 0
                for _ in 0..<count { sum &+= try box[.made].number }
                return sum
            }
        }
        let box = bench.boxWithLazyServices()
        box.decorate(.made) { service, _ in Service(service.number) }
        return Comparison(
            "look up a made service by its key, decorated", finder("decorated", in: box),
            against: finder("undecorated", in: bench.boxWithLazyServices()))
    }

    private static func madeInterface() -> Comparison {
        let provider: ServiceProvider<any Numbered> = Opaque.value(ServiceProvider { Service(1) })
        let held = Holder<any Numbered>(Service(1))
        return Comparison(
            "resolve a made service, as an interface",
            asker("resolve") { count in
                var sum = 0
                for _ in 0..<count { sum &+= try provider.resolve().number }
                return sum
            },
            against: asker("a lock") { count in
                var sum = 0
                for _ in 0..<count { sum &+= held.mutex.withLock { $0 }.number }
                return sum
            })
    }

    private static func madeWeakly() -> Comparison {
        let service = Service(1)
        let provider = Opaque.value(ServiceProvider(.weak) { service })
        return Comparison(
            "resolve a made weak service", resolver(of: provider), against: locker())
    }

    private static func boxGraph() -> Comparison {
        let box = ServiceBox()
        let name = Graph.register(in: box)
        let make = Graph.closures()
        return Comparison(
            "make \(counted(Graph.size, "transient service")) in a box",
            asker("resolve", expecting: Graph.size) { count in
                var node = Node()
                for _ in 0..<count { node = try box.resolve(ServiceKey(name)) }
                return node.count * count
            },
            against: asker("closures", expecting: Graph.size) { count in
                var node = Node()
                for _ in 0..<count { node = try make() }
                return node.count * count
            })
    }

    // MARK: - Contenders

    private static func resolver(of provider: ServiceProvider<Service>) -> Contender {
        asker("resolve") { count in
            var sum = 0
            for _ in 0..<count { sum &+= try provider.resolve().number }
            return sum
        }
    }

    private static func locker() -> Contender {
        let held = Holder(Service(1))
        return asker("a lock") { count in
            var sum = 0
            for _ in 0..<count { sum &+= held.mutex.withLock { $0 }.number }
            return sum
        }
    }

    /// Asks again and again, in a loop of its own, so that no call stands between the loop and what is
    /// measured.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - number: What one ask adds to the sum.
    ///   - askAll: Asks so many times and adds up what it finds.
    /// - Returns: The contender.
    private static func asker(
        _ name: String, expecting number: Int = 1, askAll: @escaping (_ count: Int) throws -> Int
    ) -> Contender {
        Contender(name) { count in
            Stopwatch.time { Opaque.sink(try? askAll(Opaque.value(count))) }
        } isRight: {
            (try? askAll(2)) == 2 * number
        }
    }
}

/// A value under a lock, as one writes it by hand.
final class Holder<Value: Sendable>: Sendable {
    let mutex: Mutex<Value>

    init(_ value: Value) {
        mutex = Mutex(value)
    }
}

/// An interface of a service.
private protocol Numbered: Sendable {
    var number: Int { get }
}

extension Service: Numbered {}

extension ServiceKey where Service == Benchmarks.Service {
    fileprivate static var made: Self { "made" }
}

extension ServiceKey where Service == any Numbered {
    fileprivate static var interface: Self { "interface" }
}

extension Bench {
    /// A box in which two lazy services lie among the others.
    fileprivate func boxWithLazyServices() -> ServiceBox {
        let box = ServiceBox()
        services.register(in: box)
        box.register(as: .made) { _ in Service(1) }
        box.register(as: .interface) { _ in Service(1) }
        return Opaque.value(box)
    }

    /// The same services by their names.
    fileprivate func dictionary() -> [String: Service] {
        var dictionary = Dictionary(uniqueKeysWithValues: services.all.map { ("service\($0.number)", $0) })
        dictionary["made"] = Service(1)
        dictionary["interface"] = Service(1)
        return Opaque.value(dictionary)
    }
}
