// Part of ServiceBox, released under the MIT License.
// Tests of decorated services whose inside is replaced: by another session, or because it was reset.

import ServiceBoxKit
import Testing

/// What a decoration wraps, and what it makes of it.
private final class Letter: Sendable {
    let text: String
    /// Whether the wrapper keeps what is in it.
    let inner: Letter?

    init(_ text: String, around inner: Letter? = nil) {
        self.text = text
        self.inner = inner
    }
}

private struct NoPaper: Error {}

/// Two that need each other by their properties.
private final class Left: @unchecked Sendable {
    @Injected var right: Right
}

private final class Right: @unchecked Sendable {
    @Injected var left: Left
}

@Suite("A decorated service")
struct DecoratedReplacementTests {
    private let box = ServiceBox()
    private let count = Counter()

    private var letter: Letter { get throws { try box["letter"] } }

    private func decorate(_ box: ServiceBox, with word: String = "read") {
        box.decorate("letter" as ServiceKey<Letter>) { letter, _ in
            Letter("\(word) \(letter.text)", around: letter)
        }
    }

    @Test(
        "may be decorated in a child as the type that its parent has it registered as now",
        arguments: [true, false])
    func retyped(isAgain: Bool) throws {
        box.register(as: "store", per: .box) { _ in FileStore() }
        let (child, key) = (box.makeChild(), "store" as ServiceKey<any Store>)
        child.decorate("store" as ServiceKey<FileStore>) { store, _ in store }
        _ = try child.resolve("store" as ServiceKey<FileStore>)
        box.remove("store")
        if isAgain { box.register(as: "store", per: .box) { _ -> any Store in FileStore() } }
        child.decorate(key) { _, _ in MemoryStore() }
        if !isAgain { box.register(as: "store", per: .box) { _ -> any Store in FileStore() } }
        #expect(try child.resolve(key) is MemoryStore)
        #expect(try box.makeChild().resolve(key) is FileStore)
    }

    @Test("is that of the current session", arguments: [Lifetime.lazy, .eager])
    func session(_ lifetime: Lifetime) throws {
        let user = ServiceSessionMediator(UserSession(1))
        box.register(provider: ServiceProvider(InboxFactory(lifetime), mediator: user), as: "inbox")
        box.decorate("inbox" as ServiceKey<Inbox>) { inbox, _ in Inbox(number: 10 * inbox.number) }
        func number() throws -> Int { try box.resolve("inbox" as ServiceKey<Inbox>).number }
        #expect(try number() == 10)
        #expect(try number() == 10)
        user.update(UserSession(2))
        #expect(try number() == 20)
        user.update(UserSession(2, " with a token"))
        #expect(try number() == 20)
    }

    @Test("is that of the current session also while that of the session before is wrapped", .neverHanging)
    func sessionMeanwhile() throws {
        let user = ServiceSessionMediator(UserSession(1))
        let (isWrapping, goOn) = (Signal(), Signal())
        box.register(provider: ServiceProvider(InboxFactory(.lazy), mediator: user), as: "inbox")
        box.decorate("inbox" as ServiceKey<Inbox>) { inbox, _ in
            if inbox.number == 1 {
                isWrapping.send()
                goOn.wait()
            }
            return Inbox(number: 10 * inbox.number)
        }
        let numbers = Locked<[Int]>([])
        @Sendable func ask() {
            let number = try? box.resolve("inbox" as ServiceKey<Inbox>).number
            numbers.withLock { $0.append(number ?? 0) }
        }
        onThreads([
            ask,
            {
                isWrapping.wait()
                user.update(UserSession(2))
                ask()
                goOn.send()
            },
        ])
        ask()
        #expect(numbers.withLock { $0 } == [20, 10, 20])
    }

    @Test("wraps what a provider of your own creates after a reset, once")
    func provider() throws {
        let provider = ServiceProvider { [count] in Letter("letter \(count.next())") }
        box.register(provider: provider, as: "letter")
        decorate(box)
        decorate(box, with: "stamped")
        let first = try letter
        #expect(first.text == "stamped read letter 1")
        #expect(try letter === first)
        provider.reset()
        let second = try letter
        #expect(second.text == "stamped read letter 2")
        #expect(try letter === second)
    }

    @Test("is created again with what it wraps when it is reset", arguments: [Lifetime.lazy, .eager, .weak])
    func reset(_ lifetime: Lifetime) throws {
        box.register(as: "letter", lifetime: lifetime) { [count] _ in Letter("letter \(count.next())") }
        decorate(box)
        let first = try letter
        #expect(first.text == "read letter 1")
        try box.provider("letter" as ServiceKey<Letter>).reset()
        #expect(try letter.text == "read letter 2")
    }

