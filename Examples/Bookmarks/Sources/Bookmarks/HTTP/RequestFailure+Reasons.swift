// Part of ServiceBox, released under the MIT License.
// The words for everything that a request may be refused for.

import Foundation

extension RequestFailure {
    static let stopping = Self(
        status: .serviceUnavailable, reason: "The server is stopping.", headers: ["Retry-After": "5"])
    static let unauthorized = Self(
        status: .unauthorized, reason: "Send 'Authorization: Bearer' with a token that the server knows.",
        headers: ["WWW-Authenticate": "Bearer"])
    static let unexpected = Self(
        status: .internalServerError, reason: "The server has made a mistake; its log says which.")
    static let cancelled = Self(
        status: .serviceUnavailable, reason: "The server had to stop before this was done.",
        headers: ["Retry-After": "5"])

    static func tooLarge(limit: Int) -> Self {
        Self(status: .contentTooLarge, reason: "A body may have \(limit) bytes at most.")
    }

    static func unknownPath(_ path: String) -> Self {
        Self(status: .notFound, reason: "There is nothing at '\(path)'.")
    }

    static func wrongMethod(_ method: String, allowed: [String]) -> Self {
        let list = allowed.joined(separator: ", ")
        return Self(
            status: .methodNotAllowed, reason: "'\(method)' doesn't work here; \(list) does.",
            headers: ["Allow": list])
    }

    static func wrongBody(_ reason: String) -> Self {
        Self(status: .badRequest, reason: "The body can't be read: \(reason)")
    }

    static func wrongType(_ type: String?, wanted: String) -> Self {
        let found = type.map { "'\($0)'" } ?? "nothing"
        return Self(
            status: .unsupportedMediaType, reason: "The content type has to be '\(wanted)', and is \(found).")
    }

    static func wrongQuery(_ name: String, _ value: String, wanted: String) -> Self {
        Self(status: .badRequest, reason: "'\(name)' has to be \(wanted), and is '\(value)'.")
    }

    static func wrongField(_ name: String, _ reason: String) -> Self {
        Self(status: .badRequest, reason: "'\(name)' \(reason).")
    }
}

extension RequestFailure {
    /// What an error of the store means to a client.
    init(_ error: StoreError) {
        switch error {
        case .notFound(let id): self.init(status: .notFound, reason: "You have no bookmark \(id).")
        case .duplicate(let url):
            self.init(status: .conflict, reason: "You have a bookmark of '\(url)' already.")
        case .busy:
            self.init(
                status: .serviceUnavailable, reason: "Another program uses the database; try again.",
                headers: ["Retry-After": "1"])
        case .readOnly:
            self.init(status: .serviceUnavailable, reason: "Bookmarks can be read now, and not be changed.")
        case .full: self.init(status: .insufficientStorage, reason: "There is no room for more bookmarks.")
        case .failed: self = .unexpected
        }
    }
}
