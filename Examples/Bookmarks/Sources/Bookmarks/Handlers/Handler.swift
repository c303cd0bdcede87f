// Part of ServiceBox, released under the MIT License.
// What answers one request.

import Foundation

/// Answers one request, for which it is created.
///
/// What it needs of the program and of the request are its injected properties.
protocol Handler {
    func respond(to request: RoutedRequest) async throws -> HTTPResponse
}

/// A request, and which bookmark its path names.
struct RoutedRequest: Sendable {
    let request: HTTPRequest
    var bookmarkID: Int64?

    /// The bookmark that the path names; routes without one don't ask.
    func requiredID() throws(RequestFailure) -> Int64 {
        guard let bookmarkID else { throw .unknownPath(request.path) }
        return bookmarkID
    }

    /// The content of a bookmark from the body.
    func content() throws -> Bookmark.Content {
        try require("application/json")
        do { return try JSON.decoder.decode(Bookmark.Content.self, from: request.body).checked() } catch {
            throw (error as? DecodingError).map(RequestFailure.init) ?? error
        }
    }

    /// Throws if the body has another type.
    func require(_ type: String) throws(RequestFailure) {
        let found = request.headers["content-type"]
        let bare = found?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        if bare != type { throw .wrongType(found, wanted: type) }
    }

    /// A text from the query.
    func text(_ name: String) throws(RequestFailure) -> String? {
        guard let text = request.query[name] else { return nil }
        if text.utf8.count > 200 {
            throw .wrongQuery(name, "\(text.prefix(20))…", wanted: "200 bytes long at most")
        }
        return text
    }

    /// A number from the query.
    func number<Number: FixedWidthInteger>(
        _ name: String, in range: ClosedRange<Number>
    ) throws(RequestFailure) -> Number? {
        guard let text = request.query[name] else { return nil }
        guard let number = Number(text), range.contains(number) else {
            throw .wrongQuery(name, text, wanted: "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

extension RequestFailure {
    /// What a client has to know of JSON that isn't what was expected.
    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, _): self = .wrongField(key.stringValue, "is missing")
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            let name = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
            self =
                name.isEmpty
                ? .wrongBody("it isn't an object.")
                : .wrongField(name.joined(separator: "."), "has another type than it has to")
        default: self = .wrongBody("it isn't JSON.")
        }
    }
}
