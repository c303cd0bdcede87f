// Part of ServiceBox, released under the MIT License.
// Tests of registered services whose tables belong to the main actor.

import Testing

@testable import ServiceBoxKit  // for whether anything is left to fill

/// A service that requires a clock by its table alone, which no other test reads.
@MainActor private final class Curtain {
    fileprivate var clock: Clock?
}

extension Curtain: @MainActor Injectable {
    static var injections: InjectionTable {
        ["clock": .setter { (curtain: Curtain, clock: Clock) in curtain.clock = clock }]
    }
}

@MainActor private final class Drape { fileprivate var clock: Clock? }

extension Drape: @MainActor Injectable {
    static var injections: InjectionTable { ["clock": .keyPath(\Drape.clock)] }
}

@MainActor private final class Shade { fileprivate var clock: Clock? }

extension Shade: @MainActor Injectable {
    static var injections: InjectionTable { ["clock": .keyPath(\Shade.clock)] }
}

@MainActor private final class Blind: ServiceLifecycle {
    fileprivate var clock: Clock?
    fileprivate var startedWithClock = false

    nonisolated init() {}

    @MainActor func start() async { startedWithClock = clock != nil }
}

extension Blind: @MainActor Injectable {
    static var injections: InjectionTable { ["clock": .keyPath(\Blind.clock)] }
}

private struct Fabric: Sendable { var clock: Clock? }

extension Fabric: @MainActor Injectable {
    static var injections: InjectionTable { ["clock": .keyPath(\Fabric.clock)] }
}

/// Requires a clock by its table alone, and is created anywhere.
@MainActor private final class Awning {
    fileprivate var clock: Clock?

    nonisolated init() {}
}

extension Awning: @MainActor Injectable {
    static var injections: InjectionTable {
        ["clock": .setter { (awning: Awning, clock: Clock) in awning.clock = clock }]
    }
}

private final class Terrace: @unchecked Sendable { @Injected var awning: Awning }

@Suite("Services with tables of the main actor")
struct IsolatedServiceTests {
    @Test(
        "a table known from the main actor is left alone by a cross-fill elsewhere, and written there later")
    func knownTable() async {
        let box = themedBox()
        await MainActor.run { _ = box.fill(Known()) }
        let service = Known()
        box.register(service, as: "service")
        let outside = box.crossFill().report(on: Known.self)
        #expect(outside?.outcomes == ["size": .filled, "theme": .wrongIsolation])
        #expect(await service.theme == nil)
        await MainActor.run {
            let inside = box.crossFill().report(on: Known.self)
            #expect(inside?.outcomes == ["size": .filled, "theme": .filled])
            #expect(service.theme == "dark")
        }
    }

    @Test("a ready-made service isn't handed out before its table has been read on the actor")
    func unreadTable() async throws {
        let box = ServiceBox()
        box.register(Curtain())
        for _ in 1...2 {
            let error = #expect(throws: ServiceBoxError.self) { try box.resolve(Curtain.self) }
            #expect(error?.code == .incomplete)
        }
        box.register(Clock())
        #expect(throws: ServiceBoxError.self) { try box.resolve(Curtain.self) }
        #expect(box.audit(makingServices: true).findings.map(\.subject) == ["Curtain", "clock"])
        let curtain = try await MainActor.run { try box.resolve(Curtain.self) }
        #expect(await curtain.clock != nil)
        #expect(try box.resolve(Curtain.self) === curtain)
    }

    @Test(
        "a service that is prepared, or whose box is started, has its table written on the main actor first")
    func prepared() async throws {
        for isStarted in [false, true] {
            let box = ServiceBox()
            box.register(Clock())
            if isStarted {
                box.register(Drape())
                try await box.start()
                #expect(await (try box.resolve(Drape.self)).clock != nil)
            } else {
                box.register(Shade())
                #expect(await (try await box.prepare(Shade.self)).clock != nil)
            }
        }
    }

