// Part of ServiceBox, released under the MIT License.
// What look-ups have found, so that the next one finds it at once.

import Synchronization

/// What the look-ups of a box have found, until something is registered in it or in an ancestor.
///
/// Threads are spread over several tables with a lock each, so that two that look up at once hardly ever wait for each
/// other. A box that is asked a few times alone, as that of a request is, has none.
///
/// What an ancestor lets go of is kept here until the box is used again. Generic since it needs to know nothing of
/// registrations.
///
/// Thread-safe. It isn't an object, whose references all threads would count at one place.
struct LookUps<Registration: Sendable>: ~Copyable, Sendable {
    /// What was found for a type.
    enum Answer {
        case found(Registration)
        /// So many services fit, which is not one.
        case count(Int)
    }

    fileprivate struct Entries {
        /// The generation of the registry that they hold for.
        var generation = 0
        var named = RecentNames<Registration>()
        var typed: [ObjectIdentifier: Answer] = [:]
    }

    /// One table; as large as two lines of the processor's cache, so that no two share one.
    private final class Table: Sendable {
        let entries = Guarded(Entries())
        private let space: (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0, 0, 0, 0)
    }

    private final class Tables: Sendable {
        let all: [Table]
        /// The same, to reach one without counting references.
        let borrowed: [Unmanaged<Table>]

        init() {
            all = (0..<LookUps.tableCount).map { _ in Table() }
            borrowed = all.map(Unmanaged.passUnretained)
        }
    }

    private static var tableCount: Int { 8 }
    /// How many look-ups find their way without tables.
    private static var patience: Int { 16 }

    private let lazyTables = LazyReference<Tables>()
    private let asks = Atomic(0)

    /// What was found under a name.
    @inline(__always)
    func registration(named name: String, for generation: Int) -> Registration? {
        withTable { $0.generation == generation ? $0.named[name] : nil }
    }

    /// What was found for a type.
    @inline(__always)
    func answer(for type: Any.Type, for generation: Int) -> Answer? {
        withTable { $0.generation == generation ? $0.typed[ObjectIdentifier(type)] : nil }
    }

    func note(_ registration: Registration, named name: String, for generation: Int) {
        note(for: generation) { $0.named.note(registration, under: name) }
    }

    func note(_ answer: Answer, for type: Any.Type, for generation: Int) {
        note(for: generation) { $0.typed[ObjectIdentifier(type)] = answer }
    }

    /// Lets go of everything, after the registry's own generation has changed.
    func forget() {
        guard let tables = lazyTables.object else { return }
        for table in tables.all { table.entries.letGo { exchange(&$0, with: Entries()) } }
    }

    /// Runs a body with the table of the current thread, if there are any.
    @inline(__always)
    private func withTable<Result: Sendable>(_ body: (inout sending Entries) -> sending Result?) -> Result? {
        lazyTables.withObject { tables in
            tables.borrowed[Self.place]._withUnsafeGuaranteedRef { $0.entries.withLock(body) }
        }
    }

    /// Spreads threads, whose ids are far apart and differ in the bits above those of a page.
    @inline(__always)
    private static var place: Int { Int(truncatingIfNeeded: CurrentThread.id >> 12) & (tableCount - 1) }

    private func note(for generation: Int, _ change: (inout Entries) -> Void) {
        if lazyTables.object == nil {
            guard asks.add(1, ordering: .relaxed).newValue > Self.patience else { return }
            _ = lazyTables.object(orCreate: Tables())
        }
        let old = withTable { entries -> Entries? in
            let isOutdated = entries.generation < generation
            let old = isOutdated ? exchange(&entries, with: Entries(generation: generation)) : nil
            if entries.generation == generation { change(&entries) }
            return old
        }
        withExtendedLifetime(old) {}
    }
}

/// A dictionary by name with a shortcut: hashing a name costs more than all the rest of a look-up.
///
/// What was asked for also stands in a short array, at one of two places that follow from the words of its name's
/// representation, which are the same each time for one literal. A name that is spelled the same and lies elsewhere, or
/// whose places others have, is found in the dictionary.
private struct RecentNames<Value: Sendable>: Sendable {
    private static var placeCount: Int { 64 }

    private var values: [String: Value] = [:]
    private var places: [(name: String, value: Value)?] = []

    subscript(name: String) -> Value? {
        @inline(__always) get {
            if places.isEmpty { return nil }
            let place = Self.place(of: name)
            if let found = places[place], found.name == name { return found.value }
            if let found = places[place ^ 1], found.name == name { return found.value }
            return values[name]
        }
    }

    mutating func note(_ value: Value, under name: String) {
        if places.isEmpty { places = Array(repeating: nil, count: Self.placeCount) }
        let place = Self.place(of: name)
        // What stood there is in the dictionary too.
        places[places[place] == nil ? place : place ^ 1] = (name, value)
        values[name] = value
    }

    /// A hint and no more: names are compared.
    @inline(__always)
    private static func place(of name: String) -> Int {
        withUnsafeBytes(of: name) { bytes in
            let (first, second) = (bytes.load(as: UInt.self), bytes.load(fromByteOffset: 8, as: UInt.self))
            let words = UInt64(first ^ second &>> 3)
            return Int(truncatingIfNeeded: ((words ^ words &>> 32) &* 0x9E37_79B9_7F4A_7C15) &>> 58)
        }
    }
}
