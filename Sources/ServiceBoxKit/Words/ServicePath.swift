// Part of ServiceBox, released under the MIT License.
// The path from the requested service to the one that failed.

/// The services under construction when one of them failed, from the outermost to the one that failed.
///
/// The path grows outwards while an error passes from factory to factory; adding a step costs the same
/// however long the path is. The whole path is put together when it is read.
struct ServicePath: Sendable {
    /// One service on the path, with its provider and type.
    struct Step: Sendable {
        let provider: ObjectIdentifier
        let type: Any.Type
        var traits: Traits = []

        /// In one byte, since steps are copied for each service that is created.
        struct Traits: OptionSet {
            let rawValue: UInt8

            /// All callers get the same service.
            static let shared = Self(rawValue: 1)
            /// All callers get its factory's error until it is reset.
            static let keepingErrors = Self(rawValue: 2)
            /// The service is created, and the services that it was given are being completed.
            static let made = Self(rawValue: 4)
            /// It is the start of a box.
            static let start = Self(rawValue: 8)
            /// It is a module that is added to a box.
            static let module = Self(rawValue: 16)
            /// What failed in it is a decoration, and not its factory.
            static let decoration = Self(rawValue: 32)
            /// Its factory takes parameters, so that nothing can prepare it.
            static let fromParameters = Self(rawValue: 64)
        }
    }

    /// Whether it is a circle that leads through what one of the services can do without, such as an optional
    /// property: only the thread that creates that one is in it.
    var isAvoidable = false
    /// The steps where the error began.
    private let innermost: [Step]
    /// The steps in front of those, with the names that their services are registered under.
    private var outermost: PathLink<(step: Step, name: String?)>?

    init(_ steps: [Step]) {
        innermost = steps
    }

    /// The path with a step added in front.
    ///
    /// - Complexity: O(1).
    func entered(by step: Step, named name: String?) -> ServicePath {
        changing(self) { $0.outermost = PathLink((step, name), inFrontOf: outermost) }
    }

    var isEmpty: Bool { innermost.isEmpty && outermost == nil }

    /// The steps that the error has passed, outermost first.
    private var passed: [Step] { outermost?.elements.map(\.step) ?? [] }

    /// All steps, from the outermost to the one that failed.
    ///
    /// - Complexity: O(*n*) for *n* steps.
    var steps: [Step] { passed + innermost }

    /// The types of some of its steps; next to another service of the same type, with the registered name.
    func labels(of steps: [Step]) -> [String] {
        let passed = (outermost?.elements ?? []).map { ($0.step.provider, $0.name) }
        let names = Dictionary(passed) { name, _ in name }
        return steps.indices.map { index in
            let (type, name) = (steps[index].type, names[steps[index].provider] ?? nil)
            let hasTwin = [index - 1, index + 1].contains {
                steps.indices.contains($0) && steps[$0].type == type && names[steps[$0].provider] != name
            }
            let label = TypeName.of(type)
            return hasTwin ? name.map { "'\($0)' (\(label))" } ?? label : label
        }
    }

    /// The path where the error began, without the steps that it has passed since.
    var start: ServicePath { ServicePath(innermost.isEmpty ? passed.suffix(1) : innermost) }
}

// MARK: - Cycles

extension ServicePath {
    /// The steps of a cycle: the path to the circle, and the circle, which ends where it starts.
    ///
    /// The circle starts at the outermost step that lies on it: whoever enters a cycle at B reads B → A → B,
    /// whichever thread found it. If none lies on it, the circle starts where it was found.
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

// MARK: - Links

/// A link of a path that grows in front at constant cost.
///
/// `Sendable` is unchecked because `inner` is a variable: only the deinitialiser changes it, and only of
/// links that nothing else refers to.
final class PathLink<Element: Sendable>: @unchecked Sendable {
    let element: Element
    /// The number of links from here.
    let count: Int
    private var inner: PathLink?

    init(_ element: Element, inFrontOf inner: PathLink?) {
        self.element = element
        self.inner = inner
        count = 1 + (inner?.count ?? 0)
    }

    /// This element and those behind it.
    var elements: [Element] { Array(sequence(first: self, next: \.inner).lazy.map(\.element)) }

    deinit {
        // One after the other: releasing a long path recursively would overflow the stack.
        var next = inner.take()
        while isKnownUniquelyReferenced(&next) { next = next?.inner.take() }
    }
}
