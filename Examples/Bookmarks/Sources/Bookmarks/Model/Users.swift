// Part of ServiceBox, released under the MIT License.
// Who may use the server.

import Foundation

/// The users by the tokens that they send.
struct Users: Sendable {
    static let shortestToken = 16

    private let users: [(token: [UInt8], user: User)]

    init(_ users: [String: User]) {
        self.users = users.map { (Array($0.key.utf8), $0.value) }
    }

    /// The user that a request comes from.
    ///
    /// Tokens are compared to their ends, so that the time an answer takes says no more of them than how long they are.
    ///
    /// - Parameter authorization: The header of that name.
    /// - Returns: The user.
    /// - Throws: `RequestFailure` if it names nobody.
    func user(_ authorization: String?) throws(RequestFailure) -> User {
        let words = authorization?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bearer" else { throw .unauthorized }
        let sent = Array(words[1].utf8)
        var found: User?
        for (token, user) in users where token.count == sent.count {
            if zip(token, sent).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0 { found = user }
        }
        guard let found else { throw .unauthorized }
        return found
    }
}
