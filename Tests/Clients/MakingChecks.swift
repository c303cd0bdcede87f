// Part of ServiceBox, released under the MIT License.
// Services are made, looked up and inherited; nothing of it needs the names of properties.

import Synchronization

#if canImport(ServiceBoxKit)
import ServiceBoxKit
#endif

/// Has a number of its own.
nonisolated final class Balloon: Sendable {
    private static let count = Atomic(0)

    let number = Balloon.count.add(1, ordering: .relaxed).newValue
}

@MainActor
final class Screen {}

func checkMaking() throws {
    let box = makeBox()
    box.register(as: "lazy") { _ in Balloon() }
    box.register(as: "transient", lifetime: .transient) { _ in Balloon() }
    box.register(as: "weak", lifetime: .weak) { _ in Balloon() }
    box.register(as: "screen") { @MainActor _ in Screen() }
    box.register(as: ServiceKey<any Gauge<Int>>("pair")) { box in
        _ = try box.resolve(Barometer.self)
        return RainGauge()
    }

    let lazy = try box.resolve(ServiceKey<Balloon>("lazy"))
    expect(try box.resolve(ServiceKey<Balloon>("lazy")) === lazy, "a lazy service is made once")
    let transient = try box.resolve(ServiceKey<Balloon>("transient"))
    expect(
        try box.resolve(ServiceKey<Balloon>("transient")) !== transient,
        "a transient service is made each time")
    var weak: Balloon? = try box.resolve("weak")
    let number = weak?.number
    expect(try box.resolve(ServiceKey<Balloon>("weak")) === weak, "a weak service is shared while it is held")
    weak = nil
    expect(
        try box.resolve(ServiceKey<Balloon>("weak")).number != number,
        "a weak service is made anew when it is gone")
    _ = try box.resolve(ServiceKey<Screen>("screen"))

    let gauge: any Gauge<Int> = try box.resolve("pair")
    expect(gauge.measure() == 7, "a parameterised protocol is resolved by name")
    let optional = try box.resolve(ServiceKey<(any Gauge<Int>)?>("rainGauge"))
    expect(optional?.measure() == 7, "a parameterised protocol is resolved as an optional")
    expect(
        try box.resolveAll((any Gauge<Int>).self).count == 2,
        "all services of a parameterised protocol are resolved")
    let almanac: any Almanac = try box.resolve()
    expect(almanac.year == 1869, "a protocol is resolved by its type alone")

    do {
        _ = try box.resolve(ServiceKey<Barometer>("barometr"))
        expect(false, "a name that is not registered throws")
    } catch {
        expect(error.code == .missing && error.path == ["barometr"], "a missing service says so: \(error)")
        expect("\(error)".contains("Did you mean 'barometer'?"), "a missing service has a hint: \(error)")
    }
}

@globalActor
actor Potter {
    static let shared = Potter()
}

@Potter
final class Kiln {}

/// Belongs to nobody, but for a line of its table.
nonisolated final class Vase: Injectable, Sendable {
    static var injections: InjectionTable {
        let fire: @Potter @Sendable (Vase, Kiln) -> Void = { vase, _ in
            vase.wasFired.store(true, ordering: .relaxed)
        }
        return ["kiln": .setter(fire)]
    }

    let wasFired = Atomic(false)
}

func checkGlobalActor() async throws {
    let box = ServiceBox()
    box.register(as: "kiln") { @Potter _ in Kiln() }
    box.register(as: "oven") { @Potter box in try box.resolve(ServiceKey<Kiln>("kiln")) }
    do {
        _ = try box.resolve(ServiceKey<Kiln>("kiln"))
        expect(false, "a factory of an actor isn't called elsewhere")
    } catch {
        let (called, unknown) = (
            """
            Can't make a Kiln: its factory belongs to another actor and was called elsewhere.
            To fix, in a box await prepare(…), which goes there, or ask on that actor; a shared service is available everywhere once made.
            """,
            """
            Can't make a Kiln: its factory belongs to another actor, and a statically linked program can't tell whether it runs there.
            To fix, in a box await prepare(…), which goes there.
            """
        )
        expect(
            [called, unknown].contains("\(error)"),
            "a factory of an actor says that it was called elsewhere: \(error)")
    }
    let oven = try await box.prepare(ServiceKey<Kiln>("oven"))
    expect(
        try box.resolve(ServiceKey<Kiln>("kiln")) === oven,
        "a service is prepared on its actor, with what it needs")

    let vase = Vase()
    expect(
        box.fill(vase).holes.map(\.outcome) == [.wrongIsolation],
        "a setter of an actor isn't called elsewhere")
    expect(!vase.wasFired.load(ordering: .relaxed), "a setter of an actor doesn't run elsewhere")
}

func checkFamilies() throws {
    let box = makeBox()
    box.register(as: "balloon", per: .box) { _ in Balloon() }
    let child = box.makeChild(name: "child")
    child.register(Barometer())
    let copy = box.copy()

    let barometer = try box.resolve(ServiceKey<Barometer>("barometer"))
    expect(try child.resolve(ServiceKey<Barometer>("barometer")) !== barometer, "a child overrides a service")
    expect(try copy.resolve(ServiceKey<Barometer>("barometer")) === barometer, "a copy shares a service")
    let forecast = try child.resolve(ServiceKey<Forecast>("forecast"))
    expect(try box.resolve(ServiceKey<Forecast>("forecast")) === forecast, "a child shares what it inherits")
    let balloon = try box.resolve(ServiceKey<Balloon>("balloon"))
    expect(
        try child.resolve(ServiceKey<Balloon>("balloon")) !== balloon,
        "a child makes what is made for each box")
}
