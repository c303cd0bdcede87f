// Part of ServiceBox, released under the MIT License.
// Fills while a box changes: each sees one generation of registrations.

import ServiceBoxKit
import Testing

private final class Left: Sendable {
    let version: Int
    init(_ version: Int) { self.version = version }
}

private final class Right: Sendable {
    let version: Int
    init(_ version: Int) { self.version = version }
}

private final class Pair {
    @Injected var left: Left?
    @Injected var right: Right?
}

private protocol Numbered: Sendable {
    var version: Int { get }
}

private final class First: Numbered {
    let version: Int
    init(_ version: Int) { self.version = version }
}

private final class Second: Numbered {
    let version: Int
    init(_ version: Int) { self.version = version }
}

private final class Collector {
    @InjectedAll var all: [any Numbered]
    @Injected var first: First?
    @Injected var second: Second?
}

/// Fills a property on its way, so that a fill takes long enough to be met by a change.
private final class SlowPair: Injectable {
    @Injected var left: Left?
    @Injected var right: Right?
    var count: Int?

    static var injections: InjectionTable { ["count": .keyPath(\SlowPair.count)] }
}

@Suite("A fill while the box changes", .neverHanging)
struct TornStateTests {
    private static let rounds = Sanitizer.rounds(20)
    private static let fillers = 7
    private static let versions = 40

    /// Runs one task that changes a box and seven that use it until the changes are over.
    private func race(
        changing change: @escaping @Sendable (_ version: Int) -> Void,
        using use: @escaping @Sendable () -> Void
    ) async {
        let isOver = Locked(false)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for version in 1...Self.versions {
                    change(version)
                    await Task.yield()
                }
                isOver.withLock { $0 = true }
            }
            for _ in 0..<Self.fillers {
                group.addTask {
                    repeat {
                        use()
                        await Task.yield()
                    } while !isOver.withLock { $0 }
                }
            }
        }
    }

    /// Replaces the left service first, so that at each moment it is as new as the right one, or one newer.
    private func replace(in box: ServiceBox, _ version: Int) {
        box.register(Left(version), as: "left")
        box.register(Right(version), as: "right")
    }

    /// Whether the versions of two services stood in the box at one moment.
    private func areOfOneMoment(_ left: Left?, _ right: Right?) -> Bool {
        guard let left, let right else { return false }
        return left.version == right.version || left.version == right.version + 1
    }

    @Test("sees both of two services that are replaced one after the other, or only the first replaced")
    func replacing() async {
        for _ in 0..<Self.rounds {
            let box = ServiceBox()
            replace(in: box, 0)
            box.register(1, as: "count")
            await race(changing: { replace(in: box, $0) }) {
                let pair = Pair()
                box.fill(pair)
                #expect(areOfOneMoment(pair.left, pair.right))
                let slow = SlowPair()
                box.fill(slow)
                #expect(areOfOneMoment(slow.left, slow.right))
            }
            let last = Pair()
            box.fill(last)
            #expect(last.left?.version == Self.versions)
            #expect(last.right?.version == Self.versions)
        }
    }

    @Test("of a service on resolve sees one generation too")
    func creating() async throws {
        final class Keeper: @unchecked Sendable {
            @Injected var left: Left?
            @Injected var right: Right?
        }
        for _ in 0..<Self.rounds {
            let box = ServiceBox()
            replace(in: box, 0)
            box.register(as: "keeper", lifetime: .transient) { _ in Keeper() }
            await race(changing: { replace(in: box, $0) }) {
                let keeper = try? box.resolve(ServiceKey<Keeper>("keeper"))
                #expect(areOfOneMoment(keeper?.left, keeper?.right))
            }
        }
    }

    @Test("sees nothing of a cleared box, or what was registered before or after")
    func clearing() async {
        for _ in 0..<Self.rounds {
            let box = ServiceBox()
            replace(in: box, 0)
            await race {
                box.clear()
                replace(in: box, $0)
            } using: {
                let pair = Pair()
                box.fill(pair)
                // Only the left one is there between its registration and that of the right one.
                switch (pair.left, pair.right) {
                case (nil, nil), (.some, nil): break
                case (let left?, let right?): #expect(left.version == right.version)
                case (nil, .some(let right)): Issue.record("\(right.version) without the left one")
                }
            }
        }
    }

    @Test("sees one generation of a parent's services, through the child's own too")
    func families() async {
        for _ in 0..<Self.rounds {
            let parent = ServiceBox()
            replace(in: parent, 0)
            let child = parent.makeChild(name: "child")
            child.register(1, as: "count")
            let overriding = parent.makeChild(name: "overriding")
            overriding.register(Left(-1), as: "left")
            await race(changing: { replace(in: parent, $0) }) {
                let pair = SlowPair()
                child.fill(pair)
                #expect(areOfOneMoment(pair.left, pair.right))
                let overridden = Pair()
                overriding.fill(overridden)
                #expect(overridden.left?.version == -1)
                #expect(overridden.right != nil)
            }
        }
    }

    @Test("sees a child's replacement together with the parent's services")
    func childReplaced() async {
        for _ in 0..<Self.rounds {
            let parent = ServiceBox()
            parent.register(Right(0), as: "right")
            let child = parent.makeChild(name: "child")
            child.register(Left(0), as: "left")
            await race {
                child.register(Left($0), as: "left")
                parent.register(Right($0), as: "right")
            } using: {
                let pair = Pair()
                child.fill(pair)
                #expect(areOfOneMoment(pair.left, pair.right))
            }
        }
    }

    private func registerNumbered(in box: ServiceBox, _ version: Int) {
        box.register(First(version), as: "first")
        box.register(Second(version), as: "second")
    }

    @Test("collects the services of a type from one generation")
    func collecting() async {
        for _ in 0..<Self.rounds {
            let box = ServiceBox()
            registerNumbered(in: box, 0)
            await race(changing: { registerNumbered(in: box, $0) }) {
                let collector = Collector()
                box.fill(collector)
                let filled = collector.all.map(\.version).sorted()
                #expect(filled.count == 2 && filled[1] - filled[0] <= 1)
                let resolved = try? box.resolveAll((any Numbered).self).map(\.version).sorted()
                #expect(resolved.map { $0.count == 2 && $0[1] - $0[0] <= 1 } == true)
            }
        }
    }

    @Test("collects the services of a type from the generation of its other properties")
    func collectingBesideOthers() async {
        for _ in 0..<Self.rounds {
            let box = ServiceBox()
            registerNumbered(in: box, 0)
            await race(changing: { registerNumbered(in: box, $0) }) {
                let collector = Collector()
                box.fill(collector)
                let first = collector.first?.version ?? -1
                let second = collector.second?.version ?? -1
                #expect(first == second || first == second + 1)
                #expect(collector.all.map(\.version).sorted() == [second, first])
            }
        }
    }

    @Test("of registered services with each other ends with the latest")
    func crossFilling() async throws {
        final class Keeper: @unchecked Sendable {
            @InjectedAll var all: [any Numbered]
        }
        for _ in 0..<Self.rounds {
            let box = ServiceBox()
            let keeper = Keeper()
            box.register(keeper)
            await race { version in
                box.register(First(version), as: "first")
                box.register(Second(version), as: "second")
            } using: {
                box.crossFill()
                let versions = keeper.all.map(\.version)
                #expect(versions.count <= 2)
                if versions.count == 2 { #expect(abs(versions[0] - versions[1]) <= 1) }
            }
            box.crossFill()
            #expect(keeper.all.map(\.version) == [Self.versions, Self.versions])
        }
    }
}
