// Part of ServiceBox, released under the MIT License.
// The wiring of a box, compared with a file.

import Foundation
import ServiceBoxKit
import ServiceBoxTesting
import Testing

private final class Alarm {
    @Injected var clock: Clock?
    @Injected var sound: String?
}

/// A folder that goes when its test does.
private final class LockFolder {
    let url = FileManager.default.temporaryDirectory.appending(path: "ServiceBox-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file in the folder.
    subscript(name: String) -> String { url.appending(path: name).path }

    /// Writes a file.
    func write(_ text: String, as name: String = "Wiring.lock") throws {
        try Data(text.utf8).write(to: url.appending(path: name))
    }

    /// The text of a file.
    func text(_ name: String = "Wiring.lock") throws -> String {
        String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
    }

    /// The lock in the folder.
    func lock(environment: [String: String] = [:], tell: @escaping (String) -> Void = { _ in }) -> WiringLock
    {
        WiringLock("Wiring.lock", besides: self["Tests.swift"], environment: environment, tell: tell)
    }
}

@Suite("The file of a wiring")
struct WiringLockTests {
    private let folder: LockFolder

    init() throws { folder = try LockFolder() }

    private func error(_ wiring: String, in lock: WiringLock) throws -> WiringLockError {
        try #require(#expect(throws: WiringLockError.self) { try lock.check(wiring) })
    }

    @Test("stays as it is if RECORD_WIRING is anything but 1", arguments: ["0", "", "true"])
    func notRecorded(value: String) throws {
        try folder.write("A.b: 'b'\n")
        let lock = folder.lock(environment: ["RECORD_WIRING": value])
        #expect(throws: WiringLockError.self) { try lock.check("A.c: 'c'\n") }
        #expect(try folder.text() == "A.b: 'b'\n")
    }

    @Test("is written and reported if RECORD_WIRING is 1, and matches from then on")
    func recorded() throws {
        var told: [String] = []
        try folder.lock(environment: ["RECORD_WIRING": "1"], tell: { told.append($0) }).check("A.b: 'b'\n")
        #expect(told == ["Recorded the wiring in \(folder["Wiring.lock"])."])
        #expect(try folder.text() == "A.b: 'b'\n")
        for environment in [[:], ["RECORD_WIRING": "0"], ["RECORD_WIRING": ""]] {
            try folder.lock(environment: environment).check("A.b: 'b'\n")
            _ = try error("A.c: 'c'\n", in: folder.lock(environment: environment))
        }
    }

    @Test("is written over if RECORD_WIRING is 1, as often as the same test runs")
    func recordedAgain() throws {
        try folder.write("A.b: 'b'\n")
        for _ in 1...2 {
            try folder.lock(environment: ["RECORD_WIRING": "1"]).check("A.c: 'c'\n")
            #expect(try folder.text() == "A.c: 'c'\n")
        }
    }

    @Test("isn't written over with the wiring of another test")
    func recordedByAnother() throws {
        let lock = folder.lock(environment: ["RECORD_WIRING": "1"])
        try lock.check("A.b: 'b'\nA.c: 'c'\n")
        #expect(
            try error("A.b: 'b'\nA.d: 'd'\n", in: lock).description == """
                Can't record the wiring in the file of another: 1 line is gone, 1 line is new.
                  File: \(folder["Wiring.lock"])
                  - A.c: 'c'
                  + A.d: 'd'
                To fix, name a file for each test: matches: "Other.lock".
                """)
        #expect(try folder.text() == "A.b: 'b'\nA.c: 'c'\n")
    }

    @Test("may be empty, like the wiring of a box that fills nothing")
    func empty() throws {
        try folder.lock(environment: ["RECORD_WIRING": "1"]).check("")
        try folder.lock().check("")
    }

    @Test("may have any line endings")
    func lineEnds() throws {
        for text in ["A.b: 'b'\r\nA.c: 'c'\r\n", "A.b: 'b'\nA.c: 'c'"] {
            try folder.write(text)
            try folder.lock().check("A.b: 'b'\nA.c: 'c'\n")
        }
    }

    @Test("shows what is new and what is gone where it stands")
    func places() throws {
        try folder.write("A.d: 'd'\nA.x: 'x'\n")
        let error = try error("A.a: 'a'\nA.b: 'b'\nA.d: 'd'\nA.e: 'e'\n", in: folder.lock())
        let changes = error.description.split(separator: "\n").filter { $0.contains(": '") }
        #expect(changes == ["  + A.a: 'a'", "  + A.b: 'b'", "  - A.x: 'x'", "  + A.e: 'e'"])
    }

