// Part of ServiceBox, released under the MIT License.
// The error type of the library.

/// An error of the library: a code for programs, and an explanation for people.
///
/// An error that passes from factory to factory keeps its code while its path grows; ``root`` is the error as
/// it began. Errors are equal if their codes and paths are. The text, ``description``, says what was wrong,
/// what was found and what to do; it is built when it is read, and says if the box has changed by then.
///
/// Thread-safe. Keeps neither the box nor services alive.
public struct ServiceBoxError: Error, Sendable {
    /// The kind of an error; later versions may add codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// A service can't be handed out because a required service is missing, or a fill left holes.
        ///
        /// The error lists all of them.
        public static let incomplete = Code(description: "incomplete")
        /// An audit found something; the error has every finding.
        public static let unclean = Code(description: "unclean")
        /// No service is registered under a name, or none fits a type; or a required module wasn't added.
        public static let missing = Code(description: "missing")
        /// The service under a name doesn't fit the requested type.
        public static let typeMismatch = Code(description: "typeMismatch")
        /// Several services fit a type.
        public static let ambiguous = Code(description: "ambiguous")
        /// The box that would create a service is gone.
        public static let boxIsGone = Code(description: "boxIsGone")
        /// A factory threw an error of its own, which is kept as ``ServiceBoxError/underlying``.
        public static let factoryFailed = Code(description: "factoryFailed")
        /// A service is needed to create itself, a module to add itself, or a box to start itself; the path shows
        /// the circle.
        public static let cycle = Code(description: "cycle")
        /// Factories resolve each other's services in a chain that is too long for the thread's stack; the
        /// path shows it.
        public static let tooDeep = Code(description: "tooDeep")
        /// A factory that is isolated to an actor was called elsewhere.
        public static let wrongIsolation = Code(description: "wrongIsolation")
        /// A service must be awaited, and was resolved before it was ready; see
        /// ``ServiceBox/prepare(_:)-(ServiceKey<Service>)``.
        public static let notReady = Code(description: "notReady")
        /// Starting a service with its box threw an error, which is kept as ``ServiceBoxError/underlying``.
        public static let startFailed = Code(description: "startFailed")
        /// Stopping a service with its box threw an error, which is kept as ``ServiceBoxError/underlying``.
        ///
        /// For several errors, whatever their codes, ``withRunning(_:within:operation:)`` and
        /// ``ServiceBox/withChild(name:within:operation:)`` throw one with this code and without an underlying
        /// error; its text has them all.
        public static let stopFailed = Code(description: "stopFailed")
        /// A service didn't end within the time limit of a stop.
        public static let stopTimedOut = Code(description: "stopTimedOut")
        /// The box of a service has stopped, or one that was to be started or to run a child.
        public static let stopped = Code(description: "stopped")
        /// Adding a module threw an error, which is kept as ``ServiceBoxError/underlying``.
        public static let moduleFailed = Code(description: "moduleFailed")
        /// A box was asked for the holders of a service, or to refill them, and doesn't track them, see
        /// ``ServiceBox/trackHolders()``.
        public static let notTracked = Code(description: "notTracked")
        /// A service that isn't a class instance can't be held weakly.
        public static let weakValue = Code(description: "weakValue")
    }

    /// What went wrong; indirect, so that a success passes through throwing functions without cost.
    private indirect enum Cause: Sendable {
        /// A service couldn't be created.
        case making(MakingFailure)
        /// A service wasn't found, or can't be handed out.
        case refused(any RefusalFacts)
        /// A fill or an audit has findings, or an action isn't possible; the text is built when it is read.
        case facts(Code, about: [String], explain: @Sendable () -> Explanation)
    }

    private var cause: Cause
    /// The services under construction.
    private var way = ServicePath([])
    /// Whether observers were told about it.
    var isTold = false
}

extension ServiceBoxError {
    /// An error for a service that couldn't be created.
    init(_ failure: MakingFailure, path: ServicePath = ServicePath([])) {
        self.init(cause: .making(failure), way: path)
    }

    /// An error for a service that wasn't found, or can't be handed out.
    init(_ facts: any RefusalFacts) {
        self.init(cause: .refused(facts))
    }

    /// An error for the findings of a fill or an audit, or for an action that isn't possible.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - subjects: The subjects, which end its path.
    ///   - explain: Builds the text.
    init(_ code: Code, about subjects: [String], explain: @escaping @Sendable () -> Explanation) {
        self.init(cause: .facts(code, about: subjects, explain: explain))
    }

    /// The error of a module whose registration threw; that of a circle has the whole path already.
    static func escaping(_ error: any Error, fromModule step: ServicePath.Step) -> ServiceBoxError {
        switch error as? ServiceBoxError {
        case let error? where error.code == .moduleFailed: error.entered(by: step)
        case let error? where error.isModuleCircle && error.path.contains(TypeName.of(step.type)): error
        default: ServiceBoxError(.failed(.moduleFailed, error), path: ServicePath([step]))
        }
    }

