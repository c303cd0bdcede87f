// Part of ServiceBox, released under the MIT License.
// A slot: the heap word behind an injected property, which a box can fill from outside.

import Synchronization

/// The storage behind one injected property: an atomic pointer to a cell, or nil while it is empty.
///
/// ## Why the raw pointers are safe
///
/// - `current` owns one reference to the cell it points to, taken with `passRetained` by whoever stored it.
/// - A reader loads `current` (acquiring) and borrows the cell. The cell outlives the borrow because a cell
///   that leaves `current` is released in two places only: in `deinit`, when nobody can read the slot any
///   more, and in ``assign(_:to:)`` where the wrapper has proved, with `mutating` access and a unique
///   reference, that no other reader exists. A cell that is replaced in any other way moves to `lazyNotes`,
///   where it lives as long as the slot. A box refers to its services' slots weakly, so that they are usually
///   unique; when it does retain a slot, a fence follows, as one precedes the proof: either the wrapper sees
///   the box's reference, or the box sees the new cell.
/// - A borrow never outlasts the slot: a reader holds the slot until it has copied the value. Holding the
///   slot's owner isn't required, since in `makeScreen().analytics` the owner is released before the value is
///   used.
/// - The cells in `lazyNotes` are touched only by threads that replace a cell, each of which hands over the
///   reference that `current` had. A cell there stays until `deinit`, and is there at most once.
/// - Cells are published with releasing stores and read with acquiring loads.
///
/// Hence filling a slot from the wrong thread may surprise its owner, but never corrupts memory.
@usableFromInline
@safe class Slot: @unchecked Sendable {
    /// The owned cell, or nil while the slot is empty.
    final let current: Atomic<Unmanaged<AnyCell>?>

    final let lazyNotes = LazyReference<SlotNotes>()

    /// The zero-terminated, immortal file id of the declaration.
    private final let file: UnsafePointer<UInt8>
    private final let line: UInt32

    /// What a declaration specifies besides the type.
    struct Traits: OptionSet {
        let rawValue: UInt8

        /// The declaration names the service; the slot is a `NamedSlot`.
        static let named = Self(rawValue: 1)
        /// The declaration gives the property a value.
        static let defaulted = Self(rawValue: 2)
        /// The service is looked up on the first read.
        static let onRead = Self(rawValue: 4)
    }

    final let traits: Traits

    fileprivate init(file: StaticString, line: UInt, _ traits: Traits) {
        unsafe current = Atomic(nil)
        unsafe self.file = file.utf8Start
        self.line = UInt32(truncatingIfNeeded: line)
        self.traits = traits
    }

    /// Creates the slot of a declaration, which may give the service's name.
    @usableFromInline
    static func make(
        _ name: String? = nil, file: StaticString, line: UInt, isDefaulted: Bool = false,
        isOnRead: Bool = false
    ) -> Slot {
        let traits: Traits = [isDefaulted ? .defaulted : [], isOnRead ? .onRead : []]
        return name.map { NamedSlot($0, file: file, line: line, traits) }
            ?? Slot(file: file, line: line, traits)
    }

    /// The name that the declaration gives; nil if the property's own name is used.
    final var explicitName: String? {
        unsafe traits.contains(.named) ? unsafeDowncast(self, to: NamedSlot.self).name : nil
    }

    /// Where the property is declared, as `Module/File.swift:12`.
    final var declaration: String { unsafe "\(String(cString: file)):\(line)" }

    /// The cell, valid as long as the slot.
    ///
    /// `readonly`: for all that the optimiser knows, an atomic load in the reader's code might write, which
    /// costs a retain and a release of the slot and of the value. This attribute makes a read as cheap as
    /// that of a stored property, and like one it may be dropped, or moved where nothing comes between.
    @usableFromInline final var loaded: Unmanaged<AnyCell>? {
        @inline(never) @_effects(readonly) get { unsafe current.load(ordering: .acquiring) }
    }

    /// The cell, retained; nil while the slot is empty.
    ///
    /// Use it where the owner can't set the slot meanwhile: in the owner's isolation.
    final var cell: AnyCell? { unsafe loaded?.takeUnretainedValue() }

    /// The cell of a weak slot whose service is gone; for the owner, like `cell`.
    final var lostCell: AnyCell? { cell.flatMap { $0.isGone ? $0 : nil } }

