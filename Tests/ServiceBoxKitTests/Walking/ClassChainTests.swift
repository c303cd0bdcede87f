// Part of ServiceBox, released under the MIT License.
// Tests of slots in subclasses, generic classes and subclasses of foreign classes.

import Foundation
import ServiceBoxKit
import Testing

@Suite("Chains of classes")
struct ClassChainTests {
    @Test("private slots of one name on five levels are all filled, in the second object too")
    func fiveLevels() {
        let box = ServiceBox()
        box.register(7, as: "secret")
        for _ in 1...3 {
            let object = Level5()
            let report = box.fill(object)
            #expect(object.secrets == [7, 7, 7, 7, 7])
            #expect(report.properties.map(\.name) == Array(repeating: "secret", count: 5))
            let owners: [Any.Type] = [Level1.self, Level2.self, Level3.self, Level4.self, Level5.self]
            #expect(
                report.properties.map { ObjectIdentifier($0.owner) } == owners.map { ObjectIdentifier($0) })
        }
    }

    @Test("each class of a chain is filled as itself, whichever is filled first")
    func eachOfChain() {
        let box = ServiceBox()
        box.register(7, as: "secret")
        for object in [Level3(), Level1(), Level4(), Level2(), Level3(), Level1()] {
            let report = box.fill(object)
            #expect(object.secrets.allSatisfy { $0 == 7 })
            #expect(report.filled.count == object.secrets.count)
        }
    }

    @Test("an object is filled as its own type, not as the variable's")
    func dynamicType() {
        let box = ServiceBox()
        box.register(7, as: "secret")
        let object: Level1 = Level5()
        #expect(isSame(box.fill(object).subjectType, Level5.self))
        let anything: AnyObject = Level2()
        #expect(isSame(box.fill(anything).subjectType, Level2.self))
    }

    @Test("a service is filled if only its superclass has slots")
    func onlySuperclass() {
        class Ancestor: @unchecked Sendable { @Injected var clock: Clock? }
        final class Heir: Ancestor, @unchecked Sendable {}
        let (box, heir, clock) = (ServiceBox(), Heir(), Clock())
        box.register(clock)
        box.register(heir)
        box.crossFill()
        #expect(heir.clock === clock)
    }

    @Test("a generic class is a type of its own for each argument")
    func generic() {
        let box = ServiceBox()
        box.register(1, as: "content")
        for _ in 1...2 {
            let numbers = Holder<Int>()
            let texts = Holder<String>()
            #expect(box.fill(numbers).outcome(of: "content") == .filled)
            #expect(box.fill(texts).outcome(of: "content") == .typeMismatch)
            #expect(numbers.content == 1)
            #expect(texts.content == nil)
        }
        box.register("a", as: "content")
        for _ in 1...2 {
            let numbers = Holder<Int>()
            let texts = Holder<String>()
            box.fill(numbers)
            box.fill(texts)
            #expect(numbers.content == nil)
            #expect(texts.content == "a")
        }
    }

    @Test("slots lie right behind generic fields of any size")
    func genericLayouts() {
        let box = ServiceBox()
        box.register(1, as: "behind")
        for _ in 1...2 {
            let byte = Padded<Int8>(1)
            let text = Padded<String>("text")
            let tuple = Padded<(Int8, Double, Bool)>((1, 2, true))
            let empty = Padded<Void>(())
            box.fill(byte)
            box.fill(text)
            box.fill(tuple)
            box.fill(empty)
            #expect([byte.behind, text.behind, tuple.behind, empty.behind] == [1, 1, 1, 1])
        }
    }

    @Test("a class that inherits from a generic class is filled on both levels")
    func inheritsGeneric() {
        let box = ServiceBox()
        box.register("a", as: "content")
        box.register(2, as: "size")
        for _ in 1...2 {
            let shelf = Shelf()
            #expect(box.fill(shelf).isComplete)
            #expect(shelf.content == "a")
            #expect(shelf.size == 2)
        }
    }

    @Test("subclasses of Foundation's classes are filled behind their fields")
    func foreignSuperclass() {
        let box = ServiceBox()
        box.register(5, as: "level")
        for _ in 1...2 {
            let encoder = LeveledEncoder()
            let formatter = LeveledFormatter()
            let object = LeveledObject()
            let operation = LeveledOperation()
            #expect(box.fill(encoder).outcome(of: "level") == .filled)
            #expect(box.fill(formatter).outcome(of: "level") == .filled)
            #expect(box.fill(object).outcome(of: "level") == .filled)
            #expect(box.fill(operation).outcome(of: "level") == .filled)
            #expect([encoder.level, formatter.level, object.level, operation.level] == [5, 5, 5, 5])
        }
    }

    @Test("a main-actor class and its subclass are filled on the main actor")
    @MainActor func mainActorClasses() {
        let box = ServiceBox()
        box.register("Home", as: "title")
        box.register(3, as: "row")
        for _ in 1...2 {
            let screen = ListScreen()
            #expect(box.fill(screen).isComplete)
            #expect(screen.title == "Home")
            #expect(screen.row == 3)
        }
    }
}

private class Level1 {
    @Injected private var secret: Int?
    var secrets: [Int?] { [secret] }
}

private class Level2: Level1 {
    private let padding: Int8 = 2
    @Injected private var secret: Int?
    override var secrets: [Int?] { super.secrets + [secret] }
}

private class Level3: Level2 {
    @Injected private var secret: Int?
    private var padding: Any = "three"
    override var secrets: [Int?] { super.secrets + [secret] }
}

private class Level4: Level3 {
    @Injected private var secret: Int?
    override var secrets: [Int?] { super.secrets + [secret] }
}

private final class Level5: Level4 {
    private let padding = (true, 5.0)
    @Injected private var secret: Int?
    override var secrets: [Int?] { super.secrets + [secret] }
}

private class Holder<Content: Sendable> {
    @Injected var content: Content?
}

private final class Padded<Content> {
    let before: Content
    @Injected var behind: Int?

    init(_ content: Content) { before = content }
}

private final class Shelf: Holder<String> {
    let small: Int8 = 1
    @Injected var size: Int?
}

private final class LeveledEncoder: JSONEncoder, @unchecked Sendable {
    @Injected var level: Int?
}

private final class LeveledFormatter: NumberFormatter, @unchecked Sendable {
    @Injected var level: Int?
}

private final class LeveledObject: NSObject {
    @Injected var level: Int?
}

private final class LeveledOperation: Operation, @unchecked Sendable {
    let flag = true
    @Injected var level: Int?
}

@MainActor private class Screen {
    @Injected var title: String?
}

private final class ListScreen: Screen {
    @Injected var row: Int?
}
