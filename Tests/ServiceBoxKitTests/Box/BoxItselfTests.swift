// Part of ServiceBox, released under the MIT License.
// Tests of which box a box gives as itself.

import ServiceBoxKit
import Testing

private final class Screen {
    @Injected var serviceBox: ServiceBox?
    @InjectedAll var boxes: [ServiceBox]
}

@Suite("A box as its own service")
struct BoxItselfTests {
    /// A box of a family, and how it came about.
    enum Member: CaseIterable {
        case parent, child, copy, copyOfChild, copyOfCopyOfChild, childOfCopyOfChild

        func made(from parent: ServiceBox) -> ServiceBox {
            switch self {
            case .parent: parent
            case .child: parent.makeChild(name: "child")
            case .copy: parent.copy()
            case .copyOfChild: Member.child.made(from: parent).copy()
            case .copyOfCopyOfChild: Member.copyOfChild.made(from: parent).copy()
            case .childOfCopyOfChild: Member.copyOfChild.made(from: parent).makeChild(name: "grandchild")
            }
        }
    }

    @Test(
        "is found by type, by name and by a property, and no other box of its family is",
        arguments: Member.allCases)
    func givesItself(_ member: Member) throws {
        let parent = ServiceBox()
        parent.register(1, as: "number")
        let box = member.made(from: parent)
        #expect(try box.resolve(ServiceBox.self) === box)
        #expect(try box.resolve(ServiceKey<ServiceBox>("serviceBox")) === box)
        let screen = Screen()
        box.fill(screen)
        #expect(screen.serviceBox === box)
        #expect(screen.boxes.isEmpty)
        #expect(box.registrations.count { $0.name == "serviceBox" } == 1)
    }

    @Test("has a provider, which doesn't keep it")
    func provider() throws {
        var box: ServiceBox? = ServiceBox()
        let provider = try #require(box).provider("serviceBox" as ServiceKey<ServiceBox>)
        #expect(try provider.resolve() === box)
        weak let seen = box
        box = nil
        #expect(seen == nil)
        #expect(#expect(throws: ServiceBoxError.self) { try provider.resolve() }?.code == .boxIsGone)
    }
}
