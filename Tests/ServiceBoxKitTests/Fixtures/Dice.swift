// Part of ServiceBox, released under the MIT License.
// Random numbers that are the same in each run.

/// The linear congruential generator with Knuth's constants for MMIX, whose upper bits are the better ones.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 { half() << 32 | half() }

    /// A number below a limit.
    mutating func roll(_ limit: Int) -> Int { .random(in: 0..<limit, using: &self) }

    /// An element of a collection that isn't empty.
    mutating func pick<Element>(from elements: [Element]) -> Element { elements[roll(elements.count)] }

    private mutating func half() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 32
    }
}
