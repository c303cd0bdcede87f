// Part of ServiceBox, released under the MIT License.
// Types that nobody has seen before, as many as a measure asks for.

import ServiceBoxKit

/// A class with four slots and a tag; each tag makes another type.
final class Fresh<Tag>: FreshSubject {
    @Injected var service0: Service?
    @Injected var service1: Service?
    @Injected var service2: Service?
    @Injected var service3: Service?

    var held: [Service?] { [service0, service1, service2, service3] }
}

/// An object of a type that was not seen before it was made.
protocol FreshSubject: AnyObject {
    var held: [Service?] { get }
}

/// A service; each tag makes another type.
final class Tagged<Tag>: FreshService {}

/// A service of a type that was not seen before it was made, and a module that registers it.
protocol FreshService: AnyObject, Sendable, ServiceModule {}

extension FreshService {
    func register(in box: ServiceBox, as name: String) { box.register(self, as: ServiceKey(name)) }

    func register(in box: ServiceBox) { register(in: box, as: "\(ObjectIdentifier(self))") }

    func registerFactory(in box: ServiceBox, as name: String) {
        box.register(as: ServiceKey(name)) { [self] _ in self }
    }
}

/// Makes objects of ever new types.
///
/// A type's number is spelt in nested tags, one for each bit: `Fresh<One<Zero<One<Leaf>>>>`. The metadata of
/// a type is made with its object, ahead of the measure.
struct FreshTypes {
    private enum Leaf {}
    private struct Zero<Tag> {}
    private struct One<Tag> {}

    private static let bits = 17
    private var lastNumber = 0

    mutating func next() -> any FreshSubject {
        lastNumber += 1
        precondition(lastNumber < 1 << Self.bits)
        return Self.make(Leaf.self, lastNumber, Self.bits)
    }

    /// A service of a new type.
    mutating func nextService() -> any FreshService {
        lastNumber += 1
        precondition(lastNumber < 1 << Self.bits)
        return Self.makeService(Leaf.self, lastNumber, Self.bits)
    }

    @inline(never)
    private static func makeService<Tag>(_: Tag.Type, _ number: Int, _ bits: Int) -> any FreshService {
        if bits == 0 { return Tagged<Tag>() }
        return number.isMultiple(of: 2)
            ? makeService(Zero<Tag>.self, number / 2, bits - 1)
            : makeService(One<Tag>.self, number / 2, bits - 1)
    }

    @inline(never)
    private static func make<Tag>(_: Tag.Type, _ number: Int, _ bits: Int) -> any FreshSubject {
        if bits == 0 { return Fresh<Tag>() }
        return number.isMultiple(of: 2)
            ? make(Zero<Tag>.self, number / 2, bits - 1) : make(One<Tag>.self, number / 2, bits - 1)
    }
}
