// Part of ServiceBox, released under the MIT License.
// A system of distributed actors on two nodes that call each other.

import Distributed
import Foundation

/// A node whose own actors are local, and those of its peer remote; calls travel as JSON.
final class NodeSystem: DistributedActorSystem {
    typealias ActorID = String
    typealias InvocationEncoder = NodeCall
    typealias InvocationDecoder = NodeCall
    typealias ResultHandler = NodeAnswer
    typealias SerializationRequirement = Codable

    struct Unreachable: Error {}

    private struct State {
        var actors: [String: any DistributedActor] = [:]
        var count = 0
        var calls = 0
        weak var peer: NodeSystem?
    }

    private let name: String
    private let state = Locked(State())

    init(_ name: String) { self.name = name }

    /// Lets two nodes call each other, as long as both are there.
    func connect(to other: NodeSystem) {
        state.withLock { $0.peer = other }
        other.state.withLock { $0.peer = self }
    }

    /// How many calls have come from the peer.
    var callCount: Int { state.withLock { $0.calls } }

    func resolve<Act>(id: String, as actorType: Act.Type) throws -> Act?
    where Act: DistributedActor, Act.ID == String {
        state.withLock { $0.actors[id] } as? Act
    }

    func assignID<Act>(_ actorType: Act.Type) -> String where Act: DistributedActor, Act.ID == String {
        state.withLock {
            $0.count += 1
            return "\(name)/\($0.count)"
        }
    }

    func actorReady<Act>(_ actor: Act) where Act: DistributedActor, Act.ID == String {
        state.withLock { $0.actors[actor.id] = actor }
    }

    func resignID(_ id: String) { state.withLock { $0.actors[id] = nil } }

    func makeInvocationEncoder() -> NodeCall { NodeCall() }

    func remoteCall<Act, Err, Res>(
        on actor: Act, target: RemoteCallTarget, invocation: inout NodeCall, throwing: Err.Type,
        returning: Res.Type
    ) async throws -> Res where Act: DistributedActor, Act.ID == String, Err: Error, Res: Codable {
        let data = try await call(actor.id, target.identifier, invocation)
        return try JSONDecoder().decode(Res.self, from: data)
    }

    func remoteCallVoid<Act, Err>(
        on actor: Act, target: RemoteCallTarget, invocation: inout NodeCall, throwing: Err.Type
    ) async throws where Act: DistributedActor, Act.ID == String, Err: Error {
        _ = try await call(actor.id, target.identifier, invocation)
    }

    private func call(_ id: String, _ target: String, _ call: NodeCall) async throws -> Data {
        guard let peer = state.withLock({ $0.peer }) else { throw Unreachable() }
        return try await peer.receive(id, target, call)
    }

    private func receive(_ id: String, _ target: String, _ call: NodeCall) async throws -> Data {
        let actor = state.withLock {
            $0.calls += 1
            return $0.actors[id]
        }
        guard let actor else { throw Unreachable() }
        var call = call
        let answer = NodeAnswer()
        try await executeDistributedTarget(
            on: actor, target: RemoteCallTarget(target), invocationDecoder: &call, handler: answer)
        return try answer.data.withLock { $0 }.get()
    }
}

/// The arguments of a call.
struct NodeCall: DistributedTargetInvocationEncoder, DistributedTargetInvocationDecoder, Sendable {
    typealias SerializationRequirement = Codable

    private var arguments: [Data] = []

    mutating func recordGenericSubstitution<T>(_ type: T.Type) throws {}

    mutating func recordArgument<Value: Codable>(_ argument: RemoteCallArgument<Value>) throws {
        arguments.append(try JSONEncoder().encode(argument.value))
    }

    mutating func recordErrorType<E: Error>(_ type: E.Type) throws {}
    mutating func recordReturnType<R: Codable>(_ type: R.Type) throws {}
    mutating func doneRecording() throws {}

    mutating func decodeGenericSubstitutions() throws -> [Any.Type] { [] }
    mutating func decodeNextArgument<Argument: Codable>() throws -> Argument {
        try JSONDecoder().decode(Argument.self, from: arguments.removeFirst())
    }
    mutating func decodeErrorType() throws -> Any.Type? { nil }
    mutating func decodeReturnType() throws -> Any.Type? { nil }
}

/// What a call came to.
final class NodeAnswer: DistributedTargetInvocationResultHandler {
    typealias SerializationRequirement = Codable

    let data = Locked(Result<Data, any Error>.success(Data()))

    func onReturn<Success: Codable>(value: Success) async throws {
        let value = try JSONEncoder().encode(value)
        data.withLock { $0 = .success(value) }
    }

    func onReturnVoid() async throws {}

    func onThrow<Err: Error>(error: Err) async throws { data.withLock { $0 = .failure(error) } }
}
