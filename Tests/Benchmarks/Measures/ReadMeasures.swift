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
        for object in weakSlots { bench.box.fill(object) }
        let weak = bench.pool { WeakReader() }
        for object in weak { object.service0 = Opaque.value(bench.services.service0) }
        return [
            Comparison(
                "read a filled property",
                reader("@Injected", of: slots, SlotReader.readAll) { $0?.number },
                against: reader("a stored property", of: plain, PlainReader.readAll) { $0?.number },
                atMost: 1.25),
            Comparison(
                "read a filled weak property",
                reader("@WeakInjected", of: weakSlots, WeakSlotReader.readAll) { $0?.number },
                against: reader("a weak variable", of: weak, WeakReader.readAll) { $0?.number },
                atMost: 1.25),
        ]
    }

    /// Reads the property of one object after the other and hands what it finds to code that the optimiser
    /// cannot see, as a caller of the service would.
    private static func reader<Object: AnyObject, Content>(
        _ name: String, of pool: [Object],
        _ readAll: @escaping ([Unmanaged<Object>], (Content?) -> Int) -> Int,
        number: @escaping (Content?) -> Int?
    ) -> Contender {
        let borrowed = pool.map(Unmanaged.passUnretained)
        // Each service has the number zero.
        let take = Opaque.value { (service: Content?) in number(service) ?? 1 }
        return Contender(name) { count in
            let objects = Opaque.value(borrowed)
            let elapsed = Stopwatch.time {
                for _ in 0..<(count / objects.count) { Opaque.sink(readAll(objects, take)) }
            }
            Opaque.sink(pool)
            return elapsed
        } isRight: {
            readAll(borrowed, take) == 0
        }
    }
}

/// Its property is filled only, never set: setting one would make the compiler watch over each read, too.
private final class SlotReader {
    @Injected var service0: Service?

    @inline(never)
    static func readAll(_ objects: [Unmanaged<SlotReader>], handingTo take: (Service?) -> Int) -> Int {
        var sum = 0
        for object in objects { sum &+= object._withUnsafeGuaranteedRef { take($0.service0) } }
        return sum
    }
}

private final class PlainReader {
    var service0: Service?

    @inline(never)
    static func readAll(_ objects: [Unmanaged<PlainReader>], handingTo take: (Service?) -> Int) -> Int {
        var sum = 0
        for object in objects { sum &+= object._withUnsafeGuaranteedRef { take($0.service0) } }
        return sum
    }
}

/// A weak property mostly has the type of an interface.
private protocol Numbered: AnyObject, Sendable {
    var number: Int { get }
}

extension Service: Numbered {}

private final class WeakSlotReader {
    @WeakInjected var service0: (any Numbered)?

    @inline(never)
    static func readAll(
        _ objects: [Unmanaged<WeakSlotReader>], handingTo take: ((any Numbered)?) -> Int
    ) -> Int {
        var sum = 0
        for object in objects { sum &+= object._withUnsafeGuaranteedRef { take($0.service0) } }
        return sum
    }
}

private final class WeakReader {
    weak var service0: (any Numbered)?

    @inline(never)
    static func readAll(_ objects: [Unmanaged<WeakReader>], handingTo take: ((any Numbered)?) -> Int) -> Int {
        var sum = 0
        for object in objects { sum &+= object._withUnsafeGuaranteedRef { take($0.service0) } }
        return sum
    }
}
