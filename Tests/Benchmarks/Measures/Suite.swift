// Part of ServiceBox, released under the MIT License.
// All measures, in the order of the table.

import ServiceBoxKit

/// What a run measures.
enum Suite {
    static func run() throws -> Results {
        let registering = registerOutcomes()
        let bench = Bench()
        var outcomes: [Outcome] = []
        let comparisons =
            readComparisons(bench) + fillComparisons(bench) + createComparisons(bench)
            + tableComparisons(bench) + scaleComparisons(bench) + firstFillComparisons(bench)
            + walkedComparisons(bench) + resolveComparisons(bench) + threadComparisons(bench)
            + familyComparisons(bench) + growthComparisons(bench)
            + lookUpComparisons(bench) + requestComparisons()
            + failureComparisons() + auditComparisons()
        for comparison in comparisons { outcomes.append(try comparison.run()) }
        outcomes +=
            try failureOutcomes(bench) + wiringOutcomes(bench) + heapOutcomes(bench) + launchOutcomes()
            + registering + requestOutcomes()
        return Results(rounds: Comparison.rounds, outcomes: outcomes)
    }
}

/// What the measures share: the services, and a box that holds them.
struct Bench {
    let services = Services()
    let box = ServiceBox()
    /// As many subjects as stay near the processor.
    let poolSize = 64

    init() {
        services.register(in: box)
    }

    func pool<Element>(_ make: () -> Element) -> [Element] {
        Opaque.value((0..<poolSize).map { _ in make() })
    }
}
