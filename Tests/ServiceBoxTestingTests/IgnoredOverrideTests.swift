// Part of ServiceBox, released under the MIT License.
// Why an override was never used, in words.

import ServiceBoxKit
import ServiceBoxTesting
import Testing

private class WallClock: @unchecked Sendable {}
private final class FixedClock: WallClock, @unchecked Sendable {}
private protocol Plugin: Sendable {}
private final class Spelling: Plugin {}

private final class Alarm: @unchecked Sendable { @Injected var clock: WallClock? }
private final class Bell: @unchecked Sendable { @Injected("clock") var time: WallClock? }
private final class Shop: @unchecked Sendable { @Injected var alarm: Alarm? }
private final class Mall: @unchecked Sendable { @Injected var shop: Shop? }
private final class Editor: @unchecked Sendable { @InjectedAll var plugins: [any Plugin] }
private final class Screen { @Injected var clock: WallClock? }
private final class Sheet { @Injected var spelling: Spelling? }
private final class Watch { var clock: WallClock? = nil; @Injected var screen: Spelling? }
private final class Feed: @unchecked Sendable { @Injected var clock: String? }
private final class Timer: @unchecked Sendable { @Injected var clock: FixedClock? }

@Suite("The reason why an override was never used")
struct IgnoredOverrideTests {
    private let base = ServiceBox()

