// Part of ServiceBox, released under the MIT License.
// Finishing a service and all that it needs, without nesting, and showing them together.

/// One walk through a service that was created, the services that it was filled with, and so on.
///
/// What this thread has created is finished here, one service after the other, however long the chain is;
/// what another thread is finishing is waited for. When nothing is left, all are shown, so nobody meets a
/// service through which an unfinished one can be reached.
///
/// Where waiting could never end, because what is being finished waits for this walk, further out on this
/// thread or on another, the walk shows nothing. Its service then counts as taken by the making around it,
/// whose own walk comes here again.
struct Completion {
    private enum Entry {
        case enter(Construction)
        case leave(Construction)
    }

    private let stack: UnsafeMutablePointer<MakingStack>
    private let thread = CurrentThread.id
    private var entries: [Entry] = []
    /// What other threads finish, or this one further out.
    private var elsewhere: [Construction] = []
    private var seen: Set<ObjectIdentifier> = []
    /// In the order in which nested makings would have ended.
    private var finished: [Construction] = []
    private var hasFailed = false

    /// How a walk ended.
    enum Outcome {
        /// The service and all that it needs are finished, and shown to everyone.
        case complete
        /// Something that it needs cannot be waited for; the making around the walk has to come back.
        case open
        /// The service itself cannot be waited for, which leads round the path.
        case cycle(ServicePath)
    }

    /// Walks from a service that was created.
    ///
    /// - Parameters:
    ///   - root: The service.
    ///   - stack: The makings of this thread.
    ///   - patience: Whether whoever asks can go on if the service itself cannot be finished.
    /// - Returns: Whether all is complete.
    static func run(
        _ root: Construction, on stack: UnsafeMutablePointer<MakingStack>, _ patience: WaitGraph.Patience
    ) -> Outcome {
        guard root.stage != .ended else { return .complete }
        var walk = Completion(stack)
        if root.thread == walk.thread, root.takeUp(on: walk.thread), walk.finish(root).isEmpty {
            // By far most services need nothing that is not complete.
            show([root])
            return .complete
        }
        walk.entries = [.enter(root)]
        return walk.run(root, patience)
    }

    /// Completes what makings that failed have left, when no making is around them that could.
    static func completeRest(on stack: UnsafeMutablePointer<MakingStack>) {
        guard stack.pointee.steps.isEmpty, !stack.pointee.taken.isEmpty else { return }
        for rest in stack.pointee.takeBack(downTo: 0) { _ = run(rest, on: stack, .endless) }
    }

    private mutating func run(_ root: Construction, _ patience: WaitGraph.Patience) -> Outcome {
        var isClosed = true
        // Where no making is around, nobody could come back.
        let limit = stack.pointee.steps.isEmpty ? WaitGraph.Patience.endless : .limited
        finishOwn()
        while let waiting = elsewhere.popLast() {
            let isRoot = waiting === root && waiting.isTakenUp
            let answer = WaitGraph.wait(for: waiting, until: .finished, isRoot ? patience : limit)
            if case .reached = answer {
                revisit(waiting)
            } else if waiting.takeUp(on: thread) {
                // Whoever created it waits for this walk and has not begun to finish it.
                _ = finish(waiting)
                revisit(waiting)
            } else if isRoot, case .cycle(let path) = answer {
                return .cycle(path)
            } else if waiting === root, !isRoot {
                // It was taken up meanwhile.
                elsewhere.append(waiting)
            } else {
                isClosed = false
            }
            finishOwn()
        }
        guard isClosed || stack.pointee.steps.isEmpty else { return .open }
        // Where services need each other in a circle, one look may not be enough.
        if hasFailed { while finished.count(where: { $0.failWithNeeds() }) > 0 {} }
        Self.show(finished)
        return .complete
    }

    /// Finishes one service.
    ///
    /// - Returns: What it needs that is not complete.
    private func finish(_ construction: Construction) -> [Construction] {
        let frame = stack.pointee.frame
        defer { stack.pointee.leave(to: frame) }
        return construction.run(on: stack)
    }

    private init(_ stack: UnsafeMutablePointer<MakingStack>) {
        self.stack = stack
    }

    private mutating func revisit(_ construction: Construction) {
        seen.remove(ObjectIdentifier(construction))
        entries.append(.enter(construction))
    }

    /// Finishes what this thread has created.
    private mutating func finishOwn() {
        let frame = stack.pointee.frame
        while let entry = entries.popLast() {
            switch entry {
            case .leave(let construction):
                stack.pointee.leave(to: frame)
                finished.append(construction)
                if construction.error != nil { hasFailed = true }
            case .enter(let construction):
                guard construction.stage != .ended else {
                    // Another walk has shown it, or why it failed.
                    if construction.error != nil { hasFailed = true }
                    continue
                }
                guard seen.insert(ObjectIdentifier(construction)).inserted else { continue }
                let needs: [Construction]
                if construction.stage == .finished {
                    _ = stack.pointee.enter(construction.step, frame)
                    needs = construction.needs
                } else if construction.thread == thread, construction.takeUp(on: thread) {
                    needs = construction.run(on: stack)
                } else {
                    elsewhere.append(construction)
                    continue
                }
                entries.append(.leave(construction))
                entries += needs.reversed().map(Entry.enter)
            }
        }
    }

    private static func show(_ finished: [Construction]) {
        let announcements = finished.compactMap { $0.show() }
        if !announcements.isEmpty { MakingStack.announce(announcements) }
    }
}
