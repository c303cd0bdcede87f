// Part of ServiceBox, released under the MIT License.
// Tests that what is read of a field without the runtime is what the runtime says.

@testable import ServiceBoxKit  // for what is read of a single field
import Testing

@Suite("The record of a field")
struct FieldRecordTests {
    @Test("says what the runtime says, or leaves it to the runtime", arguments: samples)
    fileprivate func agreement(_ sample: Sample) {
        let owners = sequence(first: sample.type, next: { ($0 as? AnyClass).flatMap(_getSuperclass) })
        var seen = 0
        for owner in owners.reversed() {
            let count = FieldRecords.count(of: owner)
            for index in seen..<count {
                let field = FieldRecords.field(index, of: sample.type)
                guard let quick = FieldRecords.quickField(index - seen, of: owner) else { continue }
                #expect(quick.label == field.label)
                #expect(quick.request == CellRequest(ofWrapper: field.type), "\(field.label)")
                // What has no slot may not be optional, nor a struct that has some inside.
                if quick.request == nil {
                    #expect(Metadata(field.type).kind != .optional, "\(field.label)")
                    #expect(!String(describing: field.type).hasPrefix("Inner"), "\(field.label)")
                }
            }
            seen = count
        }
        #expect(seen == sample.fieldCount)
    }

    @Test("is trusted in this runtime, where no object has to be walked")
    func trust() {
        #expect(FieldRecords.areTrusted)
    }

    @Test("rules slots out at once in what has none that the runtime would show")
    func ruledOut() {
        #expect(FieldRecords.ruleOutSlots(in: Cache.self))
        for sample in samples where FieldRecords.ruleOutSlots(in: sample.type) {
            #expect(TypePlan(reading: sample.type, TypePlan.Shape(of: sample.type)).isBare)
        }
        #expect(!FieldRecords.ruleOutSlots(in: Wrapped.self))
        #expect(!FieldRecords.ruleOutSlots(in: Int?.self))
    }

    @Test("tells of the wrappers around classes and interfaces, optional or not")
    func wrappers() {
        let known = (0..<7).map { FieldRecords.quickField($0, of: Wrapped.self)?.request }
        #expect(
            known == [
                CellRequest(type: Cache.self), CellRequest(type: Cache?.self),
                CellRequest(type: (any Store).self), CellRequest(type: (any Store)?.self),
                CellRequest(wanted: Cache.self, optionals: 1, isWeak: true),
                CellRequest(wanted: [any Store].self, optionals: 0, element: (any Store).self), nil,
            ])
    }

    @Test("tells that classes, enums and scalars have nothing to fill")
    func closed() {
        for index in 0..<4 {
            let field = FieldRecords.quickField(index, of: Plain.self)
            #expect(field != nil && field?.request == nil, "\(index)")
        }
        // These may have slots inside, or be a hole.
        for index in 4..<8 { #expect(FieldRecords.quickField(index, of: Plain.self) == nil, "\(index)") }
    }

    @Test("isn't read beyond the fields that there are")
    func bounds() {
        #expect(FieldRecords.quickField(8, of: Plain.self) == nil)
        #expect(FieldRecords.quickField(0, of: Int?.self) == nil)
        #expect(FieldRecords.quickField(0, of: (any Store).self) == nil)
    }
}

private struct Sample: CustomTestStringConvertible {
    let type: Any.Type
    let fieldCount: Int
    var testDescription: String { "\(type)" }
}

private let samples = [
    Sample(type: Wrapped.self, fieldCount: 7), Sample(type: Plain.self, fieldCount: 8),
    Sample(type: Derived<Int>.self, fieldCount: 5), Sample(type: Derived<Cache>.self, fieldCount: 5),
    Sample(type: Many.self, fieldCount: 6),
]

private struct Wrapped {
    @Injected var one: Cache
    @Injected var two: Cache?
    @Injected var three: any Store
    @Injected var four: (any Store)?
    @WeakInjected var five: Cache?
    @InjectedAll var six: [any Store]
    @Other var seven: Cache?
}

@propertyWrapper
private struct Other<Value> {
    var wrappedValue: Value?
}

private enum Choice { case one, two }

private struct Inner {
    @Injected var cache: Cache
}

private final class Plain {
    let cache = Cache()
    let choice = Choice.one
    let text = ""
    let number = 1
    let optional: Cache? = nil
    let inner = Inner()
    let list: [Cache] = []
    weak var reference: Cache?
}

private class Base<Value> {
    @Injected var value: Value?
    @Injected var cache: Cache?
}

private final class Derived<Value>: Base<Value> {
    @Injected var list: [Value]
    @Injected var function: (() -> Void)?
    var plain: Value?
}

private struct Many {
    @Injected var tuple: (Int, Cache)?
    @Injected var both: (any Store & Analytics)?
    @Injected var object: AnyObject?
    @Injected var deep: Cache??
    @Injected var optionalInt: Int?
    @Injected var dictionary: [String: Cache]
}
