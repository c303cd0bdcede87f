// Part of ServiceBox, released under the MIT License.
// The checks, each with a name.

import ServiceBoxKit

extension ProviderConformance {
    /// One thing that every provider does.
    public struct Check: Hashable, Sendable, CustomStringConvertible {
        /// The check's name.
        public let description: String
        private let body: @Sendable (ProviderConformance) throws -> Void

        /// Two calls of `resolve()` return one service, or two if it is transient.
        public static let sharing = Check("sharing") { try $0.checkSharing() }
        /// `isMade` tells whether the service exists.
        public static let isMade = Check("isMade") { try $0.checkIsMade() }
        /// After `reset()` the next call creates a new service.
        public static let reset = Check("reset") { try $0.checkReset() }
        /// An error has its cause and names the service; an eager provider keeps it, others try again.
        public static let errors = Check("errors") { try $0.checkErrors() }
        /// Concurrent calls get one service, or one each if it is transient.
        public static let exactlyOnce = Check("exactlyOnce") { try $0.checkExactlyOnce() }

        /// All checks.
        public static let all: [Check] = [.sharing, .isMade, .reset, .errors, .exactlyOnce]

        private init(_ name: String, _ body: @escaping @Sendable (ProviderConformance) throws -> Void) {
            description = name
            self.body = body
        }

        /// What the providers do wrong, or nil if they pass.
        func violation(_ suite: ProviderConformance) -> String? {
            do {
                try body(suite)
                return nil
            } catch let error as ServiceBoxError {
                return "resolve() threw an error with the code \(error.code)"
            } catch {
                return "\(error)"
            }
        }

        /// Compares the names.
        public static func == (first: Check, second: Check) -> Bool {
            first.description == second.description
        }

        /// Hashes the name.
        public func hash(into hasher: inout Hasher) { hasher.combine(description) }
    }
}

/// What a check throws when it finds a fault.
struct BrokenRule: Error, CustomStringConvertible {
    let description: String
}

/// Throws if a rule is broken.
func require(_ condition: Bool, _ text: @autoclosure () -> String) throws {
    if !condition { throw BrokenRule(description: text()) }
}
