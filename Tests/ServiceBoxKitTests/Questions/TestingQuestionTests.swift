// Part of ServiceBox, released under the MIT License.
// What users ask about their tests, answered by the box alone.

import ServiceBoxKit
import ServiceBoxTesting
import Testing

private final class Alarm: @unchecked Sendable { @Injected var clock: Clock }
private final class Room { @Injected var alarm: Alarm }

@Suite("Asked about tests, the box says")
struct TestingQuestionTests {
    @Test("whose box a test has, though others run in parallel", arguments: 1...8)
    func parallel(_ number: Int) async throws {
        try await withServiceBox(named: "test \(number)") { box in
            box.register(number, as: "number")
        } operation: {
            await Task.yield()
            #expect(
                "\(ServiceBox.default)" == """
                    ServiceBox 'test \(number)', 1 service
                      number  ready-made  Int
                    """)
            let detached = Task.detached {
                ServiceBox.default.failure(of: ServiceKey<Int>("number of \(number)"))
            }
            let error = await detached.value
            #expect(
                error?.description.hasPrefix(
                    """
                    Can't find an Int named 'number of \(number)': no service is registered under that name.
                      Box:        'default'
                    """) == true)
        }
    }

    @Test("why a mock was ignored")
    func ignoredMock() {
        let app = ServiceBox()
        app.register(Clock())
        app.register(Alarm())
        app.register(as: "store") { _ in FileStore() }
        app.crossFill()
        let error = #expect(throws: ServiceOverrideError.self) {
            try withOverrides(of: app, named: "the test", requiring: .everyOverrideIsUsed) { overrides in
                overrides.register(Clock())
                overrides.register(MemoryStore(), as: "stroe")
            } operation: {
                ServiceBox.default.fill(Room())
                _ = try ServiceBox.default.resolve("store") as FileStore
            }
        }
        #expect(
            error?.description == """
                Can't accept what 'the test' did with its services: 2 overrides were never used.
                  Unused: 'clock' (Clock); 'alarm' (Alarm) takes it, but is ready-made and was filled before
                  Unused: 'stroe' (MemoryStore); did you mean 'store'?
                To fix, register 'alarm' with a factory, or override it too; register an unused override under \
                a name that is asked for, or drop it.
                """)
    }
}
