// Part of ServiceBox, released under the MIT License.
// What the fill of a new service says of a list of services.

import Foundation
import ServiceBoxKit
import Testing

private protocol Plugin: AnyObject, Sendable {}
private final class Spell: Plugin {}
private final class Gone: Sendable {}

/// Needs its host, which has it in a list, and something else.
private final class Mutual: Plugin, @unchecked Sendable {
    @Injected var host: Host
    @Injected var gone: Gone
}

private final class Host: FillObserving, @unchecked Sendable {
    @InjectedAll var plugins: [any Plugin]
    var report: FillReport?
    func didFill(by report: FillReport) { self.report = report }
}

@Suite("The report on a new service with a list")
struct MadeListReportTests {
    private let box = ServiceBox()

    private func report(_ lifetime: Lifetime = .lazy) throws -> FillReport {
        box.register(as: "host", lifetime: lifetime) { _ in Host() }
        let host: Host = try box["host"]
        return try #require(host.report)
    }

    @Test(
        "says what the list was filled with, whether the service is kept or not",
        arguments: [Lifetime.eager, .lazy, .weak, .transient])
    func filled(_ lifetime: Lifetime) throws {
        box.register(as: "spell") { _ in Spell() }
        #expect(
            try report(lifetime).description == """
                Host: 1 of 1 filled.
                  Host.plugins: filled with 'spell' (Spell)
                """)
    }

    @Test("says nothing of a service that couldn't be created elsewhere, if another thread has got it")
    func awaitedElsewhere() async throws {
        let (box, host) = (box, Host())
        let isFirst = Locked(true)
        let (isCreating, isPrepared) = (Gate(), Signal())
        box.register(host)
        box.crossFill()
        box.register(as: "first") { _ -> any Plugin in
            await Task.yield()
            return Spell()
        }
        box.register(as: ServiceKey<any Plugin>("second"), lifetime: .transient) { _ in
            if isFirst.withLock({ exchange(&$0, with: false) }) {
                isCreating.open()
                isPrepared.wait()
            }
            return Spell()
        }
        async let slow: Void = withCheckedContinuation { end in
            Thread {
                box.crossFill()
                end.resume()
            }.start()
        }
        await isCreating.pass()
        _ = try await box.prepare("first") as any Plugin
        _ = try box.resolve(Host.self)
        isPrepared.send()
        await slow
        #expect(host.plugins.count == 2)
        #expect(box.graph().edges.allSatisfy { $0.outcome != "failed" })
    }

    @Test("says what could not be made", arguments: [Lifetime.eager, .lazy, .weak, .transient])
    func broken(_ lifetime: Lifetime) throws {
        box.register(as: "broken") { _ -> Spell in throw Broken() }
        box.register(as: "spell") { _ in Spell() }
        let holes = try report(lifetime).holes
        #expect(holes.map(\.outcome) == [.failed])
        #expect(
            holes.first?.description.contains("'broken', one of its 2 services, could not be made") == true)
    }

    @Test("says that the factory has set the list")
    func set() throws {
        box.register(as: "spell") { _ in Spell() }
        box.register(as: "host") { _ in
            let host = Host()
            host.plugins = []
            return host
        }
        let host: Host = try box["host"]
        #expect(host.report?.outcome(of: "plugins") == .kept)
    }

    @Test("names every service that was removed again, as it lacks something")
    func withdrawn() throws {
        box.register(as: "first" as ServiceKey<Mutual>) { _ in Mutual() }
        box.register(as: "second" as ServiceKey<Mutual>) { _ in Mutual() }
        box.register(as: "broken") { _ -> Spell in throw Broken() }
        box.register(as: "spell") { _ in Spell() }
        let report = try report()
        let hole = try #require(report.holes.first?.description)
        #expect(hole.contains("'broken' and 'first' and 'second', 3 of its 4 services"), "\(hole)")
    }
}
