// Part of ServiceBox, released under the MIT License.
// Fills a service and everything that it needs, without recursion, and publishes them together.

/// One walk from a created service through the services that it was filled with, and so on.
///
/// A service that has nothing to fill is published as soon as it is created, without a walk. Otherwise
/// services created by this thread are filled here, one after the other, however long the chain is; those
/// that another thread fills are waited for. When nothing is left, all are published together, so nobody sees
/// a service through which an unfilled one can be reached.
///
/// Where waiting would never end, because a service being filled waits for this walk, further out on this
/// thread or on another, nothing is published. The walk's service then counts as taken by the enclosing
/// construction, whose own walk comes here again.
struct Completion {
    private let stack: ConstructionStack.Place
    private let thread = CurrentThread.id
    /// Constructions still to be entered, or to be left when their needs are filled; the next is last.
    private var entries: [(construction: Construction, isLeaving: Bool)] = []
    /// Constructions that are filled by other threads, or by this one further out.
    private var elsewhere: [Construction] = []
    private var entered = AddressTable<Void>()
    /// Whether everything that the service needs is filled.
    private var isClosed = true
    /// How many constructions enclose the walk.
    private let depth: Int
    /// In the order in which nested constructions would end.
    private var filled: [Construction] = []

    /// Walks from a created service; `patience` says whether the caller can go on if that can't be filled.
    ///
    /// - Returns: Whether the service and everything that it needs are filled and published. `gaveUp` if
    ///   something that it needs can't be waited for, so that the enclosing construction has to come back;
    ///   `cycle` if the service itself can't be waited for.
    static func run(
        _ root: Construction, on stack: ConstructionStack.Place,
        _ patience: WaitGraph.Patience
    ) -> WaitGraph.Answer {
        guard root.stage != .ended else { return .reached }
        var walk = Completion(stack: stack, depth: stack.value.steps.count)
        // Most services need nothing that is incomplete.
        if root.thread == walk.thread, root.takeUp(), root.fill(on: stack, inside: walk.depth),
            root.needs.isEmpty
        {
            return Self.end([root], patience)
        }
        return walk.run(root, patience)
    }

    /// Completes what failed constructions left behind, if no enclosing construction could.
    static func completeRest(on stack: ConstructionStack.Place) {
        guard stack.value.steps.isEmpty else { return }
        for rest in stack.value.taken.take(downTo: 0) { _ = run(rest, on: stack, .endless) }
    }

    private mutating func run(_ root: Construction, _ patience: WaitGraph.Patience) -> WaitGraph.Answer {
        // One allocation each is enough for a few.
        entries.reserveCapacity(4)
        filled.reserveCapacity(4)
        // Without an enclosing construction, nothing could come back.
        let isOutermost = depth == 0
        enter(root)
        while let waiting = elsewhere.popLast() {
            let isRoot = waiting === root && waiting.stage >= .filling
            let answer = WaitGraph.wait(
                for: waiting, until: .filled, isRoot ? patience : isOutermost ? .endless : .limited)
            if case .reached = answer {
                enter(waiting)
            } else if waiting.takeUp() {
                // The thread that created it waits for this walk and hasn't begun to fill it.
                waiting.fill(on: stack)
                enter(waiting)
            } else if isRoot, case .cycle = answer {
                return answer
            } else if waiting === root, !isRoot {
                // Another thread has taken it up meanwhile.
                elsewhere.append(waiting)
            } else {
                isClosed = false
            }
        }
        guard isClosed || isOutermost else {
            // The factory may read required slots of what it gets, and of services being filled around it.
            if stack.value.frame == .factory {
                for write in stack.value.postponed where write.pass == .requiredOfNew { write.write() }
                for construction in filled { construction.writeEarly() }
            }
            return .gaveUp
        }
        // With a circle of needs one pass may not be enough; another thread may be doing the same.
        var failures = 0
        while case let count = filled.count(where: { $0.failsWithNeeds() }), count > failures {
            failures = count
        }
        return Self.end(filled, isOutermost ? .endless : .limited)
    }

    /// Publishes services that are complete.
    ///
    /// - Returns: Whether they are published; if one of them is being settled by a thread that waits for this
    ///   walk, or further out on this thread, they are published there.
    static func end(_ constructions: [Construction], _ patience: WaitGraph.Patience)
        -> WaitGraph.Answer
    {
        let writers = constructions.filter(\.hasWrites)
        // All slots first, since a setter may look at the services that it gets.
        for pass in SlotPass.allCases {
            for construction in writers { construction.write(in: pass) }
        }
        for construction in writers.filter({ !$0.settle() }) {
            let answer = WaitGraph.wait(for: construction, until: .settled, patience)
            guard case .reached = answer else { return answer }
        }
        var shown: [any Filling] = []
        shown.reserveCapacity(constructions.count)
        for construction in constructions { if let filling = construction.show() { shown.append(filling) } }
        shown.announce()
        return .reached
    }

    /// Fills a service and everything that it needs, as far as this thread has created it.
    private mutating func enter(_ construction: Construction) {
        let frame = stack.value.frame
        entries.append((construction, isLeaving: false))
        while let (construction, isLeaving) = entries.popLast() {
            let (stage, address) = (construction.stage, UInt(bitPattern: ObjectIdentifier(construction)))
            if isLeaving {
                stack.value.leave(to: frame)
                filled.append(construction)
            } else if stage == .ended || entered[address] != nil {
                continue
            } else if stage < .filled, construction.thread != thread || !construction.takeUp() {
                elsewhere.append(construction)
            } else {
                if stage < .filled, !construction.fill(on: stack, inside: depth) {
                    isClosed = false
                    continue
                }
                entered.updateValue((), at: address)
                stack.value.enter(changing(construction.step) { $0.traits.insert(.made) }, frame)
                entries.append((construction, isLeaving: true))
                for need in construction.needs.reversed() { entries.append((need, isLeaving: false)) }
            }
        }
    }
}
