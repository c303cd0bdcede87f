// Part of ServiceBox, released under the MIT License.
// The error type of the library.

/// What the library throws: a code for programs, and an explanation for people.
///
/// Errors are equal if their codes and paths are. The text, ``description``, names what was wrong, what was
/// there and what to do. May be used from anywhere.
public struct ServiceBoxError: Error, Sendable {
    /// What kind of error it is; more may come in later versions.
    ///
    /// May be used from anywhere.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// A fill left holes; the error lists all of them.
        public static let incomplete = Code(description: "incomplete")
        /// An audit found something; the error has every finding.
        public static let unclean = Code(description: "unclean")
        /// No service is registered under a name, or none fits a type.
        public static let missing = Code(description: "missing")
        /// The service under a name does not fit the type that was asked for.
        public static let typeMismatch = Code(description: "typeMismatch")
        /// Several services fit a type.
        public static let ambiguous = Code(description: "ambiguous")
        /// The box that would make a service is gone.
        public static let boxIsGone = Code(description: "boxIsGone")
        /// A factory threw an error, which is kept as ``ServiceBoxError/underlying``.
        public static let factoryFailed = Code(description: "factoryFailed")
        /// A service is needed to make itself; the path shows the circle.
        public static let cycle = Code(description: "cycle")
        /// Factories look each other's services up in a chain that is too long for the thread's stack; the
        /// path shows it.
        public static let tooDeep = Code(description: "tooDeep")
        /// A factory that belongs to the main actor was asked elsewhere.
        public static let wrongIsolation = Code(description: "wrongIsolation")
        /// A box was asked for the holders of a service and does not track them, see
        /// ``ServiceBox/trackHolders()``.
        public static let notTracked = Code(description: "notTracked")
        /// A service that is no class instance was to be held weakly.
        public static let weakValue = Code(description: "weakValue")
    }

    /// What the text is made from.
    private enum Content: Sendable {
        case text(String)
        case failure(MakingFailure)
    }

    /// What kind of error it is.
    public let code: Code
    /// What the error is about.
    ///
    /// For ``Code/incomplete`` the properties with holes, as `Store.cache`; for ``Code/unclean`` what the
    /// findings are about; for an error of a provider the types from the service that was asked for to the
    /// one that failed.
    public let path: [String]
    /// The error that caused this one, if another did.
    public let underlying: (any Error)?
    private let content: Content
    /// Whether observers were told of it.
    var isTold = false

    init(_ code: Code, path: [String], text: String, underlying: (any Error)? = nil) {
        self.code = code
        self.path = path
        self.underlying = underlying
        content = .text(text)
    }

    init(_ failure: MakingFailure) {
        code = failure.code
        path = failure.path.names
        underlying = failure.underlying
        content = .failure(failure)
    }

    /// Why a service could not be made, if that is what the error is about.
    var failure: MakingFailure? {
        if case .failure(let failure) = content { failure } else { nil }
    }
}

extension ServiceBoxError: Equatable {
    /// Compares codes and paths.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.path == right.path
    }
}

extension ServiceBoxError {
    /// What was wrong, as one sentence.
    var headline: String { description.split(separator: "\n").first.map(String.init) ?? "" }
}

extension ServiceBoxError: CustomStringConvertible {
    /// What was wrong, what was there and what to do.
    public var description: String {
        switch content {
        case .text(let text): text
        case .failure(let failure): Message.making(failure).text
        }
    }
}
