// Part of ServiceBox, released under the MIT License.
// Doing something for services in the order in which they need each other.

extension NeedOrder {
    /// Does something for each service when it is done for all that the service needs; side by side where none needs
    /// another.
    ///
    /// - Parameter body: Does it, for the service at a position.
    /// - Throws: The first error, when all that had begun has ended; nothing else begins.
    func forEach(_ body: @escaping @Sendable (_ position: Int) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
            var open = needs.map(\.count)
            func begin(_ position: Int) {
                group.addTask {
                    try Task.checkCancellation()
                    try await body(position)
                    return position
                }
            }
            for position in open.indices where open[position] == 0 { begin(position) }
            while let done = try await group.next() {
                for user in users[done] {
                    open[user] -= 1
                    if open[user] == 0 { begin(user) }
                }
            }
        }
    }

    /// The way to a service from one that nobody needs, through those that need each other.
    func path(to position: Int) -> ServicePath {
        ServicePath(
            sequence(first: position) { users[$0].first }.map { services[$0].lifeStep }.reversed())
    }
}

extension Registration {
    /// The service in a path of those that start or stop.
    var lifeStep: ServicePath.Step {
        ServicePath.Step(provider: ObjectIdentifier(history), type: serviceType)
    }
}
