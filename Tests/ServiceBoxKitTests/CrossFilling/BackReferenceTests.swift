// Part of ServiceBox, released under the MIT License.
// Services that look each other up one way, and take each other by a property the other way.

import ServiceBoxKit
import Testing

private final class Window: Sendable {
    let presenter: Presenter

    init(_ presenter: Presenter) { self.presenter = presenter }
}

private final class Presenter: @unchecked Sendable {
    @WeakInjected var window: Window?
    @Injected("window") var other: Window?
    @InjectedAll var windows: [Window]

    func has(_ window: Window) -> Bool {
        self.window === window && other === window && windows.count == 1
    }
}

private final class Holder: @unchecked Sendable {
    @Injected var window: Window
}

private final class House: Sendable {
    let lobby: Lobby

    init(_ lobby: Lobby) { self.lobby = lobby }
}

/// Takes what can't be created before the house whose factory looks it up.
private final class Lobby: @unchecked Sendable {
    @Injected var guest: Guest?
    @Injected var porter: Porter?
}

private final class Guest: @unchecked Sendable {
    @Injected var house: House
}

private final class Porter: Sendable {
    let house: House

    init(_ house: House) { self.house = house }
}

private final class Desk {
    @Injected var presenter: Presenter
    @Injected var window: Window
}

@Suite("A service that its factory's service refers back to")
struct BackReferenceTests {
    private let box = ServiceBox()

    init() {
        box.register { box in Window(try box.resolve()) }
        box.register { _ in Presenter() }
    }

    @Test("is there when a look-up of it returns")
    func fromItsEnd() throws {
        let window = try box.resolve(Window.self)
        #expect(window.presenter.has(window))
    }

    @Test("is there when a look-up of the other returns")
    func fromTheOtherEnd() throws {
        let presenter = try box.resolve(Presenter.self)
        #expect(presenter.has(try box.resolve()))
    }

    @Test("is there when it is prepared")
    func prepared() async throws {
        let window = try await box.prepare(Window.self)
        #expect(window.presenter.has(window))
    }

    @Test("is there when an object was filled with both")
    func filled() {
        let desk = Desk()
        box.fill(desk)
        #expect(desk.presenter.has(desk.window))
    }

    @Test("is there when a ready-made service that needs it is handed out")
    func readyMade() throws {
        box.register(Holder())
        let holder = try box.resolve(Holder.self)
        #expect(holder.window.presenter.has(holder.window))
    }

    @Test("is there when a child's service gets it from the parent")
    func parents() throws {
        let child = box.makeChild(name: "child")
        child.register { _ in Holder() }
        let holder = try child.resolve(Holder.self)
        #expect(holder.window.presenter.has(holder.window))
    }

    @Test("is there in a child that creates both for itself")
    func child() throws {
        let parent = ServiceBox()
        parent.register(per: .box) { box in Window(try box.resolve()) }
        parent.register(per: .box) { _ in Presenter() }
        let child = parent.makeChild(name: "child")
        let window = try child.resolve(Window.self)
        #expect(window.presenter.has(window))
    }

    @Test(
        "is there for what an optional property takes, though its factory looks up something else in between")
    func throughAnother() throws {
        let box = ServiceBox()
        box.register { box in
            let lobby: Lobby = try box.resolve()
            _ = try box.resolve(Cache.self)
            return House(lobby)
        }
        box.register { _ in Lobby() }
        box.register { _ in Cache() }
        box.register { _ in Guest() }
        box.register { box in Porter(try box.resolve()) }
        let house = try box.resolve(House.self)
        #expect(house.lobby.guest?.house === house)
        #expect(house.lobby.porter?.house === house)
    }
}
