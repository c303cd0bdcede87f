// Part of ServiceBox, released under the MIT License.
// Interleaved rounds: the contenders take turns.

/// Two contenders that take turns, so that a noisy machine hits both alike.
struct Comparison {
    /// How many rounds a comparison runs; odd, so that a median is one of them.
    static let rounds = 61
    /// What a contender's turn takes at least, in nanoseconds.
    static let shortestTurn = 1_000_000.0

    let name: String
    let contender: Contender
    let reference: Contender
    let bar: Double?

    init(_ name: String, _ contender: Contender, against reference: Contender, atMost bar: Double? = nil) {
        self.name = name
        self.contender = contender
        self.reference = reference
        self.bar = bar
    }

    /// Checks the effects, runs the rounds, and checks the effects again.
    ///
    /// - Returns: The outcome.
    /// - Throws: `WrongEffect` if a contender does not do what it should.
    func run() throws -> Outcome {
        try verify()
        let counts = (Self.calibrated(contender), Self.calibrated(reference))
        var times: [Double] = []
        var referenceTimes: [Double] = []
        for round in 0..<Self.rounds {
            let isFirst = round.isMultiple(of: 2)
            if isFirst { times.append(contender.time(counts.0) / Double(counts.0)) }
            referenceTimes.append(reference.time(counts.1) / Double(counts.1))
            if !isFirst { times.append(contender.time(counts.0) / Double(counts.0)) }
        }
        try verify()
        let statistics = RoundStatistics(times: times, referenceTimes: referenceTimes)
        return Outcome(
            name, against: reference.name, unit: "ns", value: statistics?.median,
            referenceValue: statistics?.referenceMedian, figure: statistics?.ratio, atMost: bar,
            note: statistics == nil ? "a round took no time" : nil)
    }

    private func verify() throws {
        for contender in [contender, reference] where !contender.isRight() {
            throw WrongEffect(measure: name, contender: contender.name)
        }
    }

    /// How often to repeat an operation so that a turn is long enough; warms it up on the way.
    private static func calibrated(_ contender: Contender) -> Int {
        if let count = contender.fixedCount { return count }
        var count = 64
        while contender.time(count) < shortestTurn { count *= 2 }
        return count
    }
}