    @Test("a table of a service with a custom mirror is left alone elsewhere, and written there later")
    func mirrored() async {
        let (box, service) = (themedBox(), Mirrored())
        box.register(service, as: "service")
        let outside = box.crossFill().report(on: Mirrored.self)
        #expect(outside?.outcome(of: "size") == .filled)
        #expect(await service.theme == nil)
        await MainActor.run {
            let inside = box.crossFill().report(on: Mirrored.self)
            #expect(inside?.outcomes == ["size": .filled, "theme": .filled])
            #expect(service.theme == "dark")
        }
    }

    @Test("a table is written on the actor later where a slot has another name than in the first service")
    func otherName() async {
        let (box, first, second) = (themedBox(), Labelled("size"), Labelled("limit"))
        box.register(9, as: "limit")
        box.register(first, as: "first")
        box.register(second, as: "second")
        box.crossFill()
        await MainActor.run {
            box.crossFill()
            #expect([first.theme, second.theme] == ["dark", "dark"])
            #expect([first.size, second.size] == [3, 9])
        }
    }

    @Test("a service that a child prepares has its table written on the main actor first")
    func preparedByChild() async throws {
        let box = ServiceBox()
        box.register(Clock())
        box.register(Shade())
        #expect(await (try await box.makeChild(name: "child").prepare(Shade.self)).clock != nil)
    }

    @Test(
        "a service that is created elsewhere is completed on the main actor by who can wait", arguments: 0..<5
    )
    func createdElsewhere(_ kind: Int) async throws {
        let box = ServiceBox()
        if kind < 2 {
            box.register(lifetime: kind == 1 ? .transient : .lazy) { _ in Awning() }
        } else {
            box.register(lifetime: kind == 3 ? .eager : .lazy) { _ in
                await Task.yield()
                return Awning()
            }
        }
        if kind == 4 { box.decorate("awning" as ServiceKey<Awning>) { awning, _ in awning } }
        box.register { _ in Terrace() }
        box.register(Clock())
        #expect(throws: ServiceBoxError.self) { try box.resolve(Terrace.self) }
        if kind == 3 { try await box.start() }
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 { group.addTask { await (try await box.prepare(Awning.self)).clock != nil } }
            for try await isWired in group { #expect(isWired) }
        }
        #expect(await (try await box.prepare(Terrace.self)).awning.clock != nil)
    }

    @Test("a service that is created for a prepare has its table written before it is handed out")
    func createdForPrepare() async throws {
        let box = ServiceBox()
        await MainActor.run { _ = box.fill(Blind()) }
        box.register(Clock())
        box.register(as: "lazy") { _ in Blind() }
        box.register(as: "awaited") { _ in
            await Task.yield()
            return Blind()
        }
        for name in ["lazy", "awaited"] {
            let blind = try await box.prepare(ServiceKey<Blind>(name))
            #expect(await blind.clock != nil)
        }
    }

    @Test("a service that is created for a start has its table written before it is started")
    func createdForStart() async throws {
        let box = ServiceBox()
        await MainActor.run { _ = box.fill(Blind()) }
        box.register(Clock())
        box.register { _ in Blind() }
        try await box.start()
        #expect(await (try box.resolve(Blind.self)).startedWithClock)
    }

    @Test("a ready-made struct is handed out once its table has been read on the actor")
    func structService() async throws {
        let box = ServiceBox()
        box.register(Fabric())
        #expect(throws: ServiceBoxError.self) { try box.resolve(Fabric.self) }
        _ = try await MainActor.run { try box.resolve(Fabric.self) }
        _ = try box.resolve(Fabric.self)
    }

    @Test("any use of the box on the main actor writes a deferred table, a fill of a known type too")
    func anyUse() async {
        let box = themedBox()
        let service = Awaited()
        box.register(service, as: "service")
        for _ in 1...3 { box.fill(Sized()) }
        #expect(await service.theme == nil)
        await MainActor.run {
            box.fill(Sized())
            #expect(service.theme == "dark")
        }
    }

    @Test("only a table of the main actor leaves work for it")
    @MainActor func work() {
        for (service, leavesWork) in [(Etching(), false), (Awaited(), true)] as [(any Sendable, Bool)] {
            let box = themedBox()
            box.register(service, as: "service")
            onThreads(1) { box.fill(Sized()) }
            #expect((box.crossFiller.filledGeneration == nil) == leavesWork)
        }
    }