    /// Reads the cell; the caller guarantees its type: a wrapper sets cells of one type only, and a fill asks for one.
    ///
    /// The slot keeps the cell alive, so it must outlive the copy: the property's owner may be a temporary.
    ///
    /// - Returns: The body's result; nil while the slot is empty.
    @inlinable @inline(__always)
    @unsafe final func read<Content: AnyCell, Value>(
        _ type: Content.Type, _ body: (Content) -> Value?
    ) -> Value? {
        guard let cell = unsafe loaded else { return nil }
        return withExtendedLifetime(self) {
            unsafe Unmanaged<Content>.fromOpaque(cell.toOpaque())._withUnsafeGuaranteedRef(body)
        }
    }

    @inlinable
    final var isEmpty: Bool { unsafe loaded == nil }

    /// Fills the slot, whether or not it holds a cell; the caller guarantees, here and below, that the cell was
    /// created for the slot's type.
    ///
    /// Filling it again with the same cell costs one load.
    @inline(__always)
    @unsafe final func fill(with cell: AnyCell) {
        if holds(cell) { return }
        let old = unsafe current.exchange(.passRetained(cell), ordering: .acquiringAndReleasing)
        if let old = unsafe old { unsafe retire(old) }
        tellWaiters()
    }

    /// Fills the slot if it is empty.
    ///
    /// - Returns: Whether it was empty.
    @inline(__always)
    @unsafe final func fillIfEmpty(with cell: AnyCell) -> Bool {
        unsafe current.load(ordering: .relaxed) == nil && replace(nil, with: cell)
    }

    /// Fills the slot if it holds a given cell, or if it is empty and the cell is nil.
    ///
    /// - Returns: Whether it did.
    @inline(__always)
    @unsafe final func replace(_ old: AnyCell?, with cell: AnyCell) -> Bool {
        let (expected, new) = unsafe (old.map(Unmanaged.passUnretained), Unmanaged.passRetained(cell))
        let (isReplaced, _) = unsafe current.compareExchange(
            expected: expected, desired: new, ordering: .acquiringAndReleasing)
        if isReplaced {
            if let expected = unsafe expected { unsafe retire(expected) }
            tellWaiters()
        } else {
            unsafe new.release()
        }
        return isReplaced
    }

    /// Empties the slot; the cell lives on like one that a fill replaces.
    final func empty() {
        if let old = unsafe current.exchange(nil, ordering: .acquiringAndReleasing) { unsafe retire(old) }
    }

    /// Whether the slot holds a cell; compares addresses and reads nothing.
    @inline(__always)
    final func holds(_ cell: AnyCell) -> Bool {
        let held = unsafe current.load(ordering: .relaxed)
        return unsafe held?.toOpaque() == Unmanaged.passUnretained(cell).toOpaque()
    }

    /// Sets or, with nil, empties a slot on behalf of its owner.
    ///
    /// - Parameters:
    ///   - cell: The new cell, or nil.
    ///   - slot: The property's reference. If it is the only one, nobody else reads the slot, and the replaced cell is
    ///     released at once.
    @unsafe static func assign(_ cell: AnyCell?, to slot: inout Slot) {
        let old = unsafe slot.current.exchange(
            cell.map(Unmanaged.passRetained), ordering: .acquiringAndReleasing)
        if cell != nil { slot.tellWaiters() }
        guard let old = unsafe old else { return }
        // After the exchange, so that later owners of the slot find the new cell.
        SlotReaders.fence()
        if isKnownUniquelyReferenced(&slot) {
            unsafe old.release()
        } else {
            unsafe slot.retire(old)
        }
    }

    /// Keeps a replaced cell alive until the slot is deinitialised.
    ///
    /// Takes over the reference that `current` held.
    @inline(never)
    private final func retire(_ old: Unmanaged<AnyCell>) { unsafe notes.retire(old.takeRetainedValue()) }

    final var notes: SlotNotes { lazyNotes.object(orCreate: SlotNotes()) }

    /// Tells the waiting tasks that the slot was filled or set; costs one load if the slot has no notes.
    @inline(__always)
    private final func tellWaiters() { lazyNotes.withObject { $0.tellWaiters() } }

    deinit {
        SlotReaders.waitForAll()
        unsafe current.load(ordering: .acquiring)?.release()
    }
}

/// A slot whose declaration names the service, as `@Injected("userCache")` does.
private final class NamedSlot: Slot, @unchecked Sendable {
    let name: String

    init(_ name: String, file: StaticString, line: UInt, _ traits: Traits) {
        self.name = name
        super.init(file: file, line: line, traits.union(.named))
    }
}
