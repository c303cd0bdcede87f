// Part of ServiceBox, released under the MIT License.
// One of the two that a measure compares.

/// Something that can be repeated, timed, and asked whether it did what it should.
struct Contender {
    let name: String
    /// Repeats the operation so many times and answers with the nanoseconds that it took, preparations left
    /// out.
    let time: (_ count: Int) -> Double
    /// Whether the effect of the last repetition is the one wanted.
    let isRight: () -> Bool
    /// How often to repeat in a round, or nil to find out.
    let fixedCount: Int?

    init(
        _ name: String, fixedCount: Int? = nil, time: @escaping (_ count: Int) -> Double,
        isRight: @escaping () -> Bool
    ) {
        self.name = name
        self.fixedCount = fixedCount
        self.time = time
        self.isRight = isRight
    }

    /// Makes a contender that works its way through a pool of objects, which are prepared again before each
    /// pass.
    ///
    /// The objects are borrowed from the pool: counting references to them would cost as much as assigning
    /// some of their properties, and would flatter what is slower.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - pool: The objects.
    ///   - prepare: Brings an object into its first state; not timed.
    ///   - body: The operation.
    ///   - isRight: Whether the operation had its effect on an object.
    init<Object: AnyObject>(
        _ name: String, on pool: [Object], prepare: @escaping (Object) -> Void = { _ in },
        body: @escaping (Object) -> Void, isRight: @escaping (Object) -> Bool
    ) {
        let borrowed = pool.map(Unmanaged.passUnretained)
        let passes = { (count: Int) in
            var elapsed = 0.0
            var left = count
            while left > 0 {
                for object in pool { prepare(object) }
                let objects = borrowed.prefix(left)
                elapsed += Stopwatch.time {
                    for object in objects { object._withUnsafeGuaranteedRef { body($0) } }
                }
                Opaque.sink(pool)
                left -= objects.count
            }
            return elapsed
        }
        self.init(name, time: passes) {
            _ = passes(pool.count)
            return pool.allSatisfy(isRight)
        }
    }
}

/// An operation that did not have its effect.
package struct WrongEffect: Error, CustomStringConvertible {
    let measure: String
    let contender: String

    package var description: String {
        "\(measure): '\(contender)' did not have its effect; nothing is measured"
    }
}
