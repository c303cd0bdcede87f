// Part of ServiceBox, released under the MIT License.
// The wiring of the Tour.

import Foundation
import ServiceBoxKit
import Testing

extension TourTests {
    @Test("prints its graph, which the README shows, and writes nothing")
    func mermaidGraph() async throws {
        let run = try await tour(docs.plainPath, "--graph", "mermaid")
        let readme = try String(
            contentsOf: StandaloneLibrary.packageFolder.appending(path: "README.md"), encoding: .utf8)
        #expect(readme.contains("```mermaid\n\(run.output)```"))
        #expect(run.exitCode == 0)
        #expect(!FileManager.default.fileExists(atPath: output.plainPath))
    }

    @Test("prints its graph as JSON that can be decoded, and for Graphviz")
    func otherGraphs() async throws {
        let json = try await tour(docs.plainPath, "--graph", "json").output
        let graph = try JSONDecoder().decode(ServiceGraph.self, from: Data(json.utf8))
        #expect(graph.holes.isEmpty)
        #expect(graph.nodes.compactMap(\.order).sorted() == Array(1...graph.nodes.count))
        let dot = try await tour(docs.plainPath, "--graph", "dot").output
        #expect(dot == "\(graph.dot)\n")
    }
}