    /// The lines of a scope's error: those of its unused overrides, of a clock if it registers no others, and what to
    /// do.
    private func lines(
        _ operation: () throws -> Void = {},
        registering register: (ServiceBox) -> Void = { $0.register(FixedClock() as WallClock, as: "clock") }
    ) throws -> [String] {
        let error = #expect(throws: ServiceOverrideError.self) {
            try withOverrides(of: base, requiring: .everyOverrideIsUsed, register, operation: operation)
        }
        return try #require(error).description.split(separator: "\n").dropFirst().map(String.init)
    }

    @Test("is a ready-made service of the base, which was filled before")
    func readyMade() throws {
        base.register(WallClock(), as: "clock")
        base.register(Alarm(), as: "alarm")
        let lines = try lines { _ = try ServiceBox.default.resolve(Alarm.self) }
        #expect(
            lines == [
                "  Unused: 'clock' (WallClock); 'alarm' (Alarm) takes it, but is ready-made and was filled before",
                "To fix, register 'alarm' with a factory, or override it too.",
            ])
    }

    @Test("isn't a service of the base that has ended")
    func stopped() async throws {
        base.register(WallClock(), as: "clock")
        base.register(as: "alarm") { _ in Alarm() }
        let error = await #expect(throws: ServiceOverrideError.self) {
            try await withOverrides(of: base, requiring: .everyOverrideIsUsed) {
                $0.register(FixedClock() as WallClock, as: "clock")
            } operation: {
                _ = try base.resolve(Alarm.self)
                await base.stop()
            }
        }
        let text = try #require(error).description
        #expect(text.contains("'clock' (WallClock); nothing in the scope asked for it"))
    }

    @Test("is a property that keeps its own value")
    func keptValue() throws {
        base.register { _ in
            let bell = Bell()
            bell.time = WallClock()
            return bell
        }
        let lines = try lines { _ = try ServiceBox.default.resolve(Bell.self) }
        #expect(
            lines == [
                "  Unused: 'clock' (WallClock); Bell.time: kept what it held",
                "To fix, let the property that asks for an override take it.",
            ])
    }

    @Test("isn't that it failed in the list of a service")
    func failedElement() throws {
        base.register(as: "spelling") { _ in Spelling() }
        base.register(as: "editor") { _ in Editor() }
        let plugins = try withOverrides(of: base, requiring: .everyOverrideIsUsed) {
            $0.register(as: "spelling") { _ -> Spelling in throw CancellationError() }
        } operation: {
            try ServiceBox.default.resolve(Editor.self).plugins
        }
        #expect(plugins.isEmpty)
    }

    @Test("is the misspelled key of a decoration")
    func misspelledDecoration() throws {
        base.register(as: "clock") { _ in WallClock() }
        let lines = try lines {
            _ = try ServiceBox.default.resolve(WallClock.self)
        } registering: {
            $0.decorate("clok" as ServiceKey<WallClock>) { _, _ in FixedClock() }
        }
        #expect(
            lines == [
                "  Unused: 'clok' (WallClock); did you mean 'clock'?",
                "To fix, register an unused override under a name that is asked for, or drop it.",
            ])
    }

    @Test("is none for a decoration through whose key the scope gets the service")
    func usedDecoration() throws {
        base.register(as: "clock") { _ in WallClock() }
        try withOverrides(of: base, requiring: .everyOverrideIsUsed) {
            $0.decorate("clock" as ServiceKey<WallClock>) { _, _ in FixedClock() }
        } operation: {
            let clock: WallClock = try ServiceBox.default.resolve()
            #expect(clock is FixedClock)
        }
    }

    @Test("is that the base has started the service, and nobody else asked for it")
    func startedByBase() async throws {
        final class Heart: ServiceLifecycle {}
        base.register(Heart())
        try await base.start()
        let lines = try lines(registering: { $0.register(Heart()) })
        #expect(
            lines == [
                "  Unused: 'heart' (Heart); nothing in the scope asked for it; outside, the service of that name was started",
                "To fix, ask the scope's box for an override, or drop it.",
            ])
    }

    @Test("names at most three services that may have been meant")
    func manyMeant() throws {
        let names = ["a", "b", "c", "d", "e"]
        for name in names { base.register(WallClock(), as: ServiceKey(name)) }
        let lines = try lines {
            for name in names { _ = try ServiceBox.default.resolve(ServiceKey<WallClock>(name)) }
        } registering: {
            $0.register(WallClock())
        }
        #expect(lines.first == "  Unused: 'wallClock' (WallClock); did you mean 'a' or 'b' or 'c'?")
    }

    @Test("is none once the ready-made service has a factory, or is filled again in the scope")
    func fixes() throws {
        base.register(WallClock(), as: "clock")
        base.register(Alarm(), as: "alarm")
        try withOverrides(of: base, requiring: .everyOverrideIsUsed) {
            $0.register(FixedClock() as WallClock, as: "clock")
        } operation: {
            let alarm = try ServiceBox.default.resolve(Alarm.self)
            ServiceBox.default.fill(alarm)
            #expect(alarm.clock is FixedClock)
        }
        base.register(as: "alarm") { _ in Alarm() }
        try withOverrides(of: base, requiring: .everyOverrideIsUsed) {
            $0.register(FixedClock() as WallClock, as: "clock")
        } operation: {
            let alarm = try ServiceBox.default.resolve(Alarm.self)
            #expect(alarm.clock is FixedClock)
        }
    }

    @Test("is a ready-made service of the base, which has nothing for it, or a registered provider's")
    func filledByBase() throws {
        base.register(Alarm(), as: "alarm")
        base.register(provider: ServiceProvider { Bell() }, as: "bell")
        base.register(Feed(), as: "feed")
        let lines = try lines { _ = try ServiceBox.default.resolve(Bell.self) }
        #expect(
            lines == [
                "  Unused: 'clock' (WallClock); 'alarm' (Alarm) takes it, but is ready-made and is filled by the base "
                    + "alone; 'bell' (Bell) takes it, but comes from a registered provider and is filled by the base "
                    + "alone",
                "To fix, register 'alarm' and 'bell' with factories, or override them too.",
            ])
    }

    @Test("is a registered provider's service, which the base fills, although it did so before")
    func providedBefore() throws {
        base.register(WallClock(), as: "clock")
        base.register(provider: ServiceProvider { Bell() }, as: "bell")
        _ = try base.resolve(Bell.self)
        #expect(
            try lines().first
                == "  Unused: 'clock' (WallClock); 'bell' (Bell) takes it, but comes from a registered provider and "
                + "is filled by the base alone")
    }

    @Test("is a service that the base made, which one of its ready-made services has")
    func madeByBase() throws {
        base.register(WallClock(), as: "clock")
        base.register(as: "alarm") { _ in Alarm() }
        base.register(as: "shop") { _ in Shop() }
        base.register(Mall(), as: "mall")
        let lines = try lines { _ = try ServiceBox.default.resolve(Mall.self) }
        #expect(
            lines == [
                "  Unused: 'clock' (WallClock); 'alarm' (Alarm) takes it, but 'mall' (Mall), which is ready-made, has "
                    + "the base's",
                "To fix, register 'mall' with a factory, or override it too.",
            ])
    }

    @Test("has at most three services for each override")
    func many() throws {
        for name in ["a", "b", "c", "d", "e"] { base.register(Alarm(), as: ServiceKey(name)) }
        base.register(WallClock(), as: "clock")
        let lines = try lines { ServiceBox.default.fill(Sheet()) }
        #expect(
            lines == [
                "  Unused: 'clock' (WallClock); 'a' (Alarm) takes it, but is ready-made and was filled before; "
                    + "'b' (Alarm) takes it, but is ready-made and was filled before; "
                    + "'c' (Alarm) takes it, but is ready-made and was filled before; and 2 more",
                "To fix, register 'a' and 'b' and 'c' with factories, or override them too.",
            ])
    }

    @Test("is a property in the scope that can't take it")
    func refused() throws {
        let lines = try lines {
            ServiceBox.default.fill(Timer())
            ServiceBox.default.fill(Watch())
        } registering: {
            $0.register(WallClock(), as: "clock")
        }
        #expect(
            lines == [
                "  Unused: 'clock' (WallClock); Timer.clock: the service under that name is a WallClock, not a "
                    + "FixedClock; Watch.clock: 'clock' is registered, but a plain property can't be filled",
                "To fix, let the property that asks for an override take it.",
            ])
    }

    @Test("is a use of the base instead of the scope")
    func replacedOnly() throws {
        base.register(WallClock(), as: "clock")
        let expected = [
            "  Unused: 'clock' (WallClock); nothing in the scope asked for it; outside, the service of that name went into Screen.clock and was "
                + "looked up",
            "To fix, ask the scope's box for an override, or drop it.",
        ]
        let lines = try lines {
            base.fill(Screen())
            _ = try base.resolve(WallClock.self)
        }
        #expect(lines == expected)
    }

    @Test("is that it was removed, and the base's was used")
    func removed() throws {
        base.register(WallClock(), as: "clock")
        let lines = try lines {
            ServiceBox.default.remove("clock")
            ServiceBox.default.fill(Screen())
        }
        #expect(
            lines.first
                == "  Unused: 'clock' (WallClock); nothing in the scope asked for it; outside, the service of that name went into Screen.clock"
        )
    }

    @Test("is a slip in its name or that nothing asks for it, even if some property takes all that fits")
    func nearName() throws {
        base.register(as: "editor") { _ in Editor() }
        base.register(as: "spelling") { _ in Spelling() }
        let near = try lines(
            { ServiceBox.default.fill(Sheet()) }, registering: { $0.register(Spelling(), as: "speling") })
        #expect(
            near == [
                "  Unused: 'speling' (Spelling); did you mean 'spelling'?",
                "To fix, register an unused override under a name that is asked for, or drop it.",
            ])
        let unasked = try lines(registering: { $0.register(1, as: "number") })
        #expect(unasked.first == "  Unused: 'number' (Int); nothing asks for it")
    }

    @Test("is no slip in the name of another override, which a property can't take")
    func nearOverride() throws {
        let lines = try lines {
            ServiceBox.default.fill(Timer())
        } registering: {
            $0.register(WallClock(), as: "clock")
            $0.register(1, as: "clocks")
        }
        #expect(lines.contains { $0.hasSuffix("'clocks' (Int); nothing asks for it") }, "\(lines)")
    }

    @Test("is a missing key, if a service that it fits was used under another name")
    func missingKey() throws {
        base.register(as: ServiceKey<any Plugin>("checker")) { _ in Spelling() }
        base.register(as: "number") { _ in 1 }
        let operation = {
            _ = try ServiceBox.default.resolve("checker") as any Plugin
            _ = try ServiceBox.default.resolve("number") as Int
        }
        #expect(
            try lines(operation, registering: { $0.register(Spelling()) }).first
                == "  Unused: 'spelling' (Spelling); did you mean 'checker'?")
        #expect(
            try lines(operation, registering: { $0.register(Spelling(), as: "other") }).first
                == "  Unused: 'other' (Spelling); nothing asks for it")
        #expect(
            try lines(registering: { $0.register(Spelling()) }).first
                == "  Unused: 'spelling' (Spelling); nothing asks for it")
    }

    @Test("is a ready-made service that has taken all that fits, if it isn't a slip in the name")
    func collection() throws {
        base.register(Editor(), as: "editor")
        base.register(as: "spelling") { _ in Spelling() }
        #expect(
            try lines(registering: { $0.register(Spelling(), as: "spelling") }).first
                == "  Unused: 'spelling' (Spelling); 'editor' (Editor) takes it, but is ready-made and was filled before"
        )
        #expect(
            try lines(registering: { $0.register(Spelling(), as: "speling") }).first
                == "  Unused: 'speling' (Spelling); did you mean 'spelling'?")
    }
}
