// Part of ServiceBox, released under the MIT License.
// Filling a service and all that it needs, without nesting, and showing them together.

/// One walk through a service that was created, the services that it was filled with, and so on.
///
/// A service that has nothing to fill is shown as soon as it is created, without a walk. What else this thread has created
/// is filled here, one service after the other, however long the chain is; what another thread fills is waited for. When
/// nothing is left, all are shown, so nobody meets a service through which an unfilled one can be reached.
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
    private var entered = AddressTable<Void>()
    /// In the order in which nested constructions would have ended.
    private var filled: [Construction] = []

    /// Walks from a service that was created.
    ///
    /// - Parameters:
    ///   - root: The service.
    ///   - stack: The constructions of this thread.
    ///   - patience: Whether whoever asks can go on if the service itself cannot be filled.
    /// - Returns: Whether the service and all that it needs are filled and shown to everyone. The walk gives up if
    ///   something that the service needs can't be waited for, and the construction around it has to come back;
    ///   it has found a cycle if the service itself can't be waited for.
    static func run(
        _ root: Construction, on stack: UnsafeMutablePointer<ConstructionStack>,
        _ patience: WaitGraph.Patience
    ) -> WaitGraph.Answer {
        guard root.stage != .ended else { return .reached }
        var walk = Completion(stack: stack)
        if root.thread == walk.thread, root.takeUp() {
            root.fill(on: stack)
            // By far most services need nothing that is not complete.
            if root.needs.isEmpty { return Self.end([root], patience) }
        }
        return walk.run(root, patience)
    }

    /// Completes what failed constructions have left, when none is around them that could.
    static func completeRest(on stack: UnsafeMutablePointer<ConstructionStack>) {
        guard stack.pointee.steps.isEmpty, !stack.pointee.taken.isEmpty else { return }
        for rest in stack.pointee.takeBack(downTo: 0) { _ = run(rest, on: stack, .endless) }
    }

    private mutating func run(_ root: Construction, _ patience: WaitGraph.Patience) -> WaitGraph.Answer {
        // In one block each, where there are few.
        entries.reserveCapacity(4)
        filled.reserveCapacity(4)
        // Where no construction is around, nobody could come back.
        let isOutermost = stack.pointee.steps.isEmpty
        var isClosed = true
        enter(root)
        while let waiting = elsewhere.popLast() {
            let isRoot = waiting === root && waiting.stage >= .filling
            let answer = WaitGraph.wait(
                for: waiting, until: .filled, isRoot ? patience : isOutermost ? .endless : .limited)
            if case .reached = answer {
                enter(waiting)
            } else if waiting.takeUp() {
                // Whoever created it waits for this walk and has not begun to fill it.
                waiting.fill(on: stack)
                enter(waiting)
            } else if isRoot, case .cycle = answer {
                return answer
            } else if waiting === root, !isRoot {
                // It was taken up meanwhile.
                elsewhere.append(waiting)
            } else {
                isClosed = false
            }
        }
        guard isClosed || isOutermost else {
            // A factory may look at what is required of what it gets, and of what is being filled around it.
            if stack.pointee.frame == .factory {
                for write in stack.pointee.postponed where write.pass == .requiredOfNew { write.write() }
                for construction in filled { construction.write(in: .requiredOfNew) }
            }
            return .gaveUp
        }
        // Where services need each other in a circle, one look may not be enough; another thread may do the same.
        var failures = 0
        while case let count = filled.count(where: { $0.failsWithNeeds() }), count > failures {
            failures = count
        }
        return Self.end(filled, isOutermost ? .endless : .limited)
    }

    /// Shows services that are complete.
    ///
    /// - Returns: Whether they are shown; if one of them is being given something, by whoever waits for this walk or
    ///   further out on this thread, they are shown there.
    static func end(_ constructions: [Construction], _ patience: WaitGraph.Patience)
        -> WaitGraph.Answer
    {
        let writers = constructions.filter(\.hasWrites)
        // All of them first: a setter may look at what it gets.
        for pass in SlotPass.allCases where !writers.isEmpty {
            for construction in writers { construction.write(in: pass) }
        }
        for construction in writers.filter({ !$0.settle() }) {
            let answer = WaitGraph.wait(for: construction, until: .settled, patience)
            guard case .reached = answer else { return answer }
        }
        var shown: [any Filling] = []
        shown.reserveCapacity(constructions.count)
        for construction in constructions { if let filling = construction.show() { shown.append(filling) } }
        ConstructionStack.crossFilling { for filling in shown { filling.announce() } }
        return .reached
    }

    /// Fills a service and what it needs, as far as this thread has created it.
    private mutating func enter(_ construction: Construction) {
        let frame = stack.pointee.frame
        entries.append((construction, isLeaving: false))
        while let (construction, isLeaving) = entries.popLast() {
            let (stage, address) = (construction.stage, UInt(bitPattern: ObjectIdentifier(construction)))
            if isLeaving {
                stack.pointee.leave(to: frame)
                filled.append(construction)
            } else if stage == .ended || entered[address] != nil {
                continue
            } else if stage < .filled, construction.thread != thread || !construction.takeUp() {
                elsewhere.append(construction)
            } else {
                if stage < .filled { construction.fill(on: stack) }
                entered.updateValue((), at: address)
                var step = construction.step
                step.isMade = true
                stack.pointee.enter(step, frame)
                entries.append((construction, isLeaving: true))
                for need in construction.needs.reversed() { entries.append((need, isLeaving: false)) }
            }
        }
    }
}
