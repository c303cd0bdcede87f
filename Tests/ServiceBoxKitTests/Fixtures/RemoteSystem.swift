// Part of ServiceBox, released under the MIT License.
// A system of distributed actors that all live elsewhere.

import Distributed

/// Resolves every id to a remote actor, and can call none.
final class RemoteSystem: DistributedActorSystem {
    typealias ActorID = String
    typealias InvocationEncoder = LocalTestingInvocationEncoder
    typealias InvocationDecoder = LocalTestingInvocationDecoder
    typealias ResultHandler = LocalTestingInvocationResultHandler
    typealias SerializationRequirement = Codable

    struct Unreachable: Error {}

    func resolve<Act>(id: String, as actorType: Act.Type) throws -> Act?
    where Act: DistributedActor, Act.ID == String { nil }

    func assignID<Act>(_ actorType: Act.Type) -> String
    where Act: DistributedActor, Act.ID == String { "local" }

    func actorReady<Act>(_ actor: Act) where Act: DistributedActor, Act.ID == String {}

    func resignID(_ id: String) {}

    func makeInvocationEncoder() -> LocalTestingInvocationEncoder {
        LocalTestingDistributedActorSystem().makeInvocationEncoder()
    }

    func remoteCall<Act, Err, Res>(
        on actor: Act, target: RemoteCallTarget, invocation: inout LocalTestingInvocationEncoder,
        throwing: Err.Type, returning: Res.Type
    ) async throws -> Res
    where Act: DistributedActor, Act.ID == String, Err: Error, Res: Codable {
        throw Unreachable()
    }

    func remoteCallVoid<Act, Err>(
        on actor: Act, target: RemoteCallTarget, invocation: inout LocalTestingInvocationEncoder,
        throwing: Err.Type
    ) async throws where Act: DistributedActor, Act.ID == String, Err: Error {
        throw Unreachable()
    }

    func invokeHandlerOnReturn(
        handler: LocalTestingInvocationResultHandler, resultBuffer: UnsafeRawPointer, metatype: Any.Type
    ) async throws {}
}
