// Part of ServiceBox, released under the MIT License.
// The single writes that a program is made of.

extension FillProgram {
    /// A slot to fill.
    struct SlotWrite: Sendable {
        /// The position among the plan's slots.
        let position: Int
        /// The byte offset in an instance; -1 where each has to be walked.
        let offset: Int
        /// The index in the record.
        let index: Int
        /// The cell to write, or nil where it has to be asked for at each fill.
        let fixedCell: AnyCell?
        let source: Registration
        let request: CellRequest
        let explicitName: String?
    }

    /// A slot for which there is nothing to write.
    struct OpenSlot: Sendable {
        /// The position among the plan's slots.
        let position: Int
        /// The byte offset in an instance; -1 where each has to be walked.
        let offset: Int
        /// The index in the record.
        let index: Int
        /// Whether it is kept as it is only where a fill keeps what is there.
        let isMismatch: Bool
    }

    /// An optional with slots inside, unless it is nil.
    struct OptionalStruct: Sendable {
        let type: Any.Type
        /// The byte offset in an instance.
        let offset: Int
        /// The index in the record.
        let index: Int
    }

    /// A line of a table to write.
    final class LineWrite: Sendable {
        let line: TableLine
        let index: Int
        let source: Registration
        let fixedCell: AnyCell?
        /// Whether the line has to be asked where it may be used; asking boxes the subject.
        private let isIsolated: Bool

        init(line: TableLine, index: Int, source: Registration, fixedCell: AnyCell?) {
            self.line = line
            self.index = index
            self.source = source
            self.fixedCell = fixedCell
            isIsolated = line.injection.isolation != nil || line.injection.isForActor
        }

        func isUsable(on subject: @autoclosure () -> Any, isOnActor: Bool = false) -> Bool {
            !isIsolated || line.isUsable(on: subject(), isOnActor: isOnActor)
        }
    }
}

// MARK: - Without references to count

// Going through an array of the writes above counts references to all that each holds, which costs several
// times what the writing does. These borrow from the program that has them.

extension FillProgram {
    /// What the hot path needs of a `SlotWrite`.
    struct HotSlot: Sendable {
        let offset: Int
        /// Nil where the cell has to be asked for at each fill.
        let fixedCell: Unmanaged<AnyCell>?
        let isNamed: Bool

        init(_ write: SlotWrite) {
            offset = write.offset
            fixedCell = write.fixedCell.map(Unmanaged.passUnretained)
            isNamed = write.explicitName != nil
        }
    }

    /// What the hot path needs of a `LineWrite`, and the way to the rest.
    struct HotLine: Sendable {
        let line: Unmanaged<LineWrite>
        /// Nil where the cell has to be asked for at each fill.
        let fixedCell: Unmanaged<AnyCell>?

        init(_ write: LineWrite) {
            line = .passUnretained(write)
            fixedCell = write.fixedCell.map(Unmanaged.passUnretained)
        }
    }
}
