// Part of ServiceBox, released under the MIT License.
// What the current thread constructs, innermost last.

/// Gives a service something that was not complete while the service was filled.
struct PostponedWrite: Sendable {
    /// The property's index in the report on the service, if there is one.
    var index: Int?
    /// When it is written; nil unless it is for a slot, which can be emptied again: what writes a table is written once.
    var pass: SlotPass?
    /// Whether it may be written here: a table may belong to an actor.
    var isUsable: @Sendable () -> Bool = { true }
    let write: @Sendable () -> Void
}

/// Who asks for a service, which decides how complete that has to be.
enum Asker {
    /// Code of the user, or what acts for it: it gets services that are filled in a factory, else complete ones.
    case code
    /// The filling of a service: it gets one that is filled, but for what waits for it.
    case filling
    /// The same, which gives the service no sooner than that is complete: it gets one that is just created.
    case early
}

/// The constructions that run on one thread, nested in each other.
///
/// Factories are synchronous, so a construction belongs to a thread, which keeps one list from its first one to
/// its end. A task-local value would be inherited by tasks that a factory starts, which construct nothing for
/// it, and would allocate for every construction.
struct ConstructionStack {
    /// What the innermost construction is doing.
    enum Frame {
        /// It calls a factory, or nothing is constructed: code that asks gets services that are filled.
        case factory
        /// It fills its service, or writes where other threads may look. Code that asks meanwhile, as a setter, an
        /// observer or a deinitialiser, gets services that are complete.
        case filling
    }

    /// All constructions that run on this thread, outermost first.
    ///
    /// A service that is filled stays among them while the services that it needs are filled, which are
    /// nested in it for the reader and not on the thread's stack.
    private(set) var steps: [ServicePath.Step] = []
    /// What the innermost of them is doing.
    private(set) var frame = Frame.factory
    /// The services that were taken before they were complete, by all that runs on this thread.
    var taken: [Construction] = []
    /// What the innermost service is to be given when what it needs is complete.
    var postponed: [PostponedWrite] = []
    /// So many constructions are around what is created for an optional property; nil where none is.
    var optionalDepth: Int?
    /// Why the service that the next one wraps couldn't be created.
    var ingredientFailure: (service: ObjectIdentifier, error: ServiceBoxError)?
    /// What stood in the way of services, while somebody asks who can wait until it doesn't.
    var obstacles: [Obstacle]?
    /// The services that were found to lack what isn't registered, while many are asked for in a row.
    private var failures: [ObjectIdentifier: (error: ServiceBoxError, generation: Int)]?
    /// The part of the thread's stack where factories may be called.
    private let room = CurrentThread.stackRoom

    private static let ofThread = ThreadLocal { ConstructionStack() }

    /// The constructions of the current thread; not for other threads, nor to be kept.
    static var current: UnsafeMutablePointer<ConstructionStack> { ofThread.pointer }

    /// Whether the thread's stack has room for another factory and what it calls.
    ///
    /// The address sanitizer keeps variables elsewhere, but leaves alone what is of a size that is not known.
    @inline(__always)
    var hasRoom: Bool { Self.hasRoom(in: room) }

