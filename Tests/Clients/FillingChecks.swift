// Part of ServiceBox, released under the MIT License.
// Objects, structs and an actor are filled, and reports tell of it.

#if canImport(ServiceBoxKit)
import ServiceBoxKit
#endif

func checkFilling() throws {
    let box = makeBox()
    let barometer = try box.resolve(Barometer.self)
    let station = Station()
    expect(
        station.rainGauge == nil && station.snowGauge == nil, "optional slots are nil until they are filled")
    expect(
        station.borrowed == nil && station.gauges.isEmpty, "weak slots and those of all services are empty")

    let report = box.fill(station)
    expect(report.holes.map(\.name) == ["snowGauge"], "one property has no service: \(report)")
    expect(station.rainGauge?.measure() == 7, "a slot of a parameterised protocol is filled")
    expect(station.almanac.year == 1869, "a required slot of a protocol is filled")
    expect(station.named === barometer, "a slot that names its service is filled")
    expect(station.borrowed === barometer, "a weak slot is filled")
    expect(station.borrowedGauge === station.rainGauge, "a weak slot of a parameterised protocol is filled")
    expect(station.gauges.map { $0.measure() } == [7], "a slot of all services is filled")
    expect(station.forecast?.barometer === barometer, "a service is made for a slot, and filled itself")
    expect(try station.forecasts?.resolve() === station.forecast, "a slot of a provider is filled")
    expect(
        try station.rainGauges?.resolve() === station.rainGauge,
        "a slot of a provider of such a protocol is filled")
    expect(station.replaced === barometer, "a fill replaces a value of the property's own")
    expect(station.altitude == 1_000, "a slot of a number is filled")

    station.rainGauge = nil
    station.borrowedGauge = nil
    expect(station.rainGauge == nil && !station.$rainGauge.isFilled, "a slot that was emptied by hand is nil")
    expect(station.borrowedGauge == nil, "a weak slot that was emptied by hand is nil")

    let old = OldStation()
    expect(box.fill(old).isComplete, "a table is filled")
    expect(old.barometer === barometer && old.rainGauge?.measure() == 7, "key paths are written")
    expect(old.year == 1869, "a setter is called")

    let foreign = ForeignStation()
    box.teach(ForeignStation.self, ["barometer": .keyPath(\ForeignStation.barometer)])
    expect(box.fill(foreign).isComplete && foreign.barometer === barometer, "a taught type is filled")

    var reading = Reading()
    expect(box.fill(&reading).isComplete, "a struct is filled")
    expect(
        reading.barometer === barometer && reading.almanac?.year == 1869,
        "a struct has its services in slots and plain properties"
    )
}

func checkActor() async {
    let box = makeBox()
    let observatory = Observatory()
    let report = await observatory.open(box)
    expect(report.isComplete, "an actor is filled in its isolation: \(report)")
    let (rain, isReady) = await (observatory.rain, observatory.isReady)
    expect(rain == 7 && isReady, "an actor has its services from slots and setters")
    let awaited = await box.fill(Observatory())
    expect(awaited.isComplete, "an actor is filled from outside: \(awaited)")
}

func checkReports() {
    let box = makeBox()
    let text = "\(box.fill(NamedStation()))"
    for line in [
        "NamedStation: 4 of 4 filled.",
        "NamedStation.rainGauge: filled with 'rainGauge' (RainGauge as Gauge<Int>)",
        "NamedStation.barometers: filled with 'barometer' (Barometer)",
    ] {
        expect(text.contains(line), "a report says '\(line)': \(text)")
    }
    let hole = box.fill(Station()).holes.first
    expect(hole?.outcome == .missing, "a hole says that its service is missing")
    expect(hole?.explanation.contains("Can't fill 'snowGauge' of Station") == true, "a hole explains itself")

    let audit = box.audit(including: [Station(), Summit(), Reading()], makingServices: true)
    let holes = audit.findings.filter { $0.kind == .missing }
    expect(
        holes.map(\.subject) == ["Summit.windGauge"],
        "an audit finds what is required, and leaves alone what is optional: \(audit)")
}
