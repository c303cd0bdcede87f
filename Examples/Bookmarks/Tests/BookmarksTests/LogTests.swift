// Part of ServiceBox, released under the MIT License.
// The log on a descriptor.

import Foundation
import Testing

@testable import Bookmarks

@Suite("The log", .neverHanging)
struct LogTests {
    @Test("keeps lines apart that don't fit into a pipe at once")
    func lines() async throws {
        let pipe = Pipe()
        let log = StandardErrorLog(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        // Read by a thread that waits for nobody: who writes keeps every other writer of the log waiting.
        let text = try await onThread {
            let writers = DispatchGroup()
            for letter in "ab" {
                writers.enter()
                Thread.detachNewThread {
                    var line = LogLine("request")
                    line.path = String(repeating: letter, count: 100_000)
                    for _ in 1...10 { log.write(line) }
                    writers.leave()
                }
            }
            writers.notify(queue: .global()) { try? pipe.fileHandleForWriting.close() }
            return try pipe.fileHandleForReading.readToEnd() ?? Data()
        }
        let lines = text.split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == 20)
        #expect(lines.allSatisfy { (try? JSONSerialization.jsonObject(with: $0)) != nil })
    }
}
