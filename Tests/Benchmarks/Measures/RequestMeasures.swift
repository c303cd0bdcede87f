// Part of ServiceBox, released under the MIT License.
// A box for each request.

extension Suite {
    /// A child, two values, a repository for each box and a handler: made, filled, used and dropped.
    static func requestComparisons() -> [Comparison] {
        let server = Server()
        let byHand = answerer("by hand") { server.answerByHand($0) }
        return [
            Comparison(
                "a request, handled by an object", answerer("a box") { try server.answer($0) },
                against: byHand,
                atMost: 8),
            Comparison(
                "a request, handled by a struct", answerer("a box") { try server.answerByStruct($0) },
                against: byHand, atMost: 8),
        ]
    }

    private static func answerer(_ name: String, _ answer: @escaping (Int) throws -> Int) -> Contender {
        Contender(name) { count in
            Stopwatch.time { for number in 0..<count { Opaque.sink(try? answer(number)) } }
        } isRight: {
            (try? answer(7)) == 21
        }
    }
}
