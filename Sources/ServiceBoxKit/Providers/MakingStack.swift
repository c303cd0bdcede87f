// Part of ServiceBox, released under the MIT License.
// What the current thread is making, innermost last.

/// The makings that run on one thread, nested in each other.
///
/// Makings are synchronous, so they belong to a thread, which keeps one list from its first making to its
/// end. A task-local value would be inherited by tasks that a factory starts, which make nothing for it, and
/// would allocate for every making.
struct MakingStack {
    /// Who asks for services.
    enum Frame {
        /// A factory, or code that makes nothing: it gets services that are filled.
        case factory
        /// The filling of a service: it may meet services that are being filled.
        case filling
        /// A cross-fill, which writes where other threads may look: it gets services that are complete.
        case crossFill
    }

    /// All makings that run on this thread, outermost first.
    ///
    /// A service that is filled stays among them while the services that it needs are filled, which are
    /// nested in it for the reader and not on the thread's stack.
    private(set) var steps: [ServicePath.Step] = []
    /// What the innermost of them is doing.
    private(set) var frame = Frame.factory
    /// The services that were taken before they were complete, by all that runs on this thread.
    var taken: [Construction] = []
    /// The part of the thread's stack where factories may be called.
    let room: Range<UInt>

    init(room: Range<UInt>) {
        self.room = room
    }

    /// Whether the thread's stack has room for another factory and what it calls.
    @inline(__always)
    var hasRoom: Bool {
        var local = 0
        return room.contains(withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }) || hasRoomForSure
    }

    /// Whether the stack has room; right also where the address sanitizer keeps variables elsewhere, since it
    /// leaves alone what is of a size that is not known.
    @inline(never)
    private var hasRoomForSure: Bool {
        withUnsafeTemporaryAllocation(byteCount: room.isEmpty ? 2 : 1, alignment: 1) {
            room.contains(UInt(bitPattern: $0.baseAddress))
        }
    }

    /// Begins a making, which becomes the innermost of this thread.
    ///
    /// - Returns: What the one around it is doing, for ``leave(to:)``.
    @inline(__always)
    mutating func enter(_ step: ServicePath.Step, _ frame: Frame) -> Frame {
        steps.append(step)
        defer { self.frame = frame }
        return self.frame
    }

    /// Ends the innermost making.
    @inline(__always)
    mutating func leave(to frame: Frame) {
        steps.removeLast()
        self.frame = frame
    }

    /// Goes on with something else in the innermost making.
    ///
    /// - Returns: What it was doing before.
    @inline(__always)
    @discardableResult
    mutating func go(on frame: Frame) -> Frame {
        defer { self.frame = frame }
        return self.frame
    }

    /// The services that were taken since there were so many.
    mutating func takeBack(downTo count: Int) -> [Construction] {
        guard taken.count > count else { return [] }
        defer { taken.removeSubrange(count...) }
        return Array(taken[count...])
    }

    /// Runs a body while a step is the innermost making of this thread.
    @inline(__always)
    static func making<Result, Failure>(
        _ step: ServicePath.Step, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let stack = CurrentThread.stack
        let frame = stack.pointee.enter(step, .factory)
        defer {
            stack.pointee.leave(to: frame)
            Completion.completeRest(on: stack)
        }
        return try body()
    }

    /// Runs a body that writes where other threads may look.
    static func crossFilling<Result>(_ body: () -> Result) -> Result {
        let stack = CurrentThread.stack
        let frame = stack.pointee.go(on: .crossFill)
        defer { stack.pointee.go(on: frame) }
        return body()
    }

    /// Tells of services that have become visible.
    static func announce(_ announcements: [Announcement]) {
        let stack = CurrentThread.stack
        let frame = stack.pointee.go(on: .factory)
        for announce in announcements { announce() }
        stack.pointee.go(on: frame)
    }

    /// How many makings of a provider run on this thread.
    ///
    /// - Complexity: O(*n*), where *n* is the number of makings that run on this thread.
    func count(of step: ServicePath.Step) -> Int {
        var count = 0
        for running in steps where running.provider == step.provider { count += 1 }
        return count
    }

    /// The way from the last making of a provider to one that is wanted inside it.
    func circle(to step: ServicePath.Step) -> ServicePath {
        let start = steps.lastIndex { $0.provider == step.provider } ?? steps.endIndex
        return ServicePath(Array(steps[start...]) + [step])
    }
}
