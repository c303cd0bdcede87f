// Part of ServiceBox, released under the MIT License.
// A service that is local in one process and remote in another, as the article on distributed actors has it.

import Distributed
import ServiceBoxKit
import Testing

private final class Sensor: Sendable { let degrees = 21 }

/// The sample of the article, on whatever system.
private distributed actor Thermometer {
    typealias ActorSystem = LocalTestingDistributedActorSystem

    @Injected var sensor: Sensor?

    distributed func degrees() -> Int { sensor?.degrees ?? 0 }
}

private distributed actor NodeThermometer {
    typealias ActorSystem = NodeSystem

    @Injected var sensor: Sensor?
    @Injected("sensor") var required: Sensor

    distributed func degrees() -> Int { sensor?.degrees ?? 0 }
    distributed func degrees(above limit: Int) -> Int { degrees() - limit }
}

extension ServiceKey where Service == Thermometer {
    fileprivate static var thermometer: Self { "thermometer" }
}

extension ServiceKey where Service == NodeThermometer {
    fileprivate static var nodeThermometer: Self { "thermometer" }
}

private final class Display {
    @Injected(.thermometer) var thermometer: Thermometer
}

private final class NodeDisplay {
    @Injected(.nodeThermometer) var thermometer: NodeThermometer
}

@Suite("A distributed actor as a service")
struct DistributedServiceTests {
    private let here = ServiceBox(name: "here")
    private let there = ServiceBox(name: "there")

    @Test("is registered here and resolved there under one key, and called in the same way")
    func locally() async throws {
        let system = LocalTestingDistributedActorSystem()
        here.register(Sensor())
        here.register(as: .thermometer) { _ in Thermometer(actorSystem: system) }
        let id = try here[.thermometer].id
        there.register(as: .thermometer) { _ in try Thermometer.resolve(id: id, using: system) }
        for box in [here, there] {
            let display = Display()
            try box.fill(display).requireComplete()
            #expect(try await display.thermometer.degrees() == 21)
        }
    }

    @Test("may live on another node: it is injected, called through its property, and never looked into")
    func remotely() async throws {
        let (server, client) = (NodeSystem("server"), NodeSystem("client"))
        server.connect(to: client)
        here.register(Sensor())
        here.register(as: .nodeThermometer) { _ in NodeThermometer(actorSystem: server) }
        let id: NodeThermometer.ID = try here.resolve(NodeThermometer.self).id
        // The box there has no sensor, which the actor requires where it lives.
        there.register(as: .nodeThermometer) { _ in try NodeThermometer.resolve(id: id, using: client) }
        let (near, far) = (NodeDisplay(), NodeDisplay())
        try here.fill(near).requireComplete()
        try there.fill(far).requireComplete()
        #expect(near.thermometer == far.thermometer)
        #expect(try await near.thermometer.degrees() == 21)
        #expect(server.callCount == 0)
        #expect(try await far.thermometer.degrees() == 21)
        #expect(try await far.thermometer.degrees(above: 20) == 1)
        #expect(server.callCount == 2)
        #expect(await near.thermometer.whenLocal { _ in true } == true)
        #expect(await far.thermometer.whenLocal { _ in true } == nil)
        #expect(there.crossFill().allSatisfy { $0.properties.isEmpty })
        #expect(there.audit(makingServices: true).findings.isEmpty)
        #expect(there.fill(far.thermometer).properties.map(\.outcome) == [.notWalkable])
    }

    @Test("is injected while the other node can't be reached, and the call throws")
    func unreachable() async throws {
        let client = NodeSystem("client")
        there.register(as: .nodeThermometer) { _ in try NodeThermometer.resolve(id: "server/1", using: client)
        }
        let display = NodeDisplay()
        try there.fill(display).requireComplete()
        await #expect(throws: NodeSystem.Unreachable.self) { try await display.thermometer.degrees() }
    }

    @Test("that its system can't resolve is an error of the look-up, and tried again")
    func unresolved() async throws {
        let system = LocalTestingDistributedActorSystem()
        let thermometer = Thermometer(actorSystem: system)
        let id = Locked(LocalTestingActorID(id: "none"))
        there.register(as: .thermometer) { _ in
            try Thermometer.resolve(id: id.withLock { $0 }, using: system)
        }
        #expect(there.failure(of: .thermometer)?.code == .factoryFailed)
        id.withLock { $0 = thermometer.id }
        #expect(try there[.thermometer] == thermometer)
    }
}
