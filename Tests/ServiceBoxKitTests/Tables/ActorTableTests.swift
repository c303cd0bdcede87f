// Part of ServiceBox, released under the MIT License.
// Tables of actors, whose lines run in the actor's own isolation.

import ServiceBoxKit
import Testing

private actor Vault: Injectable {
    var size: Int?
    var report: FillReport?

    static var injections: InjectionTable {
        ["size": .setter { (vault: isolated Vault, size: Int) in vault.size = size }]
    }

    func fillYourself(from box: ServiceBox) -> FillReport { fillWithDependencies(from: box) }

    nonisolated func fillElsewhere(from box: ServiceBox) -> FillReport {
        fillWithDependencies(from: box, isolation: self)
    }
}

private actor Visitor {
    func fill(_ vault: Vault, from box: ServiceBox) -> FillReport { vault.fillWithDependencies(from: box) }
}

private actor Eager: Injectable {
    @Injected var size: Int?
    var limit: Int?
    private(set) var report: FillReport?

    init(_ box: ServiceBox) {
        report = nil
        fillWithDependencies(from: box)
    }

    static var injections: InjectionTable {
        ["limit": .setter { (eager: isolated Eager, limit: Int) in eager.limit = limit }]
    }
}

private actor Bare {}

@Suite("Tables of actor types")
struct ActorTableTests {
    private let box = ServiceBox()

    init() {
        box.register(3, as: "size")
        box.register(9, as: "limit")
    }

    @Test("an entry for the actor is written by a fill on the actor")
    func onActor() async {
        let vault = Vault()
        let report = await box.fill(vault)
        #expect(report.isComplete)
        #expect(await vault.size == 3)
    }

    @Test("an entry for the actor is written when the actor fills itself in a method")
    func inMethod() async {
        let vault = Vault()
        #expect(await vault.fillYourself(from: box).isComplete)
        #expect(await vault.size == 3)
    }

    @Test("from outside, the entry is reported as out of reach and not written")
    func fromOutside() async {
        let vault = Vault()
        #expect(box.fill(vault as AnyObject).holes.map(\.outcome) == [.wrongIsolation])
        #expect(await vault.size == nil)
    }

    @Test("an actor that fills itself in its initialiser gets its slots, and its table later")
    func inInitialiser() async {
        let eager = Eager(box)
        #expect(await eager.size == 3)
        #expect(await eager.limit == nil)
        await box.fill(eager)
        #expect(await eager.limit == 9)
    }

    @Test("an actor of an unknown type among the services doesn't keep others from being filled")
    func unknownActorAmongServices() {
        final class Screen { @Injected var size: Int? }
        box.register(Bare(), as: "bare")
        #expect(box.fill(Screen()).isComplete)
        #expect(box.fill(Screen()).isComplete)
    }

    @Test("an entry for the actor is left alone when another actor has it fill itself")
    func onOtherActor() async {
        let vault = Vault()
        let report = await Visitor().fill(vault, from: box)
        #expect(report.outcome(of: "size") == .wrongIsolation)
        #expect(await vault.size == nil)
    }

    @Test("an entry for the actor is left alone by a fill that only says that it is on the actor")
    func notOnActor() async {
        let vault = Vault()
        let report = onThread { [box] in vault.fillElsewhere(from: box) }
        #expect(report?.outcome(of: "size") == .wrongIsolation)
        #expect(await vault.size == nil)
    }
}
