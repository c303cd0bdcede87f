// Part of ServiceBox, released under the MIT License.
// What a type comes to in one child is taken over by the next child that is like it, and by no other.

import Foundation
@testable import ServiceBoxKit  // for whether a program was taken over
import Testing

private protocol User: Sendable {}
private final class Admin: User {}
private final class Guest: User {}

private final class Shelf: @unchecked Sendable {
    @Injected var user: (any User)?
    @Injected var clock: Clock?
}

private final class AdminPage: @unchecked Sendable {
    @Injected var user: Admin?
    @Injected var shelf: Shelf?
    @Injected var serviceBox: ServiceBox?
}

private final class NumberPage {
    @Injected var number: Int?
}

private final class WatchPage {
    @Injected var clock: Clock?
    var watch: Clock?
}

extension ServiceBox {
    /// The program that a fill of a type would use; bound if it is taken over from another child.
    func plannedProgram(for type: Any.Type) -> FillProgram {
        filler.plannedProgram(for: SharedPlan(PlanStore.plan(of: type))).program
    }
}

@Suite("A child like the one before it")
struct LikeChildrenTests {
    private let parent = ServiceBox()
    private let page = AdminPage()

    init() {
        // So that the type is known, names included.
        ServiceBox().fill(page)
        parent.register(Clock())
        parent.register(as: "shelf", per: .box) { _ in Shelf() }
    }

    private func makeChild(_ user: any User) -> ServiceBox {
        let child = parent.makeChild(name: "request")
        child.register(user, as: "user")
        return child
    }

    private func isTakenOver(by child: ServiceBox) -> Bool {
        child.plannedProgram(for: AdminPage.self).isBound
    }

    @Test("uses its own table, not that of its sibling")
    func siblingsTables() {
        parent.register(1, as: "number")
        let children = [10, 20].map { added in
            let child = parent.makeChild()
            child.teach(
                Numbered.self,
                ["number": .setter { (object: Numbered, number: Int) in object.number = number + added }])
            return child
        }
        for _ in 0..<3 {
            let objects = children.map { child in
                let object = Numbered()
                child.fill(object)
                return object
            }
            #expect(objects.map(\.number) == [11, 21])
        }
    }

    @Test("takes over what a type came to there")
    func takesOver() {
        makeChild(Admin()).fill(page)
        #expect(isTakenOver(by: makeChild(Admin())))
    }

    @Test("fills with its own services: those it was given, those it creates, and itself")
    func fillsWithItsOwn() throws {
        var shelves: [Shelf] = []
        for _ in 0..<3 {
            let (admin, page) = (Admin(), AdminPage())
            let child = makeChild(admin)
            let report = child.fill(page)
            let shelf = try #require(page.shelf)
            #expect(report.isComplete)
            #expect(page.user === admin && page.serviceBox === child)
            #expect(try shelf === child["shelf"] && shelf.user as? Admin === admin)
            #expect(!shelves.contains { $0 === shelf })
            shelves.append(shelf)
        }
    }

    @Test("is told by the type of what lies behind an interface")
    func tellsTypesBehindInterfaces() {
        for _ in 0..<3 {
            let (ofAdmin, ofGuest) = (AdminPage(), AdminPage())
            let admin = makeChild(Admin())
            #expect(admin.fill(ofAdmin).isComplete)
            #expect(admin.fill(Shelf()).description.contains("Admin"))
            let guest = makeChild(Guest())
            #expect(!isTakenOver(by: guest))
            #expect(guest.fill(ofGuest).holes.map(\.name) == ["user"])
            #expect(ofAdmin.user != nil && ofGuest.user == nil)
            #expect(guest.fill(Shelf()).description.contains("Guest"))
        }
    }

    @Test("is told by more than the type where a value converts itself")
    func tellsValuesThatConvertThemselves() {
        func fill(_ value: NSNumber) -> (number: Int?, holes: [String]) {
            let (child, page) = (parent.makeChild(name: "request"), NumberPage())
            child.register(value, as: "number")
            let report = child.fill(page)
            return (page.number, report.holes.map(\.name))
        }
        #expect(fill(1) == (1, []))
        #expect(fill(1.5) == (nil, ["number"]))
        #expect(fill(2) == (2, []))
    }

