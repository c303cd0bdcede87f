// Part of ServiceBox, released under the MIT License.
// Graphs as text and as drawings.

import Foundation
import ServiceBoxKit
import Testing

private final class FileAnalytics: Analytics, @unchecked Sendable {
    @WeakInjected var storage: Storage?
}
private final class Storage: @unchecked Sendable {
    @Injected var analytics: (any Analytics)?
}
private final class Pair<First, Second>: Sendable {}

private final class Screen {
    @Injected var analytics: (any Analytics)?
    @Injected var pair: Pair<Int, [String: Int]>?
    @Injected("no|\"#<name>") var odd: Storage?
}

private struct GenericModule<Item>: ServiceModule {
    func register(in box: ServiceBox) { box.register(Clock()) }
}

@Suite("Drawings of graphs")
struct GraphDrawingTests {
    private let box = ServiceBox()

    init() {
        box.register(as: ServiceKey<any Analytics>("analytics")) { _ in FileAnalytics() }
        box.register(Storage(), as: "storage")
        box.register(Pair<Int, [String: Int]>(), as: "pair")
        box.fill(Screen())
    }

    @Test("the text has a line for each node and each property")
    func text() {
        #expect(
            box.graph().description == """
                Graph of a box: 3 services, 1 type, 5 properties, 1 hole.
                'analytics' (FileAnalytics as Analytics), lazy, filled 1st
                  storage ⇢ 'storage'
                'pair' (Pair<Int, Dictionary<String, Int>>), filled 3rd
                'storage' (Storage), filled 2nd
                  analytics → 'analytics'
                Screen, filled 4th
                  analytics → 'analytics'
                  pair → 'pair'
                  odd ✗ missing, wants 'no|"#<name>' (Storage?)
                """)
    }

    @Test("the Mermaid chart escapes its special characters")
    func mermaid() {
        #expect(
            box.graph().mermaid == """
                flowchart LR
                    n0["analytics<br/>FileAnalytics as Analytics<br/>lazy, filled 1st"]
                    n1["pair<br/>Pair#lt;Int, Dictionary#lt;String, Int#gt;#gt;<br/>filled 3rd"]
                    n2["storage<br/>Storage<br/>filled 2nd"]
                    n3(["Screen<br/>filled 4th"])
                    n0 -.->|"storage"| n2
                    n2 -->|"analytics"| n0
                    n3 -->|"analytics"| n0
                    n3 -->|"pair"| n1
                    h4["no 'no#124;#quot;#35;#lt;name#gt;'"]:::hole
                    n3 --x|"odd"| h4
                    classDef hole color:#b00,stroke:#b00,stroke-dasharray:3
                """)
    }

    @Test("the DOT graph escapes quotes and backslashes")
    func dot() {
        #expect(
            box.graph().dot == """
                digraph ServiceBox {
                    rankdir=LR;
                    node [shape=box, fontname="sans-serif"];
                    n0 [label="analytics\\nFileAnalytics as Analytics\\nlazy, filled 1st"];
                    n1 [label="pair\\nPair<Int, Dictionary<String, Int>>\\nfilled 3rd"];
                    n2 [label="storage\\nStorage\\nfilled 2nd"];
                    n3 [label="Screen\\nfilled 4th", style=rounded];
                    n0 -> n2 [label="storage", style=dashed];
                    n2 -> n0 [label="analytics"];
                    n3 -> n0 [label="analytics"];
                    n3 -> n1 [label="pair"];
                    h4 [label="no 'no|\\"#<name>'", shape=plaintext, fontcolor="#bb0000"];
                    n3 -> h4 [label="odd", color="#bb0000"];
                }
                """)
    }

    @Test("the drawings escape a character that has a mark on it too")
    func combined() {
        let box = ServiceBox()
        box.register(Clock(), as: "a\"\u{301}b")
        #expect(box.graph().dot.contains("[label=\"a\\\"\u{301}b\\nClock\"]"))
        #expect(box.graph().mermaid.contains("[\"a#quot;\u{301}b<br/>Clock\"]"))
    }

    @Test("the drawings keep each name on one line, whatever its characters")
    func names() {
        let box = ServiceBox()
        box.register(7, as: "a&b\nc`d\\e")
        #expect(
            box.graph().mermaid == """
                flowchart LR
                    n0["a#amp;b c#96;d\\e<br/>Int"]
                """)
        #expect(box.graph().dot.contains("n0 [label=\"a&amp;b c`d\\\\e\\nInt\"];"))
    }

    @Test("the drawings show the problem of a service that is registered")
    func misfits() {
        let box = ServiceBox()
        box.register(7, as: "analytics")
        box.register(as: ServiceKey<Pair<Int, [String: Int]>>("pair")) { _ in throw CancellationError() }
        box.fill(Screen())
        for text in [box.graph().mermaid, box.graph().dot] {
            #expect(text.contains("\"'analytics' is of another type\""))
            #expect(text.contains("\"'pair' could not be made\""))
        }
    }

    @Test("the drawings leave out a property that the box didn't fill")
    func kept() {
        let box = ServiceBox()
        let storage = Storage()
        storage.analytics = FileAnalytics()
        box.register(storage, as: "storage")
        box.register(FileAnalytics(), as: "analytics")
        box.crossFill()
        let graph = box.graph()
        #expect(graph.edges.map(\.outcome) == ["filled", "kept"])
        #expect(graph.mermaid.components(separatedBy: "-->").count == 1)
        #expect(graph.dot.components(separatedBy: " -> ").count == 2)
    }

    @Test(
        "Graphviz draws the DOT graph with each node and edge",
        .enabled("needs Graphviz", { try await Graphviz.isInstalled() }))
    func graphviz() async throws {
        box.register(Storage(), as: "back\\slash \"quoted\" & <angled> {braced}")
        let graph = box.graph()
        let svg = try await Graphviz.svg(of: graph.dot)
        #expect(
            svg.components(separatedBy: "class=\"node\"").count - 1 == graph.nodes.count + graph.holes.count)
        #expect(svg.components(separatedBy: "class=\"edge\"").count - 1 == graph.edges.count)
        for label in [
            "FileAnalytics as Analytics", "Pair&lt;Int, Dictionary&lt;String, Int&gt;&gt;", "{braced}",
        ] {
            #expect(svg.contains(label))
        }
    }

    @Test("an empty box gives an empty graph")
    func empty() {
        let graph = ServiceBox().graph()
        #expect(graph.description == "Graph of a box: 0 services, 0 types, 0 properties, 0 holes.")
        #expect(graph.mermaid == "flowchart LR")
    }

    @Test("the Mermaid chart escapes the names of modules, too")
    func module() throws {
        let box = ServiceBox()
        try box.add(GenericModule<Int>())
        #expect(
            box.graph().mermaid == """
                flowchart LR
                    subgraph m0["GenericModule#lt;Int#gt;"]
                        n0["clock<br/>Clock"]
                    end
                """)
    }
}

/// The drawing program `dot`, where it is installed.
private enum Graphviz {
    static func isInstalled() async throws -> Bool {
        try await Command.run("dot", ["-V"], in: FileManager.default.temporaryDirectory).exitCode == 0
    }

    static func svg(of dot: String) async throws -> String {
        let folder = try TemporaryFolder()
        try dot.write(to: folder.url.appending(path: "graph.dot"), atomically: true, encoding: .utf8)
        let result = try await Command.run("dot", ["-Tsvg", "graph.dot"], in: folder.url)
        #expect(result.exitCode == 0, "\(result.errors)")
        return result.output
    }
}
