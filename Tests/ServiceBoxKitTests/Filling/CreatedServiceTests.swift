// Part of ServiceBox, released under the MIT License.
// Fills of a known type with services that the box has created, and may create anew.

import ServiceBoxKit
import Testing

private class Shape: @unchecked Sendable {}
private final class Circle: Shape, @unchecked Sendable {}
private struct Size: Sendable, Equatable { var width = 0 }

private final class Canvas {
    @Injected var shape: Shape?
    @Injected("shape") var other: Any?
    @WeakInjected("shape") var weakShape: Shape?
    @Injected var size: Size
    @Injected("size") var optionalSize: Size?

    var shapes: [AnyObject?] { [shape, other as AnyObject?, weakShape] }
}

private final class Painter: Injectable, @unchecked Sendable {
    @Injected var shape: Shape?

    init(_ box: ServiceBox) { fillWithDependencies(from: box) }
}

@Suite("An object of a known type")
struct CreatedServiceTests {
    private let box = ServiceBox()
    private let count = Counter()

    /// Fills until the box knows all about the type, and returns the last object.
    private func fill(times: Int = 4) -> Canvas {
        (1...times).map { _ in
            let canvas = Canvas()
            box.fill(canvas)
            return canvas
        }.last ?? Canvas()
    }

    private func register(_ lifetime: Lifetime = .lazy) {
        box.register(as: "shape", lifetime: lifetime) { _ in Circle() as Shape }
        box.register(as: "size", lifetime: lifetime) { [count] _ in Size(width: count.next()) }
    }

    @Test(
        "gets the same created service in each property, whatever that is declared as",
        arguments: [.lazy, .eager] as [Lifetime])
    func same(lifetime: Lifetime) throws {
        register(lifetime)
        let (first, second) = (fill(), fill())
        let shape = try box["shape"] as Shape
        for canvas in [first, second] {
            #expect(canvas.shapes.allSatisfy { $0 === shape })
            #expect(canvas.size.width == 1)
            #expect(canvas.optionalSize?.width == 1)
        }
    }

    @Test("gets the new service once the provider was reset; the others keep theirs")
    func reset() throws {
        register()
        let old = fill()
        let shape = old.shape
        try box.provider("shape" as ServiceKey<Shape>).reset()
        try box.provider("size" as ServiceKey<Size>).reset()
        let new = fill(times: 1)
        #expect(new.shapes.allSatisfy { $0 !== shape && $0 === new.shape })
        #expect(new.size.width == 2)
        #expect(new.optionalSize?.width == 2)
        #expect(old.shapes.allSatisfy { $0 === shape })
        box.fill(old)
        #expect(old.shapes.allSatisfy { $0 === new.shape })
    }

    @Test("is known to have what the box gave it, if that was created anew and it has filled itself")
    func filledByItself() throws {
        register()
        box.register { box in Painter(box) }
        for _ in 1...4 { _ = Painter(box) }
        try box.provider("shape" as ServiceKey<Shape>).reset()
        _ = try box["shape"] as Shape
        _ = try box.resolve(Painter.self)
        let report = box.crossFill().first { $0.serviceName == "painter" }
        #expect(report?.outcome(of: "shape") == .filled)
    }

    @Test("gets a transient service of its own for each property, and a weak one while somebody has it")
    func otherLifetimes() throws {
        register(.transient)
        let canvas = fill()
        #expect(canvas.shape !== canvas.other as AnyObject?)
        let weak = ServiceBox()
        weak.register(as: "shape", lifetime: .weak) { _ in Circle() as Shape }
        weak.register(as: "size") { _ in Size() }
        var shown: Canvas? = Canvas()
        for _ in 1...4 { shown.map { _ = weak.fill($0) } }
        weak let shape = shown?.shape
        #expect(shown?.other as AnyObject? === shape)
        shown = nil
        #expect(shape == nil)
    }

    @Test("gets the service of a decoration, and the later one if what it wraps was reset")
    func decorated() throws {
        register()
        box.decorate("size" as ServiceKey<Size>) { size, _ in Size(width: -size.width) }
        #expect(fill().size.width == -1)
        try box.provider("size" as ServiceKey<Size>).reset()
        #expect(fill(times: 1).size.width == -2)
    }
}
