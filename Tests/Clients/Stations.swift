// Part of ServiceBox, released under the MIT License.
// What the client registers and fills.
//
// Services say that they belong to no actor; everything else belongs to whatever the build says.

#if canImport(ServiceBoxKit)
import ServiceBoxKit
#endif

nonisolated protocol Gauge<Unit>: AnyObject, Sendable {
    associatedtype Unit
    func measure() -> Unit
}

nonisolated final class RainGauge: Gauge {
    func measure() -> Int { 7 }
}

nonisolated protocol Almanac: Sendable {
    var year: Int { get }
}

nonisolated struct PaperAlmanac: Almanac {
    let year = 1869
}

nonisolated final class Barometer: Sendable {}

/// A service with an injected property of its own.
nonisolated final class Forecast: Sendable {
    private let instruments = Instruments()

    var barometer: Barometer? { instruments.barometer }

    private struct Instruments: Sendable {
        @Injected var barometer: Barometer?
    }
}

/// A property of every kind.
final class Station {
    @Injected var rainGauge: (any Gauge<Int>)?
    @Injected var snowGauge: (any Gauge<Double>)?
    @Injected var almanac: any Almanac
    @Injected("barometer") var named: Barometer?
    @WeakInjected("barometer") var borrowed: Barometer?
    @WeakInjected("rainGauge") var borrowedGauge: (any Gauge<Int>)?
    @InjectedAll var gauges: [any Gauge<Int>]
    @Injected var forecast: Forecast?
    @Injected("forecast") var forecasts: ServiceProvider<Forecast>?
    @Injected("rainGauge") var rainGauges: ServiceProvider<any Gauge<Int>>?
    @Injected("barometer") var replaced: Barometer? = Barometer()
    @Injected var altitude = 0
}

/// Only what is found without the names of properties, and one property that is not.
final class NamedStation {
    @Injected("barometer") var named: Barometer?
    @Injected("rainGauge") var rainGauge: (any Gauge<Int>)?
    @InjectedAll var barometers: [Barometer]
    @Injected var barometer: Barometer?
}

/// A table instead of slots.
final class OldStation: Injectable {
    var barometer: Barometer?
    var rainGauge: (any Gauge<Int>)?
    private(set) var year = 0

    static var injections: InjectionTable {
        [
            "barometer": .keyPath(\OldStation.barometer),
            "rainGauge": .keyPath(\OldStation.rainGauge),
            "almanac": .setter { (station: OldStation, almanac: any Almanac) in station.year = almanac.year },
        ]
    }
}

/// A type that the box is taught about.
final class ForeignStation {
    var barometer: Barometer?
}

struct Reading {
    @Injected var barometer: Barometer?
    var almanac: (any Almanac)?
}

extension Reading: Injectable {
    static var injections: InjectionTable { ["almanac": .keyPath(\Reading.almanac)] }
}

actor Observatory: Injectable {
    @Injected var rainGauge: (any Gauge<Int>)?
    private(set) var barometer: Barometer?

    nonisolated static var injections: InjectionTable {
        [
            "barometer": .setter { (observatory: isolated Observatory, barometer: Barometer) in
                observatory.barometer = barometer
            }
        ]
    }

    func open(_ box: ServiceBox) -> FillReport { fillWithDependencies(from: box) }
    var rain: Int? { rainGauge?.measure() }
    var isReady: Bool { barometer != nil }
}

/// The services that the client's objects ask for.
func makeBox() -> ServiceBox {
    let box = ServiceBox()
    box.register(RainGauge(), as: ServiceKey<any Gauge<Int>>("rainGauge"))
    box.register(PaperAlmanac(), as: ServiceKey<any Almanac>("almanac"))
    box.register(Barometer())
    box.register(as: "forecast") { _ in Forecast() }
    box.register(1_000, as: "altitude")
    return box
}

final class Summit {
    @Injected var windGauge: Barometer
}
