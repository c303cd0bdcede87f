// Part of ServiceBox, released under the MIT License.
// The owner of a box's programs, which selects and runs them.

import Synchronization

/// Fills objects and values from a registry.
///
/// Thread-safe.
final class Filler: Sendable {
    /// How many patterns are kept for each type.
    private static let mostPatterns = 16

    private let registry: Registry
    private let ledger: Ledger
    /// The filler of the box's parent.
    private let parent: Filler?
    private let state = Guarded(State())

    private struct State {
        var programs = AddressTable<FillProgram>()
        /// The patterns of types in children, the latest last.
        var patterns = AddressTable<[FillPattern]>()
    }

    init(_ registry: Registry, _ ledger: Ledger, parent: Filler?) {
        self.registry = registry
        self.ledger = ledger
        self.parent = parent
    }

    /// Fills an object of a known type, while nobody observes fills and the services are filled for a generation.
    ///
    /// - Returns: The report; nil if there is more to do.
    @inline(__always)
    func fillQuickly(
        _ object: AnyObject, _ mode: FillProgram.Mode, _ access: Access, isOnActor: Bool, for generation: Int
    ) -> FillReport? {
        guard let program = quickProgram(for: type(of: object), generation),
            isOnActor || !program.pattern.isForActor
        else { return nil }
        let report =
            access == .owned
            ? program.run(on: object, mode, isOnActor: isOnActor) : program.run(onShared: object, mode)
        if let report { ledger.noteTaken(report, by: program) }
        return report
    }

    /// Fills a struct of a known type that has only slots, likewise.
    func fillQuickly(
        _ pointer: UnsafeRawPointer, of type: Any.Type, _ mode: FillProgram.Mode, for generation: Int
    ) -> FillReport? {
        guard let program = quickProgram(for: type, generation),
            let report = unsafe program.run(on: pointer, mode)
        else { return nil }
        ledger.noteTaken(report, by: program)
        return report
    }

    /// The prepared program for a type, if it holds for a generation and needs no inspection of the object.
    @inline(__always)
    private func quickProgram(for type: Any.Type, _ generation: Int) -> FillProgram? {
        guard let program = state.withLock({ $0.programs[Metadata(type).address] }), program.isQuick,
            program.generation == generation
        else { return nil }
        return program
    }

    /// Fills an object or a value that was inspected, as ``FillProgram/run(on:_:_:didFill:)`` does, and notes that.
    func fill(
        _ subject: Any, _ slots: [Slot], by program: FillProgram, _ target: FillProgram.Target?,
        _ mode: FillProgram.Mode, _ access: Access,
        didFill: FillProgram.DidFill? = nil
    ) -> FillReport {
        let given = ledger.isWatched ? GivenCells() : nil
        // `??` would wrap the closure once more, which each call pays for.
        let didFill = if let given { given.noting(didFill) } else { didFill }
        var report = program.run(on: slots, target, mode, didFill: didFill)
        if access == .owned, !program.pattern.optionals.isEmpty {
            program.noteUnreached(in: subject, &report.deviations)
            report = program.record.report(report.deviations)
        }
        ledger.noteTaken(report, by: program)
        if let given {
            ledger.note(
                report, of: program, slots, given: access == .owned ? nil : given.cells, subject,
                isFresh: mode == .fresh)
        }
        return report
    }

    /// The program for a plan; if no stored one is up to date, a new one is created and noted.
    func program(for shared: SharedPlan) -> FillProgram {
        let (program, isKept) = plannedProgram(for: shared)
        if isKept { return program.isPrepared ? program : keep(FillProgram(preparing: program)) }
        ledger.note(program)
        guard shared.plan.revision != nil, program.pattern.holdsAnywhere else { return program }
        if !program.isBound, program.pattern.isShareable { parent?.keep(program.pattern) }
        return keep(program)
    }

    /// Stores a program, unless something was registered meanwhile.
    private func keep(_ program: FillProgram) -> FillProgram {
        let replaced = state.withLock { state in
            registry.generation == program.generation
                ? state.programs.updateValue(program, at: Metadata(program.pattern.plan.type).address) : nil
        }
        return withExtendedLifetime(replaced) { program }
    }

    /// The program for a plan, and whether it is the stored one.
    func plannedProgram(for shared: SharedPlan) -> (program: FillProgram, isKept: Bool) {
        let kept = state.withLock { $0.programs[Metadata(shared.plan.type).address] }
        if let kept, kept.generation == registry.generation,
            kept.pattern.plan.revision == shared.plan.revision
        {
            return (kept, true)
        }
        for pattern in (parent?.patterns(of: shared.plan.type) ?? []).reversed()
        where pattern.plan.revision == shared.plan.revision {
            if let program = FillProgram.bind(pattern, to: registry) { return (program, false) }
        }
        return (FillProgram.make(for: shared, registry), false)
    }

    /// The patterns of a type in children, the latest last.
    private func patterns(of type: Any.Type) -> [FillPattern] {
        state.withLock { $0.patterns[Metadata(type).address] } ?? []
    }

    private func keep(_ pattern: FillPattern) {
        let address = Metadata(pattern.plan.type).address
        state.letGo { state in
            let latest = (state.patterns[address] ?? []).suffix(Self.mostPatterns - 1)
            return state.patterns.updateValue(latest + [pattern], at: address)
        }
    }

    /// Drops the programs, which are out of date.
    func forgetPrograms() {
        state.letGo { exchange(&$0, with: State()) }
    }
}

/// The cells that a fill gives to slots, by their positions; only for one that is watched.
private final class GivenCells {
    private(set) var cells: [Int: AnyCell] = [:]

    func noting(_ didFill: FillProgram.DidFill?) -> FillProgram.DidFill {
        { [self] cell, service, position in
            cells[position] = cell
            didFill?(cell, service, position)
        }
    }
}
