// Part of ServiceBox, released under the MIT License.
// Objects that are told when they were filled.

import ServiceBoxKit
import Testing

/// What one that is told has seen.
private final class Sightings: Sendable {
    let reports = Locked<[FillReport]>([])

    func note(_ report: FillReport) { reports.withLock { $0.append(report) } }
    var count: Int { reports.withLock { $0.count } }
    var last: FillReport? { reports.withLock { $0.last } }
}

private final class Screen: FillObserving {
    @Injected var cache: Cache?
    let sightings: Sightings

    init(_ sightings: Sightings) { self.sightings = sightings }

    func didFill(by report: FillReport) { sightings.note(report) }
}

private final class SelfFilling: FillObserving {
    @Injected var cache: Cache?
    let sightings: Sightings

    init(_ sightings: Sightings, from box: ServiceBox) {
        self.sightings = sightings
        fillWithDependencies(from: box)
    }

    func didFill(by report: FillReport) { sightings.note(report) }
}

private final class Left: FillObserving, @unchecked Sendable {
    @Injected var right: Right
    @Injected var clock: Clock
    let sightings: Sightings
    let saw = Locked<Clock?>(nil)

    init(_ sightings: Sightings) { self.sightings = sightings }

    func didFill(by report: FillReport) {
        sightings.note(report)
        let seen = right.left.clock
        saw.withLock { $0 = seen }
    }
}

private final class Right: @unchecked Sendable { @Injected var left: Left }

private final class Watcher: FillObserving, @unchecked Sendable {
    @WeakInjected var cache: Cache?
    let sawCache = Locked(false)

    func didFill(by report: FillReport) {
        let isThere = cache != nil
        sawCache.withLock { $0 = isThere }
    }
}

private actor Vault: FillObserving {
    @Injected var cache: Cache?
    let sightings: Sightings
    init(_ sightings: Sightings) { self.sightings = sightings }
    nonisolated func didFill(by report: FillReport) {
        assumeIsolated { vault in vault.sightings.note(report) }
    }
}

@MainActor private final class Window: @MainActor FillObserving {
    @Injected var cache: Cache?
    let sightings: Sightings
    init(_ sightings: Sightings) { self.sightings = sightings }
    func didFill(by report: FillReport) { sightings.note(report) }
}

private actor Cellar: FillObserving {
    @Injected var cache: Cache?
    private let fills: Counter

    init(_ fills: Counter, from box: ServiceBox) {
        self.fills = fills
        fillWithDependencies(from: box)
    }

    nonisolated func didFill(by report: FillReport) { fills.next() }
}

@Suite("An object that observes its fills")
struct FillObservingTests {
    private let box = ServiceBox()
    private let sightings = Sightings()

    @Test("are told while a transient service is there that they hold weakly", arguments: [true, false])
    func weaklyHeld(fills: Bool) throws {
        let box = ServiceBox()
        box.register(as: "cache", lifetime: .transient, fills: fills) { _ in Cache() }
        box.register(as: "watcher") { _ in Watcher() }
        let watcher: Watcher = try box["watcher"]
        #expect(watcher.sawCache.withLock { $0 })
    }

    @Test("is told of each explicit fill, with its report")
    func explicit() {
        let screen = Screen(sightings)
        box.fill(screen)
        #expect(sightings.last?.outcomes == ["cache": .missing])
        box.register(Cache())
        box.fill(screen)
        box.fill(screen, keepingExisting: true)
        #expect(sightings.count == 3)
        #expect(sightings.last?.outcomes == ["cache": .kept])
        for _ in 0..<3 { box.fill(screen) }
        #expect(sightings.count == 6)
    }

    @Test("is told when it fills itself")
    func selfFilling() {
        _ = SelfFilling(sightings, from: box)
        #expect(sightings.count == 1)
    }

    @Test("is told once when the box creates it", arguments: [Lifetime.eager, .lazy, .weak, .transient])
    func created(_ lifetime: Lifetime) throws {
        box.register(Clock())
        let sightings = sightings
        box.register(as: "left", lifetime: lifetime) { _ in Left(sightings) }
        box.register(as: "right") { _ in Right() }
        if lifetime == .transient {
            box.register(as: "right") { _ in
                let right = Right()
                right.left = Left(Sightings())
                right.left.clock = Clock()
                return right
            }
        }
        let left: Left = try box["left"]
        #expect(sightings.count == 1)
        #expect(left.saw.withLock { $0 } === left.right.left.clock)
    }

    @Test("isn't told when it lacks what it requires, and nobody gets it")
    func incomplete() {
        let sightings = sightings
        box.register(as: "left") { _ in Left(sightings) }
        #expect(box.failure(of: ServiceKey<Left>("left")) != nil)
        #expect(sightings.count == 0)
    }

    @Test("isn't told of cross-fills")
    func crossFill() {
        let left = Left(sightings)
        left.right = Right()
        box.register(left)
        box.register(Clock())
        box.crossFill()
        #expect(left.$clock.isFilled)
        #expect(sightings.count == 0)
    }

    @Test("is told on its actor")
    func actor() async {
        await box.fill(Vault(sightings))
        #expect(sightings.count == 1)
    }

    @Test("isn't told by a fill that doesn't run on its actor")
    func otherIsolation() async {
        let window = await Window(sightings)
        let box = box
        await MainActor.run { _ = box.fill(window) }
        #expect(sightings.count == 1)
        _ = onThread { box.fill(window).isComplete }
        #expect(sightings.count == 1)
    }

    @Test("may use the box, and fill itself again")
    func reentrance() {
        final class Again: FillObserving {
            @Injected var cache: Cache?
            let box: ServiceBox
            var count = 0
            init(_ box: ServiceBox) { self.box = box }
            func didFill(by report: FillReport) {
                count += 1
                if count < 3 {
                    box.register(Cache())
                    box.fill(self)
                }
            }
        }
        let again = Again(box)
        box.fill(again)
        #expect(again.count == 3)
        #expect(again.cache != nil)
    }

    @Test("are told each time, also if they have nothing to fill and are created for each ask")
    func transientWithoutProperties() throws {
        final class Bare: FillObserving, Sendable {
            let sightings: Sightings
            init(_ sightings: Sightings) { self.sightings = sightings }
            func didFill(by report: FillReport) { sightings.note(report) }
        }
        let sightings = sightings
        box.register(as: "bare", lifetime: .transient) { _ in Bare(sightings) }
        for count in 1...4 {
            _ = try box["bare"] as Bare
            #expect(sightings.count == count)
        }
    }

    @Test("isn't told where it is an actor that fills itself in its initialiser, outside its isolation")
    func initialisedActor() async {
        let fills = Counter()
        box.register(Cache())
        let cellar = Cellar(fills, from: box)
        #expect(await cellar.cache != nil)
        #expect(fills.value == 0)
    }
}
