// Part of ServiceBox, released under the MIT License.
// Code that runs while the box creates and fills services, and uses the box itself.

import ServiceBoxKit
import Testing

private final class Missing: Sendable {}

private final class Part: Sendable {}

private final class Engine: @unchecked Sendable {
    @Injected var part: Part?
    @Injected var missing: Missing
}

private final class Car: @unchecked Sendable { @Injected var engine: Engine }

private final class Optimist: @unchecked Sendable {
    @Injected var engine: Engine?
    @Injected var part: Part?
}

private final class Screen {
    @Injected var car: Car?
    @Injected var engine: Engine?
    @Injected var optimist: Optimist?
}

private final class Reader: Injectable, @unchecked Sendable {
    @Injected var missing: Missing
    nonisolated(unsafe) static var box: ServiceBox?
    static var injections: InjectionTable {
        if let box { #expect((try? box.resolve(Reader.self)) == nil) }
        return [:]
    }
}

@Suite("Code that uses the box while it fills a service")
struct InterruptedFillTests {
    private let box = ServiceBox()

    @Test("is handed nothing by an observer of the failure that isn't complete")
    func failure() {
        box.register { _ in Engine() }
        let screen = Screen()
        let observation = box.observe { [box] event in
            guard event.kind == .failed else { return }
            box.fill(Screen())
            #expect((try? box.resolve(Engine.self)) == nil)
        }
        box.fill(screen)
        #expect(screen.engine == nil)
        #expect(box.failure(of: ServiceKey<Engine>("engine"))?.code == .incomplete)
        observation.cancel()
    }

    @Test("is handed nothing by an observer of another service that isn't complete")
    func creation() {
        box.register(lifetime: .transient) { _ in Part() }
        box.register { _ in Engine() }
        box.register { _ in Car() }
        box.register { _ in Optimist() }
        let seen = Locked<[Bool]>([])
        let observation = box.observe { [box] event in
            guard event.kind == .made, event.serviceName == "part" else { return }
            let screen = Screen()
            box.fill(screen)
            seen.withLock { $0 += [screen.car != nil, screen.engine != nil] }
            seen.withLock {
                $0 += [(try? box.resolve(Car.self)) != nil, (try? box.resolve(Engine.self)) != nil]
            }
        }
        #expect(box.failure(of: ServiceKey<Car>("car"))?.code == .incomplete)
        #expect(box.failure(of: ServiceKey<Optimist>("optimist")) == nil)
        #expect(seen.withLock { $0 }.count >= 4)
        #expect(!seen.withLock { $0 }.contains(true))
        observation.cancel()
    }

    @Test("is handed nothing by the service's own table that isn't complete")
    func table() {
        Reader.box = box
        defer { Reader.box = nil }
        box.register { _ in Reader() }
        #expect(box.failure(of: ServiceKey<Reader>("reader"))?.code == .incomplete)
    }

    @Test("fills no waiting property with what turns out to lack something", arguments: [true, false])
    func waiting(isProvided: Bool) {
        if isProvided {
            box.register(provider: ServiceProvider(.transient) { Part() })
            box.register(provider: ServiceProvider(.transient) { Engine() })
        } else {
            box.register(lifetime: .transient) { _ in Part() }
            box.register { _ in Engine() }
        }
        box.register { _ in Car() }
        let screen = Screen()
        box.fill(screen, waiting: true)
        #expect(screen.car == nil)
        #expect(box.failure(of: ServiceKey<Car>("car"))?.code == .incomplete)
        #expect(screen.car == nil)
        box.register(Missing())
        #expect(screen.car?.engine.part != nil)
    }

    @Test("is handed nothing by the deinitialiser of what was refused that isn't complete")
    func deinitialiser() throws {
        let seen = Locked<[Bool]>([])
        final class Refused: @unchecked Sendable {
            @Injected var missing: Missing
            let look: @Sendable () -> Void
            init(_ look: @escaping @Sendable () -> Void) { self.look = look }
            deinit { look() }
        }
        final class Owner: @unchecked Sendable {
            @Injected var refused: Refused?
            @Injected var missing: Missing
        }
        final class Window {
            @Injected var owner: Owner?
            @Injected(when: .read) var late: Owner?
        }
        @Sendable func isSeen(in box: ServiceBox, _ provider: ServiceProvider<Owner>?) -> [Bool] {
            let (window, late) = (Window(), Window())
            box.fill(window)
            box.fill(late)
            return [
                window.owner, late.owner, late.late, try? box.resolve(Owner.self), try? box.resolve("owner"),
                try? provider?.resolve(), try? box.resolveAll(Owner.self).first,
            ].map { $0 != nil }
        }
        let provider = Locked<ServiceProvider<Owner>?>(nil)
        box.register(
            provider: ServiceProvider(.transient) { [weak box] in
                Refused { [weak box] in
                    guard let box else { return }
                    let now = isSeen(in: box, provider.withLock { $0 })
                    seen.withLock { $0 += now }
                }
            })
        box.register { _ in Owner() }
        let provided = try box.provider(ServiceKey<Owner>("owner"))
        provider.withLock { $0 = provided }
        box.fill(Window())
        #expect(box.failure(of: ServiceKey<Owner>("owner"))?.code == .incomplete)
        #expect(seen.withLock { $0 }.count >= 7)
        #expect(!seen.withLock { $0 }.contains(true))
    }

    @Test("is handed nothing when a factory registers something that isn't complete")
    func registration() {
        let seen = Locked<[Bool]>([])
        @Sendable func look(_ box: ServiceBox) {
            let screen = Screen()
            box.fill(screen)
            seen.withLock { $0 += [screen.car != nil, (try? box.resolve(Car.self)) != nil] }
        }
        box.register(lifetime: .transient) { box in
            box.register(1, as: "number")
            return Engine()
        }
        box.register { _ in Car() }
        let observation = box.observe { [box] event in if event.kind == .registered { look(box) } }
        let handler = box.whenRegistered(ServiceKey<Int>("number")) { [box] in look(box) }
        #expect(box.failure(of: ServiceKey<Car>("car"))?.code == .incomplete)
        #expect(seen.withLock { $0 }.count >= 4)
        #expect(!seen.withLock { $0 }.contains(true))
        withExtendedLifetime((observation, handler)) {}
    }
}
