// Part of ServiceBox, released under the MIT License.
// Tests that nothing is said of types of the system's that have nothing to fill.

import Foundation
import ServiceBoxKit
import Synchronization
import Testing

@Suite("Types of the system")
struct SystemTypeTests {
    @Test("values and objects of system types are registered without a finding")
    func silent() {
        let box = ServiceBox()
        box.register(1, as: "integer")
        box.register("text", as: "text")
        box.register([1: "one"], as: "dictionary")
        box.register(Duration.seconds(1), as: "duration")
        box.register(ContinuousClock(), as: "clock")
        box.register(timespec(tv_sec: 1, tv_nsec: 2), as: "timespec")
        box.register(SIMD4<Float>(repeating: 1), as: "vector")
        box.register(URL(fileURLWithPath: "/"), as: "rootURL")
        box.register(Date(), as: "now")
        box.register(Data([1]), as: "data")
        box.register(Calendar.current, as: "currentCalendar")
        box.register(Locale.current, as: "currentLocale")
        box.register(UUID(), as: "identity")
        box.register(Decimal(1), as: "decimal")
        box.register(NSLock(), as: "lock")
        box.register(DispatchQueue(label: "queue"), as: "queue")
        box.register(ProcessInfo.processInfo, as: "process")
        box.register(MainActor.shared, as: "mainActor")
        box.register(Tally(), as: "counter")
        box.register(Priority.high, as: "priority")
        #expect(box.crossFill().isEmpty)
        #expect(box.audit().findings.filter { $0.kind != .unused }.isEmpty)
    }

    @Test("objects of subclasses of system classes are complete")
    func subclasses() {
        #expect(ServiceBox().fill(Job()).isComplete)
        #expect(ServiceBox().fill(Coder()).isComplete)
    }
}

private final class Tally: Sendable {
    let count = Mutex(0)
}

private enum Priority { case high }

private final class Job: Operation, @unchecked Sendable {}

private final class Coder: JSONEncoder, @unchecked Sendable {
    let more = 1
}
