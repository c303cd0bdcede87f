// Part of ServiceBox, released under the MIT License.
// What is done for every request, whatever it asks for.

import ServiceBoxKit

/// Finds who asks for what, has it answered, counts it and writes its line.
struct RequestResponder: HTTPResponder {
    let users: Users
    let metrics: Metrics
    let log: any Log
    let wiring: any HandlerWiring

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        let start = ContinuousClock.now
        var context = RequestContext()
        var line = LogLine("request")
        var route: Route?
        var response: HTTPResponse
        do {
            if let failure = request.failure { throw failure }
            let (found, routed) = try Route.find(request)
            route = found
            if !found.isOpen { context.user = try users.user(request.headers["authorization"]) }
            response = try await wiring.answer(routed, by: found, in: context)
        } catch {
            let failure = Self.failure(error)
            response = .failure(failure)
            if failure.status == .internalServerError { line.error = "\(error)" }
        }
        response.headers.append(("X-Request-Id", context.log.id.description))
        let duration = ContinuousClock.now - start
        metrics.countRequest(route?.rawValue ?? "none", response.status, duration)
        line.request = context.log.id.description
        line.user = context.user?.name
        (line.method, line.path, line.status) = (request.method, request.path, response.status.code)
        line.milliseconds = ((duration / .microseconds(1)).rounded()) / 1_000
        line.note = context.log.text
        log.write(line)
        return response
    }

    /// What a client is told of an error.
    private static func failure(_ error: any Error) -> RequestFailure {
        switch error {
        case let failure as RequestFailure: failure
        case let error as StoreError: RequestFailure(error)
        case is CancellationError: .cancelled
        default: .unexpected
        }
    }
}