    @Test("is compared line by line, without the equal lines")
    func differs() throws {
        try folder.write("A.a: 'a'\nA.b: 'b', lazy\nA.c: 'c'\nA.x: 'x'\n")
        let error = try error("A.a: 'a'\nA.b: 'b', weak\nA.c: 'c'\nA.d: 'd'\nA.e: 'e'\n", in: folder.lock())
        #expect(error.file == folder["Wiring.lock"])
        #expect(
            error.description == """
                Can't match the wiring with what was recorded: 2 lines are gone, 3 lines are new.
                  File: \(folder["Wiring.lock"])
                  - A.b: 'b', lazy
                  + A.b: 'b', weak
                  - A.x: 'x'
                  + A.d: 'd'
                  + A.e: 'e'
                To fix, correct the wiring, or, if the change is intended, run the test with RECORD_WIRING=1 in the environment.
                """)
    }

    @Test(
        "is reported with the number of lines that it lacks or has too many",
        arguments: [
            ("A\n", "A\nB\n", "1 line is new", "+ B"), ("A\nB\n", "B\n", "1 line is gone", "- A"),
            ("", "A\n", "1 line is new", "+ A"), ("A\n", "", "1 line is gone", "- A"),
        ])
    func oneLine(recorded: String, wiring: String, count: String, change: String) throws {
        try folder.write(recorded)
        #expect(
            try error(wiring, in: folder.lock()).description == """
                Can't match the wiring with what was recorded: \(count).
                  File: \(folder["Wiring.lock"])
                  \(change)
                To fix, correct the wiring, or, if the change is intended, run the test with RECORD_WIRING=1 in the environment.
                """)
    }

    @Test("is shown in part if it differs much")
    func limit() throws {
        try folder.write((0..<50).map { "old \($0)\n" }.joined())
        let lines = try error("new\n", in: folder.lock()).description.split(separator: "\n")
        #expect(
            lines.first == "Can't match the wiring with what was recorded: 50 lines are gone, 1 line is new.")
        #expect(lines.count == 1 + 1 + 40 + 1 + 1)
        #expect(lines[lines.count - 2] == "  … and 11 more")
    }

    @Test("that is missing is a failure, which explains how to record it")
    func missing() throws {
        #expect(
            try error("", in: folder.lock()).description == """
                Can't match the wiring: none was recorded.
                  File: \(folder["Wiring.lock"])
                To fix, run the test with RECORD_WIRING=1 in the environment.
                """)
    }

    @Test("that can't be read or written is a failure too")
    func outOfReach() throws {
        try FileManager.default.createDirectory(
            atPath: folder["Wiring.lock"], withIntermediateDirectories: true)
        let unreadable = try error("", in: folder.lock()).description.split(separator: "\n")
        #expect(unreadable.first == "Can't match the wiring: what was recorded can't be read.")
        #expect(
            unreadable.last == """
                To fix, correct the file, or to write it again, run the test with RECORD_WIRING=1 in the environment.
                """)
        let recording = folder.lock(
            environment: ["RECORD_WIRING": "1"], tell: { Issue.record("It told: \($0)") })
        let unwritable = try error("", in: recording).description.split(separator: "\n")
        #expect(unwritable.count == 4)
        #expect(unwritable.first == "Can't record the wiring: its file can't be written.")
        #expect(unwritable[1] == "  File:  \(folder["Wiring.lock"])")
        #expect(unwritable[2].hasPrefix("  Error: "))
        #expect(
            unwritable.last == """
                To fix, record where the source folder is available, such as on the machine that built the test.
                """)
    }

    @Test("may be elsewhere, relative to the folder of the source file or to the root")
    func paths() throws {
        let record = ["RECORD_WIRING": "1"]
        let source = folder["Tests/File.swift"]
        try WiringLock("../Up.lock", besides: source, environment: record, tell: { _ in }).check("up\n")
        #expect(try folder.text("Up.lock") == "up\n")
        try WiringLock(
            folder["Root.lock"], besides: "/nowhere/Tests.swift", environment: record, tell: { _ in }
        )
        .check("root\n")
        #expect(try folder.text("Root.lock") == "root\n")
    }
}

@Suite(
    "Comparing a wiring in a test", .serviceBox { $0.register(Clock(), fileID: "App/Start.swift", line: 7) })
struct ExpectWiringTests {
    private let folder: LockFolder

    init() throws { folder = try LockFolder() }

    @Test("passes if it matches the file, in any test framework")
    func passes() throws {
        try folder.write(
            """
            Alarm.clock: 'clock', Clock, ready-made, App/Start.swift
            Alarm.sound: nothing for 'sound' (missing)

            """)
        expectWiring(.default, including: [Alarm()], filePath: folder["Tests.swift"])
        try requireWiring(.default, including: [Alarm()], filePath: folder["Tests.swift"])
        try folder.write("", as: "Other.lock")
        expectWiring(.default, matches: "Other.lock", filePath: folder["Tests.swift"])
        expectWiring(.default, matches: folder["Other.lock"])
    }

    @Test("records an issue at its call, with the text that the function for other frameworks throws")
    func fails() throws {
        try folder.write("Alarm.clock: 'clock', Clock, lazy, App/Start.swift\n")
        let error = try #require(
            #expect(throws: WiringLockError.self) {
                try requireWiring(.default, including: [Alarm()], filePath: folder["Tests.swift"])
            })
        #expect(
            error.description == """
                Can't match the wiring with what was recorded: 1 line is gone, 2 lines are new.
                  File: \(folder["Wiring.lock"])
                  - Alarm.clock: 'clock', Clock, lazy, App/Start.swift
                  + Alarm.clock: 'clock', Clock, ready-made, App/Start.swift
                  + Alarm.sound: nothing for 'sound' (missing)
                To fix, correct the wiring, or, if the change is intended, run the test with RECORD_WIRING=1 in the environment.
                """)
        withKnownIssue {
            expectWiring(
                .default, including: [Alarm()], fileID: "App/Tests.swift", filePath: folder["Tests.swift"],
                line: 5, column: 6)
        } matching: { issue in
            let place = issue.sourceLocation
            return issue.comments.map(\.rawValue) == [error.description] && place?.fileID == "App/Tests.swift"
                && place?.line == 5 && place?.column == 6
        }
    }
}
