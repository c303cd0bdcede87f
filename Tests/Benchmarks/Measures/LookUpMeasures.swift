// Part of ServiceBox, released under the MIT License.
// Looking services up by type, and from other boxes of a family.

import ServiceBoxKit

extension Suite {
    static func lookUpComparisons(_ bench: Bench) -> [Comparison] {
        [16, 1000, 100_000].map(byType) + families() + transients()
    }

    /// By type and by key, in a box with so many services of the sixteen's type and one of another.
    private static func byType(_ count: Int) -> Comparison {
        let box = ServiceBox()
        for number in 0..<count { box.register(Service(number), as: "service\(number)") }
        box.register { _ in Database() }
        return Comparison(
            "look up by type, \(count) services",
            asker("box.resolve(Database.self)") { try box.resolve(Database.self) },
            against: asker("box[\"database\"]") { try box["database"] as Database }, atMost: 2)
    }

    /// From boxes that build on the one that has the service.
    private static func families() -> [Comparison] {
        let box = ServiceBox()
        box.register { _ in Database() }
        let child = box.makeChild(name: "child")
        let boxes = [
            ("child", child), ("grandchild", child.makeChild(name: "grandchild")), ("copy", box.copy()),
        ]
        return boxes.map { name, other in
            Comparison(
                "look up by key from a \(name)", asker("a \(name)") { try other["database"] as Database },
                against: asker("its own box") { try box["database"] as Database }, atMost: 1.5)
        }
    }

    /// Ten transient services of ten types.
    private static func transients() -> [Comparison] {
        let (byKey, byType) = (ServiceBox(), ServiceBox())
        TypedGraph.registerByKey(in: byKey)
        TypedGraph.registerByType(in: byType)
        let provider = Opaque.value(TypedGraph.provider())
        let nested = grower("nested initialisers") { TypedGraph.nested() }
        return [
            Comparison(
                "make 10 transient services by key", grower("box[key]") { try byKey[.part0] },
                against: nested,
                atMost: 6),
            Comparison(
                "make 10 transient services by type", grower("resolve") { try byType.resolve(Part0.self) },
                against: nested, atMost: 7),
            Comparison(
                "make 10 transient services by providers", grower("resolve") { try provider.resolve() },
                against: nested, atMost: 2.5),
        ]
    }

    // MARK: - Contenders

    private static func asker<Result>(_ name: String, _ ask: @escaping () throws -> Result) -> Contender {
        Contender(name) { count in
            Stopwatch.time { for _ in 0..<count { Opaque.sink(try? ask()) } }
        } isRight: {
            for _ in 0..<20 where (try? ask()) == nil { return false }
            return true
        }
    }

    private static func grower(_ name: String, _ make: @escaping () throws -> Part) -> Contender {
        Contender(name) { count in
            Stopwatch.time { for _ in 0..<count { Opaque.sink(try? make()) } }
        } isRight: {
            (try? make())?.count == TypedGraph.size
        }
    }
}
