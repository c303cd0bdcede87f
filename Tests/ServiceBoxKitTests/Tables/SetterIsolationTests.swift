// Part of ServiceBox, released under the MIT License.
// Tests of where setters run, and of what they may capture.

import ServiceBoxKit
import Testing

private final class Strokes {
    var count = 0
}

private final class Sign {
    var text: String?
}

private struct Label {
    var text: String?
}

@MainActor private final class Banner {
    @Injected var size: Int?
    var text: String?
}

extension Banner: @MainActor Injectable {
    static var injections: InjectionTable {
        ["text": .setter { (banner: Banner, text: String) in banner.text = text }]
    }
}

@MainActor private final class Flag {
    var text: String?
    nonisolated init() {}
}

extension Flag: Injectable {
    nonisolated static var injections: InjectionTable {
        ["text": .setter { @MainActor (flag: Flag, text: String) in flag.text = text }]
    }
}

@globalActor private actor Painter {
    static let shared = Painter()
}

@Painter private final class Canvas {
    var text: String?

    func filledText(from box: ServiceBox) -> String? {
        box.fill(self)
        return text
    }
}

extension Canvas: @Painter Injectable {
    static var injections: InjectionTable {
        ["text": .setter { (canvas: Canvas, text: String) in canvas.text = text }]
    }
}

/// Belongs to no actor, but for a line of its table.
private final class Mural: Injectable {
    static var injections: InjectionTable {
        ["text": .setter { @Painter (_: Mural, text: String) in texts.append(text) }]
    }

    @Painter static var texts: [String] = []

    @Painter static func fill(from box: ServiceBox) -> FillReport { box.fill(Mural()) }
}

private actor Teacher {
    var lessons = 0

    func teachAnywhere(_ box: ServiceBox) {
        box.teach(Sign.self, ["text": .setter { (sign: Sign, text: String) in sign.text = text }])
    }

    func teachOwn(_ box: ServiceBox) {
        box.teach(Sign.self, ["text": .setter { (_: Sign, _: String) in self.lessons += 1 }])
    }
}

/// More than fits into registers.
private struct Wide: Sendable, Equatable {
    var numbers = (1, 2.5, "three", [4], 5)
    static func == (left: Self, right: Self) -> Bool { left.numbers == right.numbers }
}

private struct Frame {
    var padding = (0, 0, 0, 0, 0)
    var wide: Wide?
    var any: (any Sendable)?
    var number: Int?
}

@Suite("Where setters run")
struct SetterIsolationTests {
    private let box = ServiceBox()

    init() { box.register("hello", as: "text") }

    @Test("one written on the main actor runs there only, and may use main-actor state")
    func mainActor() async {
        await MainActor.run {
            let strokes = Strokes()
            box.teach(
                Sign.self,
                [
                    "text": .setter { (sign: Sign, text: String) in
                        strokes.count += 1
                        sign.text = "\(text) \(strokes.count)"
                    }
                ])
            let sign = Sign()
            #expect(box.fill(sign).isComplete)
            #expect(sign.text == "hello 1")
        }
        let sign = Sign()
        #expect(box.fill(sign).outcomes == ["text": .wrongIsolation])
        #expect(sign.text == nil)
    }

    @Test("one of a main-actor conformance runs there, and a cross-fill elsewhere defers it")
    func mainActorConformance() async {
        let banner = Banner()
        box.register(banner, as: "banner")
        #expect(
            box.crossFill().report(on: Banner.self)?.holes.map(\.outcome).contains(.wrongIsolation) == true)
        #expect(await banner.text == nil)
        await MainActor.run {
            box.crossFill()
            #expect(banner.text == "hello")
        }
    }

    @Test("one that says @MainActor in a table of no actor runs on the main actor only")
    func explicitMainActor() async {
        let flag = Flag()
        #expect(box.fill(flag).outcomes == ["text": .wrongIsolation])
        await MainActor.run {
            #expect(box.fill(flag).isComplete)
            #expect(flag.text == "hello")
        }
    }

    @Test("one of another global actor runs there only")
    func otherGlobalActor() async {
        let canvas = Canvas()
        #expect(box.fill(canvas).holes.map(\.outcome) == [.wrongIsolation])
        #expect(await canvas.filledText(from: box) == "hello")
    }

    @Test("one that names another global actor in a table of no actor runs on that actor only")
    func explicitOtherGlobalActor() async {
        #expect(box.fill(Mural()).outcomes == ["text": .wrongIsolation])
        #expect(await Mural.texts.isEmpty)
        #expect(await Mural.fill(from: box).isComplete)
        #expect(await Mural.texts == ["hello"])
    }

    @Test("one written in an actor that doesn't use the actor may be taught, and runs anywhere")
    func writtenInActor() async {
        await Teacher().teachAnywhere(box)
        let sign = Sign()
        box.fill(sign)
        #expect(sign.text == "hello")
    }

    @Test("one that uses the actor it is written in can't be taught")
    func usingActor() async {
        await #expect(processExitsWith: .failure) { await Teacher().teachOwn(ServiceBox()) }
    }

    @Test("one of a struct on the main actor runs there only")
    func structure() async {
        await MainActor.run {
            box.teach(
                Label.self, ["text": .setter { (label: inout Label, text: String) in label.text = text }])
            var label = Label()
            box.fill(&label)
            #expect(label.text == "hello")
        }
        var label = Label()
        #expect(box.fill(&label).outcomes == ["text": .wrongIsolation])
        #expect(label.text == nil)
    }

    @Test("they get values of every size and kind, and their captures")
    func values() {
        let captured = ["a", "b"]
        box.register(Wide(), as: "wide")
        box.register(7, as: "number")
        box.teach(
            Frame.self,
            [
                "wide": .setter { (frame: inout Frame, wide: Wide) in
                    frame.wide = captured.count == 2 ? wide : nil
                },
                "text": .setter { (frame: inout Frame, text: any Sendable) in frame.any = text },
                "number": .setter { (frame: inout Frame, number: Int?) in frame.number = number },
            ])
        var frame = Frame()
        #expect(box.fill(&frame).isComplete)
        #expect(frame.wide == Wide())
        #expect(frame.any as? String == "hello")
        #expect(frame.number == 7)
    }

    @Test("the compiler lets one written on no actor capture Sendable values only")
    func captures() async throws {
        let source = """
            import ServiceBoxKit
            final class Counter { var count = 0 }
            final class Sign { var text: String? }
            func teach(_ box: ServiceBox, prefix: String) {
                let counter = Counter()
                box.teach(Sign.self, ["text": .setter { (sign: Sign, text: String) in sign.text = prefix + text }])
                box.teach(Sign.self, ["text": .setter { (_: Sign, _: String) in counter.count += 1 }])
            }
            """
        let library = try await StandaloneLibrary.shared.value
        let result = try await library.compile(source, flags: ["-typecheck"]).compiler
        let errors = result.errors.split(separator: "\n").filter { $0.contains(": error: ") }
        #expect(result.exitCode != 0)
        #expect(errors.count == 1)
        #expect(errors.first?.contains("main.swift:7:") == true)
        #expect(
            errors.first?.contains(
                "capture of 'counter' with non-Sendable type 'Counter' in a '@Sendable' closure") == true)
    }
}
