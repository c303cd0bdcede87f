// Part of ServiceBox, released under the MIT License.
// What is known of types that don't conform, without asking the runtime for each of them.

import Foundation
import Testing

@testable import ServiceBoxKit  // for what no caller can see but by the time it takes

private protocol Marker {}
private protocol Refined: Marker {}
private class Base: Marker {}
private final class Heir: Base {}
private final class Stranger {}
private struct Holder<Value> { struct Inner: Refined {} }
extension Holder: Marker where Value: Marker {}
private enum Choice: Marker { case one }
private actor Worker: Marker {}
extension timespec: Marker {}
extension Date: Marker {}
extension String: Marker {}
private class Grown: JSONEncoder, @unchecked Sendable {}
extension Grown: Marker {}
private final class GrownHeir: Grown, @unchecked Sendable {}
extension Int?: Marker {}

@MainActor private final class Window {}
extension Window: @MainActor Marker {}
@Engraver private final class Etching {}
extension Etching: @Engraver Marker {}

@Suite("Types that a protocol's conformances don't name")
struct ConformanceRecordTests {
    private static let types: [Any.Type] = [
        Base.self, Heir.self, Stranger.self, Holder<Int>.self, Holder<Heir>.self, Holder<Int>.Inner.self,
        Choice.self, Worker.self, timespec.self, Date.self, String.self, Grown.self, GrownHeir.self,
        Int?.self,
        String?.self, Window.self, JSONEncoder.self, Int.self, [Base].self, tm.self,
        ConformanceRecordTests.self,
    ]

    @Test("are never among those that conform")
    func agreement() {
        for type in Self.types {
            let conforms = [type is any Marker.Type, type is any Refined.Type, type is any Codable.Type]
            let arePossible = [(any Marker).self, (any Refined).self, (any Codable).self].map {
                (existential: Any.Type) in Conformance.isPossible(of: type, to: existential)
            }
            for (conforms, isPossible) in zip(conforms, arePossible) where conforms {
                #expect(isPossible, "\(type)")
            }
        }
    }

    @Test(
        "are ruled out", .enabled(if: ConformanceRecords.areReadable),
        arguments: [Stranger.self, JSONEncoder.self, Int.self, [Base].self] as [Any.Type])
    func exclusion(_ type: Any.Type) {
        #expect(!Conformance.isPossible(of: type, to: (any Marker).self))
    }
}

@Suite("The actor of a conformance")
struct ConformanceActorTests {
    @Test("is that of the conformance, or of the one that it depends on")
    func actor() {
        let existential: Any.Type = (any Marker).self
        #expect(Conformance.actor(of: Window.self, to: existential) == MainActor.self)
        #expect(Conformance.actor(of: Etching.self, to: existential) == Engraver.self)
        #expect(Conformance.actor(of: Holder<Window>.self, to: existential) == MainActor.self)
        #expect(Conformance.actor(of: Holder<Heir>.self, to: existential) == nil)
        #expect(Conformance.actor(of: Worker.self, to: existential) == nil)
        #expect(Conformance.actor(of: Stranger.self, to: existential) == nil)
    }
}
