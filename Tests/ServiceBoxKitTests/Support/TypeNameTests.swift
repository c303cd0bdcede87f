// Part of ServiceBox, released under the MIT License.
// How types are written in messages.

import Testing

@testable import ServiceBoxKit

private protocol Container<Item> {
    associatedtype Item
}

private class Company {}

private struct Pair<First> {
    struct Entry<Second> {}
}
extension Int {
    fileprivate struct Tag {}
}

@Suite("The name of a type")
struct TypeNameTests {
    @Test(
        "has the article that is spoken",
        arguments: [
            "a Cache", "an Analytics", "a User", "a Unit", "an Unseen", "a URL", "an HTTPServer",
            "an XMLParser",
            "an SQLite", "an SQLStore", "an S3Client", "an L", "a K", "a V2", "an id",
        ])
    func article(expected: String) {
        let name = expected.split(separator: " ").last.map(String.init) ?? ""
        #expect(TypeName.withArticle(name) == expected)
    }

    @Test("has its enclosing types in source, also as the argument of another")
    func inSource() {
        #expect(TypeName.inSource(Int.Tag.self) == "Int.Tag")
        #expect(TypeName.inSource(Pair<Int.Tag>.self) == "Pair<Swift.Int.Tag>")
        #expect(TypeName.inSource(Pair<Int>.Entry<Int.Tag>.self) == "Pair<Swift.Int>.Entry<Swift.Int.Tag>")
    }

    @Test("leaves the constraints of an interface out, and nothing else")
    func constraints() {
        #expect(TypeName.of((any Container<Int>).self) == "Container<Int>")
        #expect(TypeName.of((any Company & Container<Int>).self) == "Company & Container<Int>")
    }
}
