// Part of ServiceBox, released under the MIT License.
// What the current thread is making, innermost first.

/// The makings that run on the current thread, nested in each other.
///
/// Each making puts a frame on the thread's list for as long as it runs. Frames live on the call stack and cost no
/// allocation. A task-local value would be inherited by tasks that a factory starts, which make nothing for it, and
/// would allocate for every making.
///
/// ## Why the raw pointers are safe
///
/// A frame is put on the list and taken off it by ``making(_:_:)`` alone, on one thread, within the scope of
/// `withUnsafePointer`. Factories are synchronous, so the frames of a thread end in the reverse order of their
/// beginning, on the thread on which they began. Hence the list never shows a frame that has ended.
enum MakingStack {
    private struct Frame {
        let step: ServicePath.Step
        let outer: UnsafeRawPointer?
    }

    /// Runs a body while a step is the innermost making of this thread.
    @inline(__always)
    static func making<Result, Failure>(
        _ step: ServicePath.Step, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = CurrentThread.pointer
        return try withUnsafePointer(to: Frame(step: step, outer: outer)) { frame throws(Failure) in
            CurrentThread.pointer = UnsafeRawPointer(frame)
            defer { CurrentThread.pointer = outer }
            return try body()
        }
    }

    /// How many makings of a provider run on this thread.
    ///
    /// - Complexity: O(*n*), where *n* is the number of makings that run on this thread.
    static func count(of step: ServicePath.Step) -> Int {
        var count = 0
        var next = CurrentThread.pointer?.assumingMemoryBound(to: Frame.self)
        while let frame = next {
            if frame.pointee.step.provider == step.provider { count += 1 }
            next = frame.pointee.outer?.assumingMemoryBound(to: Frame.self)
        }
        return count
    }

    /// All makings that run on this thread, outermost first.
    static var steps: [ServicePath.Step] {
        var steps: [ServicePath.Step] = []
        var next = CurrentThread.pointer?.assumingMemoryBound(to: Frame.self)
        while let frame = next {
            steps.append(frame.pointee.step)
            next = frame.pointee.outer?.assumingMemoryBound(to: Frame.self)
        }
        return steps.reversed()
    }
}
