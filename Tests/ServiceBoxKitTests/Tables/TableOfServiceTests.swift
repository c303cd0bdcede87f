// Part of ServiceBox, released under the MIT License.
// Tests of tables of registered services.

import ServiceBoxKit
import Synchronization
import Testing

@Suite("Tables of services")
struct TableOfServiceTests {
    @Test("a class service's table is written by the cross-fill, into empty optionals only")
    func classService() {
        let box = ServiceBox()
        let empty = Desk()
        let full = Desk()
        full.lamp = 9
        box.register(empty, as: "empty")
        box.register(full, as: "full")
        box.register(1, as: "lamp")
        let reports = box.crossFill()
        #expect(empty.lamp == 1)
        #expect(full.lamp == 9)
        #expect(reports.map { $0.outcome(of: "lamp") } == [.filled, .kept])
    }

    @Test("a written line is reported as kept once its service is removed")
    func removed() {
        let (box, desk) = (ServiceBox(), Desk())
        box.register(desk)
        box.register(1, as: "lamp")
        #expect(box.crossFill().map { $0.outcome(of: "lamp") } == [.filled])
        box.remove("lamp")
        #expect(box.crossFill().map { $0.outcome(of: "lamp") } == [.kept])
        #expect(desk.lamp == 1)
    }

    @Test("what a factory has set stays in an optional that the table lists")
    func setByFactory() throws {
        let box = ServiceBox()
        box.register(1, as: "lamp")
        box.register { _ in
            let desk = Desk()
            desk.lamp = 9
            return desk
        }
        #expect(try box.resolve(Desk.self).lamp == 9)
    }

    @Test("nothing is created for a line that was written")
    func writtenLine() {
        let (box, makes) = (ServiceBox(), Counter())
        box.register(Desk())
        box.register(as: "lamp", lifetime: .transient) { _ in makes.next() }
        box.crossFill()
        box.teach(Clock.self, [:])
        box.crossFill()
        #expect(makes.value == 1)
    }

    @Test("a setter of a service runs once, however often the box is used")
    func setterOnce() {
        let box = ServiceBox()
        let counter = Counting()
        box.register(counter, as: "counter")
        box.register(4, as: "number")
        box.crossFill()
        box.crossFill()
        box.fill(Desk())
        box.register(5, as: "number")
        box.fill(Desk())
        #expect(counter.numbers == [4])
    }

    @Test("a setter that uses the box runs once, and what it registers is filled next")
    func setterUsesBox() {
        let box = ServiceBox()
        let counter = Counting()
        counter.action = {
            box.fill(Desk())
            box.crossFill()
            box.register(Desk(), as: "desk")
        }
        box.register(counter, as: "counter")
        box.register(4, as: "number")
        box.register(1, as: "lamp")
        box.crossFill()
        #expect(counter.numbers == [4])
        let reports = box.crossFill()
        #expect(reports.report(on: Desk.self)?.outcome(of: "lamp") == .filled)
        #expect(counter.numbers == [4])
    }

    @Test("a struct service's table can't be written, and the report says that it is a constant")
    func structService() {
        let box = ServiceBox()
        box.register(Leaflet(), as: "leaflet")
        box.register(1, as: "page")
        let report = box.crossFill().report(on: Leaflet.self)
        #expect(report?.outcome(of: "page") == .constant)
    }

    @Test("an entry whose service is registered late is written on the next use")
    func lateService() {
        let box = ServiceBox()
        let desk = Desk()
        box.register(desk, as: "desk")
        #expect(box.crossFill().report(on: Desk.self)?.outcome(of: "lamp") == .missing)
        box.register(1, as: "lamp")
        box.fill(Leaflet())
        #expect(desk.lamp == 1)
    }

    @Test("a property that isn't optional is written: only a value in an optional is kept")
    func solid() {
        let box = ServiceBox()
        let solid = Solid()
        box.register(solid, as: "solid")
        box.register("dark", as: "theme")
        #expect(box.crossFill().report(on: Solid.self)?.outcome(of: "theme") == .filled)
        #expect(solid.theme == "dark")
    }

    @Test("an entry wins over a slot of its name in a cross-fill, too")
    func lineOverSlot() {
        let box = ServiceBox()
        let both = Both()
        box.register(both, as: "both")
        box.register(4, as: "number")
        #expect(box.crossFill().report(on: Both.self)?.outcomes == ["number": .filled])
        #expect(both.number == nil)
        #expect(both.written == [4])
    }

    @Test("entries for another type, or of a name that isn't stored, are never written")
    func wrongLines() {
        let box = ServiceBox()
        let shelf = Shelf()
        box.teach(Shelf.self, ["lamp": .keyPath(\Desk.lamp), "book": .keyPath(\Shelf.books)])
        box.register(shelf, as: "shelf")
        box.register(1, as: "lamp")
        box.register(2, as: "book")
        let report = box.crossFill().report(on: Shelf.self)
        #expect(report?.outcomes == ["lamp": .tableMismatch, "book": .tableMismatch])
        #expect(shelf.books == nil)
    }

    @Test("teaching inside a setter during the cross-fill reaches the services of that cross-fill")
    func teachInsideSetter() {
        let box = ServiceBox()
        let counter = Counting()
        let shelf = Shelf()
        counter.action = { box.teach(Shelf.self, ["books": .keyPath(\Shelf.books)]) }
        box.register(shelf, as: "shelf")
        box.register(counter, as: "counter")
        box.register(4, as: "number")
        box.register(8, as: "books")
        box.crossFill()
        box.crossFill()
        #expect(shelf.books == 8)
    }
}

private final class Desk: @unchecked Sendable, Injectable {
    var lamp: Int?

    static var injections: InjectionTable { ["lamp": .keyPath(\Desk.lamp)] }
}

private final class Shelf: @unchecked Sendable {
    var books: Int?
}

private final class Solid: @unchecked Sendable, Injectable {
    var theme = "light"

    static var injections: InjectionTable { ["theme": .keyPath(\Solid.theme)] }
}

private final class Both: @unchecked Sendable, Injectable {
    @Injected var number: Int?
    var written: [Int] = []

    static var injections: InjectionTable {
        ["number": .setter { (both: Both, number: Int) in both.written.append(number) }]
    }
}

private final class Counting: @unchecked Sendable, Injectable {
    var numbers: [Int] = []
    var action: () -> Void = {}

    static var injections: InjectionTable {
        [
            "number": .setter { (counter: Counting, number: Int) in
                counter.numbers.append(number)
                counter.action()
            }
        ]
    }
}

private struct Leaflet: Injectable {
    var page: Int?

    static var injections: InjectionTable { ["page": .keyPath(\Leaflet.page)] }
}
