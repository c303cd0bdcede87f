// Part of ServiceBox, released under the MIT License.
// What is promised where a build carries less for reflection to see.

#if canImport(ServiceBoxKit)
import ServiceBoxKit
#endif

/// Slots that name their service are filled, and so are tables; the report says what is not and why.
func checkWithoutNames() throws {
    let box = makeBox()
    let barometer = try box.resolve(Barometer.self)
    let station = NamedStation()
    let report = box.fill(station)
    expect(station.named === barometer, "a slot that names its service is filled")
    expect(
        station.rainGauge?.measure() == 7,
        "a slot of a parameterised protocol that names its service is filled")
    expect(
        station.barometers.map(ObjectIdentifier.init) == [ObjectIdentifier(barometer)],
        "a slot of all services is filled")
    expect(station.barometer == nil, "a slot that does not name its service is empty")
    expectToTell(report, of: "-disable-reflection-names")
    try checkTable(in: box)
}

/// Tables alone are filled; the report says that slots are not and why.
func checkWithoutMetadata() throws {
    let box = makeBox()
    let station = NamedStation()
    let report = box.fill(station)
    expect(station.named == nil && station.rainGauge == nil && station.barometer == nil, "no slot is filled")
    expect(station.barometers.isEmpty, "no slot of all services is filled")
    expectToTell(report, of: "-disable-reflection-metadata")
    try checkTable(in: box)
}

private func expectToTell(_ report: FillReport, of flag: String) {
    expect(
        report.holes.contains { $0.explanation.contains(flag) },
        "a hole tells which flag to drop: \(report)")
}

private func checkTable(in box: ServiceBox) throws {
    let old = OldStation()
    box.fill(old)
    expect(old.barometer === (try box.resolve(Barometer.self)), "a key path is written")
    expect(old.year == 1869, "a setter is called")
}
