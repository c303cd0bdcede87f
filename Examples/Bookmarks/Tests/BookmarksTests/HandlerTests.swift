// Part of ServiceBox, released under the MIT License.
// What requests are answered with, in memory.

import Foundation
import ServiceBoxKit
import ServiceBoxTesting
import Testing

@testable import Bookmarks

@Suite("A request")
struct HandlerTests {
    private let store = MemoryStore()
    private let log = MemoryLog()

    /// Answers requests with the program's own wiring, on a store in memory.
    private func answering<Result>(_ body: (RequestResponder) async throws -> Result) async throws -> Result {
        let app = try Application.makeBox(Configuration(users: .example))
        return try await withOverrides(of: app) { overrides in
            overrides.register(store, as: .store)
            overrides.register(log, as: .log)
        } operation: {
            // Nothing starts, but what belongs to the main actor has to be created there.
            _ = try await ServiceBox.default.prepare(StatusBoard.self)
            return try await body(try ServiceBox.default.resolve(RequestResponder.self))
        }
    }

    private func send(
        _ method: String, _ path: String, _ query: [String: String] = [:], token: String? = Users.adasToken,
        type: String? = "application/json", body: String = ""
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(method: method, path: path, query: query, body: Data(body.utf8))
        request.headers["authorization"] = token.map { "Bearer \($0)" }
        request.headers["content-type"] = type
        return try await answering { [request] in await $0.respond(to: request) }
    }

    private func error(_ response: HTTPResponse) throws -> String? {
        try JSONDecoder().decode([String: String].self, from: response.body)["error"]
    }

