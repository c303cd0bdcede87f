// Part of ServiceBox, released under the MIT License.
// Why a service could not be made: facts, worded when read.

/// What went wrong while a service was made.
enum MakingFailure: Sendable {
    /// A factory threw an error of its own.
    case factoryFailed(any Error)
    /// A service is needed to make itself.
    case cycle
    /// A provider with parameters asked itself again and again.
    case endlessRecursion(limit: Int)
    /// The thread's stack has no room for another factory.
    case tooDeep
    /// A factory that belongs to an actor was asked elsewhere.
    case wrongIsolation(isMainActor: Bool)
    /// Values of the service's type cannot be held weakly.
    case weakType
    /// What a factory made cannot be held weakly.
    case weakValue(made: Any.Type)
    /// The box that would make the service is gone; it was registered there under a name.
    case boxIsGone(name: String)

    var code: ServiceBoxError.Code {
        switch self {
        case .factoryFailed: .factoryFailed
        case .cycle, .endlessRecursion: .cycle
        case .tooDeep: .tooDeep
        case .wrongIsolation: .wrongIsolation
        case .weakType, .weakValue: .weakValue
        case .boxIsGone: .boxIsGone
        }
    }
}

extension ServiceBoxError {
    /// The error that a provider throws after its factory threw one.
    ///
    /// What another provider threw, or a look-up, is passed on with a longer path. Any other error starts a
    /// path.
    static func escaping(_ error: any Error, from step: ServicePath.Step) -> ServiceBoxError {
        if let nested = error as? ServiceBoxError, let escaping = nested.passedOn(by: step) {
            return escaping
        }
        return ServiceBoxError(.factoryFailed(error), path: ServicePath([step]))
    }
}