    @inline(never)
    private static func hasRoom(in room: Range<UInt>) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: room.isEmpty ? 2 : 1, alignment: 1) {
            room.contains(UInt(bitPattern: $0.baseAddress))
        }
    }

    /// Begins a construction, which becomes the innermost of this thread.
    ///
    /// - Returns: What the one around it is doing, for ``leave(to:)``.
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

    /// Goes on with something else in the innermost construction.
    ///
    /// - Returns: What it was doing before.
    @inline(__always)
    @discardableResult
    mutating func go(on frame: Frame) -> Frame {
        defer { self.frame = frame }
        return self.frame
    }

    /// Notes what stands in the way of a service, if somebody wants to know.
    mutating func note(_ obstacle: @autoclosure () -> Obstacle?) {
        if obstacles != nil, let obstacle = obstacle() { obstacles?.append(obstacle) }
    }

    /// The services that were taken since there were so many.
    mutating func takeBack(downTo count: Int) -> [Construction] { taken.take(downTo: count) }

    /// What was postponed since there was so much.
    mutating func takePostponed(downTo count: Int) -> [PostponedWrite] { postponed.take(downTo: count) }

    /// How many constructions of a provider run on this thread.
    ///
    /// - Complexity: O(*n*), where *n* is the number of constructions that run on this thread.
    func count(of step: ServicePath.Step) -> Int { steps.count { $0.provider == step.provider } }

    /// Whether a service is wanted inside its own construction.
    ///
    /// One that isn't shared is another one each time. There is no end to that unless the last one is made, and
    /// needs this one through what is shared, and so is constructed once.
    ///
    /// - Complexity: O(*n*), where *n* is the number of constructions that run on this thread.
    @inline(__always)
    func hasCircle(to step: ServicePath.Step) -> Bool { count(of: step) != 0 && isEndless(step) }

    @inline(never)
    private func isEndless(_ step: ServicePath.Step) -> Bool {
        var passesShared = false
        for running in steps.reversed() {
            if running.provider == step.provider, step.isShared || !running.isMade || !passesShared {
                return true
            }
            if running.isShared { passesShared = true }
        }
        return false
    }

    /// The error of a service that is wanted inside its own construction, if it is.
    func cycle(to step: ServicePath.Step) -> ServiceBoxError? {
        hasCircle(to: step) ? ServiceBoxError(.cycle, path: circle(to: step)) : nil
    }

    /// The way from the last construction of a provider to one that is wanted inside it.
    func circle(to step: ServicePath.Step) -> ServicePath {
        let start = steps.lastIndex { $0.provider == step.provider } ?? steps.endIndex
        return ServicePath(Array(steps[start...]) + [step])
    }

    /// Runs a body that writes where other threads may look, or code of the user that is no factory.
    ///
    /// What it met on the way and couldn't take is completed with whatever is constructed around, which can do without.
    static func crossFilling<Result, Failure>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let stack = current
        let taken = stack.pointee.taken.count
        let frame = stack.pointee.go(on: .filling)
        defer {
            stack.pointee.go(on: frame)
            let met = stack.pointee.takeBack(downTo: taken)
            if !met.isEmpty { stack.pointee.taken.append(.dispensable(met)) }
        }
        return try body()
    }

    /// Runs a body that may ask for many services: those that many others need fail once for want of what isn't registered.
    static func rememberingFailures<Result>(_ body: () -> Result) -> Result {
        let stack = current
        if stack.pointee.isRememberingFailures { return body() }
        stack.pointee.failures = [:]
        defer {
            let known = exchange(&stack.pointee.failures, with: nil)
            withExtendedLifetime(known) {}
        }
        return body()
    }

    /// The error of a service that has failed so, unless something was registered since.
    ///
    /// - Parameters:
    ///   - step: The service.
    ///   - generation: Counts what is registered where it is filled; nil if that isn't known.
    /// - Returns: The error.
    func knownFailure(of step: ServicePath.Step, for generation: @autoclosure () -> Int?) -> ServiceBoxError?
    {
        guard let known = failures?[step.provider], known.generation == generation() else { return nil }
        return known.error
    }

    /// Whether failures are to be remembered.
    var isRememberingFailures: Bool { failures != nil }

    /// Notes that a service has failed, if that is to be remembered and was for want of what isn't registered.
    ///
    /// - Parameters:
    ///   - error: What it lacks.
    ///   - step: The service.
    ///   - generation: Counts what was registered where it is filled, when its construction began.
    mutating func noteFailure(_ error: ServiceBoxError, of step: ServicePath.Step, for generation: Int) {
        if error.isForLackOfServices { failures?[step.provider] = (error, generation) }
    }
}

extension Array {
    /// Removes and returns what comes after so many elements.
    fileprivate mutating func take(downTo count: Int) -> Self {
        if self.count <= count { return [] }
        // Mostly that is all, which needs no copy.
        defer { if count == 0 { self = [] } else { removeSubrange(count...) } }
        return count == 0 ? self : Array(self[count...])
    }
}
