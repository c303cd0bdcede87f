// Part of ServiceBox, released under the MIT License.
// The moment when services that need each other are given what they couldn't be given before all were complete.

import Foundation
import ServiceBoxKit
import Testing

private final class User: Sendable {}
private final class Repository: @unchecked Sendable { @Injected var user: User }

private let places = Locked<[Bool]>([])
private let engineIsFilled = Signal()

@MainActor private final class Panel: Injectable {
    var engine: Engine?

    static var injections: InjectionTable {
        [
            "engine": .setter { (panel: Panel, engine: Engine) in
                // What belongs to the main actor runs on its thread while a test holds it.
                places.withLock { $0.append(Thread.isMainThread) }
                panel.engine = engine
            }
        ]
    }
}

private final class Engine: @unchecked Sendable {
    @Injected var panel: Panel?
    /// Created when all before is filled.
    @Injected var clock: Clock?
}

private final class Top: @unchecked Sendable {
    @Injected var panel: Panel
    @Injected var late: Late
}

private final class Late: @unchecked Sendable { @Injected var other: Other }
private final class Other: Sendable {}

private final class Ring: @unchecked Sendable { @Injected var gem: Gem }

private let duringSetter = Locked<(@Sendable () -> Void)?>(nil)

private final class Gem: Injectable, @unchecked Sendable {
    @Injected var ring: Ring
    var clock: Clock?
    var user: User?

    static var injections: InjectionTable {
        [
            "clock": .setter { (gem: Gem, clock: Clock) in
                gem.clock = clock
                duringSetter.withLock { $0 }?()
            },
            "user": .keyPath(\Gem.user),
        ]
    }
}

@Suite("Services that need each other, when all of them are complete", .serialized, .neverHanging)
struct SettlingTests {
    private let box = ServiceBox()

    @MainActor
    @Test("have a table of the main actor written there, if another thread completes them too")
    func mainActor() throws {
        let thread = Thread.current
        let begun = Signal()
        box.register(as: "clock", lifetime: .transient) { _ in
            engineIsFilled.send()
            return Clock()
        }
        box.register(as: "panel") { @MainActor _ in Panel() }
        let panel = try box.provider(ServiceKey<Panel>("panel"))
        box.register(as: "engine") { _ in Engine() }
        box.register(as: "other") { _ in
            begun.send()
            engineIsFilled.wait()
            _ = try panel.resolve()
            return Other()
        }
        box.register(as: "late") { _ in Late() }
        box.register(as: "top") { _ in Top() }
        let other = try box.provider(ServiceKey<Other>("other"))
        let isOver = Signal()
        Thread {
            _ = try? other.resolve()
            isOver.send()
        }.start()
        begun.wait()
        _ = try box[ServiceKey<Top>("top")]
        isOver.wait()
        #expect(places.withLock { $0 } == [thread.isMainThread])
    }

    @Test("aren't handed out to a setter of theirs", arguments: [true, false])
    func setter(_ areReadyMade: Bool) throws {
        box.register(Clock())
        box.register(User())
        if areReadyMade {
            box.register(Ring())
            box.register(Gem())
        } else {
            box.register(as: "ring") { _ in Ring() }
            box.register(as: "gem") { _ in Gem() }
        }
        let answers = Locked<[ServiceBoxError.Code?]>([])
        duringSetter.withLock {
            $0 = { [box] in
                do throws(ServiceBoxError) {
                    _ = try box.provider(ServiceKey<Ring>("ring")).resolve()
                    answers.withLock { $0.append(nil) }
                } catch {
                    answers.withLock { $0.append(error.code) }
                }
            }
        }
        defer { duringSetter.withLock { $0 = nil } }
        let gem = try box[ServiceKey<Gem>("gem")]
        #expect(answers.withLock { $0 } == [.cycle])
        #expect(gem.user != nil && gem.ring.gem === gem)
    }

    @Test(
        "and lack something, aren't handed out by a provider when their box is gone",
        arguments: [true, false])
    func boxIsGone(_ isReadyMade: Bool) throws {
        let key = ServiceKey<Repository>("repository")
        var box: ServiceBox? = ServiceBox()
        if isReadyMade {
            box?.register(Repository())
        } else {
            box?.register(provider: ServiceProvider { Repository() }, as: key)
        }
        let provider = try #require(try box?.provider(key))
        box = nil
        let error = #expect(throws: ServiceBoxError.self) { try provider.resolve() }
        #expect(error?.code == .boxIsGone)
    }
}
