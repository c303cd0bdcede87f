// Part of ServiceBox, released under the MIT License.
// What a server makes for each request, from a box and by hand.

import ServiceBoxKit

/// Who has sent a request.
struct User: Sendable {
    let number: Int
}

/// What a request is traced by.
struct Trace: Sendable {
    let number: Int
}

/// What all requests share.
final class Database: Sendable {}

/// What each request has one of.
final class Repository: @unchecked Sendable {
    @Injected var user: User
    @Injected var database: Database
}

/// What answers a request.
final class Handler: @unchecked Sendable {
    @Injected var repository: Repository
    @Injected var user: User
    @Injected var trace: Trace

    var answer: Int { repository.user.number &+ user.number &+ trace.number }
}

/// The same as a struct.
struct HandlerStruct: @unchecked Sendable {
    @Injected var repository: Repository
    @Injected var user: User
    @Injected var trace: Trace

    var answer: Int { repository.user.number &+ user.number &+ trace.number }
}

/// The repository as one writes it by hand.
private final class PlainRepository: Sendable {
    let user: User
    let database: Database

    init(_ user: User, _ database: Database) {
        self.user = user
        self.database = database
    }
}

/// The handler as one writes it by hand.
private final class PlainHandler: Sendable {
    let repository: PlainRepository
    let user: User
    let trace: Trace

    init(_ repository: PlainRepository, _ user: User, _ trace: Trace) {
        self.repository = repository
        self.user = user
        self.trace = trace
    }

    var answer: Int { repository.user.number &+ user.number &+ trace.number }
}

/// A server that answers requests.
struct Server {
    private let box = ServiceBox()
    private let connection: ServiceBox
    private let database = Database()

    init() {
        connection = box.makeChild(name: "tenant").makeChild(name: "connection")
        box.register(database)
        box.register(as: "repository", per: .box) { _ in Repository() }
        box.register(as: "handler", per: .box) { _ in Handler() }
        box.register(as: "handlerStruct", per: .box) { _ in HandlerStruct() }
    }

    private func makeRequest(_ number: Int, below box: ServiceBox) -> ServiceBox {
        let request = box.makeChild(name: "request")
        request.register(User(number: number), as: "user")
        request.register(Trace(number: number), as: "trace")
        return request
    }

    func answer(_ number: Int) throws -> Int {
        let handler: Handler = try makeRequest(number, below: box)["handler"]
        return handler.answer
    }

    /// The same in a box whose parent is a child, as that of a connection is.
    func answerThreeLevelsDown(_ number: Int) throws -> Int {
        let handler: Handler = try makeRequest(number, below: connection)["handler"]
        return handler.answer
    }

    func answerByStruct(_ number: Int) throws -> Int {
        let handler: HandlerStruct = try makeRequest(number, below: box)["handlerStruct"]
        return handler.answer
    }

    /// The same objects, their slots set without a box.
    func answerBySlots(_ number: Int) -> Int {
        let (user, trace) = (User(number: number), Trace(number: number))
        let (repository, handler) = (Repository(), Handler())
        (repository.user, repository.database) = (user, database)
        (handler.repository, handler.user, handler.trace) = (repository, user, trace)
        return handler.answer
    }

    /// The box of a request, before anything is created in it.
    func answerByBoxAlone(_ number: Int) -> Int {
        withExtendedLifetime(makeRequest(number, below: box)) { 3 &* number }
    }

    @inline(never)
    func answerByHand(_ number: Int) -> Int {
        let (user, trace) = (User(number: number), Trace(number: number))
        let repository = Opaque.value(PlainRepository(user, database))
        return Opaque.value(PlainHandler(repository, user, trace)).answer
    }
}

/// What all requests use by an interface.
protocol Tool: Sendable {
    func answer(_ number: Int) -> Int
}

private struct Hammer: Tool {
    func answer(_ number: Int) -> Int { 3 &* number }
}

/// What takes all tools.
private final class Workshop {
    @InjectedAll var tools: [any Tool]
}

/// A server with many services, whose requests each need one of them.
struct LargeServer {
    private let box = ServiceBox()

    init(_ count: Int) {
        for number in 0..<count { box.register(Service(number), as: ServiceKey("service\(number)")) }
        box.register(Hammer())
    }

    private func makeRequest(_ number: Int) -> ServiceBox {
        let request = box.makeChild(name: "request")
        request.register(User(number: number), as: "user")
        return request
    }

    func answerByInterface(_ number: Int) throws -> Int {
        try makeRequest(number).resolve((any Tool).self).answer(number)
    }

    func answerByList(_ number: Int) -> Int {
        let workshop = Workshop()
        makeRequest(number).fill(workshop)
        return workshop.tools.reduce(0) { $0 &+ $1.answer(number) }
    }
}
