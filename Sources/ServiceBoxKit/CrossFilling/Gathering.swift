// Part of ServiceBox, released under the MIT License.
// What a property of a service that takes all services of a type has got.

/// The services that a cross-fill has put into a slot that takes all that fit.
///
/// The slot holds a list of its own, which is extended when services are registered, and exchanged when
/// anything else has changed; so nothing is kept that it held before.
struct Gathering: Sendable {
    /// The last registration of the box that was asked.
    let lastNumber: Int
    /// The order of services that it is made for, see ``ServiceBox/familyReorderings``; nil if something has
    /// failed.
    private(set) var reorderings: Int?
    /// Tells it from those before it.
    private(set) var count = 0
    private var weakList: WeakList?

    init(lastNumber: Int, reorderings: Int?) {
        self.lastNumber = lastNumber
        self.reorderings = reorderings
    }

    init(_ other: Gathering, in list: AnyListCell, count: Int) {
        self = other
        self.count = count
        weakList = WeakList(list)
    }

    /// Has the whole list gathered anew next time, since a service could not be made.
    mutating func distrust() {
        reorderings = nil
        count += 1
    }

    /// The slot's list; nil if it is gone, since the slot was set by hand.
    var list: AnyListCell? { weakList?.list }
}

extension Wiring {
    /// What came of filling a slot that takes all services of a type.
    enum Put {
        case done(AnyListCell)
        /// The slot holds something else, or its property is gone.
        case left
        /// Another thread was quicker.
        case outdated
    }
}

/// A class, since a copy of a struct with a weak constant ends the program in Swift 6.3.1.
private final class WeakList: Sendable {
    weak let list: AnyListCell?

    init(_ list: AnyListCell) { self.list = list }
}
