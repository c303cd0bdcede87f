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
    box.register(as: "screen", onMainActor: { _ in Screen() })
    box.register(as: "pair", of: (any Gauge<Int>).self) { box in
        _ = try box.resolve(Barometer.self)
        return RainGauge()
    }

    let lazy = try box.resolve(Balloon.self, named: "lazy")
    expect(try box.resolve(Balloon.self, named: "lazy") === lazy, "a lazy service is made once")
    let transient = try box.resolve(Balloon.self, named: "transient")
    expect(
        try box.resolve(Balloon.self, named: "transient") !== transient,
        "a transient service is made each time")
    var weak: Balloon? = try box.resolve(named: "weak")
    let number = weak?.number
    expect(try box.resolve(Balloon.self, named: "weak") === weak, "a weak service is shared while it is held")
    weak = nil
    expect(
        try box.resolve(Balloon.self, named: "weak").number != number,
        "a weak service is made anew when it is gone")
    _ = try box.resolve(Screen.self, named: "screen")

    let gauge: any Gauge<Int> = try box.resolve(named: "pair")
    expect(gauge.measure() == 7, "a parameterised protocol is resolved by name")
    let optional = try box.resolve((any Gauge<Int>)?.self, named: "rainGauge")
    expect(optional?.measure() == 7, "a parameterised protocol is resolved as an optional")
    expect(
        try box.resolveAll((any Gauge<Int>).self).count == 2,
        "all services of a parameterised protocol are resolved")
    let almanac: any Almanac = try box.resolve()
    expect(almanac.year == 1869, "a protocol is resolved by its type alone")

    do {
        _ = try box.resolve(Barometer.self, named: "barometr")
        expect(false, "a name that is not registered throws")
    } catch {
        expect(error.code == .missing && error.path == ["barometr"], "a missing service says so: \(error)")
        expect("\(error)".contains("Did you mean 'barometer'?"), "a missing service has a hint: \(error)")
    }
}

func checkFamilies() throws {
    let box = makeBox()
    box.register(as: "balloon", per: .box) { _ in Balloon() }
    let child = box.makeChild(name: "child")
    child.register(Barometer())
    let copy = box.copy()

    let barometer = try box.resolve(Barometer.self, named: "barometer")
    expect(try child.resolve(Barometer.self, named: "barometer") !== barometer, "a child overrides a service")
    expect(try copy.resolve(Barometer.self, named: "barometer") === barometer, "a copy shares a service")
    let forecast = try child.resolve(Forecast.self, named: "forecast")
    expect(try box.resolve(Forecast.self, named: "forecast") === forecast, "a child shares what it inherits")
    let balloon = try box.resolve(Balloon.self, named: "balloon")
    expect(
        try child.resolve(Balloon.self, named: "balloon") !== balloon,
        "a child makes what is made for each box")
}