    @Test("forgets the error of an eager service when it is reset")
    func error() throws {
        box.register(as: "letter", lifetime: .eager) { [count] _ in
            if count.next() == 1 { throw NoPaper() }
            return Letter("letter")
        }
        decorate(box)
        #expect(throws: ServiceBoxError.self) { try letter }
        #expect(throws: ServiceBoxError.self) { try letter }
        #expect(count.value == 1)
        try box.provider("letter" as ServiceKey<Letter>).reset()
        #expect(try letter.text == "read letter")
    }

    @Test("keeps its own error while what it wraps is the same")
    func ownError() throws {
        box.register(as: "letter", lifetime: .eager) { _ in Letter("letter") }
        box.decorate("letter" as ServiceKey<Letter>) { [count] _, _ in
            count.next()
            throw NoPaper()
        }
        #expect(throws: ServiceBoxError.self) { try letter }
        #expect(throws: ServiceBoxError.self) { try letter }
        #expect(count.value == 1)
    }

    @Test(
        "of a child wraps what its parent creates after a reset, and leaves that alone when it is reset itself"
    )
    func family() throws {
        box.register(as: "letter") { [count] _ in Letter("letter \(count.next())") }
        let child = box.makeChild(name: "child")
        decorate(child)
        let key = "letter" as ServiceKey<Letter>
        #expect(try child[key].text == "read letter 1")
        try box.provider(key).reset()
        #expect(try child[key].text == "read letter 2")
        try child.provider(key).reset()
        #expect(try child[key].text == "read letter 2")
    }

