// Part of ServiceBox, released under the MIT License.
// The server over real sockets.

import Foundation
import LoopbackClient
import ServiceBoxKit
import Synchronization
import Testing

@testable import Bookmarks

@Suite("The server", .neverHanging)
struct ServerTests {
    private let folder: TemporaryFolder
    private var configuration = Configuration(users: .example)

    init() throws {
        folder = try TemporaryFolder()
        configuration.database.path = folder.path("bookmarks.sqlite")
        configuration.server.port = 0
        configuration.server.bodyLimit = 64 << 10
    }

    /// Runs the whole program in this process, with a client on a thread of its own.
    private func serving<Result: Sendable>(
        _ body: @escaping @Sendable (_ client: HTTPClient, _ port: Int) throws -> Result
    ) async throws -> Result {
        let box = try Application.makeBox(configuration)
        return try await withRunning(box) {
            let port = try #require(try box.resolve(HTTPServer.self).port)
            return try await onThread { try body(HTTPClient(port: port), port) }
        }
    }

    @Test("answers one request after the other on one connection")
    func requests() async throws {
        try await serving { client, _ in
            let token = Users.adasToken
            let added = try client.send(
                "POST", "/bookmarks", token: token, type: "application/json",
                body: Data(#"{"url":"http://a.example/","title":"A"}"#.utf8))
            #expect(added.status == 201)
            #expect(added.headers["location"] == "/bookmarks/1")
            let id = try #require(added.headers["x-request-id"])
            let listed = try client.send("GET", "/bookmarks?q=a.exam%70le&limit=5", token: token)
            #expect(try JSON.decoder.decode(BookmarkPage.self, from: listed.body).bookmarks.map(\.id) == [1])
            #expect(listed.headers["x-request-id"] != id)
            let head = try client.send("HEAD", "/bookmarks/1", token: token)
            #expect(head.status == 200)
            #expect(head.headers["content-length"].flatMap { Int($0) } ?? 0 > 0)
            #expect(try client.send("DELETE", "/bookmarks/1", token: token).status == 204)
            let health = try client.send("GET", "/health")
            #expect(health.status == 200)
            #expect(health.text == #"{"bookmarks":0,"state":"running"}"#)
            #expect(try client.send("GET", "/metrics").text.contains(#"{route="list",status="200"} 1"#))
        }
    }

    @Test("takes requests that come before the answers to earlier ones")
    func pipelined() async throws {
        try await serving { client, _ in
            let request = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
            try client.write(Data(String(repeating: request, count: 5).utf8))
            for _ in 1...5 { #expect(try client.answer().status == 200) }
        }
    }

    @Test("takes a body in chunks")
    func chunked() async throws {
        try await serving { client, _ in
            let head = """
                POST /bookmarks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(Users.adasToken)\r
                Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n
                """
            try client.write(Data(head.utf8))
            for part in [#"{"url":"#, #""http://a.example/"}"#] {
                try client.write(Data("\(String(part.utf8.count, radix: 16))\r\n\(part)\r\n".utf8))
            }
            try client.write(Data("0\r\n\r\n".utf8))
            #expect(try client.answer().status == 201)
        }
    }

    @Test(
        "answers what is no request, and goes on",
        arguments: ["NONSENSE\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET /health HTTP/1.1\r\nHost x\r\n\r\n"])
    func malformed(text: String) async throws {
        try await serving { client, port in
            try client.write(Data(text.utf8))
            // Without a word where the connection is closed.
            if let answer = try? client.answer() { #expect(answer.status == 400) }
            let health = try HTTPClient(port: port).send("GET", "/health")
            #expect(health.status == 200)
        }
    }

    @Test("refuses headers that are too large, and goes on")
    func largeHeaders() async throws {
        try await serving { client, port in
            let text =
                "GET /health HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "x", count: 64 << 10))\r\n\r\n"
            try? client.write(Data(text.utf8))
            if let answer = try? client.answer() { #expect(answer.status == 431 || answer.status == 413) }
            let health = try HTTPClient(port: port).send("GET", "/health")
            #expect(health.status == 200)
        }
    }

    @Test("refuses a body that is too large before it has come")
    func largeBody() async throws {
        try await serving { client, port in
            let head = """
                POST /bookmarks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(Users.adasToken)\r
                Content-Length: 1000000000\r\n\r\n
                """
            try client.write(Data(head.utf8))
            let answer = try client.answer()
            #expect(answer.status == 413)
            #expect(answer.text == #"{"error":"A body may have 65536 bytes at most."}"#)
            let health = try HTTPClient(port: port).send("GET", "/health")
            #expect(health.status == 200)
        }
    }

    @Test("says that a body was too large to a client that sends it all, and counts it", arguments: [1, 4])
    func tooLargeBody(times: Int) async throws {
        try await serving { client, port in
            let body = Data(count: times * (64 << 10) + 1)
            let answer = try client.send(
                "POST", "/bookmarks", token: Users.adasToken, type: "application/json", body: body)
            #expect(answer.status == 413)
            let metrics = try HTTPClient(port: port).send("GET", "/metrics").text
            #expect(metrics.contains(#"status="413"} 1"#))
        }
    }

    @Test(
        "refuses a request that a proxy may end elsewhere",
        arguments: [
            "Content-Length: 2\r\nContent-Length: 40", "Content-Length: 5\r\nTransfer-Encoding: chunked",
        ])
    func ambiguousLength(headers: String) async throws {
        try await serving { client, _ in
            let next = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
            try client.write(
                Data("POST /bookmarks HTTP/1.1\r\nHost: x\r\n\(headers)\r\n\r\n{}\(next)".utf8))
            #expect(try client.answer().status == 400)
            #expect(throws: HTTPClient.Gone.self) { try client.answer() }
        }
    }

    @Test(
        "takes a whole address as a target, and no target for another's beginning",
        arguments: [("http://x/health", 200), ("HTTP://x", 404), ("/health%00x", 404)])
    func targets(target: String, status: Int) async throws {
        try await serving { client, _ in
            let answer = try client.send("GET", target)
            #expect(answer.status == status)
        }
    }

    @Test("refuses a body in chunks that grows too large")
    func largeChunks() async throws {
        try await serving { client, _ in
            let head = """
                POST /bookmarks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(Users.adasToken)\r
                Transfer-Encoding: chunked\r\n\r\n
                """
            try client.write(Data(head.utf8))
            let chunk = "8000\r\n\(String(repeating: "x", count: 0x8000))\r\n"
            for _ in 1...4 { try client.write(Data(chunk.utf8)) }
            try client.write(Data("0\r\n\r\n".utf8))
            #expect(try client.answer().status == 413)
        }
    }

    @Test("forgets a client that goes before its request is whole")
    func gone() async throws {
        try await serving { client, port in
            for _ in 1...20 {
                let client = try HTTPClient(port: port)
                try client.write(
                    Data("POST /bookmarks HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc".utf8))
            }
            #expect(try client.send("GET", "/health").status == 200)
        }
    }

    @Test("says that another program has its port")
    func portInUse() async throws {
        let configuration = configuration
        let error = try await serving { [configuration] _, port in
            var other = configuration
            other.server.port = port
            let server = HTTPServer(other.server, Refusing())
            return #expect(throws: StartUpError.self) { try server.start() }?.line
                .replacingOccurrences(of: "\(port)", with: "PORT")
        }
        #expect(error == "can't listen on 127.0.0.1:PORT: another program does.")
    }

    private struct Refusing: HTTPResponder {
        func respond(to request: HTTPRequest) async -> HTTPResponse { .failure(.unexpected) }
    }
}

/// Answers when it is let, or cancelled.
private final class Waiting: HTTPResponder {
    private struct State {
        var isOpen = false
        var arrivals = 0
    }

    private let state = Mutex(State())

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        state.withLock { $0.arrivals += 1 }
        while !state.withLock({ $0.isOpen }), !Task.isCancelled { await Task.yield() }
        return HTTPResponse(status: Task.isCancelled ? .serviceUnavailable : .ok)
    }

    func open() { state.withLock { $0.isOpen = true } }

    func arrival() async { while state.withLock({ $0.arrivals }) == 0 { await Task.yield() } }
}

/// Answers with more than a connection holds.
private struct LargeAnswers: HTTPResponder {
    func respond(to request: HTTPRequest) async -> HTTPResponse {
        HTTPResponse(status: .ok, body: Data(count: request.method == "HEAD" ? 0 : 64 << 20))
    }
}

@Suite("A server that stops", .neverHanging)
struct StoppingServerTests {
    private let responder = Waiting()
    private let server: HTTPServer

    init() throws {
        var options = HTTPServer.Options()
        options.port = 0
        server = HTTPServer(options, responder)
        try server.start()
    }

    /// A request that is being answered.
    private func request() async throws -> Task<Int, any Error> {
        let port = try #require(server.port)
        let answer = Task { try await onThread { try HTTPClient(port: port).send("GET", "/").status } }
        await responder.arrival()
        return answer
    }

    /// A stop that has begun.
    private func stopping() async -> Task<Void, Never> {
        let stop = Task { await server.stop() }
        while server.port != nil { await Task.yield() }
        return stop
    }

    @Test("answers first what has come")
    func graceful() async throws {
        let answer = try await request()
        let stop = await stopping()
        responder.open()
        await stop.value
        #expect(try await answer.value == 200)
    }

    @Test("cancels what takes too long when it is cancelled itself, and answers all the same")
    func cancelled() async throws {
        let answer = try await request()
        let stop = await stopping()
        stop.cancel()
        await stop.value
        #expect(try await answer.value == 503)
    }

    @Test("gives requests a time")
    func limited() async throws {
        let answer = try await request()
        await server.stop(within: .milliseconds(1))
        #expect(try await answer.value == 503)
    }

    @Test("gives up who doesn't take the answer")
    func givenUp() async throws {
        var options = HTTPServer.Options()
        (options.port, options.idleSeconds) = (0, 0)
        let server = HTTPServer(options, LargeAnswers())
        try server.start()
        let port = try #require(server.port)
        let client = try HTTPClient(port: port)
        try client.write(Data("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        // A later one is answered, so the server has read the first.
        _ = try await onThread { try HTTPClient(port: port).send("HEAD", "/") }
        await server.stop(within: .milliseconds(1), orGiveUpAfter: .milliseconds(1))
        withExtendedLifetime(client) {}
    }

    @Test("refuses who comes afterwards")
    func refusing() async throws {
        let port = try #require(server.port)
        let answer = try await request()
        let stop = await stopping()
        #if os(Linux)
        // The socket is shut down right after the port is taken back.
        while (try? await onThread { _ = try HTTPClient(port: port) }) != nil {}
        #endif
        responder.open()
        await stop.value
        #expect(try await answer.value == 200)
        await #expect(throws: HTTPClient.Gone.self) { try await onThread { _ = try HTTPClient(port: port) } }
    }

    @Test("answers nothing that comes whole when it can't wait any more")
    func tooLate() async throws {
        let port = try #require(server.port)
        let client = try await onThread {
            let client = try HTTPClient(port: port)
            try client.write(Data("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nabc".utf8))
            return UncheckedBox(client)
        }
        let answer = try await request()
        let stop = await stopping()
        stop.cancel()
        try? await onThread { try client.client.write(Data("def".utf8)) }
        await stop.value
        #expect(try await answer.value == 503)
        // Refused, or cut off.
        if let late = try? await onThread({ try client.client.answer().status }) { #expect(late == 503) }
    }

    @Test("doesn't wait for requests that never come whole when it is cancelled")
    func incomplete() async throws {
        let port = try #require(server.port)
        let client = try await onThread {
            let client = try HTTPClient(port: port)
            try client.write(Data("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc".utf8))
            return UncheckedBox(client)
        }
        // One that comes later.
        let answer = try await request()
        responder.open()
        #expect(try await answer.value == 200)
        let stop = await stopping()
        stop.cancel()
        await stop.value
        withExtendedLifetime(client) {}
    }

    /// Keeps a client that nobody uses any more.
    private struct UncheckedBox: @unchecked Sendable {
        let client: HTTPClient

        init(_ client: HTTPClient) { self.client = client }
    }

    @Test("can be stopped twice, and when it hasn't started")
    func twice() async throws {
        await server.stop()
        await server.stop()
        await HTTPServer(HTTPServer.Options(), responder).stop()
    }
}
