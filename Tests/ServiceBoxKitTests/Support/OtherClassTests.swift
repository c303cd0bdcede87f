// Part of ServiceBox, released under the MIT License.
// Classes that aren't declared in Swift, as Apple platforms have them; here they are metadata that tests write.

import Testing

@testable import ServiceBoxKit

@Suite("A class that isn't declared in Swift")
struct OtherClassTests {
    private static let objectiveC = type(ofKind: 0x305)
    private static let coreFoundation = type(ofKind: 0x203)

    @Test("is a class of which nothing more is known", arguments: [0x305, 0x203])
    func shape(kind: UInt) {
        // Expectations would have the runtime describe the type.
        let (shape, mayConform) = (
            TypePlan.Shape(of: Self.type(ofKind: kind)), TypeName.mayConform(Self.type(ofKind: kind))
        )
        let metadata = Metadata(Self.type(ofKind: kind))
        #expect(shape == .object)
        #expect(mayConform)
        #expect(metadata.name == nil)
        #expect(!metadata.isActor)
        #expect(metadata.storedPropertyCount == 0)
    }

    @Test("is named after Objective-C, without Apple's prefix")
    func derivedName() {
        let areObjectiveC = [Self.objectiveC, Self.coreFoundation].map { Metadata($0).isObjectiveC }
        #expect(areObjectiveC == [true, false])
        let names = ["NSURLCache", "NSUserDefaults", "UIView", "NSlot", "NS", "URLNSView"]
        #expect(
            names.map(DerivedName.withoutPrefix) == [
                "URLCache", "UserDefaults", "UIView", "NSlot", "NS", "URLNSView",
            ])
    }

    @Test("binds a property to no actor")
    func binding() {
        let isBound = CellRequest(type: Self.objectiveC).isBoundToActor(by: Self.type(ofKind: 0x305))
        #expect(!isBound)
    }

    @Test("of Core Foundation is no class of others, though the runtime would cast any class instance to it")
    func coreFoundation() {
        let inherits = [Self.coreFoundation, Depot.self].map {
            Conformance.isType($0, orInherits: Self.coreFoundation)
        }
        #expect(inherits == [true, false])
    }

    /// Metadata of a kind, with the value witnesses of a class; never freed.
    private static func type(ofKind kind: UInt) -> Any.Type {
        let words = UnsafeMutablePointer<UInt>.allocate(capacity: 4)
        let ofClass = unsafeBitCast(Depot.self as Any.Type, to: UnsafePointer<UInt>.self)
        words.initialize(repeating: 0, count: 4)
        (words[0], words[1]) = (ofClass[-1], kind)
        return unsafeBitCast(words + 1, to: Any.Type.self)
    }
}

private final class Depot: Sendable {}