    private var isModuleCircle: Bool { code == .cycle && hasFindings }

    /// The same error, passed on by a factory.
    func entered(by step: ServicePath.Step, named name: String? = nil) -> ServiceBoxError {
        changing(self) { $0.way = way.entered(by: step, named: name) }
    }

    /// Whether it is about findings or an action, rather than a service.
    var hasFindings: Bool {
        if case .facts = cause { true } else { false }
    }
}

/// Why a service wasn't found, or lacks what it requires; cheap as long as it isn't read.
protocol RefusalFacts: Sendable {
    var code: ServiceBoxError.Code { get }
    /// The subjects, which end the error's path.
    var path: [String] { get }
    var explained: Explanation { get }
}

extension ServiceBoxError {
    /// The kind of the error, equal to that of its ``root``.
    public var code: Code {
        switch cause {
        case .making(let failure): failure.code
        case .refused(let facts): facts.code
        case .facts(let code, _, _): code
        }
    }

    /// The subject of the error.
    ///
    /// For ``Code/incomplete``, the path from the requested service to the missing one, or the properties of a
    /// fill with holes, as `Store.cache`; for ``Code/unclean``, the subjects of the findings; for
    /// ``Code/stopTimedOut``, the services that haven't ended; for ``Code/notTracked``, the service's name; for
    /// the start of a stopped box, its name, or that of the child that was to run in it; for several errors of
    /// a stop, their paths in turn; otherwise the types of the services or modules, from the first one to the
    /// one that failed, and last the name or the type whose look-up failed, if any.
    ///
    /// - Complexity: O(*n*) for *n* names.
    public var path: [String] {
        switch cause {
        case .making: shownSteps.names
        case .refused(let facts): shownSteps.names + facts.path
        case .facts(_, let subjects, _): subjects
        }
    }

    /// The services under construction; those of a cycle, up to the one where it begins again.
    private var shownSteps: [ServicePath.Step] {
        guard case .making(let failure) = cause, failure.isCircle else { return way.steps }
        let (way, circle) = way.turned
        return way + circle
    }

    /// The original error of a factory, a module or a service that starts or stops, if that is the cause.
    public var underlying: (any Error)? {
        if case .making(let failure) = cause { failure.underlying } else { nil }
    }

    /// The error as the innermost look-up or factory threw it, with its own path and text.
    ///
    /// For a cycle, it is the circle without the path that leads to it. An error that no factory has passed
    /// on is its own root.
    ///
    /// - Complexity: O(*n*) for a path of *n* names.
    public var root: ServiceBoxError {
        let start =
            switch cause {
            case .making(let failure) where failure.isCircle: ServicePath(way.turned.circle)
            case .making: way.start
            case .refused, .facts: ServicePath([])
            }
        return ServiceBoxError(cause: cause, way: start)
    }

    /// The text of the error, in parts.
    var explained: Explanation {
        let labels = way.labels(of: shownSteps)
        return switch cause {
        case .making(let failure): Message.making(failure, path: path, way.steps, shownAs: labels)
        case .refused(let facts):
            wasPassedOn
                ? Message.lookUpFailed(facts.explained, in: way.steps, path: labels + facts.path)
                : facts.explained
        case .facts(_, _, let explain): explain()
        }
    }

    /// Why a service wasn't found or can't be handed out, if so; set to add what the asking box knows.
    var refusal: (any RefusalFacts)? {
        get { if case .refused(let facts) = cause { facts } else { nil } }
        set { if let newValue { cause = .refused(newValue) } }
    }

    /// The services under construction, outermost first.
    var makers: [ServicePath.Step] { way.steps }

    /// For a cycle, whether it leads through what a service can do without, see ``ServicePath``.
    var isAvoidable: Bool { way.isAvoidable }

    /// The same error with its present text, which doesn't change any more.
    var read: ServiceBoxError {
        switch cause {
        case .making: return self
        case .refused(let facts):
            let known = ReadRefusal(code: facts.code, path: facts.path, explained: facts.explained)
            return changing(self) { $0.refusal = known }
        case .facts(let code, let subjects, let explain):
            let explanation = explain()
            return changing(self) { $0.cause = .facts(code, about: subjects, explain: { explanation }) }
        }
    }

    /// Whether a factory has passed the error on.
    var wasPassedOn: Bool { !way.isEmpty }

    /// What was wrong, in one sentence; for a look-up, where the error began.
    var headline: String { (refusal?.explained ?? explained).headline }
}

/// What was known of a refusal when it was read.
private struct ReadRefusal: RefusalFacts {
    let code: ServiceBoxError.Code
    let path: [String]
    let explained: Explanation
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

/// The error of a decoration, on its way to the decorated service.
struct DecorationFailure: Error {
    let error: any Error
    /// Where the decoration was declared.
    let location: SourceLocation
}
