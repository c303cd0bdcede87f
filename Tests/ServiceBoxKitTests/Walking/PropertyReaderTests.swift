// Part of ServiceBox, released under the MIT License.
// Values that are read by the field records are the values that Mirror shows.

@testable import ServiceBoxKit  // for the reader, which is internal
import Testing

private struct Part: Sendable {
    let byte: UInt8 = 1
    let wide: Int64 = 2
}

private struct Whole: Sendable {
    let flag = true
    var part = Part()
    let `a raw name` = "raw"
    let none: Int? = nil
    let some: Int? = 4
    let list = [1.5]
    @Injected var clock: Clock?
}

private final class Shared: Sendable {
    let part = Part()
}

private struct Reflecting: CustomReflectable, Sendable {
    let number = 1
    var customMirror: Mirror { Mirror(self, children: ["secret": 2]) }
}

private struct Notes: PropertyVisitor {
    var lines: [String] = []

    mutating func visit<Value: Sendable>(_ name: String, _ value: Value) {
        lines.append("\(name): \(Value.self) = \(value)")
    }

    mutating func skip(_ name: String, because reason: String) { lines.append("\(name): \(reason)") }
}

@Suite("Reading stored properties")
struct PropertyReaderTests {
    private func records(of subject: some Sendable) -> [String] {
        var notes = Notes()
        PropertyReader.read(subject, with: &notes)
        return notes.lines
    }

    private func mirrored(_ subject: some Sendable) -> [String] {
        Mirror(reflecting: subject).children.map { label, value in
            let name = PropertyName.withoutUnderscore(PropertyName.inSource(label ?? ""))
            return value is Injected<Clock?>
                ? "\(name): it is injected itself" : "\(name): \(type(of: value)) = \(value)"
        }
    }

    @Test("gives the same by the field records and by Mirror")
    func alike() {
        #expect(records(of: Whole()).count == 7)
        #expect(records(of: Whole()) == mirrored(Whole()))
        #expect(records(of: Part()) == ["byte: UInt8 = 1", "wide: Int64 = 2"])
        #expect(records(of: Part()) == mirrored(Part()))
    }

    @Test("gives the constants of an object")
    func objects() {
        #expect(records(of: Shared()) == ["part: Part = Part(byte: 1, wide: 2)"])
    }

    @Test("never takes what a mirror of the type's own shows")
    func reflecting() {
        #expect(records(of: Reflecting()) == ["number: Int = 1"])
    }
}
