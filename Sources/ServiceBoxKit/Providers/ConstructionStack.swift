// Part of ServiceBox, released under the MIT License.
// The constructions that run on the current thread, innermost last.

import Synchronization

/// A write of a service that wasn't complete when its owner was filled.
struct PostponedWrite: Sendable {
    /// The property's index in the report on the service.
    let index: Int
    /// When a slot is written; nil for a table, which is written once, since only slots can be emptied again.
    var pass: SlotPass?
    /// Whether it may be written here: a table may be isolated to an actor.
    var isUsable: @Sendable () -> Bool = { true }
    let write: @Sendable () -> Void
    /// Empties a slot again that was written early, for a factory, and whose owner has failed since.
    var undo: @Sendable () -> Void = {}
}

/// Who asks for a service, which decides how complete the service must be.
enum Asker {
    /// User code, or the library on its behalf: gets filled services in a factory, otherwise complete ones.
    case code
    /// The filling of a service: gets a service that is filled, except for what waits for it.
    case filling
    /// A filling that assigns the service only when it is complete: gets one that is just created.
    case early
}

/// The constructions that run on one thread, nested in each other.
///
/// Factories are synchronous, so a construction belongs to one thread, which keeps one list for all that are
/// nested. A task-local value would be inherited by tasks that a factory starts, which construct nothing for
/// it, and would allocate for every construction.
struct ConstructionStack {
    /// What the innermost construction is doing.
    enum Frame {
        /// It calls a factory, or nothing is constructed; code that resolves services gets filled ones.
        case factory
        /// It fills its service, or writes where other threads may look. Code that resolves services
        /// meanwhile, such as a setter, an observer or a deinitialiser, gets complete ones.
        case filling
    }

    /// All constructions that run on this thread, outermost first.
    ///
    /// A filled service stays in the list while the services that it needs are filled, which are nested in it
    /// logically and not on the call stack.
    private(set) var steps: [ServicePath.Step] = []
    /// The incomplete services that were taken by everything that runs on this thread.
    var taken: [Construction] = []
    /// The innermost service's writes that wait until what it needs is complete.
    var postponed: [PostponedWrite] = []
    /// How many constructions enclose the one for an optional property or a cross-fill; nil if there is none.
    var optionalDepth: Int?
    /// What the innermost construction is doing; stored here, since copying a larger stack takes a call.
    private(set) var frame = Frame.factory
    /// The error of a wrapped service that the next wrapper needs.
    var ingredientFailure: (service: ObjectIdentifier, error: ServiceBoxError)?
    /// The obstacles that services met, with the constructions that ran then, while a caller can wait for them to
    /// be removed; otherwise nil.
    var obstacles: [Obstacle.Met]?
    /// The attempt that gathers them; otherwise the thread.
    var attempt = CurrentThread.id
    /// The latest attempt; odd, so that none is taken for a thread.
    private static let attempts = Atomic<UInt>(1)
    /// An attempt that was never made before.
    static var newAttempt: UInt { attempts.add(2, ordering: .relaxed).newValue }
    /// Services known to lack something unregistered, remembered while many are resolved in a row; with their
    /// sources, or another one could be created at the address of one that is gone.
    private var failures: [ObjectIdentifier: (source: AnyObject, error: ServiceBoxError, generation: Int)]?
    /// The part of the thread's stack in which factories may be called.
    private let room = CurrentThread.stackRoom

    private static let ofThread = ThreadLocal { ConstructionStack() }

    typealias Place = ThreadLocal<Self>.Place

    /// The constructions of the current thread.
    @available(*, noasync)
    static var here: Place { ofThread.here }

    /// Whether the thread's stack has room for another factory and what it calls.
    ///
    /// The address sanitizer moves local variables off the stack, but not allocations of unknown size.
    @inline(__always)
    var hasRoom: Bool { Self.hasRoom(in: room) }

    @inline(never)
    private static func hasRoom(in room: Range<UInt>) -> Bool {
        // 1 KB for each box, of which a debug build takes some hundred bytes (measured).
        let kept = min(UInt(levels.load(ordering: .relaxed)) << 10, (room.upperBound - room.lowerBound) / 2)
        return unsafe withUnsafeTemporaryAllocation(byteCount: room.isEmpty ? 2 : 1, alignment: 1) {
            (room.lowerBound + kept..<room.upperBound).contains(UInt(bitPattern: $0.baseAddress))
        }
    }

    /// The greatest number of boxes that build on one another.
    private static let levels = Atomic(0)

    /// Notes how many boxes build on one another: what asks them all takes stack for each.
    static func note(levels count: Int) { _ = levels.max(count, ordering: .relaxed) }

    /// Begins a construction, which becomes the innermost of this thread.
    ///
    /// - Returns: What the enclosing construction is doing, for ``leave(to:)``.
    @inline(__always)
    @discardableResult
    mutating func enter(_ step: ServicePath.Step, _ frame: Frame) -> Frame {
        steps.append(step)
        return go(on: frame)
    }

    /// Ends the innermost construction.
    @inline(__always)
    mutating func leave(to frame: Frame) {
        steps.removeLast()
        self.frame = frame
    }

    /// Changes what the innermost construction is doing.
    ///
    /// - Returns: What it was doing before.
    @inline(__always)
    @discardableResult
    mutating func go(on frame: Frame) -> Frame {
        exchange(&self.frame, with: frame)
    }

