// Part of ServiceBox, released under the MIT License.
// The form of the cases that hints are tested with, and what they register and fill.

import ServiceBoxKit
import Testing

/// A service that is not found, and what the message may say of what was meant.
struct HintCase: CustomTestStringConvertible, Sendable {
    /// A message: whole, and on one line if it has such a form.
    struct Told {
        let text: String
        var line: String?
    }

    /// What is the case.
    let testDescription: String
    /// The hint as it follows a semicolon; nil if silence is better.
    let hint: String?
    /// Asks a box in vain.
    let ask: @Sendable (ServiceBox) -> Told?

    init(_ description: String, _ hint: String?, ask: @escaping @Sendable (ServiceBox) -> Told?) {
        testDescription = description
        self.hint = hint
        self.ask = ask
    }

    /// Fills a subject and tells of its first hole.
    static func fill<Subject>(_ subject: Subject, from box: ServiceBox) -> Told? {
        told(box.fill(subject))
    }

    /// Tells of the first hole in a report.
    static func told(_ report: FillReport?) -> Told? {
        (report?.holes.first).map { Told(text: $0.explanation, line: $0.description) }
    }

    /// Tells of the error of a look-up.
    static func told<Result>(_ body: () throws(ServiceBoxError) -> Result) -> Told? {
        do {
            _ = try body()
            return nil
        } catch {
            return Told(text: error.description)
        }
    }
}

// MARK: - Services and subjects

extension HintCase {
    class Cache: @unchecked Sendable {}
    final class DiskCache: Cache, @unchecked Sendable {}
    final class Clock: Sendable {}
    protocol Store: Sendable {}
    protocol Audited: Sendable {}
    final class FileStore: Store {}
    final class AuditedStore: Store, Audited {}
    struct ValueStore: Store {}
    struct Page: Sendable {}
    struct Boxed<Content: Sendable>: Sendable {}

    struct CacheFactory: ServiceFactory {
        let lifetime = Lifetime.lazy
        func makeService() -> Cache { Cache() }
    }
    struct PageFactory: ServiceParametersFactory {
        func makeService(_: Int) -> Page { Page() }
    }

    protocol Themed {}
    final class Brush: Themed, Sendable {}
    @MainActor final class Panel {
        nonisolated init() {}
    }

    /// Wants a service named `cache`.
    struct Wants<Service> {
        @Injected var cache: Service?
    }

    /// Wants a class instance named `cache` and does not keep it.
    struct WantsWeakly<Service: ExpressibleByNilLiteral> {
        @WeakInjected var cache: Service
    }

    /// Wants a service of some name.
    struct Asks<Service> {
        @Injected var other: Service?

        init(_ name: String) { _other = Injected(ServiceKey(name)) }
    }

    /// Wants two services, the first of which is there.
    struct WantsTwo<Service> {
        @Injected var cache: Service?
        @Injected var caches: Service?
    }

    final class Node: @unchecked Sendable {
        @Injected var parent: Node?
    }

    final class Listed: Injectable {
        var cache: Cache?
        static var injections: InjectionTable { ["cache": .keyPath(\Listed.cache)] }
    }

    struct Setting: Injectable {
        static var injections: InjectionTable {
            ["cache": .setter { (_: inout Setting, _: Cache) in }]
        }
    }
}

extension HintCase.Panel: @MainActor HintCase.Themed {}
