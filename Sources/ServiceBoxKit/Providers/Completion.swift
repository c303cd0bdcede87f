// Part of ServiceBox, released under the MIT License.
// Filling a service and all that it needs, without nesting, and showing them together.

/// One walk through a service that was created, the services that it was filled with, and so on.
///
/// What this thread has created is filled here, one service after the other, however long the chain is;
/// what another thread fills is waited for. When nothing is left, all are shown, so nobody meets a
/// service through which an unfilled one can be reached.
///
/// Where waiting could never end, because what is being filled waits for this walk, further out on this
/// thread or on another, the walk shows nothing. Its service then counts as taken by the construction around it,
/// whose own walk comes here again.
struct Completion {
    private let stack: UnsafeMutablePointer<ConstructionStack>
    private let thread = CurrentThread.id
    /// What is left to do, the next one last: to enter a construction, or to leave it when its needs are filled.
    private var entries: [(construction: Construction, isLeaving: Bool)] = []
    /// What other threads fill, or this one further out.
    private var elsewhere: [Construction] = []
    private var seen: Set<ObjectIdentifier> = []
    /// In the order in which nested constructions would have ended.
    private var filled: [Construction] = []
    private var hasFailed = false

    /// How a walk ended.
    enum Outcome {
        /// The service and all that it needs are filled, and shown to everyone.
        case complete
        /// Something that it needs cannot be waited for; the construction around the walk has to come back.
        case open
        /// The service itself cannot be waited for, which leads round the path.
        case cycle(ServicePath)
    }

    /// Walks from a service that was created.
    ///
    /// - Parameters:
    ///   - root: The service.
    ///   - stack: The constructions of this thread.
    ///   - patience: Whether whoever asks can go on if the service itself cannot be filled.
    /// - Returns: Whether all is complete.
    static func run(
        _ root: Construction, on stack: UnsafeMutablePointer<ConstructionStack>,
        _ patience: WaitGraph.Patience
    ) -> Outcome {
        guard root.stage != .ended else { return .complete }
        var walk = Completion(stack)
        if root.thread == walk.thread, root.takeUp(on: walk.thread), walk.fill(root).isEmpty {
            // By far most services need nothing that is not complete.
            show([root])
            return .complete
        }
        walk.entries = [(root, isLeaving: false)]
        return walk.run(root, patience)
    }

    /// Completes what failed constructions have left, when none is around them that could.
    static func completeRest(on stack: UnsafeMutablePointer<ConstructionStack>) {
        guard stack.pointee.steps.isEmpty, !stack.pointee.taken.isEmpty else { return }
        for rest in stack.pointee.takeBack(downTo: 0) { _ = run(rest, on: stack, .endless) }
    }

    private mutating func run(_ root: Construction, _ patience: WaitGraph.Patience) -> Outcome {
        var isClosed = true
        // Where no construction is around, nobody could come back.
        let limit = stack.pointee.steps.isEmpty ? WaitGraph.Patience.endless : .limited
        fillOwn()
        while let waiting = elsewhere.popLast() {
            let isRoot = waiting === root && waiting.stage >= .filling
            let answer = WaitGraph.wait(for: waiting, until: .filled, isRoot ? patience : limit)
            if case .reached = answer {
                revisit(waiting)
            } else if waiting.takeUp(on: thread) {
                // Whoever created it waits for this walk and has not begun to fill it.
                _ = fill(waiting)
                revisit(waiting)
            } else if isRoot, case .cycle(let path) = answer {
                return .cycle(path)
            } else if waiting === root, !isRoot {
                // It was taken up meanwhile.
                elsewhere.append(waiting)
            } else {
                isClosed = false
            }
            fillOwn()
        }
        guard isClosed || stack.pointee.steps.isEmpty else { return .open }
        // Where services need each other in a circle, one look may not be enough.
        if hasFailed { while filled.count(where: { $0.failWithNeeds() }) > 0 {} }
        Self.show(filled)
        return .complete
    }

    /// Fills one service.
    ///
    /// - Returns: What it needs that is not complete.
    private func fill(_ construction: Construction) -> [Construction] {
        let frame = stack.pointee.frame
        defer { stack.pointee.leave(to: frame) }
        return construction.fill(on: stack)
    }

    private init(_ stack: UnsafeMutablePointer<ConstructionStack>) {
        self.stack = stack
    }

    private mutating func revisit(_ construction: Construction) {
        seen.remove(ObjectIdentifier(construction))
        entries.append((construction, isLeaving: false))
    }

    /// Fills what this thread has created.
    private mutating func fillOwn() {
        let frame = stack.pointee.frame
        while let (construction, isLeaving) = entries.popLast() {
            let stage = construction.stage
            // Also where another walk has shown why it failed.
            if isLeaving || stage == .ended, construction.error != nil { hasFailed = true }
            if isLeaving {
                stack.pointee.leave(to: frame)
                filled.append(construction)
                continue
            }
            guard stage != .ended, seen.insert(ObjectIdentifier(construction)).inserted
            else { continue }
            let needs: [Construction]
            if stage >= .filled {
                _ = stack.pointee.enter(construction.step, frame)
                needs = construction.needs
            } else if construction.thread == thread, construction.takeUp(on: thread) {
                needs = construction.fill(on: stack)
            } else {
                elsewhere.append(construction)
                continue
            }
            entries.append((construction, isLeaving: true))
            entries += needs.reversed().map { ($0, isLeaving: false) }
        }
    }

    private static func show(_ filled: [Construction]) {
        let announcements = filled.compactMap { $0.show() }
        if !announcements.isEmpty { ConstructionStack.announce(announcements) }
    }
}
