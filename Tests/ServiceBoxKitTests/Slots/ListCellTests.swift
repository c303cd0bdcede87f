// Part of ServiceBox, released under the MIT License.
// Tests of the lists that properties with all services of a type have.

// For the cell itself, which several threads change only while services are completed.
@testable import ServiceBoxKit
import Testing

@Suite("A list of services")
struct ListCellTests {
    @Test("gives its old elements to the list that its new ones come from, which outlives locks")
    func exchange() {
        let (list, other) = (ListCell([1, 2]), ListCell([3]))
        list.exchange(with: other)
        #expect(list.elements == [3])
        #expect(other.elements == [1, 2])
    }

    @Test("loses what several threads take out at once, and nothing else")
    func remove() {
        final class Part: Sendable {}
        for _ in 0..<20 {
            let parts = (0..<8).map { _ in (0..<20).map { _ in Part() } }
            let kept = Part()
            let list = ListCell<any Sendable>(parts.flatMap(\.self) + [kept])
            onThreads(
                parts.map { own in
                    { for part in own { #expect(list.remove(part)) } }
                })
            #expect(list.elements.map { $0 as? Part === kept } == [true])
            #expect(!list.remove(Part()))
        }
    }
}
