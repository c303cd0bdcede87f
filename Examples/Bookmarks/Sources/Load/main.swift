// Part of ServiceBox, released under the MIT License.
// The load: many requests, with the box and wired by hand, one after the other in turns.

import Foundation
import LoopbackClient
import Synchronization

/// What the arguments ask for.
struct LoadOptions {
    var requests = 20_000
    var connections = 8
    var rounds = 20
    var server: URL

    init(_ arguments: [String]) {
        // The server is built into the folder that this program is in.
        server = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "Bookmarks")
        let isShort = arguments.contains("--short")
        if isShort { (requests, rounds) = (2_000, 4) }
        if let unknown = arguments.first(where: { $0 != "--short" }) {
            fail("unknown option '\(unknown)'; usage: load [--short]")
        }
    }
}

/// The processes that were started.
let servers = Mutex<[ServerProcess]>([])

func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("load: \(reason)\n".utf8))
    for server in servers.withLock({ $0 }) where server.process.isRunning { server.end(SIGKILL) }
    try? FileManager.default.removeItem(at: folder)
    exit(1)
}

let options = LoadOptions(Array(CommandLine.arguments.dropFirst()))
let folder = FileManager.default.temporaryDirectory.appending(path: "bookmarks-load-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

// MARK: - One server

/// A server under load.
struct Subject {
    let name: String
    let process: ServerProcess
    let port: Int
    var perRequest: [Double] = []
    var memory: [Double] = []

    init(_ name: String, _ arguments: [String]) throws {
        self.name = name
        process = try start(arguments, database: "\(name).sqlite")
        guard let port = process.port else { fail("the server doesn't start: \(process.output)") }
        self.port = port
    }

    /// The processor seconds and the bytes of memory that the server has used.
    func usage() throws -> (cpu: Double, memory: Double) {
        let text = try HTTPClient(port: port).send("GET", "/metrics").text
        func value(_ name: String) -> Double {
            let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
            return line?.split(separator: " ").last.flatMap { Double($0) } ?? .nan
        }
        return (value("process_cpu_seconds_total"), value("process_resident_memory_bytes"))
    }
}

let token = "load-load-load-load"

func start(_ arguments: [String], database: String) throws -> ServerProcess {
    let server = try ServerProcess(
        options.server, arguments,
        [
            "BOOKMARKS_USERS": "load:\(token)", "BOOKMARKS_PORT": "0",
            "BOOKMARKS_DATABASE": folder.appending(path: database).path(percentEncoded: false),
        ])
    servers.withLock { $0.append(server) }
    return server
}

func content(_ number: Int) -> Data {
    Data(
        """
        {"url":"http://example.org/\(number)","title":"Page \(number)","tags":["load","n\(number % 7)"],\
        "note":"Something to find again, and again."}
        """.utf8)
}

/// Sends requests on several connections.
///
/// Of ten, two add a bookmark or change one, three list the latest, two read one, one searches, and two look at health
/// and at a page further on.
///
/// - Returns: How many had another answer than they had to have.
func send(_ count: Int, to port: Int, from first: Int) -> Int {
    let errors = Atomic(0)
    let done = DispatchGroup()
    for connection in 0..<options.connections {
        Thread.detachNewThread(in: done) {
            guard let client = try? HTTPClient(port: port) else {
                errors.add(count / options.connections, ordering: .relaxed)
                return
            }
            for index in 0..<(count / options.connections) {
                let number = first + index * options.connections + connection
                let isFine = (try? request(number, on: client)) ?? false
                if !isFine { errors.add(1, ordering: .relaxed) }
            }
        }
    }
    done.wait()
    return errors.load(ordering: .relaxed)
}

func request(_ number: Int, on client: HTTPClient) throws -> Bool {
    let list = "/bookmarks?limit=20"
    switch number % 10 {
    case 0:
        let answer = try client.send(
            "POST", "/bookmarks", token: token, type: "application/json", body: content(number))
        return answer.status == 201
    case 1:
        let answer = try client.send(
            "PUT", "/bookmarks/1", token: token, type: "application/json", body: content(-1))
        return answer.status == 200
    case 2, 3, 4: return try client.send("GET", list, token: token).status == 200
    case 5, 6: return try client.send("GET", "/bookmarks/1", token: token).status == 200
    case 7: return try client.send("GET", list + "&q=page%20\(number % 100)", token: token).status == 200
    case 8: return try client.send("GET", "/health").status == 200
    default: return try client.send("GET", list + "&before=30", token: token).status == 200
    }
}

extension Thread {
    static func detachNewThread(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
        group.enter()
        detachNewThread {
            body()
            group.leave()
        }
    }
}

// MARK: - The rounds

var subjects = [try Subject("box", []), try Subject("hand", ["--by-hand"])]
for subject in subjects {
    let client = try HTTPClient(port: subject.port)
    for number in 0..<50 {
        _ = try client.send(
            "POST", "/bookmarks", token: token, type: "application/json", body: content(-1 - number))
    }
    if send(options.requests / 10, to: subject.port, from: 10_000_000) > 0 { fail("the first requests fail") }
}

var errors = 0
// As many on each connection.
let perRound = options.requests / options.rounds / options.connections * options.connections
for round in 0..<options.rounds {
    // The one that begins changes from round to round.
    for index in round.isMultiple(of: 2) ? [0, 1] : [1, 0] {
        let before = try subjects[index].usage()
        errors += send(perRound, to: subjects[index].port, from: round * perRound)
        let after = try subjects[index].usage()
        subjects[index].perRequest.append((after.cpu - before.cpu) / Double(perRound))
        subjects[index].memory.append(after.memory)
    }
}

/// An amount of memory, which not every system tells.
func memory(_ bytes: Double?) -> String {
    guard let bytes, bytes.isFinite else { return "unknown" }
    return "\(Int(bytes / 1_024)) KiB"
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

for subject in subjects {
    let microseconds = (median(subject.perRequest) * 1e7).rounded() / 10
    let (first, last) = (memory(subject.memory.first), memory(subject.memory.last))
    print(
        "\(subject.name): \(microseconds) µs of processor time a request (median of \(options.rounds) rounds)"
    )
    print("  memory after the first round \(first), after the last \(last)")
}
let ratios = zip(subjects[0].perRequest, subjects[1].perRequest).map { $0 / $1 }
let ratio = (median(ratios) * 100).rounded() / 100
print("with the box / by hand: \(ratio), of \(ratios.map { ($0 * 100).rounded() / 100 })")
for subject in subjects where subject.process.end(SIGTERM) != 0 {
    fail("'\(subject.name)' doesn't stop well")
}
print("\(options.rounds * perRound * 2) requests on \(options.connections) connections, \(errors) errors")

// MARK: - Killed in the middle

let killed = try start([], database: "killed.sqlite")
guard let port = killed.port else { fail("the server doesn't start: \(killed.output)") }
let answered = Mutex<[Int]>([])
let done = DispatchGroup()
for connection in 0..<options.connections {
    Thread.detachNewThread(in: done) {
        guard let client = try? HTTPClient(port: port) else { return }
        for number in 0..<100_000 {
            let body = content(connection * 1_000_000 + number)
            guard
                let answer = try? client.send(
                    "POST", "/bookmarks", token: token, type: "application/json", body: body),
                answer.status == 201, let location = answer.headers["location"]
            else { return }
            answered.withLock { $0.append(Int(location.split(separator: "/").last ?? "") ?? 0) }
        }
    }
}
while answered.withLock({ $0.count }) < options.requests / 20 {
    if done.wait(timeout: .now() + .milliseconds(1)) == .success { fail("the writes fail: \(killed.output)") }
}
killed.end(SIGKILL)
done.wait()
let restarted = try start([], database: "killed.sqlite")
guard let port = restarted.port else { fail("the killed server doesn't start again: \(restarted.output)") }
let client = try HTTPClient(port: port)
let writes = answered.withLock { $0 }
let lost = try writes.filter { try client.send("GET", "/bookmarks/\($0)", token: token).status != 200 }
restarted.end(SIGTERM)
print("killed after \(writes.count) answered writes, restarted: \(lost.count) lost")

if errors > 0 || !lost.isEmpty { fail("there were errors") }
try? FileManager.default.removeItem(at: folder)
