// Part of ServiceBox, released under the MIT License.
// A cache of look-ups.

import Synchronization

/// The results of a box's look-ups, until something is registered in it or in an ancestor; which of its own
/// services fit a type is kept while services are only added.
///
/// Threads are spread over many tables with a lock each, so that concurrent look-ups hardly ever wait for each
/// other. A box with only a few look-ups, such as that of a request, has no tables.
///
/// Registrations that an ancestor drops stay here until the box is used again. Generic because it needs to
/// know nothing about registrations.
///
/// Thread-safe. It isn't a class, because all threads would contend for its reference count.
struct LookUps<Found: Sendable, Service: Sendable>: ~Copyable, Sendable {
    /// The result of a look-up by type.
    enum Answer {
        case found(Found)
        /// The number of services that fit, other than one.
        case count(Int)
    }

    fileprivate struct Entries {
        /// The generation of the registry that the entries are valid for.
        var generation = 0
        var named = RecentNames<Found>()
        var typed: [ObjectIdentifier: Answer] = [:]
        /// All services that fit a type.
        var lists: [ObjectIdentifier: [Service]] = [:]
    }

    /// One table, the size of two cache lines, so that no two tables share one.
    private final class Table: Sendable {
        let entries = Guarded(Entries())
        private let space: (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0, 0, 0, 0)
    }

    /// The tables, each created when a thread of its place first notes something: many live boxes, such as
    /// those of sessions, are used by one thread at a time.
    ///
    /// Unchecked because of the pointer, which never changes. Behind it are as many references as there are
    /// numbers of six bits, all from the initialiser to the deinitialiser, and each may be used by all threads.
    @safe private final class Tables: @unchecked Sendable {
        private let places = UnsafeMutablePointer<LazyReference<Table>>.allocate(capacity: LookUps.tableCount)

        init() {
            for place in 0..<LookUps.tableCount { unsafe (places + place).initialize(to: LazyReference()) }
        }

        deinit {
            unsafe places.deinitialize(count: LookUps.tableCount)
            unsafe places.deallocate()
        }

        /// The place of the current thread's table; threads' ids are addresses of pages.
        @inline(__always)
        private var here: UnsafeMutablePointer<LazyReference<Table>> {
            unsafe places + sixBits(of: UInt64(CurrentThread.id >> 12))
        }

        /// Runs a body with the table of the current thread, if there is one, without retaining it.
        @inline(__always)
        func withTable<Result>(_ body: (Table) -> Result?) -> Result? {
            unsafe here.pointee.withObject(body)
        }

        /// The table of the current thread, created if there is none.
        var table: Table { unsafe here.pointee.object(orCreate: Table()) }

        var all: [Table] { (0..<LookUps.tableCount).compactMap { unsafe places[$0].object } }
    }

    /// The numbers of six bits.
    private static var tableCount: Int { 64 }
    /// The number of look-ups before tables are created.
    private static var patience: Int { 16 }

    /// The registry's own services that fitted a type up to a number, and the count of reorderings that it is
    /// valid for.
    typealias Matched = (services: [Service], lastNumber: Int, reorderings: Int)

    private let lazyTables = LazyReference<Tables>()
    private let asks = Atomic(0)
    /// By type, so that only later services have to be matched; dropped unless services are only added.
    private let matched = Guarded<[ObjectIdentifier: Matched]>([:])

    /// The cached result for a name.
    @inline(__always)
    func found(named name: String, for generation: Int) -> Found? {
        withTable { $0.generation == generation ? $0.named[name] : nil }
    }

    /// The cached result for a type.
    @inline(__always)
    func answer(for type: Any.Type, for generation: Int) -> Answer? {
        withTable { $0.generation == generation ? $0.typed[ObjectIdentifier(type)] : nil }
    }

    /// The cached list of all services that fit a type.
    func all(fitting type: Any.Type, for generation: Int) -> [Service]? {
        withTable { $0.generation == generation ? $0.lists[ObjectIdentifier(type)] : nil }
    }

    /// Notes the result for a name, which is created only if it is kept, and under no lock.
    func note(_ found: @autoclosure () -> Found, named name: String, for generation: Int) {
        guard let table else { return }
        let found = found()
        note(in: table, for: generation) { $0.named.note(found, under: name) }
    }

    func note(_ answer: Answer, for type: Any.Type, for generation: Int) {
        note(in: table, for: generation) { $0.typed[ObjectIdentifier(type)] = answer }
    }

    /// Notes all services that fit a type.
    func note(all services: [Service], fitting type: Any.Type, for generation: Int) {
        note(in: table, for: generation) { $0.lists[ObjectIdentifier(type)] = services }
    }

    /// The registry's own services that are known to fit a type.
    func matched(_ type: Any.Type, for reorderings: Int) -> Matched? {
        matched.withLock { $0[ObjectIdentifier(type)] }.flatMap { $0.reorderings == reorderings ? $0 : nil }
    }

    func note(_ found: Matched, fitting type: Any.Type) {
        matched.letGo { exchange(&$0[ObjectIdentifier(type)], with: found) }
    }

    /// Drops everything, after the registry's own generation has changed.
    ///
    /// - Parameter isAddition: Whether services were only added, after all others.
    func forget(isAddition: Bool = false) {
        if !isAddition { matched.letGo { exchange(&$0, with: [:]) } }
        for table in lazyTables.object?.all ?? [] { table.entries.letGo { exchange(&$0, with: Entries()) } }
    }

    /// Runs a body with the table of the current thread, if there are any.
    @inline(__always)
    private func withTable<Result: Sendable>(_ body: (inout sending Entries) -> sending Result?) -> Result? {
        lazyTables.withObject { $0.withTable { $0.entries.withLock(body) } }
    }

    /// The table of the current thread, now that something is to be noted; nil while there are few look-ups.
    private var table: Table? {
        if lazyTables.isEmpty, asks.add(1, ordering: .relaxed).newValue <= Self.patience { return nil }
        return lazyTables.object(orCreate: Tables()).table
    }

    private func note(in table: Table?, for generation: Int, _ change: (inout Entries) -> Void) {
        table?.entries.letGo { entries -> Entries? in
            let isOutdated = entries.generation < generation
            let old = isOutdated ? exchange(&entries, with: Entries(generation: generation)) : nil
            if entries.generation == generation { change(&entries) }
            return old
        }
    }
}

/// A dictionary by name with a shortcut: hashing a name costs more than the rest of a look-up.
///
/// Values are also stored in a short array, at one of two places that follow from the words of the name's
/// representation, which are always the same for one literal. An equal name stored elsewhere, or one whose
/// places are taken, is found in the dictionary.
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
        // The displaced entry is in the dictionary too.
        places[places[place] == nil ? place : place ^ 1] = (name, value)
        values[name] = value
    }

    /// Only a hint: names are still compared.
    @inline(__always)
    private static func place(of name: String) -> Int {
        unsafe withUnsafeBytes(of: name) { bytes in
            let (first, second) = unsafe (
                bytes.load(as: UInt.self), bytes.load(fromByteOffset: 8, as: UInt.self)
            )
            let words = UInt64(first ^ second &>> 3)
            return sixBits(of: words ^ words &>> 32)
        }
    }
}

/// Six bits that differ for most numbers: the upper ones of the product with 2⁶⁴ divided by the golden ratio.
///
/// Addresses at regular distances may agree in many of their own lower bits.
@inline(__always)
private func sixBits(of number: UInt64) -> Int {
    Int(truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15) &>> 58)
}