    @Test("is kept though what it wraps is gone, and nobody has that created again")
    func gone() throws {
        box.register(as: "letter", lifetime: .weak) { _ in Letter("letter") }
        box.decorate("letter" as ServiceKey<Letter>) { letter, _ in Letter("copy of the \(letter.text)") }
        let copy = try letter
        for _ in 1...2 { #expect(try letter === copy) }
        #expect(copy.text == "copy of the letter")
    }

    @Test("that must be awaited is awaited again after a reset")
    func awaited() async throws {
        let key = "letter" as ServiceKey<Letter>
        box.register(as: key) { [count] _ async in Letter("letter \(count.next())") }
        decorate(box)
        let first = try await box.prepare(key)
        #expect(first.text == "read letter 1")
        #expect(try await box.prepare(key) === first)
        try box.provider(key).reset()
        #expect(try await box.prepare(key).text == "read letter 2")
    }

    @Test(
        "may need another one that needs it by a property, whichever is asked for first",
        arguments: ["left", "right"], ["left", "right"])
    func circle(_ first: String, _ decorated: String) async throws {
        func register(in box: ServiceBox) {
            box.register { _ in Left() }
            box.register { _ in Right() }
            if decorated == "left" {
                box.decorate("left" as ServiceKey<Left>) { left, _ in
                    // What it requires is there.
                    _ = left.right
                    return left
                }
            } else {
                box.decorate("right" as ServiceKey<Right>) { right, _ in
                    _ = right.left
                    return right
                }
            }
        }
        register(in: box)
        if first == "left" { _ = try box.resolve(Left.self) } else { _ = try box.resolve(Right.self) }
        let (left, right) = (try box.resolve(Left.self), try box.resolve(Right.self))
        #expect(left.right === right && right.left === left)
        let other = ServiceBox()
        register(in: other)
        if first == "left" {
            #expect(try await other.prepare(Left.self).right.left.right === other.resolve(Right.self))
        } else {
            #expect(try await other.prepare(Right.self).left.right.left === other.resolve(Left.self))
        }
    }

    @Test(
        "can't need another decorated one that needs it, since one of them would be wrapped before it is whole"
    )
    func knot() throws {
        box.register { _ in Left() }
        box.register { _ in Right() }
        box.decorate("left" as ServiceKey<Left>) { left, _ in left }
        box.decorate("right" as ServiceKey<Right>) { right, _ in right }
        let error = #expect(throws: ServiceBoxError.self) { try box.resolve(Left.self) }
        #expect(error?.root.code == .incomplete)
        #expect("\(try #require(error))".contains("since it is needed to make itself"))
    }

    @Test("may need another one that needs it by a property, also where a property asks for it first")
    func circleForProperty() throws {
        final class Screen: @unchecked Sendable {
            @Injected var left: Left?
            @InjectedAll var all: [Left]
        }
        box.register { _ in Left() }
        box.register { _ in Right() }
        box.register { _ in Screen() }
        box.decorate("left" as ServiceKey<Left>) { left, _ in
            _ = left.right
            return left
        }
        let screen: Screen = try box.resolve()
        #expect(try screen.left === box.resolve(Left.self))
        #expect(screen.all.count == 1)
    }

    @Test("isn't wrapped again by a reset that an observer has answered with an ask")
    func observedReset() throws {
        let key = "letter" as ServiceKey<Letter>
        box.register(as: key) { [count] _ in Letter("letter \(count.next())") }
        let wraps = Counter()
        box.decorate(key) { letter, _ in
            wraps.next()
            return Letter("read", around: letter)
        }
        _ = try letter
        let resets = Counter()
        let observation = box.observe { [box] event in
            guard event.kind == .reset else { return }
            resets.next()
            _ = try? box.resolve(key)
        }
        try box.provider(key).reset()
        observation.cancel()
        let second = try letter
        #expect(second.inner?.text == "letter 2")
        #expect(try letter === second)
        #expect(wraps.value == 2)
        #expect(resets.value == 1)
    }

    @Test("hands no error on to another that is created for each ask")
    func otherError() throws {
        let (key, other) = ("letter" as ServiceKey<Letter>, "other" as ServiceKey<Letter>)
        box.register(as: key) { _ -> Letter in throw NoPaper() }
        decorate(box)
        box.register(as: other, lifetime: .transient) { _ in Letter("other") }
        box.decorate(other) { letter, _ in letter }
        for _ in 0..<2 {
            #expect(throws: ServiceBoxError.self) { try box[key] }
            #expect(try box[other].text == "other")
        }
    }

    @Test("says through its provider whether it is created")
    func isMade() throws {
        box.register(as: "letter") { _ in Letter("letter") }
        decorate(box)
        let provider = try box.provider("letter" as ServiceKey<Letter>)
        #expect(!provider.isMade)
        let made = try provider.resolve()
        #expect(provider.isMade)
        #expect(try letter === made)
    }

    @Test("is gone at once when it is reset, and told of as such once", arguments: [true, false])
    func told(isInChild: Bool) throws {
        let (key, journal) = ("letter" as ServiceKey<Letter>, Journal())
        box.register(as: key) { _ in Letter("letter") }
        let decorated = isInChild ? box.makeChild() : box
        decorate(decorated)
        let observation = decorated.observe { event in
            if event.kind == .reset { journal.add(event.serviceName ?? "") }
        }
        let provider = try decorated.provider(key)
        _ = try provider.resolve()
        provider.reset()
        #expect(!provider.isMade)
        #expect(journal.all == ["letter"])
        withExtendedLifetime(observation) {}
    }

    @Test("has nothing in it created where it can't be wrapped")
    func elsewhere() {
        let key = "letter" as ServiceKey<Letter>
        box.register(as: key) { [count] _ in
            count.next()
            return Letter("letter")
        }
        box.decorate(key) { @MainActor letter, _ in letter }
        let error = onThread { [box] in box.failure(of: key) } ?? nil
        #expect(error?.code == .wrongIsolation)
        #expect(count.value == 0)
    }

    @Test("is tried again after an error that it keeps once another service is to be wrapped")
    func errorOfFormer() throws {
        let count = count
        let provider = ServiceProvider(.eager) { Letter("\(count.next())") }
        box.register(provider: provider, as: "letter")
        box.decorate("letter" as ServiceKey<Letter>) { letter, _ in
            if letter.text == "1" { throw NoPaper() }
            return Letter("read \(letter.text)")
        }
        #expect(throws: ServiceBoxError.self) { try letter }
        provider.reset()
        _ = try provider.resolve()
        #expect(try letter.text == "read 2")
    }

    @Test("is prepared as that of the current session")
    func preparedInSession() async throws {
        let user = ServiceSessionMediator(UserSession(1))
        box.register(provider: ServiceProvider(InboxFactory(.lazy), mediator: user), as: "inbox")
        box.decorate("inbox" as ServiceKey<Inbox>) { inbox, _ in Inbox(number: 10 * inbox.number) }
        #expect(try await box.prepare("inbox" as ServiceKey<Inbox>).number == 10)
        user.update(UserSession(2))
        #expect(try await box.prepare("inbox" as ServiceKey<Inbox>).number == 20)
    }

    @Test("has what is in it created once for each ask, also if that fails")
    func failsOnce() throws {
        let key = "letter" as ServiceKey<Letter>
        box.register(as: key) { [count] _ -> Letter in
            count.next()
            throw NoPaper()
        }
        decorate(box)
        for asks in 1...3 {
            #expect(throws: ServiceBoxError.self) { try box[key] }
            #expect(count.value == asks)
        }
    }

    @Test("is said to come from the module that registered what is in it")
    func module() throws {
        struct Post: ServiceModule {
            func register(in box: ServiceBox) { box.register(2, as: "letters") }
        }
        struct Doubling: ServiceModule {
            func register(in box: ServiceBox) {
                box.decorate("letters" as ServiceKey<Int>) { letters, _ in 2 * letters }
            }
        }
        try box.add(Post(), Doubling())
        #expect(box.description.contains("from Post") && !box.description.contains("from Doubling"))
        #expect(box.graph().nodes.compactMap(\.module).sorted() == ["Doubling", "Post"])
    }

    @Test("a child's own service is limited by its own decorations alone")
    func ownCount() throws {
        let page = ServiceKey<Page>("page")
        let child = box.makeChild()
        for box in [box, child] {
            box.register(Page(), as: page)
            for _ in 1...64 { box.decorate(page) { page, _ in Page(number: page.number + 1) } }
        }
        #expect(try child.resolve(page) == Page(number: 64))
    }
}
