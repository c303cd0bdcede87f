// Part of ServiceBox, released under the MIT License.
// Paths that grow in front.

/// What a path grows by in front, at the same cost however long it is.
///
/// `Sendable` is unchecked because `inner` is a variable: only the deinitialiser changes it, and only of
/// links that nothing else refers to.
final class PathLink<Element: Sendable>: @unchecked Sendable {
    let element: Element
    /// How many there are from here.
    let count: Int
    private var inner: PathLink?

    init(_ element: Element, inFrontOf inner: PathLink?) {
        self.element = element
        self.inner = inner
        count = 1 + (inner?.count ?? 0)
    }

    /// The element and those behind it.
    var elements: [Element] { Array(sequence(first: self, next: \.inner).lazy.map(\.element)) }

    deinit {
        // One after the other: nested in each other, the ends of a long path would take a long stack.
        var next = inner.take()
        while isKnownUniquelyReferenced(&next) { next = next?.inner.take() }
    }
}