    @Test("reports and counts what it uses as if it had been the first")
    func reportsAlike() throws {
        func use() -> (report: String, child: [String], parent: [String], order: [String]) {
            let child = makeChild(Admin())
            let report = child.fill(AdminPage())
            return (
                report.description, child.uses.flatMap(\.properties), parent.uses.flatMap(\.properties),
                child.graph().nodes.map { "\($0.id) \($0.order ?? 0)" }
            )
        }
        let (first, second) = (use(), use())
        #expect(first.report == second.report)
        #expect(first.child == second.child)
        #expect(first.parent == second.parent)
        #expect(first.order == second.order)
        #expect(Set(first.child) == ["AdminPage.user", "AdminPage.shelf", "Shelf.user", "Shelf.clock"])
        #expect(Set(first.parent) == ["AdminPage.shelf", "Shelf.clock"])
    }

    @Test("counts a use of an ancestor's service that it overrides afterwards")
    func countsBeforeOverriding() throws {
        parent.markLive("clock")
        makeChild(Guest()).fill(Shelf())
        let child = makeChild(Guest())
        child.fill(Shelf())
        child.register(Clock(), as: "clock")
        #expect(child.uses.first { $0.name == "clock" }?.isUsed == false)
        #expect(child.liveUsesBeforeOverriding.map(\.name) == ["clock"])
    }

    @Test("counts no use of an ancestor's service that isn't live")
    func countsLiveOnes() {
        let child = makeChild(Guest())
        child.fill(Shelf())
        child.register(Clock(), as: "clock")
        #expect(child.liveUsesBeforeOverriding.isEmpty)
    }

    @Test("gets what its parent has by now")
    func seesChangesOfParent() {
        let parent = ServiceBox()
        let before = Shelf()
        parent.makeChild(name: "request").fill(before)
        #expect(before.clock == nil)
        for _ in 0..<2 {
            let (clock, after) = (Clock(), Shelf())
            parent.register(clock)
            parent.makeChild(name: "request").fill(after)
            #expect(after.clock === clock)
        }
    }

    @Test("gets what its parent has by now, though it was filled the same many times")
    func seesChangesAfterMany() throws {
        let child = makeChild(Guest())
        for _ in 0..<2 {
            let clock = Clock()
            parent.register(clock)
            #expect(try child["clock"] === clock)
            for _ in 0..<4 {
                let shelf = Shelf()
                child.fill(shelf)
                #expect(shelf.clock === clock)
            }
        }
    }

    @Test("is told by the type that a service is registered as, which the report names")
    func tellsRegisteredTypes() {
        func report<Service: Sendable>(_ service: Service) -> String {
            let child = parent.makeChild(name: "request")
            child.register(service, as: "user")
            return child.fill(Shelf()).description
        }
        #expect(report(Admin()) != report(Admin() as any User))
    }

    @Test("is told by the lifetime, which says whether a weak property keeps a service")
    func tellsLifetimes() {
        final class Glance { @WeakInjected var user: Admin? }
        for lifetime in [Lifetime.lazy, .lazy, .transient] {
            let child = parent.makeChild(name: "request")
            child.register(as: "user", lifetime: lifetime) { _ in Admin() }
            #expect(child.fill(Glance()).holes.isEmpty == (lifetime == .lazy))
            #expect(child.plan(for: Glance()).holes.isEmpty == (lifetime == .lazy))
        }
    }

    @Test("isn't like one that was taught a table")
    func tellsTaughtTables() {
        parent.makeChild(name: "request").fill(WatchPage())
        let child = parent.makeChild(name: "request")
        child.teach(WatchPage.self, ["watch": .keyPath(\WatchPage.watch)])
        #expect(child.fill(WatchPage()).holes.map(\.name) == ["watch"])
    }

    @Test("takes over nothing of what one before it was taught")
    func leavesTaughtTables() {
        ServiceBox().fill(WatchPage())
        let child = parent.makeChild(name: "request")
        child.teach(WatchPage.self, ["watch": .keyPath(\WatchPage.watch)])
        #expect(child.fill(WatchPage()).holes.map(\.name) == ["watch"])
        #expect(parent.makeChild(name: "request").fill(WatchPage()).holes.isEmpty)
    }

    @Test("keeps nothing of the one before it alive")
    func keepsNothing() {
        weak let (user, box): (Admin?, ServiceBox?) = {
            let admin = Admin()
            let child = makeChild(admin)
            child.fill(AdminPage())
            return (admin, child)
        }()
        #expect(user == nil && box == nil)
    }

