// Part of ServiceBox, released under the MIT License.
// The program as somebody runs it.

import Foundation
import LoopbackClient
import Testing

@testable import Bookmarks

@Suite("The program", .neverHanging)
struct ProgramTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var environment: [String: String] {
        [
            "BOOKMARKS_USERS": "ada:\(Users.adasToken)", "BOOKMARKS_PORT": "0",
            "BOOKMARKS_DATABASE": folder.path("bookmarks.sqlite"),
        ]
    }

    /// Starts the program, and has a closure use it on a thread of its own.
    private func running<Result: Sendable>(
        _ arguments: [String] = [], _ changes: [String: String] = [:],
        _ body: @escaping @Sendable (ServerProcess) throws -> Result
    ) async throws -> Result {
        let environment = environment.merging(changes) { $1 }
        return try await onThread { try body(ServerProcess(program, arguments, environment)) }
    }

    @Test("serves until it is told to end, with or without the box", arguments: [[], ["--by-hand"]])
    func serves(arguments: [String]) async throws {
        try await running(arguments) { server in
            let client = try HTTPClient(port: #require(server.port))
            let body = Data(#"{"url":"http://a.example/"}"#.utf8)
            let answer = try client.send(
                "POST", "/bookmarks", token: Users.adasToken, type: "application/json", body: body)
            #expect(answer.status == 201)
            #expect(server.end(SIGTERM) == 0)
        }
    }

    @Test("keeps what it has answered when it is killed")
    func killed() async throws {
        let location = try await running { server in
            let client = try HTTPClient(port: #require(server.port))
            let body = Data(#"{"url":"http://a.example/"}"#.utf8)
            let answer = try client.send(
                "POST", "/bookmarks", token: Users.adasToken, type: "application/json", body: body)
            server.end(SIGKILL)
            return try #require(answer.headers["location"])
        }
        let status = try await running { server in
            try HTTPClient(port: #require(server.port)).send("GET", location, token: Users.adasToken).status
        }
        #expect(status == 200)
    }

    @Test("answers what has come when it is told to end")
    func signalled() async throws {
        let path = folder.path("bookmarks.sqlite")
        try await running { server in
            let port = try #require(server.port)
            // Keeps the request waiting.
            let other = try SQLiteConnection(path, isReader: false)
            try other.run("BEGIN IMMEDIATE")
            let client = try HTTPClient(port: port)
            let body = #"{"url":"http://a.example/"}"#
            let head = """
                POST /bookmarks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(Users.adasToken)\r
                Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n
                """
            try client.write(Data((head + body).utf8))
            // One that comes later is answered, so the server has read the first.
            let health = try HTTPClient(port: port).send("GET", "/health")
            #expect(health.status == 200)
            kill(server.process.processIdentifier, SIGTERM)
            while server.process.isRunning, !server.output.contains(#""event":"stopping""#) { sched_yield() }
            try other.run("ROLLBACK")
            #expect(try client.answer().status == 201)
            server.process.waitUntilExit()
            #expect(server.process.terminationStatus == 0)
        }
    }

    @Test("ends with a line and a code when it can't start")
    func refused() async throws {
        let wrong = try await running([], ["BOOKMARKS_PORT": "http"]) { server in
            server.process.waitUntilExit()
            return (server.process.terminationStatus, server.output)
        }
        #expect(wrong.0 == 78)
        #expect(
            wrong.1 == """
                Bookmarks: the environment can't be used:
                  BOOKMARKS_PORT has to be a number from 0 to 65535, and is 'http'.

                """)
        let lost = try await running([], ["BOOKMARKS_DATABASE": "/nowhere/bookmarks.sqlite"]) { server in
            server.process.waitUntilExit()
            return (server.process.terminationStatus, server.output)
        }
        #expect(lost.0 == 74)
        #expect(
            lost.1
                == "Bookmarks: can't open the database '/nowhere/bookmarks.sqlite': "
                + "unable to open database file (SQLite 14).\n")
    }

    @Test("says in one line what the system has against it")
    func systemError() async throws {
        let (code, output) = try await running(["--graph"], ["TMPDIR": "/dev/null"]) { server in
            server.process.waitUntilExit()
            return (server.process.terminationStatus, server.output)
        }
        #expect(code == 70)
        #expect(output.hasPrefix("Bookmarks: "))
        #expect(output.split(separator: "\n").count == 1)
    }

    @Test(
        "says in one line that another program has its port, with or without the box",
        arguments: [[], ["--by-hand"]])
    func portInUse(arguments: [String]) async throws {
        let path = folder.path("other.sqlite")
        try await running { [environment] server in
            let port = try #require(server.port)
            let changes = ["BOOKMARKS_PORT": "\(port)", "BOOKMARKS_DATABASE": path]
            let other = try ServerProcess(program, arguments, environment.merging(changes) { $1 })
            other.process.waitUntilExit()
            #expect(other.process.terminationStatus == 69)
            #expect(other.output == "Bookmarks: can't listen on 127.0.0.1:\(port): another program does.\n")
        }
    }
}
