// Part of ServiceBox, released under the MIT License.
// What the server answers.

import Foundation

/// An answer to a request.
struct HTTPResponse: Sendable {
    var status: HTTPStatus
    var headers: [(name: String, value: String)] = []
    var body = Data()

    /// An answer in JSON.
    static func json(_ value: some Encodable, _ status: HTTPStatus = .ok) throws -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("Content-Type", "application/json")],
            body: try JSON.encoder.encode(value))
    }

    /// An answer that says in JSON what was wrong.
    static func failure(_ failure: RequestFailure) -> HTTPResponse {
        struct Body: Encodable {
            let error: String
        }
        let response = try? json(Body(error: failure.reason), failure.status)
        var headers = response?.headers ?? []
        headers += failure.headers.map { ($0.key, $0.value) }
        return HTTPResponse(status: failure.status, headers: headers, body: response?.body ?? Data())
    }
}

/// The number that tells what became of a request.
struct HTTPStatus: Hashable, Sendable {
    let code: Int

    static let ok = Self(code: 200)
    static let created = Self(code: 201)
    static let noContent = Self(code: 204)
    static let badRequest = Self(code: 400)
    static let unauthorized = Self(code: 401)
    static let notFound = Self(code: 404)
    static let methodNotAllowed = Self(code: 405)
    static let conflict = Self(code: 409)
    static let contentTooLarge = Self(code: 413)
    static let unsupportedMediaType = Self(code: 415)
    static let internalServerError = Self(code: 500)
    static let serviceUnavailable = Self(code: 503)
    static let insufficientStorage = Self(code: 507)
}

/// Why a request isn't done as it was asked for.
struct RequestFailure: Error {
    let status: HTTPStatus
    /// What was wrong, for the client.
    let reason: String
    var headers: [String: String] = [:]
}
