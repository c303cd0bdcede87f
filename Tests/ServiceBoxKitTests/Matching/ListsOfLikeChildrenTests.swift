// Part of ServiceBox, released under the MIT License.
// What a type with a list came to in one child is taken over by the next child whose list is like it.

@testable import ServiceBoxKit  // for whether a program was taken over
import Testing

private protocol User: AnyObject, Sendable {}
private final class Admin: User {}
private final class Guest: User {}

private protocol Tenant {}
private final class Owner: Tenant, Sendable {}
@MainActor private final class Lodger {}
extension Lodger: @MainActor Tenant {}

private final class House { @InjectedAll var tenants: [any Tenant] }

private final class ListPage: @unchecked Sendable {
    @InjectedAll var users: [any User]
    @Injected var clock: Clock?
}

@Suite("A child whose lists are like those of the one before it")
struct ListsOfLikeChildrenTests {
    private let parent = ServiceBox()

    init() {
        // So that the type is known, names included.
        ServiceBox().fill(ListPage())
        parent.register(Clock())
    }

    private func makeChild(_ user: any User) -> ServiceBox {
        let child = parent.makeChild(name: "request")
        child.register(user, as: "user")
        return child
    }

    private func isTakenOver(by child: ServiceBox) -> Bool {
        child.plannedProgram(for: ListPage.self).isBound
    }

    @Test("takes over what the type came to, and gathers its own services")
    func takesOver() {
        parent.register(Guest(), as: "guest")
        for isFirst in [true, false, false] {
            let (admin, page) = (Admin(), ListPage())
            let child = makeChild(admin)
            #expect(isTakenOver(by: child) == !isFirst)
            let report = child.fill(page)
            #expect(report.properties.map(\.outcome) == [.filled, .filled])
            #expect(page.users.map { $0 === admin } == [false, true])
            #expect(child.uses.first { $0.name == "user" }?.properties == ["ListPage.users"])
        }
        #expect(parent.uses.first { $0.name == "guest" }?.properties == ["ListPage.users"])
    }

    @Test("takes over what another module has decorated")
    func decorated() throws {
        struct GuestModule: ServiceModule {
            func register(in box: ServiceBox) { box.register(as: "guest") { _ -> any User in Guest() } }
        }
        struct AdminModule: ServiceModule {
            func register(in box: ServiceBox) {
                box.decorate("guest" as ServiceKey<any User>) { _, _ in Admin() }
            }
        }
        final class GuestPage: @unchecked Sendable { @Injected var guest: any User }
        ServiceBox().fill(GuestPage())
        try parent.add(GuestModule(), AdminModule())
        for isFirst in [true, false] {
            let child = parent.makeChild(name: "request")
            #expect(child.plannedProgram(for: GuestPage.self).isBound == !isFirst)
            try child.fill(GuestPage()).requireComplete()
        }
    }

    @Test("takes nothing over that was a child's own and is now the parent's")
    func ownOrInherited() throws {
        final class ClockPage: @unchecked Sendable { @Injected var clock: Clock }
        ServiceBox().fill(ClockPage())
        parent.remove("clock")
        func register(in box: ServiceBox) { box.register(Clock()) }
        register(in: parent)
        let child = parent.makeChild(name: "request")
        register(in: child)
        try child.fill(ClockPage()).requireComplete()
        try parent.makeChild(name: "request").fill(ClockPage()).requireComplete()
        #expect(parent.uses.map(\.properties) == [["ClockPage.clock"]])
    }

    @Test("is told by how many services a list has, by their types, and by whether each child creates them")
    func tells() {
        func fill(_ change: (ServiceBox) -> Void = { _ in }) -> String {
            let (child, page) = (makeChild(Admin()), ListPage())
            change(child)
            let isTakenOver = isTakenOver(by: child)
            child.fill(page)
            return (isTakenOver ? "taken over: " : "new: ")
                + page.users.map { "\(type(of: $0))" }.joined(separator: ", ")
        }
        #expect(fill() == "new: Admin")
        #expect(fill { $0.register(Guest(), as: "guest") } == "new: Admin, Guest")
        #expect(fill { $0.register(Guest(), as: "user") } == "new: Guest")
        #expect(fill() == "taken over: Admin")
        #expect(fill { $0.register(Admin(), as: "other") } == "new: Admin, Admin")
        #expect(fill { $0.remove("user") } == "new: ")
        parent.register(Guest(), as: "guest")
        #expect(fill() == "new: Guest, Admin")
        #expect(fill() == "taken over: Guest, Admin")
        parent.register(as: "guest", per: .box) { _ in Guest() }
        for _ in 0..<2 { #expect(fill() == "new: Guest, Admin") }
    }

    @Test("takes nothing over where the list has more on the main actor")
    func mainActor() async {
        ServiceBox().fill(House())
        @Sendable func tenants(of child: ServiceBox) -> Int {
            let house = House()
            child.fill(house)
            return house.tenants.count
        }
        let children = [parent.makeChild(), parent.makeChild()]
        for child in children { child.register(Owner()) }
        #expect(tenants(of: children[0]) == 1)
        await MainActor.run { _ = children[1].register(Lodger()) }
        #expect(tenants(of: children[1]) == 1)
        await MainActor.run { #expect(tenants(of: children[1]) == 2) }
    }

    @Test("is left alone by one whose list has what each child creates for itself")
    func leavesAlone() {
        func isShareable() -> Bool {
            makeChild(Admin()).plannedProgram(for: ListPage.self).pattern.isShareable
        }
        parent.register(as: "guest") { _ in Guest() }
        #expect(isShareable())
        parent.register(as: "guest", per: .box) { _ in Guest() }
        #expect(!isShareable())
    }
}
