// Part of ServiceBox, released under the MIT License.
// What the current thread is making, innermost last.

/// The makings that run on one thread, nested in each other.
///
/// Makings are synchronous, so they belong to a thread, which keeps one list from its first making to its
/// end. A task-local value would be inherited by tasks that a factory starts, which make nothing for it, and
/// would allocate for every making.
struct MakingStack {
    /// All makings that run on this thread, outermost first.
    private(set) var steps: [ServicePath.Step] = []

    /// Runs a body while a step is the innermost making of this thread.
    @inline(__always)
    static func making<Result, Failure>(
        _ step: ServicePath.Step, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let stack = CurrentThread.stack
        stack.pointee.steps.append(step)
        defer { stack.pointee.steps.removeLast() }
        return try body()
    }

    /// How many makings of a provider run on this thread.
    ///
    /// - Complexity: O(*n*), where *n* is the number of makings that run on this thread.
    static func count(of step: ServicePath.Step) -> Int {
        var count = 0
        for running in CurrentThread.stack.pointee.steps where running.provider == step.provider {
            count += 1
        }
        return count
    }
}
