// Part of ServiceBox, released under the MIT License.
// The error type of the library.

/// What the library throws: a code for programs, and an explanation for people.
///
/// An error that passes from factory to factory keeps its code, and its path grows; ``root`` is what it was
/// where it began. Errors are equal if their codes and paths are. The text, ``description``, says what was wrong,
/// what was found and what to do; it is made when it is read, and says so if the box has changed by then.
///
/// Thread-safe. Keeps neither the box nor services alive.
public struct ServiceBoxError: Error, Sendable {
    /// What kind of error it is; later versions may add codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// A service can't be handed out because something is missing that it requires, or a fill left holes.
        ///
        /// The error lists all of them.
        public static let incomplete = Code(description: "incomplete")
        /// An audit found something; the error has every finding.
        public static let unclean = Code(description: "unclean")
        /// No service is registered under a name, or none fits a type.
        public static let missing = Code(description: "missing")
        /// The service under a name doesn't fit the type that was asked for.
        public static let typeMismatch = Code(description: "typeMismatch")
        /// Several services fit a type.
        public static let ambiguous = Code(description: "ambiguous")
        /// The box that would make a service is gone.
        public static let boxIsGone = Code(description: "boxIsGone")
        /// A factory threw an error of its own, which is kept as ``ServiceBoxError/underlying``.
        public static let factoryFailed = Code(description: "factoryFailed")
        /// A service is needed to make itself; the path shows the circle.
        public static let cycle = Code(description: "cycle")
        /// Factories look each other's services up in a chain that is too long for the thread's stack; the
        /// path shows it.
        public static let tooDeep = Code(description: "tooDeep")
        /// A factory that belongs to an actor was called elsewhere.
        public static let wrongIsolation = Code(description: "wrongIsolation")
        /// A service must be awaited, and was asked for before it was ready; see
        /// ``ServiceBox/prepare(_:)-(ServiceKey<Service>)``.
        public static let notReady = Code(description: "notReady")
        /// A service couldn't start with its box since it threw an error, which is kept as
        /// ``ServiceBoxError/underlying``.
        public static let startFailed = Code(description: "startFailed")
        /// A service threw an error while it stopped with its box, which is kept as ``ServiceBoxError/underlying``.
        public static let stopFailed = Code(description: "stopFailed")
        /// A service hadn't ended when a box was to have stopped.
        public static let stopTimedOut = Code(description: "stopTimedOut")
        /// The box of a service has stopped.
        public static let stopped = Code(description: "stopped")
        /// A module couldn't be added since it threw an error of its own, which is kept as
        /// ``ServiceBoxError/underlying``.
        public static let moduleFailed = Code(description: "moduleFailed")
        /// A box was asked for the holders of a service and doesn't track them, see
        /// ``ServiceBox/trackHolders()``.
        public static let notTracked = Code(description: "notTracked")
        /// A service that isn't a class instance was to be held weakly.
        public static let weakValue = Code(description: "weakValue")
    }

    /// What was wrong where the error began; indirect, so that handing on that there is no error costs nothing.
    private indirect enum Cause: Sendable {
        /// A service couldn't be made.
        case making(MakingFailure)
        /// A service wasn't found, or can't be handed out.
        case refused(any RefusalFacts)
        /// A fill or an audit has findings, or something can't be done: plain facts, worded when they are read.
        case facts(Code, about: [String], explain: @Sendable () -> Explanation)
    }

    private var cause: Cause
    /// The services that were being made.
    private var way: ServicePath
    /// Whether observers were told of it.
    var isTold = false

    private init(_ cause: Cause, way: ServicePath = ServicePath([])) {
        self.cause = cause
        self.way = way
    }

    /// An error for a service that couldn't be made.
    init(_ failure: MakingFailure, path: ServicePath) {
        self.init(.making(failure), way: path)
    }

    /// An error for a service that wasn't found, or can't be handed out.
    init(_ facts: any RefusalFacts) {
        self.init(.refused(facts))
    }

    /// An error for what a fill or an audit found, or for what can't be done.
    ///
    /// - Parameters:
    ///   - code: What kind of error it is.
    ///   - subjects: What it is about, as the end of its path.
    ///   - explain: Words the facts.
    init(_ code: Code, about subjects: [String], explain: @escaping @Sendable () -> Explanation) {
        self.init(.facts(code, about: subjects, explain: explain))
    }

    /// The error that a provider throws after its factory threw one.
    ///
    /// What another provider threw, or a look-up, is passed on with a longer path. Any other error starts a path:
    /// findings aren't about the services on the way.
    ///
    /// - Parameters:
    ///   - error: What the factory threw.
    ///   - step: Its service.
    ///   - name: The name that this is registered under, if it is.
    /// - Returns: The error.
    /// - Complexity: O(1).
    static func escaping(
        _ error: any Error, from step: ServicePath.Step, named name: String? = nil
    ) -> ServiceBoxError {
        if let error = error as? ServiceBoxError, !error.hasFindings { return error.entered(by: step) }
        let decoration = error as? DecorationFailure
        return ServiceBoxError(
            .factoryFailed(decoration?.error ?? error, name: name, decoration: decoration?.location),
            path: ServicePath([step]))
    }

    /// The error of a module that threw one while it registered; that of a circle in which it lies has the whole path.
    static func escaping(_ error: any Error, fromModule step: ServicePath.Step) -> ServiceBoxError {
        switch error as? ServiceBoxError {
        case let error? where error.code == .moduleFailed: error.entered(by: step)
        case let error? where error.isCircle(with: step): error
        default: ServiceBoxError(.moduleFailed(error), path: ServicePath([step]))
        }
    }

    /// Whether it is about a circle of modules in which one lies.
    private func isCircle(with step: ServicePath.Step) -> Bool {
        code == .cycle && hasFindings && path.contains(TypeName.of(step.type))
    }

    private func entered(by step: ServicePath.Step) -> ServiceBoxError {
        var error = self
        error.way = way.entered(by: step)
        return error
    }

    private var hasFindings: Bool {
        if case .facts = cause { true } else { false }
    }
}