    /// Notes that the innermost construction can do without what is resolved from here on.
    ///
    /// - Returns: The ``optionalDepth`` to restore at the end.
    mutating func beginOptional() -> Int? { exchange(&optionalDepth, with: steps.count) }

    /// Notes an obstacle for a service, if a caller gathers them.
    mutating func note(_ obstacle: @autoclosure () -> Obstacle?) {
        if obstacles != nil, let obstacle = obstacle() { obstacles?.append((obstacle, steps)) }
    }

    /// How many constructions of a provider run on this thread.
    ///
    /// - Complexity: O(*n*), where *n* is the number of constructions that run on this thread.
    func count(of step: ServicePath.Step) -> Int { steps.count { $0.provider == step.provider } }

    /// Has the enclosing construction complete others, on which it doesn't depend.
    mutating func takeDispensable(_ constructions: [Construction]) {
        if !constructions.isEmpty { taken.append(.dispensable(constructions)) }
    }

    /// Whether an error occurred since a service is being created or filled.
    func isInside(_ error: ServiceBoxError) -> Bool {
        let providers = error.encircled()
        return !providers.isEmpty
            && steps.contains { !$0.traits.contains(.made) && providers.contains($0.provider) }
    }

    /// Whether resolving a service inside its own construction would never end.
    ///
    /// A transient service is a new one each time, which never ends unless the innermost one has been created
    /// and needs this one through a shared service, which is constructed only once.
    ///
    /// - Complexity: O(*n*), where *n* is the number of constructions that run on this thread.
    @inline(__always)
    func hasCircle(to step: ServicePath.Step) -> Bool {
        count(of: step) != 0 && Self.isEndless(step, in: steps)
    }

    // Not of the stack itself, which each question about a circle would copy.
    @inline(never)
    private static func isEndless(_ step: ServicePath.Step, in steps: [ServicePath.Step]) -> Bool {
        var passesShared = false
        for running in steps.reversed() {
            if running.provider == step.provider,
                step.traits.contains(.shared) || !running.traits.contains(.made) || !passesShared
            {
                return true
            }
            if running.traits.contains(.shared) { passesShared = true }
        }
        return false
    }

    /// The error of a service that is resolved inside its own construction; nil if it isn't.
    func cycle(to step: ServicePath.Step) -> ServiceBoxError? {
        hasCircle(to: step) ? ServiceBoxError(.cycle, path: circle(to: step)) : nil
    }

    /// The path from the last construction of a provider to one that is resolved inside it.
    func circle(to step: ServicePath.Step) -> ServicePath {
        let start = steps.lastIndex { $0.provider == step.provider } ?? steps.endIndex
        var path = ServicePath(Array(steps[start...]) + [step])
        path.isAvoidable = optionalDepth.map { start < $0 } ?? false
        return path
    }

    /// Runs a body that writes where other threads may look, or user code that isn't a factory.
    ///
    /// Incomplete services that it meets are completed with the enclosing construction, which can do without; so
    /// nobody waits for the obstacles that it meets.
    static func crossFilling<Result, Failure>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let stack = here
        let (taken, obstacles) = (stack.value.taken.count, stack.value.obstacles?.count ?? 0)
        let frame = stack.value.go(on: .filling)
        let depth = stack.value.beginOptional()
        // What fails here has failed elsewhere for the enclosing attempt, which doesn't hear of its obstacles.
        let attempt = stack.value.attempt
        if stack.value.obstacles != nil { stack.value.attempt = newAttempt }
        defer {
            stack.value.go(on: frame)
            stack.value.optionalDepth = depth
            stack.value.attempt = attempt
            _ = stack.value.obstacles?.take(downTo: obstacles)
            let met = stack.value.taken.take(downTo: taken)
            stack.value.takeDispensable(met)
        }
        return try body()
    }

    /// Runs a body that may resolve many services; one that lacks something unregistered fails only once.
    static func rememberingFailures<Result>(_ body: () -> Result) -> Result {
        let stack = here
        if stack.value.isRememberingFailures { return body() }
        stack.value.failures = [:]
        defer {
            let known = exchange(&stack.value.failures, with: nil)
            withExtendedLifetime(known) {}
        }
        return body()
    }

    /// The remembered error of a failed service, unless the generation of the box that fills it tells that
    /// something was registered since.
    func knownFailure(of step: ServicePath.Step, for generation: @autoclosure () -> Int?) -> ServiceBoxError?
    {
        failures?[step.provider].flatMap { $0.generation == generation() ? $0.error : nil }
    }

    /// Whether failures are being remembered.
    var isRememberingFailures: Bool { failures != nil }

    /// Remembers a failure, if failures are remembered and it was caused by a missing registration, with the
    /// generation of the box that fills the service, from when its construction began.
    mutating func noteFailure(_ error: ServiceBoxError, of source: AnyObject, for generation: Int) {
        if error.isForLackOfServices { failures?[ObjectIdentifier(source)] = (source, error, generation) }
    }
}

extension Array {
    /// Removes and returns the elements after the first `count`: those appended since there were so many.
    mutating func take(downTo count: Int) -> Self {
        if self.count <= count { return [] }
        // Usually that is all of them, which needs no copy.
        defer { if count == 0 { self = [] } else { removeSubrange(count...) } }
        return count == 0 ? self : Array(self[count...])
    }
}
