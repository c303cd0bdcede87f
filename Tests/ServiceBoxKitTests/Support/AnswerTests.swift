// Part of ServiceBox, released under the MIT License.
// Tests of the answers that tasks wait for.

import Testing

@testable import ServiceBoxKit

@Suite("An answer to a task")
struct AnswerTests {
    @Test("is the first one given, whether the task waits for it yet or not")
    func first() async {
        let answer = Answer<Int>()
        answer.give(1)
        answer.give(2)
        #expect(await answer.value() == 1)
    }
}
