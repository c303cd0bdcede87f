// Part of ServiceBox, released under the MIT License.
// Tests of the rules by which a service gets into a property.

import ServiceBoxKit
import Testing

@Suite("Filling by name and type")
struct FillingByNameAndTypeTests {
    @Test("sets each property whose name and type both match")
    func fillsFromOutside() {
        let box = ServiceBox()
        let dog = Dog()
        box.register(dog, as: "dog")
        box.register("Rex", as: "name")
        let kennel = Kennel()
        let report = box.fill(kennel)
        #expect(kennel.dog === dog)
        #expect(kennel.name == "Rex")
        #expect(report.isComplete)
        #expect(report.filled.map(\.name) == ["dog", "name"])
    }

    @Test("matches a property by its exact name, case included")
    func exactName() {
        let box = ServiceBox()
        box.register(Dog(), as: "Dog")
        box.register(Dog(), as: "dog ")
        box.register(Dog(), as: "dogs")
        let kennel = Kennel()
        #expect(box.fill(kennel).outcome(of: "dog") == .missing)
        #expect(kennel.dog == nil)
    }

    @Test("tells two properties of one type apart by their names")
    func sameTypeOtherName() {
        let box = ServiceBox()
        let first = Dog()
        let second = Dog()
        box.register(first, as: "left")
        box.register(second, as: "right")
        let pair = Pair()
        box.fill(pair)
        #expect(pair.left === first)
        #expect(pair.right === second)
    }

    @Test("an explicit name replaces the property's own")
    func explicitName() {
        let box = ServiceBox()
        let dog = Dog()
        box.register(Dog(), as: "pet")
        box.register(dog, as: "guardDog")
        let owner = Owner()
        box.fill(owner)
        #expect(owner.pet === dog)
    }

    @Test("a class-typed property takes the class and its subclasses, not its superclass")
    func classRule() {
        let box = ServiceBox()
        let puppy = Puppy()
        box.register(puppy, as: "dog")
        let kennel = Kennel()
        #expect(box.fill(kennel).outcome(of: "dog") == .filled)
        #expect(kennel.dog === puppy)
        box.register(Animal(), as: "dog")
        #expect(box.fill(Kennel()).outcome(of: "dog") == .typeMismatch)
    }

    @Test("a protocol-typed property takes what conforms, also through a superclass")
    func protocolRule() {
        let box = ServiceBox()
        let puppy = Puppy()
        box.register(puppy, as: "barker")
        let yard = Yard()
        #expect(box.fill(yard).outcome(of: "barker") == .filled)
        #expect(yard.barker === puppy)
        box.register(Cat(), as: "barker")
        #expect(box.fill(Yard()).outcome(of: "barker") == .typeMismatch)
    }

    @Test("fills inherited properties along the whole class chain")
    func inherited() {
        let box = ServiceBox()
        let dog = Dog()
        box.register(dog, as: "dog")
        box.register(3, as: "bowls")
        let shelter: Kennel = Shelter()
        let report = box.fill(shelter)
        #expect(shelter.dog === dog)
        #expect((shelter as? Shelter)?.bowls == 3)
        #expect(report.properties.map(\.name) == ["dog", "name", "bowls"])
    }

    @Test("sees slots, private ones too, and no plain properties")
    func whatCounts() {
        let box = ServiceBox()
        let dog = Dog()
        box.register(dog, as: "hidden")
        box.register(dog, as: "plain")
        let safe = Safe()
        let report = box.fill(safe)
        #expect(safe.reveal === dog)
        #expect(safe.plain == nil)
        #expect(report.outcomes == ["hidden": .filled, "plain": .plainProperty])
        #expect(report.isComplete)
    }

    @Test("fills a property whose setter is private")
    func readOnly() {
        let box = ServiceBox()
        box.register(5, as: "level")
        let gauge = Gauge()
        box.fill(gauge)
        #expect(gauge.level == 5)
    }

    @Test("overwrites what code or an earlier fill set")
    func overwrites() {
        let box = ServiceBox()
        let dog = Dog()
        box.register(dog, as: "dog")
        let kennel = Kennel()
        kennel.dog = Dog()
        box.fill(kennel)
        #expect(kennel.dog === dog)
        let next = Dog()
        box.register(next, as: "dog")
        box.fill(kennel)
        #expect(kennel.dog === next)
    }

    @Test("keeps existing values on request, and fills the rest")
    func keeps() {
        let box = ServiceBox()
        box.register(Dog(), as: "dog")
        box.register("Rex", as: "name")
        let kennel = Kennel()
        let own = Dog()
        kennel.dog = own
        let report = box.fill(kennel, keepingExisting: true)
        #expect(kennel.dog === own)
        #expect(kennel.name == "Rex")
        #expect(report.outcomes == ["dog": .kept, "name": .filled])
        #expect(report.isComplete)
        #expect(report.kept.map(\.name) == ["dog"])
    }

    @Test("fills each object of a sequence by its own type")
    func sequence() {
        let box = ServiceBox()
        let dog = Dog()
        box.register(dog, as: "dog")
        let kennels = [Kennel(), Shelter()]
        let reports = kennels.map { box.fill($0) }
        #expect(kennels.allSatisfy { $0.dog === dog })
        #expect(
            reports.map { ObjectIdentifier($0.subjectType) }
                == [ObjectIdentifier(Kennel.self), ObjectIdentifier(Shelter.self)])
    }
}

private protocol Barking: AnyObject, Sendable {}

private class Animal: @unchecked Sendable {}

private class Dog: Animal, Barking, @unchecked Sendable {}

private final class Puppy: Dog, @unchecked Sendable {}

private final class Cat: Animal, @unchecked Sendable {}

private class Kennel {
    @Injected var dog: Dog?
    @Injected var name: String?
}

private final class Shelter: Kennel {
    @Injected var bowls: Int?
}

private final class Pair {
    @Injected var left: Dog?
    @Injected var right: Dog?
}

private final class Owner {
    @Injected("guardDog") var pet: Dog?
}

private final class Yard {
    @Injected var barker: (any Barking)?
}

private final class Safe {
    @Injected private var hidden: Dog?
    var plain: Dog?
    var reveal: Dog? { hidden }
}

private final class Gauge {
    @Injected private(set) var level: Int?
}
