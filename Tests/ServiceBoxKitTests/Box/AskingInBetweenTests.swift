// Part of ServiceBox, released under the MIT License.
// Random changes of a family of boxes, with and without questions in between: what a box remembers of earlier
// questions must not show.

import ServiceBoxKit
import Testing

/// A service that says which registration it comes from, and which box created it.
private protocol Tool: Sendable {
    var mark: String { get }
}

private class Hammer: Tool, @unchecked Sendable {
    let mark: String
    @Injected var saw: (any Tool)?
    @Injected var painted: (any Tool)?

    init(_ mark: String) { self.mark = mark }
}

private final class Mallet: Hammer, @unchecked Sendable {}

private final class Saw: Tool, @unchecked Sendable {
    let mark: String
    @Injected var hammer: Hammer?

    init(_ mark: String) { self.mark = mark }
}

private struct Nail: Tool { let mark: String }

private struct Painted: Tool {
    let tool: any Tool
    let colour: Int
    var mark: String { "\(tool.mark) in \(colour)" }
}

private final class Bench: @unchecked Sendable {
    @Injected var hammer: Hammer?
    @Injected var saw: (any Tool)?
    @Injected("hammer") var anyHammer: (any Tool)?
    @Injected var painted: (any Tool)?
    @Injected("nail") var maker: ServiceProvider<Nail>?

    var marks: [String?] { [hammer, saw, anyHammer, painted, try? maker?.resolve()].map { $0?.mark } }
}

private final class Shelf: @unchecked Sendable {
    @InjectedAll var tools: [any Tool]
    @InjectedAll var hammers: [Hammer]

    var marks: [String] { (tools + hammers).map(\.mark) }
}

/// A change of one box of a family.
private struct Change: CustomStringConvertible {
    enum Kind: CaseIterable {
        case instance, lazy, transient, eager, weak, perBox, remove, removeNewest, decorate, prefer, child,
            copy, clear
    }

    static let names = ["hammer", "saw", "nail", "painted"]

    let number: Int
    /// Which of the boxes changes, counted from one; zero stands for all of them.
    let box: Int
    let kind: Kind
    let name: String
    /// Which type of tool is registered.
    let tool: Int
    /// The boxes and the questions asked afterwards.
    let questions: [(box: Int, question: Int)]

    init(_ number: Int, with dice: inout Dice) {
        self.number = number
        box = dice.roll(5)
        // Mostly registrations and children, or there is nothing to remove.
        kind = dice.pick(from: dice.roll(2) == 0 ? Kind.allCases : [.child, .instance, .lazy, .perBox])
        name = dice.pick(from: Self.names)
        tool = dice.roll(3)
        questions = (0..<dice.roll(4)).map { _ in (dice.roll(4), dice.roll(Family.questionCount)) }
    }

    var description: String { "\(number): \(kind) '\(name)' \(tool) in \(box), then \(questions)" }
}

private struct Family {
    static let questionCount = 11

    private var boxes = [ServiceBox(name: "0")]

    var answers: [String] {
        boxes.flatMap { box in (0..<Self.questionCount).map { Self.answer($0, of: box) } }
    }

    func ask(_ question: Int, in box: Int) { _ = Self.answer(question, of: boxes[box % boxes.count]) }

    private static func answer(_ question: Int, of box: ServiceBox) -> String {
        func mark(_ lookUp: () throws -> Any) -> String {
            do {
                let found = try lookUp()
                return (found as? any Tool)?.mark ?? "\((found as? [any Tool] ?? []).map(\.mark))"
            } catch { return "\(error)" }
        }
        switch question {
        case 0..<4: return mark { try box[ServiceKey<any Tool>(Change.names[question])] }
        case 4: return mark { try box["hammer"] as Hammer }
        case 5: return mark { try box.resolve((any Tool).self) }
        case 6: return mark { try box.resolve(Hammer.self) }
        case 7: return mark { try box.resolveAll((any Tool).self) }
        case 8: return "\(box.plan(for: Bench()))"
        case 9:
            let bench = Bench()
            return "\(box.fill(bench)) \(bench.marks)"
        default:
            let shelf = Shelf()
            return "\(box.fill(shelf)) \(shelf.marks)"
        }
    }

    mutating func apply(_ change: Change) {
        for index in boxes.indices where change.box == 0 || change.box == index + 1 {
            apply(change, to: boxes[index])
        }
    }

    private mutating func apply(_ change: Change, to box: ServiceBox) {
        let number = change.number
        switch change.kind {
        case .instance, .lazy, .transient, .eager, .weak, .perBox:
            // One type is under this name, for the decorations.
            if change.name == "painted" {
                let makers: [@Sendable (String) -> any Tool] = [Mallet.init, Saw.init, Nail.init(mark:)]
                register(change, in: box, makers[change.tool])
            } else if change.tool == 0 {
                register(change, in: box) { Mallet($0) }
            } else if change.tool == 1 {
                register(change, in: box) { Saw($0) }
            } else {
                register(change, in: box) { Nail(mark: $0) }
            }
        case .remove: box.remove(change.name)
        case .removeNewest: box.remove(newest: change.name)
        case .decorate:
            box.decorate(ServiceKey<any Tool>("painted")) { tool, _ in Painted(tool: tool, colour: number) }
        case .prefer: box.prefer("painted", for: (any Tool).self)
        case .child: boxes.append(box.makeChild(name: "\(boxes.count)"))
        case .copy: boxes.append(box.copy())
        case .clear: box.clear()
        }
    }

    private func register<Service: Sendable>(
        _ change: Change, in box: ServiceBox, _ make: @escaping @Sendable (_ mark: String) -> Service
    ) {
        let key = ServiceKey<Service>(change.name)
        let lifetime: Lifetime =
            switch change.kind {
            case .transient: .transient
            case .eager: .eager
            case .weak: .weak
            default: .lazy
            }
        if change.kind == .instance {
            box.register(make("#\(change.number)"), as: key)
        } else {
            box.register(as: key, lifetime: lifetime, per: change.kind == .perBox ? .box : .family) {
                make("#\(change.number) of \($0.name ?? "")")
            }
        }
    }
}

@Suite("A box that is asked between its changes")
struct AskingInBetweenTests {
    @Test("answers in the end as one that is asked for the first time, in words and services")
    func answers() {
        for seed in 1...150 as ClosedRange<UInt64> {
            var dice = Dice(seed: seed)
            let changes = (0..<3 + dice.roll(14)).map { Change($0, with: &dice) }
            var (asked, fresh) = (Family(), Family())
            for change in changes {
                asked.apply(change)
                fresh.apply(change)
                for (box, question) in change.questions { asked.ask(question, in: box) }
            }
            let (given, expected) = (asked.answers, fresh.answers)
            let difference = zip(given, expected).first { $0 != $1 }
            #expect(difference == nil, "\(changes.map(\.description).joined(separator: "\n"))")
        }
    }
}