    @Test("a struct's table taught on the main actor is written there only")
    func structTable() async {
        let box = themedBox()
        await MainActor.run { box.teach(Style.self, ["theme": .keyPath(\Style.theme)]) }
        var style = Style()
        #expect(box.fill(&style).outcomes == ["theme": .wrongIsolation])
        #expect(style.theme == nil)
        await MainActor.run {
            var style = Style()
            #expect(box.fill(&style).outcomes == ["theme": .filled])
            #expect(style.theme == "dark")
        }
    }

    @Test(
        "a table of another global actor is left alone by a cross-fill, there too, and written by a fill there",
        arguments: [false, true])
    func otherActor(isKnown: Bool) async {
        let box = themedBox()
        if isKnown { await Engraving().expectWrittenByFill(from: box) }
        let service = Engraving()
        box.register(service, as: "service")
        let outside = box.crossFill().report(on: Engraving.self)
        #expect(outside?.holes.map(\.outcome) == [.wrongIsolation])
        await service.expectLeftByCrossFill(from: box)
        await MainActor.run { _ = box.crossFill() }
        await service.expectWrittenByFill(from: box)
    }

    @Test("a table of another global actor is left alone by the first cross-fill, if that is made there")
    func otherActorFirst() async {
        let box = themedBox()
        await Engraving().expectWrittenByFill(from: box)
        let service = Engraving()
        box.register(service, as: "service")
        await service.expectLeftByCrossFill(from: box)
        await service.expectWrittenByFill(from: box)
    }

    @Test("a deferred table is forgotten with its service")
    func forgotten() async {
        let box = themedBox()
        weak let gone: Known? = {
            let service = Known()
            box.register(service, as: "service")
            box.crossFill()
            return service
        }()
        #expect(gone != nil)
        box.remove("service")
        box.crossFill()
        #expect(gone == nil)
    }

    private func themedBox() -> ServiceBox {
        let box = ServiceBox()
        box.register("dark", as: "theme")
        box.register("text", as: "text")
        box.register(3, as: "size")
        return box
    }
}

@MainActor private final class Known {
    @Injected var size: Int?
    var theme: String?

    nonisolated init() {}
}

extension Known: @MainActor Injectable {
    static var injections: InjectionTable { ["theme": .keyPath(\Known.theme)] }
}

@MainActor private final class Labelled {
    @Injected var size: Int?
    var theme: String?

    nonisolated init(_ name: ServiceKey<Int?>) { _size = Injected(name) }
}

extension Labelled: @MainActor Injectable {
    static var injections: InjectionTable { ["theme": .keyPath(\Labelled.theme)] }
}

@MainActor private final class Mirrored: CustomReflectable {
    @Injected var size: Int?
    var theme: String?

    nonisolated init() {}

    nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Mirrored: @MainActor Injectable {
    static var injections: InjectionTable { ["theme": .keyPath(\Mirrored.theme)] }
}

@MainActor private final class Awaited {
    @Injected var size: Int?
    var theme: String?

    nonisolated init() {}
}

extension Awaited: @MainActor Injectable {
    static var injections: InjectionTable { ["theme": .keyPath(\Awaited.theme)] }
}

private struct Style {
    var theme: String?
}

@Engraver private final class Engraving {
    @Injected var size: Int?
    var theme: String?

    nonisolated init() {}

    func expectLeftByCrossFill(from box: ServiceBox) {
        let report = box.crossFill().report(on: Engraving.self)
        #expect(report?.holes.map(\.outcome) == [.wrongIsolation])
        #expect(report?.outcome(of: "size") == .filled)
        #expect(theme == nil)
    }

    func expectWrittenByFill(from box: ServiceBox) {
        #expect(box.fill(self).isComplete)
        #expect(theme == "dark")
    }
}

/// Whose table no other test reads.
@Engraver private final class Etching {
    @Injected var size: Int?
    var theme: String?

    nonisolated init() {}
}

extension Etching: @Engraver Injectable {
    static var injections: InjectionTable { ["theme": .keyPath(\Etching.theme)] }
}

extension Engraving: @Engraver Injectable {
    static var injections: InjectionTable { ["theme": .keyPath(\Engraving.theme)] }
}

private final class Sized {
    @Injected var size: Int?
}
