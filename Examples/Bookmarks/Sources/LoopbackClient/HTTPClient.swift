// Part of ServiceBox, released under the MIT License.
// A client that the tests and the load have in common.

package import Foundation

/// A connection to a server on this machine, which stays open from request to request.
///
/// It blocks its thread; used by one thread at a time. What a test wants to be malformed it sends as it is given.
package final class HTTPClient {
    /// An answer.
    package struct Answer: Sendable {
        package let status: Int
        /// The headers by their names in lower case.
        package let headers: [String: String]
        package let body: Data

        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// The connection, or the address, isn't there.
    package struct Gone: Error {}

    private let descriptor: Int32
    private var received = Data()

    /// Connects to a port of this machine.
    ///
    /// - Throws: `Gone` if nobody listens there.
    package init(port: Int) throws {
        #if os(Linux)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // What throws with every property set is deinitialized, which closes.
        if code != 0 { throw Gone() }
    }

    deinit { close(descriptor) }

    /// Sends a request, and waits for its answer.
    ///
    /// - Throws: `Gone` if the connection ends before.
    package func send(
        _ method: String, _ target: String, token: String? = nil, _ headers: [String: String] = [:],
        type: String? = nil, body: Data? = nil
    ) throws -> Answer {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        if let token { text += "Authorization: Bearer \(token)\r\n" }
        if let type { text += "Content-Type: \(type)\r\n" }
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if let body { text += "Content-Length: \(body.count)\r\n" }
        var data = Data((text + "\r\n").utf8)
        if let body { data += body }
        try write(data)
        return try answer(isHead: method == "HEAD")
    }

    /// Sends bytes as they are.
    package func write(_ data: Data) throws {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Self.quietly)
            }
            if count <= 0 { throw Gone() }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits for an answer.
    package func answer(isHead: Bool = false) throws -> Answer {
        let end = Data("\r\n\r\n".utf8)
        while received.range(of: end) == nil { try receive() }
        guard let range = received.range(of: end) else { throw Gone() }
        let lines = String(decoding: received[..<range.lowerBound], as: UTF8.self)
            .components(separatedBy: "\r\n")
        received = received[range.upperBound...]
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.last.map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let count = isHead ? 0 : headers["content-length"].flatMap { Int($0) } ?? 0
        while received.count < count { try receive() }
        let body = Data(received.prefix(count))
        received = Data(received.dropFirst(count))
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return Answer(status: status, headers: headers, body: body)
    }

    private func receive() throws {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count <= 0 { throw Gone() }
        received += bytes.prefix(count)
    }

    /// Without a signal where the other end has gone.
    private static var quietly: Int32 {
        #if os(Linux)
        Int32(MSG_NOSIGNAL)
        #else
        0
        #endif
    }
}
