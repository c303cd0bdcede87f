// Part of ServiceBox, released under the MIT License.
// What the environment says.

import Foundation

/// What differs from one place where the program runs to another.
struct Configuration: Sendable {
    var server = HTTPServer.Options()
    var database = ConnectionPool.Options()
    var users = Users([:])
    /// How long between two checks of the database.
    var checkInterval: Duration = .seconds(30)

    static let help = """
          BOOKMARKS_USERS          who may use it, as name:token,name:token; required
          BOOKMARKS_DATABASE       the database's file; bookmarks.sqlite
          BOOKMARKS_HOST           the IPv4 address to listen on; 127.0.0.1
          BOOKMARKS_PORT           the port, 0 for any that is free; 8080
          BOOKMARKS_BODY_LIMIT     the largest body of a request, in bytes; 4194304
          BOOKMARKS_PAGE_LIMIT     the largest database, in pages of 4096 bytes; none
          BOOKMARKS_READERS        how many requests read the database at the same time; 2
          BOOKMARKS_CHECK_SECONDS  how often the database is checked; 30
        """

    /// Reads the environment.
    ///
    /// - Parameter environment: The variables by their names.
    /// - Throws: `StartUpError` with everything that is wrong.
    init(environment: [String: String]) throws(StartUpError) {
        var reader = EnvironmentReader(environment)
        reader.text("HOST") { server.host = $0 }
        reader.number("PORT", in: 0...65_535) { server.port = $0 }
        reader.number("BODY_LIMIT", in: 1_024...(1 << 30)) { server.bodyLimit = $0 }
        reader.file("DATABASE") { database.path = $0 }
        reader.number("READERS", in: 1...64) { database.readerCount = $0 }
        reader.number("PAGE_LIMIT", in: 8...Int(Int32.max)) { database.pageLimit = $0 }
        reader.number("CHECK_SECONDS", in: 1...86_400) { checkInterval = .seconds($0) }
        reader.users("USERS") { users = $0 }
        try reader.end()
    }

    /// A configuration for a test, or for looking at the wiring.
    init(users: Users) { self.users = users }
}

/// Reads variables, and notes what is wrong with them.
private struct EnvironmentReader {
    private static let prefix = "BOOKMARKS_"

    private var rest: [String: String]
    private var problems: [String] = []

    init(_ environment: [String: String]) {
        rest = environment.filter { $0.key.hasPrefix(Self.prefix) }
    }

    private mutating func value(_ name: String) -> String? { rest.removeValue(forKey: Self.prefix + name) }

    mutating func text(_ name: String, _ use: (String) -> Void) {
        guard let value = value(name) else { return }
        if value.isEmpty { problems.append("\(Self.prefix)\(name) is empty.") } else { use(value) }
    }

    mutating func file(_ name: String, _ use: (String) -> Void) {
        var path: String?
        text(name) { path = $0 }
        // In memory each connection would have a database of its own; SQLite may take a URI, which can ask for that too.
        if let path, path == ":memory:" || path.lowercased().hasPrefix("file:") {
            problems.append("\(Self.prefix)\(name) has to be a file.")
        } else {
            path.map(use)
        }
    }

    mutating func number(_ name: String, in range: ClosedRange<Int>, _ use: (Int) -> Void) {
        guard let value = value(name) else { return }
        if let number = Int(value), range.contains(number) { return use(number) }
        problems.append(
            "\(Self.prefix)\(name) has to be a number from \(range.lowerBound) to \(range.upperBound), and is '\(value)'."
        )
    }

    mutating func users(_ name: String, _ use: (Users) -> Void) {
        guard let value = value(name), !value.isEmpty else {
            problems.append("\(Self.prefix)\(name) has to say who may use it, as ada:TOKEN,bob:TOKEN.")
            return
        }
        var users: [String: User] = [:]
        for (index, entry) in value.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
            let parts = entry.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            // What may be a token isn't printed: what a program prints is kept in many places.
            guard parts.count == 2, !parts[0].isEmpty else {
                problems.append(
                    "\(Self.prefix)\(name): entry \(index + 1) isn't a name and a token, as ada:TOKEN.")
                continue
            }
            let isVisible = parts[1].utf8.allSatisfy { (0x21...0x7E).contains($0) }
            guard isVisible, parts[1].utf8.count >= Users.shortestToken else {
                problems.append(
                    "\(Self.prefix)\(name): '\(parts[0])' needs a token of \(Users.shortestToken) letters and digits or more."
                )
                continue
            }
            if users.updateValue(User(name: parts[0]), forKey: parts[1]) != nil {
                problems.append("\(Self.prefix)\(name): '\(parts[0])' has somebody else's token.")
            }
        }
        use(Users(users))
    }

    func end() throws(StartUpError) {
        let unknown = rest.keys.sorted().map { "\($0) is unknown." }
        if !(problems + unknown).isEmpty { throw .configuration(problems + unknown) }
    }
}
