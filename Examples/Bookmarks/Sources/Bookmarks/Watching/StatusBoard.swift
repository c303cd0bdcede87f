// Part of ServiceBox, released under the MIT License.
// How the program is, for those who look.

import Foundation
import ServiceBoxKit

/// Shows how the program is.
///
/// It belongs to the main actor, as what a person looks at does.
@MainActor
final class StatusBoard: ServiceLifecycle {
    /// What it shows.
    struct Status: Codable, Equatable, Sendable {
        enum State: String, Codable {
            case starting, running, stopping
        }

        var state = State.starting
        var bookmarks: Int?
        /// Why the database can't be used, if it can't.
        var problem: String?

        var isHealthy: Bool { state == .running && problem == nil }
    }

    private(set) var status = Status()

    func start() { status.state = .running }

    func stop() { status.state = .stopping }

    /// Shows what a check has found.
    func show(bookmarks: Int) { (status.bookmarks, status.problem) = (bookmarks, nil) }

    /// Shows that a check has failed.
    func show(problem: String) { status.problem = problem }
}
