// Part of ServiceBox, released under the MIT License.
// Ten services of ten types that need each other to be made, in the shape of a heap.

import ServiceBoxKit

/// A service of the graph; each has a type of its own.
class Part: @unchecked Sendable {
    let left: Part?
    let right: Part?

    init(_ left: Part? = nil, _ right: Part? = nil) {
        self.left = left
        self.right = right
    }

    /// How many services the graph has from here on.
    var count: Int { 1 + (left?.count ?? 0) + (right?.count ?? 0) }
}

final class Part0: Part, @unchecked Sendable {}
final class Part1: Part, @unchecked Sendable {}
final class Part2: Part, @unchecked Sendable {}
final class Part3: Part, @unchecked Sendable {}
final class Part4: Part, @unchecked Sendable {}
final class Part5: Part, @unchecked Sendable {}
final class Part6: Part, @unchecked Sendable {}
final class Part7: Part, @unchecked Sendable {}
final class Part8: Part, @unchecked Sendable {}
final class Part9: Part, @unchecked Sendable {}

/// The graph, made in different ways.
enum TypedGraph {
    static let size = 10

    /// By hand.
    @inline(never)
    static func nested() -> Part0 {
        Part0(Part1(Part3(Part7(), Part8()), Part4(Part9())), Part2(Part5(), Part6()))
    }

    /// Registers it, all transient; each factory asks by key for what it needs.
    static func registerByKey(in box: ServiceBox) {
        box.register(as: "part0", lifetime: .transient) { box in Part0(try box[.part1], try box[.part2]) }
        box.register(as: "part1", lifetime: .transient) { box in Part1(try box[.part3], try box[.part4]) }
        box.register(as: "part2", lifetime: .transient) { box in Part2(try box[.part5], try box[.part6]) }
        box.register(as: "part3", lifetime: .transient) { box in Part3(try box[.part7], try box[.part8]) }
        box.register(as: "part4", lifetime: .transient) { box in Part4(try box[.part9]) }
        registerLeaves(in: box)
    }

    /// The same, but by type.
    static func registerByType(in box: ServiceBox) {
        box.register(as: "part0", lifetime: .transient) { box in
            Part0(try box.resolve(Part1.self), try box.resolve(Part2.self))
        }
        box.register(as: "part1", lifetime: .transient) { box in
            Part1(try box.resolve(Part3.self), try box.resolve(Part4.self))
        }
        box.register(as: "part2", lifetime: .transient) { box in
            Part2(try box.resolve(Part5.self), try box.resolve(Part6.self))
        }
        box.register(as: "part3", lifetime: .transient) { box in
            Part3(try box.resolve(Part7.self), try box.resolve(Part8.self))
        }
        box.register(as: "part4", lifetime: .transient) { box in Part4(try box.resolve(Part9.self)) }
        registerLeaves(in: box)
    }

    private static func registerLeaves(in box: ServiceBox) {
        box.register(as: "part5", lifetime: .transient) { _ in Part5() }
        box.register(as: "part6", lifetime: .transient) { _ in Part6() }
        box.register(as: "part7", lifetime: .transient) { _ in Part7() }
        box.register(as: "part8", lifetime: .transient) { _ in Part8() }
        box.register(as: "part9", lifetime: .transient) { _ in Part9() }
    }

    /// Providers of it, all transient.
    static func provider() -> ServiceProvider<Part0> {
        let part9 = ServiceProvider(.transient) { Part9() }, part8 = ServiceProvider(.transient) { Part8() }
        let part7 = ServiceProvider(.transient) { Part7() }, part6 = ServiceProvider(.transient) { Part6() }
        let part5 = ServiceProvider(.transient) { Part5() }
        let part4 = ServiceProvider(.transient) { Part4(try part9.resolve()) }
        let part3 = ServiceProvider(.transient) { Part3(try part7.resolve(), try part8.resolve()) }
        let part2 = ServiceProvider(.transient) { Part2(try part5.resolve(), try part6.resolve()) }
        let part1 = ServiceProvider(.transient) { Part1(try part3.resolve(), try part4.resolve()) }
        return ServiceProvider(.transient) { Part0(try part1.resolve(), try part2.resolve()) }
    }
}

extension ServiceKey where Service == Part0 { static var part0: Self { "part0" } }
extension ServiceKey where Service == Part1 { fileprivate static var part1: Self { "part1" } }
extension ServiceKey where Service == Part2 { fileprivate static var part2: Self { "part2" } }
extension ServiceKey where Service == Part3 { fileprivate static var part3: Self { "part3" } }
extension ServiceKey where Service == Part4 { fileprivate static var part4: Self { "part4" } }
extension ServiceKey where Service == Part5 { fileprivate static var part5: Self { "part5" } }
extension ServiceKey where Service == Part6 { fileprivate static var part6: Self { "part6" } }
extension ServiceKey where Service == Part7 { fileprivate static var part7: Self { "part7" } }
extension ServiceKey where Service == Part8 { fileprivate static var part8: Self { "part8" } }
extension ServiceKey where Service == Part9 { fileprivate static var part9: Self { "part9" } }
