// Part of ServiceBox, released under the MIT License.
// Why a service could not be made: facts, worded when read.

/// What went wrong while a service was made, and on which way.
///
/// The way grows while the failure passes outwards, so the words are put together last.
struct MakingFailure: Sendable {
    enum Reason: Sendable {
        /// A factory threw an error of its own.
        case factoryFailed(any Error)
        /// A service is needed to make itself.
        case cycle
        /// A provider with parameters asked itself again and again.
        case endlessRecursion(limit: Int)
        /// The thread's stack has no room for another factory.
        case tooDeep
        /// A factory of the main actor was asked elsewhere.
        case wrongIsolation
        /// Values of the service's type cannot be held weakly.
        case weakType
        /// What a factory made cannot be held weakly.
        case weakValue(made: Any.Type)
        /// The box that would make the service is gone; it was registered there under a name.
        case boxIsGone(name: String)
    }

    let reason: Reason
    var path: ServicePath

    var code: ServiceBoxError.Code {
        switch reason {
        case .factoryFailed: .factoryFailed
        case .cycle, .endlessRecursion: .cycle
        case .tooDeep: .tooDeep
        case .wrongIsolation: .wrongIsolation
        case .weakType, .weakValue: .weakValue
        case .boxIsGone: .boxIsGone
        }
    }

    var underlying: (any Error)? {
        if case .factoryFailed(let error) = reason { error } else { nil }
    }
}

extension ServiceBoxError {
    /// An error for a service that could not be made.
    init(_ reason: MakingFailure.Reason, path: ServicePath) {
        self.init(MakingFailure(reason: reason, path: path))
    }

    /// The error that a provider throws after its factory threw one.
    ///
    /// An error that another provider threw is passed on with a longer path. Any other starts a path.
    static func escaping(_ error: any Error, from step: ServicePath.Step) -> ServiceBoxError {
        if let nested = error as? ServiceBoxError, var failure = nested.failure {
            if case .cycle = failure.reason {
                failure.path = failure.path.entered(by: step)
            } else {
                failure.path = ServicePath([step] + failure.path.steps)
            }
            var escaping = ServiceBoxError(failure)
            escaping.isTold = nested.isTold
            return escaping
        }
        return ServiceBoxError(.factoryFailed(error), path: ServicePath([step]))
    }
}
