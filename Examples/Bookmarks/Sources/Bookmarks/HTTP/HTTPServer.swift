// Part of ServiceBox, released under the MIT License.
// The HTTP server: libmicrohttpd reads and writes, tasks answer.

import CMicroHTTPD
import Foundation
import ServiceBoxKit
import Synchronization

/// What answers requests.
protocol HTTPResponder: Sendable {
    /// Answers a request; a task of its own calls it, which is cancelled when the server can't wait any longer.
    func respond(to request: HTTPRequest) async -> HTTPResponse
}

/// Serves HTTP/1.1 on one address.
///
/// A thread of libmicrohttpd reads requests and writes answers. Each request is answered by a task, while its connection
/// is suspended. One that has started lives until it is stopped. Thread-safe.
final class HTTPServer: ServiceLifecycle {
    struct Options: Sendable {
        var host = "127.0.0.1"
        var port = 8080
        /// The largest body of a request, in bytes.
        var bodyLimit = 4 << 20
        var connectionLimit: UInt32 = 1_000
        /// How long a connection may be silent.
        var idleSeconds: UInt32 = 30
    }

    private struct State {
        var daemon: Daemon?
        var isStopping = false
        /// Whether nothing is waited for any more but the tasks that answer.
        var isCancelled = false
        /// How many tasks answer, or are about to let libmicrohttpd go on.
        var answering = 0
        /// The requests that have come and whose answers haven't gone yet.
        var exchanges: [ObjectIdentifier: HTTPExchange] = [:]
        /// Who waits until there are none: whoever stops the server.
        var waiter: CheckedContinuation<Void, Never>?

        var isIdle: Bool { exchanges.isEmpty && answering == 0 }
    }

    /// How long requests may take that have come when the program is told to end.
    static let drainTime: Duration = .seconds(8)

    let options: Options
    private let responder: any HTTPResponder
    private let state: Mutex<State>

    init(_ options: Options, _ responder: any HTTPResponder) {
        self.options = options
        self.responder = responder
        state = Mutex(State())
    }

    /// The port, from the start of the server to its stop.
    var port: Int? { state.withLock { $0.daemon?.socket.port } }

    /// - Throws: `StartUpError` if nobody can listen on the address.
    func start() throws {
        let socket = try ListeningSocket(host: options.host, port: options.port)
        // The daemon's callbacks refer to the server.
        let context = Unmanaged.passRetained(self)
        let daemon = bookmarks_start_daemon(
            socket.descriptor, options.connectionLimit, options.idleSeconds, 32 << 10, handleRequest,
            completeRequest, context.toOpaque())
        guard let daemon else {
            let reason = errno
            context.release()
            // libmicrohttpd has closed the socket, unless it had no memory to begin with.
            throw StartUpError.cannotListen(options.host, options.port, reason)
        }
        state.withLock { [daemon = Daemon(pointer: daemon, socket: socket)] in $0.daemon = daemon }
    }

    /// Stops, cancels the tasks that still answer when a time is over, and gives up clients that haven't taken their
    /// answers when another one is.
    func stop(within limit: Duration, orGiveUpAfter patience: Duration = .seconds(30)) async {
        await withTaskGroup { group in
            group.addTask { await self.stop() }
            group.addTask { _ = try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
            let givingUp = Task {
                if (try? await Task.sleep(for: patience)) != nil { change { $0.exchanges = [:] } }
            }
            await group.waitForAll()
            givingUp.cancel()
        }
    }

    /// Takes no connection any more, and waits until every request that has come is answered.
    ///
    /// If the current task is cancelled, so are the tasks that answer, and requests that haven't come whole aren't waited
    /// for. Called again, it does nothing.
    func stop() async {
        let daemon = state.withLock { state in
            defer { (state.daemon, state.isStopping) = (nil, true) }
            return state.daemon
        }
        guard let daemon else { return }
        daemon.refuse()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if state.isIdle { return true }
                    state.waiter = continuation
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            let exchanges = state.withLock { state in
                state.isCancelled = true
                return state.exchanges
            }
            for exchange in exchanges.values where !exchange.cancel() { end(exchange) }
        }
        daemon.end()
        Unmanaged.passUnretained(self).release()
    }
}

/// What serves a socket on a thread of its own.
///
/// Safe to send: libmicrohttpd's functions for daemons may be called on any thread but the daemon's own.
private struct Daemon: @unchecked Sendable {
    let pointer: OpaquePointer
    let socket: ListeningSocket

    /// Takes no connection any more; on Linux the system refuses them, elsewhere they wait until the daemon ends.
    func refuse() {
        MHD_quiesce_daemon(pointer)
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
    }

    /// Ends its thread and its connections, none of which may be suspended or being resumed.
    func end() {
        MHD_stop_daemon(pointer)
        close(socket.descriptor)
    }
}

// MARK: - Requests

extension HTTPServer {
    /// Takes what has come of a request, on the daemon's thread.
    ///
    /// - Parameters:
    ///   - connection: Where it comes from.
    ///   - exchange: What is there of it; nil when only its headers have come.
    ///   - upload: A part of its body; nil at its end.
    ///   - readHead: Reads its first line and headers.
    /// - Returns: The request, and whether the connection may go on.
    fileprivate func take(
        from connection: OpaquePointer, _ exchange: HTTPExchange?, _ upload: UnsafeRawBufferPointer?,
        readHead: () -> HTTPRequest
    ) -> (HTTPExchange, isFine: Bool) {
        guard let exchange else { return begin(readHead(), on: connection) }
        if let upload { return (exchange, exchange.append(upload, limit: options.bodyLimit)) }
        if let response = exchange.response { return (exchange, send(response, on: connection)) }
        let isLate = state.withLock { state in
            if !state.isCancelled { state.answering += 1 }
            return state.isCancelled
        }
        if isLate { return (exchange, send(.failure(.cancelled), on: connection)) }
        // Suspended first, since the task may be done before this returns.
        MHD_suspend_connection(connection)
        let suspended = SuspendedConnection(connection)
        exchange.answer { [responder] request in
            await responder.respond(to: request)
        } then: { [self] in
            suspended.resume()
            // Not before: resuming uses the daemon until it returns.
            change { $0.answering -= 1 }
        }
        return (exchange, true)
    }

