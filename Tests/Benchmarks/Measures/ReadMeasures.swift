// Part of ServiceBox, released under the MIT License.
// Reading a property.

import ServiceBoxKit

extension Suite {
    static func readComparisons(_ bench: Bench) -> [Comparison] {
        let slots = bench.pool { SlotReader() }
        for object in slots { bench.box.fill(object) }
        let plain = bench.pool { PlainReader() }
        for object in plain { object.service0 = Opaque.value(bench.services.service0) }
        let weakSlots = bench.pool { WeakSlotReader() }
        let weak = bench.pool { WeakReader() }
        let box = ServiceBox()
        box.register(heldWeakly, as: "service0")
        for object in weakSlots { box.fill(object) }
        for object in weak { object.service0 = Opaque.value(heldWeakly) }
        return [
            Comparison(
                "read a filled property",
                reader("@Injected", of: slots, readAll: SlotReader.readAll),
                against: reader("a stored property", of: plain, readAll: PlainReader.readAll),
                atMost: 1.25),
            Comparison(
                "read a filled weak property",
                reader("@WeakInjected", of: weakSlots, readAll: WeakSlotReader.readAll),
                against: reader("a weak variable", of: weak, readAll: WeakReader.readAll),
                atMost: 1.25),
        ]
    }

    /// Reads the property of one object after the other and hands what it finds to code that the optimiser
    /// cannot see, as a caller of the service would.
    private static func reader<Object: Reader>(
        _ name: String, of pool: [Object],
        readAll: @escaping ([Unmanaged<Object>], (Service?) -> Int) -> Int
    ) -> Contender {
        let borrowed = pool.map(Unmanaged.passUnretained)
        let number = Opaque.value { (service: Service?) in service?.number ?? 1 }
        return Contender(name) { count in
            let objects = Opaque.value(borrowed)
            let elapsed = Stopwatch.time {
                for _ in 0..<(count / objects.count) { Opaque.sink(readAll(objects, number)) }
            }
            Opaque.sink(pool)
            return elapsed
        } isRight: {
            readAll(borrowed, number) == 0 && pool.allSatisfy { $0.service0?.number == 0 }
        }
    }
}

/// A service of its own, since a weak reference to an object makes counting all others slower.
private let heldWeakly = Service(0)

/// An object whose property is read in a loop.
private protocol Reader: AnyObject, SendableMetatype {
    var service0: Service? { get }
}

/// Its property is filled only, never set: setting one would make the compiler watch over each read, too.
private final class SlotReader: Reader {
    @Injected var service0: Service?

    @inline(never)
    static func readAll(_ objects: [Unmanaged<SlotReader>], handingTo take: (Service?) -> Int) -> Int {
        var sum = 0
        for object in objects { sum &+= object._withUnsafeGuaranteedRef { take($0.service0) } }
        return sum
    }
}

private final class PlainReader: Reader {
    var service0: Service?

    @inline(never)
    static func readAll(_ objects: [Unmanaged<PlainReader>], handingTo take: (Service?) -> Int) -> Int {
        var sum = 0
        for object in objects { sum &+= object._withUnsafeGuaranteedRef { take($0.service0) } }
        return sum
    }
}

private final class WeakSlotReader: Reader {
    @WeakInjected var service0: Service?

    @inline(never)
    static func readAll(_ objects: [Unmanaged<WeakSlotReader>], handingTo take: (Service?) -> Int) -> Int {
        var sum = 0
        for object in objects { sum &+= object._withUnsafeGuaranteedRef { take($0.service0) } }
        return sum
    }
}

private final class WeakReader: Reader {
    weak var service0: Service?

    @inline(never)
    static func readAll(_ objects: [Unmanaged<WeakReader>], handingTo take: (Service?) -> Int) -> Int {
        var sum = 0
        for object in objects { sum &+= object._withUnsafeGuaranteedRef { take($0.service0) } }
        return sum
    }
}