    @Test("lets go of what it has no more, though nobody has asked what it did")
    func letsGo() {
        makeChild(Guest()).fill(Shelf())
        let (child, shelf) = (makeChild(Guest()), Shelf())
        weak let user = try? child["user"] as any User as? Guest
        child.fill(shelf)
        child.remove("user")
        shelf.user = nil
        #expect(user == nil)

        weak var clock: Clock?
        do {
            let new = Clock()
            parent.register(new)
            clock = new
        }
        makeChild(Guest()).fill(Shelf())
        let other = makeChild(Guest())
        other.fill(Shelf())
        parent.remove("clock")
        parent.register(Clock())
        makeChild(Guest()).fill(Shelf())
        other.fill(Shelf())
        #expect(clock == nil)
    }

    @Test("lets go of its services when it stops, though nobody has asked what it did")
    func letsGoAtStop() async {
        makeChild(Guest()).fill(Shelf())
        let (child, shelf) = (makeChild(Guest()), Shelf())
        weak let user = try? child["user"] as any User as? Guest
        child.fill(shelf)
        shelf.user = nil
        #expect(user != nil)
        await child.stop()
        #expect(user == nil)
    }

    @Test("gets nothing of another one, made by eight tasks while the parent changes", arguments: 0..<20)
    func manyTasks(round: Int) async {
        let parent = parent
        let wrong = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    if task == 0 {
                        for number in 0..<25 {
                            parent.register(Clock(), as: number.isMultiple(of: 2) ? "clock" : "c")
                        }
                        return 0
                    }
                    return (0..<25).count { number in
                        let (admin, page, shelf) = (Admin(), AdminPage(), Shelf())
                        let isAdmin = (number + task).isMultiple(of: 2)
                        let user: any User = isAdmin ? admin : Guest()
                        let child = parent.makeChild(name: "request")
                        child.register(user, as: "user")
                        child.fill(page)
                        child.fill(shelf)
                        let isRight =
                            page.user === (isAdmin ? admin : nil) && page.serviceBox === child
                            && page.shelf?.user as AnyObject? === user as AnyObject
                            && shelf.user as AnyObject? === user as AnyObject && shelf.clock != nil
                        return !isRight
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }

    @Test("leaves no more in its parent than the latest sixteen of a type, however many have come")
    func keepsFew() {
        let plan = PlanStore.plan(of: AdminPage.self)
        func child(_ name: String) -> ServiceBox {
            let child = parent.makeChild(name: "request")
            // Another number for `user` in each.
            for number in 0..<(Int(name) ?? 0) { child.register(number, as: ServiceKey("value\(number)")) }
            child.register(Admin(), as: "user")
            return child
        }
        for number in Array(0..<18) + [17, 17] { child("\(number)").fill(AdminPage()) }
        let areTakenOver = (0..<18).map {
            child("\($0)").filler.plannedProgram(for: SharedPlan(plan)).program.isBound
        }
        #expect(areTakenOver == [false, false] + Array(repeating: true, count: 16))
    }

    @Test("takes nothing over for an object whose slots say other names")
    func otherNames() {
        final class Varying {
            @Injected var number: Int?

            init(_ name: String?) {
                if let name { _number = Injected(ServiceKey(name)) }
            }
        }
        parent.register(1, as: "number")
        parent.register(2, as: "second")
        for name in [nil, nil, "second", nil, "second"] {
            let object = Varying(name)
            parent.makeChild(name: "request").fill(object)
            #expect(object.number == (name == nil ? 1 : 2))
        }
    }
}

@Suite("Children whose modules share their registrations")
struct LikeModuleTests {
    @Test("each report the module that has registered the service")
    func modules() throws {
        let parent = ServiceBox()
        for _ in 0..<2 {
            let first = parent.makeChild(name: "first")
            try first.add(FirstModule())
            #expect(first.fill(Reader()).description.contains("from FirstModule"))
            let second = parent.makeChild(name: "second")
            try second.add(SecondModule())
            #expect(second.fill(Reader()).description.contains("from SecondModule"))
        }
    }
}

private func registerCache(in box: ServiceBox) { box.register(as: "cache") { _ in Cache() } }

private struct FirstModule: ServiceModule {
    func register(in box: ServiceBox) { registerCache(in: box) }
}

private struct SecondModule: ServiceModule {
    func register(in box: ServiceBox) { registerCache(in: box) }
}

private final class Numbered {
    var number = 0
}

private final class Reader {
    @Injected var cache: Cache?
}
