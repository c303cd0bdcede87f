// Part of ServiceBox, released under the MIT License.
// What the environment says.

import Testing

@testable import Bookmarks

@Suite("The environment")
struct ConfigurationTests {
    @Test("says everything that differs from place to place")
    func all() throws {
        let configuration = try Configuration(environment: [
            "BOOKMARKS_USERS": "ada:0123456789abcdef\n, bob :a:b:c:d:e:f:g:h:i",
            "BOOKMARKS_HOST": "0.0.0.0", "BOOKMARKS_PORT": "80", "BOOKMARKS_DATABASE": "/tmp/x",
            "BOOKMARKS_BODY_LIMIT": "2048", "BOOKMARKS_READERS": "4", "BOOKMARKS_PAGE_LIMIT": "100",
            "BOOKMARKS_CHECK_SECONDS": "5", "PATH": "/bin",
        ])
        #expect(configuration.server.host == "0.0.0.0")
        #expect(configuration.server.port == 80)
        #expect(configuration.server.bodyLimit == 2_048)
        #expect(configuration.database.path == "/tmp/x")
        #expect(configuration.database.readerCount == 4)
        #expect(configuration.database.pageLimit == 100)
        #expect(configuration.checkInterval == .seconds(5))
        #expect(try configuration.users.user("Bearer 0123456789abcdef") == .ada)
        #expect(try configuration.users.user("bearer  0123456789abcdef ") == .ada)
        #expect(try configuration.users.user("Bearer a:b:c:d:e:f:g:h:i") == .bob)
    }

    @Test("is refused with everything that is wrong, and without tokens")
    func wrong() {
        let error = #expect(throws: StartUpError.self) {
            try Configuration(environment: [
                "BOOKMARKS_USERS":
                    "ada:secret, bob ,0123456789abcdef-secret,:0123456789abcdef,eva:0123456789 abcdef",
                "BOOKMARKS_PORT": "eighty", "BOOKMARKS_READERS": "0",
                "BOOKMARKS_DATABASE": "", "BOOKMARKS_PROT": "1",
            ])
        }
        #expect(
            error?.line == """
                the environment can't be used:
                  BOOKMARKS_PORT has to be a number from 0 to 65535, and is 'eighty'.
                  BOOKMARKS_DATABASE is empty.
                  BOOKMARKS_READERS has to be a number from 1 to 64, and is '0'.
                  BOOKMARKS_USERS: 'ada' needs a token of 16 letters and digits or more.
                  BOOKMARKS_USERS: entry 2 isn't a name and a token, as ada:TOKEN.
                  BOOKMARKS_USERS: entry 3 isn't a name and a token, as ada:TOKEN.
                  BOOKMARKS_USERS: entry 4 isn't a name and a token, as ada:TOKEN.
                  BOOKMARKS_USERS: 'eva' needs a token of 16 letters and digits or more.
                  BOOKMARKS_PROT is unknown.
                """)
    }

    @Test("names no database in memory", arguments: [":memory:", "file::memory:", "FILE:x?mode=memory"])
    func inMemory(path: String) {
        let error = #expect(throws: StartUpError.self) {
            try Configuration(environment: [
                "BOOKMARKS_USERS": "ada:\(Users.adasToken)", "BOOKMARKS_DATABASE": path,
            ])
        }
        #expect(error?.line.hasSuffix("\n  BOOKMARKS_DATABASE has to be a file.") == true)
    }

    @Test("may not give two users one token")
    func sameToken() {
        let error = #expect(throws: StartUpError.self) {
            try Configuration(environment: ["BOOKMARKS_USERS": "ada:0123456789abcdef,bob:0123456789abcdef"])
        }
        #expect(error?.line.contains("'bob' has somebody else's token.") == true)
    }
}

@Suite("The arguments")
struct CommandTests {
    @Test("ask for one thing")
    func all() throws {
        #expect(try Command(arguments: []) == .serve(isByHand: false))
        #expect(try Command(arguments: ["--by-hand"]) == .serve(isByHand: true))
        #expect(try Command(arguments: ["--audit"]) == .show(.audit))
        #expect(throws: StartUpError.self) { try Command(arguments: ["--adit"]) }
        #expect(throws: StartUpError.self) { try Command(arguments: ["--audit", "--graph"]) }
    }
}
