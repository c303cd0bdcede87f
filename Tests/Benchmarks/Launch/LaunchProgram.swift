// Part of ServiceBox, released under the MIT License.
// The programs whose launch is measured: the same application with a box and by hand.

/// The source of a program that registers 400 services, fills 100 objects of 100 types, and prints what that took.
///
/// 200 services are there and 200 are created when they are first asked for. Each object has four properties. The
/// program prints the processor time of its thread, in microseconds: of registering, and of filling.
enum LaunchProgram: String, CaseIterable {
    case withBox
    case byHand

    static let typeCount = 100
    static let serviceCount = 400

    var source: String {
        let clock = """
            import Foundation
            \(self == .withBox ? "import ServiceBoxKit" : "import Synchronization")

            func processorTime() -> Double {
                var time = timespec()
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
                return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
            }
            """
        let run = """
            _ = NSLock()
            let start = processorTime()
            let box = \(self == .withBox ? "ServiceBox" : "Box")()
            register(in: box)
            let registered = processorTime()
            let sum = fill(from: box)
            let end = processorTime()
            print(registered - start, end - registered, sum)

            """
        return ([clock] + services + [byHandBox].compactMap(\.self) + screens + [registering, filling, run])
            .joined(separator: "\n")
    }

    /// What a program adds up, if all is filled.
    static var sum: Int { (0..<typeCount).map { $0 * 4 % serviceCount + 3 }.reduce(0, +) }

    private var services: [String] {
        (0..<Self.serviceCount).map {
            """
            final class Service\($0): Sendable {
                let number: Int
                init(_ number: Int) { self.number = number }
            }
            """
        }
    }

    private var screens: [String] {
        (0..<Self.typeCount).map { screen in
            let properties = Self.services(of: screen).map {
                "    \(self == .withBox ? "@Injected " : "")var service\($0): Service\($0)?"
            }
            return (["final class Screen\(screen) {"] + properties + ["}"]).joined(separator: "\n")
        }
    }

    private static func services(of screen: Int) -> [Int] { (0..<4).map { (screen * 4 + $0) % serviceCount } }

    /// A dictionary of closures and one of what they have created, each under a lock.
    private var byHandBox: String? {
        self == .withBox
            ? nil
            : """
            final class Box: Sendable {
                private let made = Mutex<[String: any Sendable]>([:])
                private let makers = Mutex<[String: @Sendable () -> any Sendable]>([:])

                func register(as name: String, _ make: @escaping @Sendable () -> any Sendable) {
                    makers.withLock { $0[name] = make }
                }

                func resolve<Service>(_ name: String) -> Service? {
                    if let known = made.withLock({ $0[name] }) { return known as? Service }
                    guard let make = makers.withLock({ $0[name] }) else { return nil }
                    let new = make()
                    made.withLock { $0[name] = new }
                    return new as? Service
                }
            }
            """
    }

    private var registering: String {
        let lines = (0..<Self.serviceCount).map { number in
            let (type, name) = ("Service\(number)(\(number))", "\"service\(number)\"")
            let isReady = number < Self.serviceCount / 2
            return switch (self, isReady) {
            case (.withBox, true): "    box.register(\(type), as: \(name))"
            case (.withBox, false): "    box.register(as: \(name)) { _ in \(type) }"
            case (.byHand, true): "    do { let service = \(type); box.register(as: \(name)) { service } }"
            case (.byHand, false): "    box.register(as: \(name)) { \(type) }"
            }
        }
        return function("register(in box: \(boxType))", lines)
    }

    private var filling: String {
        let lines = (0..<Self.typeCount).map { screen in
            let names = Self.services(of: screen).map { "service\($0)" }
            let fill =
                self == .withBox
                ? "box.fill(screen)"
                : names.map { "screen.\($0) = box.resolve(\"\($0)\")" }.joined(separator: "; ")
            return
                "    do { let screen = Screen\(screen)(); \(fill); sum += screen.\(names[3])?.number ?? 0 }"
        }
        return function("fill(from box: \(boxType)) -> Int", ["    var sum = 0"] + lines + ["    return sum"])
    }

    private var boxType: String { self == .withBox ? "ServiceBox" : "Box" }

    private func function(_ signature: String, _ lines: [String]) -> String {
        (["@inline(never) func \(signature) {"] + lines + ["}"]).joined(separator: "\n")
    }
}

/// The source of so many types with three conformances each, which a program contains and never uses.
enum ManyTypes {
    static let count = 20_000

    static var source: String {
        (["public protocol A {}", "public protocol B {}", "public protocol C {}"]
            + (0..<count).map { "public struct Many\($0): A, B, C {}" }).joined(separator: "\n")
    }
}