    private func begin(_ request: HTTPRequest, on connection: OpaquePointer) -> (HTTPExchange, isFine: Bool) {
        let exchange = HTTPExchange(request)
        let isStopping = state.withLock { state in
            state.exchanges[ObjectIdentifier(exchange)] = exchange
            return state.isStopping
        }
        if isStopping { exchange.refuse(.failure(.stopping)) }
        let length = request.headers["content-length"].map { Int($0) ?? -1 } ?? 0
        // A proxy may take another place for the end of such a request.
        if length < 0
            || request.headers["content-length"] != nil && request.headers["transfer-encoding"] != nil
        {
            exchange.refuse(.failure(.wrongBody("it isn't clear how long it is.")))
        }
        // A client that sends without waiting for `100 Continue` may see no answer before it has sent all.
        if length > options.bodyLimit, length > 5 * options.bodyLimit || request.headers["expect"] != nil {
            exchange.refuse(.failure(.tooLarge(limit: options.bodyLimit)))
        }
        // Answered now, the body isn't read and the connection ends.
        return (exchange, exchange.response.map { send($0, on: connection) } ?? true)
    }

    private func send(_ response: HTTPResponse, on connection: OpaquePointer) -> Bool {
        let answer = response.body.withUnsafeBytes { body in
            MHD_create_response_from_buffer(
                body.count, UnsafeMutableRawPointer(mutating: body.baseAddress), .RESPMEM_MUST_COPY)
        }
        guard let answer else { return false }
        defer { MHD_destroy_response(answer) }
        for (name, value) in response.headers { MHD_add_response_header(answer, name, value) }
        if state.withLock({ $0.isStopping }) { MHD_add_response_header(answer, "Connection", "close") }
        return MHD_queue_response(connection, UInt32(response.status.code), answer) == .YES
    }

    /// Forgets a request that is answered, or whose client has gone.
    fileprivate func end(_ exchange: HTTPExchange) {
        change { $0.exchanges[ObjectIdentifier(exchange)] = nil }
    }

    /// Changes what whoever stops the server waits for.
    private func change(_ body: (inout State) -> Void) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            body(&state)
            guard state.isIdle else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }
}

/// A connection that libmicrohttpd leaves alone until it is resumed, once.
///
/// Safe to send: the daemon keeps a suspended connection, and resuming is allowed on any thread.
private struct SuspendedConnection: @unchecked Sendable {
    private let connection: OpaquePointer

    init(_ connection: OpaquePointer) { self.connection = connection }

    func resume() { MHD_resume_connection(connection) }
}

// MARK: - What libmicrohttpd calls

/// Called for the head of a request, each part of its body, and its end.
private let handleRequest: MHD_AccessHandlerCallback = {
    context, connection, path, method, _, upload, uploadSize, exchangePointer in
    guard let context, let connection, let path, let method, let uploadSize, let exchangePointer else {
        return .NO
    }
    let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
    let known = exchangePointer.pointee.map {
        Unmanaged<HTTPExchange>.fromOpaque($0).takeUnretainedValue()
    }
    let part = uploadSize.pointee > 0 ? UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee) : nil
    let (exchange, isFine) = server.take(from: connection, known, part) {
        HTTPRequest(
            method: String(cString: method), path: originForm(String(cString: path)),
            query: values(of: connection, .GET_ARGUMENT_KIND),
            headers: values(of: connection, .HEADER_KIND))
    }
    uploadSize.pointee = 0
    // Released when the request is over.
    if known == nil { exchangePointer.pointee = Unmanaged.passRetained(exchange).toOpaque() }
    return isFine ? .YES : .NO
}

/// Called when the answer has gone, or the client.
private let completeRequest: MHD_RequestCompletedCallback = { context, _, exchangePointer, _ in
    guard let context, let exchangePointer, let pointer = exchangePointer.pointee else { return }
    exchangePointer.pointee = nil
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeRetainedValue()
    Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue().end(exchange)
}

/// The path of a target that begins with an address, as proxies send it.
private func originForm(_ target: String) -> String {
    if target.hasPrefix("/") { return target }
    guard let scheme = target.range(of: "^https?://[^/]*", options: [.regularExpression, .caseInsensitive])
    else {
        return target
    }
    return "/" + target[scheme.upperBound...].drop { $0 == "/" }
}

/// The headers of a request by their names in lower case, or its arguments.
private func values(of connection: OpaquePointer, _ kind: MHD_ValueKind) -> [String: String] {
    var values: [String: String] = [:]
    withUnsafeMutablePointer(to: &values) { values in
        _ = MHD_get_connection_values(
            connection, kind,
            { context, kind, name, value in
                guard let values = context?.assumingMemoryBound(to: [String: String].self), let name else {
                    return .NO
                }
                let isHeader = kind == .HEADER_KIND
                let key = isHeader ? String(cString: name).lowercased() : String(cString: name)
                let text = value.map { String(cString: $0) } ?? ""
                // A header that comes twice is a list.
                let earlier = isHeader ? values.pointee[key] : nil
                values.pointee[key] = earlier.map { "\($0), \(text)" } ?? text
                return .YES
            }, values)
    }
    return values
}
