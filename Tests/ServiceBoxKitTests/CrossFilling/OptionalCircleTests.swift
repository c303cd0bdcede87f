// Part of ServiceBox, released under the MIT License.
// Circles that an optional property closes, entered by several threads.

import ServiceBoxKit
import Testing

private protocol Vessel: Sendable {}

private final class Ferry: Vessel {
    init(_ harbour: Harbour) {}
    init(_ fleet: Fleet) {}
    init(_ dock: Dock) {}
}

private final class Tug: Vessel {
    init(_ fleet: Fleet) {}
}

private final class Harbour: @unchecked Sendable {
    @Injected var ferry: Ferry?
}

/// A harbour with a table.
private final class Dock: @unchecked Sendable, Injectable {
    private(set) var ferry: Ferry?
    static var injections: InjectionTable { ["ferry": .keyPath(\Dock.ferry)] }
}

private final class Fleet: @unchecked Sendable {
    @InjectedAll var vessels: [any Vessel]
}

@Suite("A circle that an optional property closes", .neverHanging)
struct OptionalCircleTests {
    private static let rounds = Sanitizer.rounds(200)

    /// Runs look-ups at once on threads of their own.
    private func atOnce(_ asks: [@Sendable () throws -> Void]) -> [any Error] {
        let errors = Locked<[any Error]>([])
        onThreads(
            asks.map { ask in
                { do { try ask() } catch { errors.withLock { $0.append(error) } } }
            })
        return errors.withLock { $0 }
    }

    @Test(
        "is none for a thread that needs its other end", arguments: [Lifetime.lazy, .weak, .transient])
    func optional(_ lifetime: Lifetime) {
        noneFails(of: { box in
            box.register(lifetime: lifetime) { _ in Harbour() }
            box.register { box in Ferry(try box.resolve(Harbour.self)) }
        }) { _ = try $0.resolve(Harbour.self) }
    }

    @Test("is none for a thread that needs its other end, where a table closes it")
    func table() {
        noneFails(of: { box in
            box.register { _ in Dock() }
            box.register { box in Ferry(try box.resolve(Dock.self)) }
        }) { _ = try $0.resolve(Dock.self) }
    }

    /// Checks that one end of a circle and its ferry can be looked up at once.
    private func noneFails(
        of register: (ServiceBox) -> Void, _ lookUp: @escaping @Sendable (ServiceBox) throws -> Void
    ) {
        for _ in 0..<Self.rounds {
            let box = ServiceBox()
            register(box)
            let errors = atOnce([{ try lookUp(box) }, { _ = try box.resolve(Ferry.self) }])
            #expect(errors.isEmpty)
        }
    }

    @Test("is none for threads that create services of a list")
    func list() {
        for _ in 0..<Self.rounds {
            let box = ServiceBox()
            box.register { _ in Fleet() }
            box.register { box in Ferry(try box.resolve(Fleet.self)) }
            box.register { box in Tug(try box.resolve(Fleet.self)) }
            let errors = atOnce([
                { _ = try box.resolve(Fleet.self) }, { _ = try box.resolve(Ferry.self) },
                { _ = try box.resolve(Tug.self) },
            ])
            #expect(errors.isEmpty)
        }
    }

    @Test("is none for tasks that prepare services of a list")
    func preparedList() async {
        for _ in 0..<Self.rounds {
            let box = ServiceBox()
            box.register { _ in Fleet() }
            box.register { box in Ferry(try box.resolve(Fleet.self)) }
            box.register { box in Tug(try box.resolve(Fleet.self)) }
            async let ferry = failure { try await box.prepare(Ferry.self) }
            async let tug = failure { try await box.prepare(Tug.self) }
            let errors = await [ferry, tug].compactMap(\.self)
            #expect(errors.isEmpty)
        }
    }

    @Test("is an error for both threads where a factory closes it")
    func factories() {
        for _ in 0..<Self.rounds {
            let (box, runs) = (ServiceBox(), Counter())
            box.register(as: "ferry") { (box) -> Ferry in
                runs.next()
                return Ferry(try box.resolve("fleet") as Fleet)
            }
            box.register(as: "fleet") { (box) -> Fleet in
                runs.next()
                _ = try box.resolve("ferry") as Ferry
                return Fleet()
            }
            let errors = atOnce([
                { _ = try box.resolve("ferry") as Ferry }, { _ = try box.resolve("fleet") as Fleet },
            ])
            #expect(errors.compactMap { ($0 as? ServiceBoxError)?.code } == [.cycle, .cycle])
            // Neither thread tries what the other has failed to do.
            #expect((2...4).contains(runs.value))
        }
    }
}
