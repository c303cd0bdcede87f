// Part of ServiceBox, released under the MIT License.
// The error type of the library.

/// What the library throws: a code for programs, and an explanation for people.
///
/// Errors are equal if their codes and paths are. The text, ``description``, names what was wrong, what was there
/// and what to do. May be used from anywhere.
public struct ServiceBoxError: Error, Sendable {
    /// What kind of error it is; more may come in later versions.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// A fill left holes; the error lists all of them.
        public static let incomplete = Code(description: "incomplete")
    }

    /// What kind of error it is.
    public let code: Code
    /// What the error is about: for ``Code/incomplete`` the properties with holes, as `Store.cache`.
    public let path: [String]
    /// The error that caused this one, if another did.
    public let underlying: (any Error)?
    private let text: String

    init(_ code: Code, path: [String], text: String, underlying: (any Error)? = nil) {
        self.code = code
        self.path = path
        self.text = text
        self.underlying = underlying
    }
}

extension ServiceBoxError: Equatable {
    /// Compares codes and paths.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.path == right.path
    }
}

extension ServiceBoxError: CustomStringConvertible {
    /// What was wrong, what was there and what to do.
    public var description: String { text }
}