/// Why a service wasn't found, or lacks what it requires; an object, so that an error that nobody reads is made of little.
protocol RefusalFacts: AnyObject, Sendable {
    var code: ServiceBoxError.Code { get }
    /// What they are about, as the end of the error's path.
    var path: [String] { get }
    var explained: Explanation { get }
}

extension ServiceBoxError {
    /// What kind of error it is: that of its ``root``.
    public var code: Code {
        switch cause {
        case .making(let failure): failure.code
        case .refused(let facts): facts.code
        case .facts(let code, _, _): code
        }
    }

    /// What the error is about.
    ///
    /// For ``Code/incomplete`` the way from the service that was asked for to what is missing, or the properties of a
    /// fill with holes, as `Store.cache`; for ``Code/unclean`` what the findings are about; otherwise the types of the services that were being made for each other, from the
    /// one that was asked for to the one that failed, and last the name or the type that wasn't found, if any.
    ///
    /// - Complexity: O(*n*) for *n* names.
    public var path: [String] {
        switch cause {
        case .making(.cycle): (way.turned.way + way.turned.circle).names
        case .making: way.steps.names
        case .refused(let facts): way.steps.names + facts.path
        case .facts(_, let subjects, _): subjects
        }
    }

    /// The error of its own that a factory, a module or a service that starts or stops threw, if that is the cause.
    public var underlying: (any Error)? {
        if case .making(let failure) = cause { failure.underlying } else { nil }
    }

    /// The error as the innermost look-up or factory threw it, with a path and a text of its own.
    ///
    /// Of a cycle it is the circle, without the way to it. An error that no factory has passed on is its own
    /// root.
    ///
    /// - Complexity: O(*n*) for a path of *n* names.
    public var root: ServiceBoxError {
        let start =
            switch cause {
            case .making(.cycle): ServicePath(way.turned.circle)
            case .making: way.start
            case .refused, .facts: ServicePath([])
            }
        return ServiceBoxError(cause, way: start)
    }

    /// The error in words, in their parts.
    var explained: Explanation {
        switch cause {
        case .making(let failure): Message.making(failure, path: path, way.steps)
        case .refused(let facts):
            wasPassedOn
                ? Message.lookUpFailed(facts.explained, in: way.steps.names, path: path) : facts.explained
        case .facts(_, _, let explain): explain()
        }
    }

    /// Why a service wasn't found or can't be handed out, if that began the error; set with what the box that asks knows.
    var refusal: (any RefusalFacts)? {
        get { if case .refused(let facts) = cause { facts } else { nil } }
        set { if let newValue { cause = .refused(newValue) } }
    }

    /// What was being made, outermost first.
    var makers: [ServicePath.Step] { way.steps }

    /// Whether a factory has passed the error on.
    var wasPassedOn: Bool { !way.steps.isEmpty }

    /// What was wrong, as one sentence; of a look-up what it was where it began.
    var headline: String { (refusal?.explained ?? explained).headline }
}

extension [ServicePath.Step] {
    var names: [String] { map { TypeName.of($0.type) } }
}

extension ServiceBoxError: Equatable {
    /// Compares codes and paths.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.path == right.path
    }
}

extension ServiceBoxError: CustomStringConvertible {
    /// What was wrong, what was found and what to do.
    public var description: String { explained.text }
}

/// An error of a decoration's own, on its way to the service that it belongs to.
struct DecorationFailure: Error {
    let error: any Error
    /// Where the decoration was given.
    let location: SourceLocation
}
