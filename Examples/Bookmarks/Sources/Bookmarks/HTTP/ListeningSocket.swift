// Part of ServiceBox, released under the MIT License.
// The socket that the server listens on.

import Foundation

/// A socket that listens on an address, or why there is none.
struct ListeningSocket {
    let descriptor: Int32
    /// The port, also where the system has chosen it.
    let port: Int

    /// - Parameters:
    ///   - host: An IPv4 address of this machine.
    ///   - port: A port, or 0 for one that the system chooses.
    /// - Throws: `StartUpError` if the address is none, or somebody else's.
    init(host: String, port: Int) throws(StartUpError) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { throw .badAddress(host) }
        let descriptor = socket(AF_INET, Self.streamType, 0)
        guard descriptor >= 0 else { throw .cannotListen(host, port, errno) }
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound, listen(descriptor, 512) == 0 else {
            let reason = errno
            close(descriptor)
            throw .cannotListen(host, port, reason)
        }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        self.descriptor = descriptor
        self.port = Int(in_port_t(bigEndian: address.sin_port))
    }

    private static var streamType: Int32 {
        #if os(Linux)
        Int32(SOCK_STREAM.rawValue)
        #else
        SOCK_STREAM
        #endif
    }
}