    @Test("adds a bookmark, and says where it is")
    func add() async throws {
        let response = try await send(
            "POST", "/bookmarks", body: #"{"url":" http://a.example/ ","tags":["Swift","swift",""]}"#)
        #expect(response.status == .created)
        #expect(response.headers.contains { $0 == ("Location", "/bookmarks/1") })
        let bookmark = try JSON.decoder.decode(Bookmark.self, from: response.body)
        let content = Bookmark.Content(url: "http://a.example/", title: "http://a.example/", tags: ["swift"])
        #expect(bookmark == Bookmark(id: 1, content, added: .example, changed: .example))
        #expect(log.lines.last?.note == "added 1")
        #expect(log.lines.last?.user == "ada")
        #expect(log.lines.last?.status == 201)
    }

    @Test("reads, changes and deletes the user's own bookmark alone")
    func one() async throws {
        let added = try await store.add(.example(1), for: .ada)
        let path = "/bookmarks/\(added.id)"
        #expect(try await send("GET", path).status == .ok)
        let body = #"{"url":"http://b.example/","title":"B"}"#
        #expect(try await send("GET", path, token: Users.bobsToken).status == .notFound)
        #expect(try await send("PUT", path, token: Users.bobsToken, body: body).status == .notFound)
        #expect(try await send("DELETE", path, token: Users.bobsToken).status == .notFound)
        #expect(try await send("PUT", path, body: body).status == .ok)
        #expect(try await store.bookmark(added.id, of: .ada).content.title == "B")
        #expect(try await send("DELETE", path).status == .noContent)
        #expect(try await send("GET", path).status == .notFound)
    }

    @Test("lists the latest first, in pages")
    func list() async throws {
        for number in 1...5 { _ = try await store.add(.example(number), for: .ada) }
        func page(_ query: [String: String]) async throws -> BookmarkPage {
            try JSON.decoder.decode(BookmarkPage.self, from: try await send("GET", "/bookmarks", query).body)
        }
        let first = try await page(["limit": "2"])
        #expect(first.bookmarks.map(\.id) == [5, 4])
        #expect(first.next == 4)
        let last = try await page(["limit": "3", "before": "4"])
        #expect(last.bookmarks.map(\.id) == [3, 2, 1])
        #expect(last.next == nil)
        #expect(try await page(["q": "PAGE 3"]).bookmarks.map(\.id) == [3])
    }

    @Test("imports what a browser has exported, and exports it again")
    func files() async throws {
        let file = """
            <!DOCTYPE NETSCAPE-Bookmark-file-1>
            <DL><p>
                <DT><H3>Folder</H3>
                <DL><p>
                    <DT><A HREF="http://a.example/?a=1&amp;b=2" ADD_DATE="1" TAGS="x,y">A &lt;1&gt;</A>
                    <DD>A note
                    <DT><A HREF="javascript:alert(1)">No page</A>
                    <dt><a href='http://b.example/'>B</a>
                </DL><p>
            </DL><p>
            """
        let response = try await send(
            "POST", "/bookmarks/import", type: "text/html; charset=utf-8", body: file)
        let outcome = try JSON.decoder.decode(ImportBookmarks.Outcome.self, from: response.body)
        #expect(outcome == ImportBookmarks.Outcome(added: 2, known: 0))
        let exported = try await send("GET", "/bookmarks/export")
        let contents = try BookmarkFile.read(exported.body)
        #expect(
            contents == [
                Bookmark.Content(url: "http://b.example/", title: "B"),
                Bookmark.Content(
                    url: "http://a.example/?a=1&b=2", title: "A <1>", note: "A note", tags: ["x", "y"]),
            ])
        let again = try await send(
            "POST", "/bookmarks/import", type: "text/html",
            body: String(decoding: exported.body, as: UTF8.self))
        #expect(
            try JSON.decoder.decode(ImportBookmarks.Outcome.self, from: again.body)
                == ImportBookmarks.Outcome(added: 0, known: 2))
    }

    @Test(
        "that can't be read says what is wrong with it",
        arguments: [
            ("", "The body can't be read: it isn't JSON."),
            ("[]", "The body can't be read: it isn't an object."),
            (#"{"title":"x"}"#, "'url' is missing."),
            (#"{"url":1}"#, "'url' has another type than it has to."),
            (
                #"{"url":"ftp://x.example/"}"#,
                "'url' has to be an address that begins with http:// or https://."
            ),
            (#"{"url":"http://"}"#, "'url' has to be an address that begins with http:// or https://."),
            (#"{"url":"http://a.example","tags":["a,b"]}"#, "'tags' may have no comma."),
            (#"{"url":"http://a.example","title":"\u0000"}"#, "'title' may have no null character."),
        ])
    func wrongBody(body: String, reason: String) async throws {
        let response = try await send("POST", "/bookmarks", body: body)
        #expect(response.status == .badRequest)
        #expect(try error(response) == reason)
    }

    @Test(
        "for what isn't there, or not like this, says so",
        arguments: [
            ("GET", "/", 404, "There is nothing at '/'."),
            ("GET", "/bookmarks/0", 404, "There is nothing at '/bookmarks/0'."),
            ("GET", "/bookmarks/7", 404, "You have no bookmark 7."),
            ("PATCH", "/bookmarks", 405, "'PATCH' doesn't work here; GET, POST does."),
            ("GET", "/bookmarks/import", 405, "'GET' doesn't work here; POST does."),
        ])
    func wrongTarget(method: String, path: String, status: Int, reason: String) async throws {
        let response = try await send(method, path)
        #expect(response.status.code == status)
        #expect(try error(response) == reason)
    }

    @Test(
        "with a wrong query says which part is wrong",
        arguments: [
            ("limit", "0", "'limit' has to be a number from 1 to 100, and is '0'."),
            ("limit", "x", "'limit' has to be a number from 1 to 100, and is 'x'."),
            (
                "q", String(repeating: "x", count: 201),
                "'q' has to be 200 bytes long at most, and is 'xxxxxxxxxxxxxxxxxxxx…'."
            ),
            ("before", "-1", "'before' has to be a number from 1 to 9223372036854775807, and is '-1'."),
        ])
    func wrongQuery(name: String, value: String, reason: String) async throws {
        let response = try await send("GET", "/bookmarks", [name: value])
        #expect(response.status == .badRequest)
        #expect(try error(response) == reason)
    }

    @Test(
        "of nobody is refused, but for those that are open",
        arguments: [nil, "", "ada", "ada-ada-ada-ada-adb"])
    func unauthorized(token: String?) async throws {
        for path in ["/bookmarks", "/bookmarks/1", "/bookmarks/export"] {
            let response = try await send("GET", path, token: token)
            #expect(response.status == .unauthorized)
            #expect(response.headers.contains { $0 == ("WWW-Authenticate", "Bearer") })
        }
        #expect(try await send("GET", "/metrics", token: token).status == .ok)
    }

    @Test("of another type says which type it has to be")
    func wrongType() async throws {
        let response = try await send("POST", "/bookmarks", type: "text/plain", body: "{}")
        #expect(response.status == .unsupportedMediaType)
        #expect(try error(response) == "The content type has to be 'application/json', and is 'text/plain'.")
    }

    @Test(
        "that the store can't do says what a client can do about it",
        arguments: [
            (StoreError.busy, 503), (.readOnly, 503), (.full, 507), (.failed("broken"), 500),
            (.duplicate(url: "http://a.example/"), 409),
        ])
    func storeFails(failure: StoreError, status: Int) async throws {
        await store.fail(with: failure)
        let response = try await send("GET", "/bookmarks")
        #expect(response.status.code == status)
        // What a client needn't know stands in the log.
        #expect(log.lines.last?.error == (status == 500 ? #"failed("broken")"# : nil))
    }

    @Test("is counted by its route and status")
    func counted() async throws {
        let request = HTTPRequest(method: "GET", path: "/health")
        try await answering { responder in
            _ = await responder.respond(to: request)
            _ = await responder.respond(to: HTTPRequest(method: "GET", path: "/nothing"))
            let metrics = try ServiceBox.default.resolve(Metrics.self).text
            #expect(metrics.contains(#"http_requests_total{route="none",status="404"} 1"#))
            // The status board has not started.
            #expect(metrics.contains(#"http_requests_total{route="health",status="503"} 1"#))
        }
    }

    @Test(
        "is wired by hand as by the box",
        arguments: [
            (Route.list, 200), (.add, 201), (.read, 200), (.change, 200), (.delete, 204), (.importFile, 200),
            (.exportFile, 200), (.health, 503), (.metrics, 200),
        ])
    func byHand(route: Route, status: Int) async throws {
        let added = try await store.add(.example(1), for: .ada)
        let wiring = HandWiring(store: store, statusBoard: StatusBoard(), metrics: Metrics())
        var context = RequestContext()
        context.user = .ada
        var request = HTTPRequest(method: "POST", path: "/")
        request.headers["content-type"] = route == .importFile ? "text/html" : "application/json"
        let file = BookmarkFile.write([added])
        request.body = route == .importFile ? file : Data(#"{"url":"http://a.example/"}"#.utf8)
        let routed = RoutedRequest(request: request, bookmarkID: added.id)
        // No handler lacks what it reads on its way to the end.
        #expect(try await wiring.answer(routed, by: route, in: context).status.code == status)
    }

    @Test("to import says which bookmark can't be kept")
    func wrongImport() async throws {
        let long = String(repeating: "x", count: 2_000)
        let file = """
            <!DOCTYPE NETSCAPE-Bookmark-file-1>
            <DT><A HREF="http://a.example/?a>b" TITLE='x'>A</A>
            <DT><A HREF="http://b.example/\(long)">B</A>
            """
        let response = try await send("POST", "/bookmarks/import", type: "text/html", body: file)
        #expect(response.status == .badRequest)
        #expect(
            try error(response) == """
                The body can't be read: bookmark 2, 'http://b.example/\(long.prefix(43))': 'url' may have 2000 bytes \
                at most.
                """)
        let first = try BookmarkFile.read(Data(file.split(separator: "\n").prefix(2).joined().utf8))
        #expect(first.map(\.url) == ["http://a.example/?a>b"])
        #expect(try await store.count() == 0)
    }
}
