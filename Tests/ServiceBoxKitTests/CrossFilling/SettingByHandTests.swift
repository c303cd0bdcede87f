// Part of ServiceBox, released under the MIT License.
// Tests of registered services that set their properties themselves.

import ServiceBoxKit
import Testing

private final class Thing: Sendable {}

private final class Owner: @unchecked Sendable {
    @Injected var thing: Thing?
    @WeakInjected var friend: Thing?
    @InjectedAll var things: [Thing]
}

private final class Outer: @unchecked Sendable {
    struct Settings {
        @Injected var thing: Thing?
    }
    var settings = Settings()
}

@Suite("Registered services whose properties are set in code")
struct SettingByHandTests {
    private let box = ServiceBox()

    /// Sets a property twice.
    ///
    /// - Returns: Whether the value that was set first is gone.
    private func replaces(_ set: (Thing) -> Void) -> Bool {
        weak var early: Thing?
        do {
            let thing = Thing()
            early = thing
            set(thing)
        }
        set(Thing())
        return early == nil
    }

    @Test("nothing is created for a list that was set")
    func list() {
        let (owner, makes) = (Owner(), Counter())
        owner.thing = Thing()
        owner.friend = owner.thing
        owner.things = []
        box.register(owner)
        box.register(as: "other") { _ in
            makes.next()
            return Thing()
        }
        box.crossFill()
        #expect(makes.value == 0)
    }

    @Test("a service that nobody lacks any more isn't created for them")
    func setMeanwhile() {
        let (owner, thing, makings) = (Outer(), Thing(), Counter())
        box.register(owner, as: "owner")
        box.crossFill()
        owner.settings.thing = thing
        box.register(as: "thing") { _ in
            makings.next()
            return Thing()
        }
        box.crossFill()
        #expect(owner.settings.thing === thing)
        #expect(makings.value == 0)
    }

    @Test("a value that code replaces is released at once, whether or not a service filled it")
    func replaced() {
        let owner = Owner()
        box.register(owner, as: "owner")
        box.crossFill()
        #expect(replaces { owner.thing = $0 })
        #expect(replaces { owner.things = [$0] })
        let filled = Owner()
        box.register(filled, as: "filled")
        box.register(Thing(), as: "thing")
        box.crossFill()
        #expect(filled.thing != nil)
        #expect(filled.things.count == 1)
        #expect(replaces { filled.thing = $0 })
        #expect(replaces { filled.things = [$0] })
    }

    @Test("a value that code replaces is released in a created service and in a struct inside a service")
    func madeAndNested() throws {
        box.register(as: "owner") { _ in Owner() }
        let owner = try box.resolve(Owner.self)
        box.crossFill()
        #expect(replaces { owner.thing = $0 })
        let outer = Outer()
        box.register(outer, as: "outer")
        box.crossFill()
        #expect(replaces { outer.settings.thing = $0 })
    }

    @Test("a filled value is released once code replaces it and no registration keeps it")
    func replacedFill() {
        weak var early: Thing?
        let owner = Owner()
        box.register(as: "thing", lifetime: .transient) { _ in Thing() }
        box.register(owner, as: "owner")
        box.crossFill()
        early = owner.thing
        #expect(early != nil)
        owner.thing = nil
        #expect(early == nil)
    }

    @Test("a property that code set is reported as kept, however often it was set")
    func report() {
        box.register(as: "thing", lifetime: .transient) { _ in Thing() }
        let owner = Owner()
        box.register(owner, as: "owner")
        #expect(box.crossFill().report(on: Owner.self)?.outcome(of: "thing") == .filled)
        // The second value lies where the fill's has lain: its place was the last to become free.
        let values = [Thing(), Thing()]
        for value in values { owner.thing = value }
        #expect(box.crossFill().report(on: Owner.self)?.outcome(of: "thing") == .kept)
    }

    @Test("an owner may set and read its properties while other threads cross-fill")
    func concurrentCrossFills() async {
        for _ in 1...20 {
            let box = ServiceBox()
            let owner = Owner()
            box.register(owner, as: "owner")
            await withTaskGroup { group in
                group.addTask {
                    for _ in 1...100 {
                        let value = Thing()
                        owner.thing = value
                        #expect(owner.thing === value)
                        owner.thing = nil
                        owner.things = [value]
                        #expect(owner.things.first === value)
                    }
                }
                for number in 1...7 {
                    group.addTask {
                        box.register(Thing(), as: ServiceKey(number == 1 ? "thing" : "thing\(number)"))
                        for _ in 1...10 { box.crossFill() }
                    }
                }
            }
            #expect(replaces { owner.thing = $0 })
        }
    }

    @Test("a property whose wrapper was replaced with its struct is left alone, and the report says so")
    func replacedStruct() {
        let outer = Outer()
        box.register(outer, as: "outer")
        box.crossFill()
        outer.settings = Outer.Settings()
        box.register(Thing(), as: "thing")
        #expect(
            box.crossFill().report(on: Outer.self)?.holes.map(\.explanation) == [
                """
                Can't fill 'settings.thing' of Outer: its wrapper was replaced after the box had seen the service.
                  Property: Outer.settings.thing, a Thing?
                To fix, set the property, not its wrapper or the struct around it, or fill the service itself, which the box can't see.
                """
            ])
        #expect(outer.settings.thing == nil)
    }
}
