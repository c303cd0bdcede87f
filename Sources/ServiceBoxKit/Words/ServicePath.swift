// Part of ServiceBox, released under the MIT License.
// The way from what was asked for to what failed.

/// The services that were being made for each other when one of them failed, from the outermost to the one
/// that failed.
///
/// The path grows outwards while an error passes from factory to factory, so a step in front costs the same
/// however long the path is; what it shows is put together when it is read.
struct ServicePath: Sendable {
    /// One service on the way: which provider makes it, and its type.
    struct Step: Sendable {
        let provider: ObjectIdentifier
        let type: Any.Type
        /// Whether all who ask get the same service.
        var isShared = false
        /// Whether all who ask get what its factory has thrown, until it is reset.
        var keepsErrors = false
        /// Whether the service is made, and what it was given is being completed.
        var isMade = false
    }

    /// Where the error began.
    private let innermost: [Step]
    private var outermost: PathLink<Step>?

    init(_ steps: [Step]) {
        innermost = steps
    }

    /// The path with a step in front.
    ///
    /// - Complexity: O(1).
    func entered(by step: Step) -> ServicePath {
        var path = self
        path.outermost = PathLink(step, inFrontOf: outermost)
        return path
    }

    /// The steps that the error has passed, outermost first.
    private var passed: [Step] { outermost?.elements ?? [] }

    /// All steps, from the outermost to the one that failed.
    ///
    /// - Complexity: O(*n*) for *n* steps.
    var steps: [Step] { passed + innermost }

    /// The path from where the error began, without the steps that it has passed since.
    var start: ServicePath { ServicePath(innermost.isEmpty ? passed.suffix(1) : innermost) }
}

// MARK: - Cycles

extension ServicePath {
    /// The steps of a cycle: the way to the circle, and the circle, which ends where it starts.
    ///
    /// The outermost step that lies on the circle decides where it starts: who enters a cycle at B reads
    /// B → A → B, whoever else found it. Without a step on it the circle starts where it was found.
    ///
    /// - Complexity: O(*n*) for *n* steps.
    var turned: (way: [Step], circle: [Step]) {
        guard let found = innermost.last else { return (passed, []) }
        let isFound = { (step: Step) in step.provider == found.provider }
        var circle = innermost.dropLast()
        var outside = passed[...]
        if let start = circle.firstIndex(where: isFound) {
            (outside, circle) = (passed + circle[..<start], circle[start...])
        } else if let start = passed.lastIndex(where: isFound) {
            (outside, circle) = (passed[..<start], passed[start...] + circle)
        } else {
            return (passed, innermost)
        }
        let onCircle = Set(circle.map(\.provider))
        guard let entry = outside.firstIndex(where: { onCircle.contains($0.provider) }),
            let start = circle.firstIndex(where: { $0.provider == outside[entry].provider })
        else { return (Array(outside), circle + [found]) }
        return (Array(outside[..<entry]), circle[start...] + circle[..<start] + [outside[entry]])
    }
}

// MARK: - Growing in front

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
