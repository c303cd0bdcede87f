// Part of ServiceBox, released under the MIT License.
// Services, and a module, whose shape doesn't matter to a test.

import ServiceBoxKit

/// A service without parts.
final class Clock: Sendable {}

/// A service that may be subclassed.
class Cache: @unchecked Sendable {}

final class DiskCache: Cache, @unchecked Sendable {}

/// An interface with two implementations.
protocol Store: Sendable {}

final class FileStore: Store {}

final class MemoryStore: Store {}

/// An interface that is implemented where a test needs it.
protocol Analytics: Sendable {}

/// A service that is a value, and may be created from parameters.
struct Page: Sendable, Equatable {
    var number = 0
    var title = ""
}

/// What a factory throws.
struct Broken: Error {}

/// Is registering for a while.
struct SlowModule: ServiceModule {
    let inside = Signal()
    let go = Signal()

    func register(in box: ServiceBox) {
        inside.send()
        go.wait()
        box.register(7, as: "seven")
    }
}

/// A module that does something, and fails.
struct InterruptedModule: ServiceModule {
    let body: @Sendable (ServiceBox) throws -> Void

    func register(in box: ServiceBox) throws {
        try body(box)
        throw Broken()
    }
}
