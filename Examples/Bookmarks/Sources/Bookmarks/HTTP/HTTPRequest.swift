// Part of ServiceBox, released under the MIT License.
// A request, as the server has read it.

import Foundation

/// A request whose body has arrived.
struct HTTPRequest: Sendable {
    var method: String
    var path: String
    /// What stands behind the question mark, decoded.
    var query: [String: String] = [:]
    /// The headers by their names in lower case.
    var headers: [String: String] = [:]
    var body = Data()
    /// Why it can't be done, if that shows while it is read.
    var failure: RequestFailure?
}
