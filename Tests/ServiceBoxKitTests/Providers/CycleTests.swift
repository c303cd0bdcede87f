// Part of ServiceBox, released under the MIT License.
// Services that need each other.

import Testing

@testable import ServiceBoxKit  // for providers in two phases, which only a box makes

private final class A: Sendable {
    let other = Locked<B?>(nil)
}
private final class B: Sendable {
    let other = Locked<A?>(nil)
}
private final class C: Sendable {}

extension ServiceProvider {
    /// Makes a provider whose services are finished after their factory, as a box does.
    fileprivate convenience init(
        lifetime: Lifetime, make: @escaping @Sendable () throws -> Service,
        finish: @escaping @Sendable (Service) throws -> Void
    ) {
        let maker = Maker(delegate: Finisher(finish))
        self.init(
            makeSource(of: Service.self, lifetime, maker) { AnyCell.holding(try make()) })
    }

    /// The service, for the second phase of another one.
    fileprivate func forFilling() throws -> Service {
        try source.resolve(for: .filling).value(as: Service.self)
    }
}

private final class Finisher<Service: Sendable>: MakerDelegate {
    private let finish: @Sendable (Service) throws -> Void

    init(_ finish: @escaping @Sendable (Service) throws -> Void) { self.finish = finish }

    func finish(_ service: AnyCell) throws -> (any Filling)? {
        if let service = service.content(as: Service.self) { try finish(service) }
        return nil
    }
}

@Suite("A cycle of factories")
struct CycleTests {
    private static func cycle(
        _ first: Lifetime, _ second: Lifetime, meet: @escaping @Sendable () -> Void = {}
    ) -> (a: ServiceProvider<A>, b: ServiceProvider<B>) {
        let laterA = Later<ServiceProvider<A>>()
        let b = ServiceProvider<B>(second) {
            meet()
            _ = try laterA.get().resolve()
            return B()
        }
        let a = ServiceProvider<A>(first) {
            meet()
            _ = try b.resolve()
            return A()
        }
        laterA.set(a)
        return (a, b)
    }

    @Test(
        "is an error with the path on one thread",
        .neverHanging,
        arguments: [Lifetime.lazy, .weak, .transient], [Lifetime.lazy, .weak, .transient])
    func oneThread(_ first: Lifetime, _ second: Lifetime) {
        let (a, b) = Self.cycle(first, second)
        let error = failure(of: a)
        #expect(error?.code == .cycle)
        #expect(error?.path == ["A", "B", "A"])
        #expect(failure(of: b)?.path == ["B", "A", "B"])
    }

    @Test("that starts elsewhere includes the way into it", .neverHanging)
    func leadIn() {
        let (a, _) = Self.cycle(.lazy, .transient)
        let c = ServiceProvider<C> {
            _ = try a.resolve()
            return C()
        }
        let error = failure(of: c)
        #expect(error?.path == ["C", "A", "B", "A"])
    }

    @Test("that two threads enter from its two ends is an error for both", .neverHanging)
    func twoThreads() {
        for _ in 0..<20 {
            let arrivals = Counter()
            let (first, second) = (Signal(), Signal())
            let (a, b) = Self.cycle(.lazy, .lazy) {
                // Each factory waits until the other runs, the first time.
                switch arrivals.next() {
                case 1: first.wait()
                case 2:
                    first.send()
                    second.send()
                default: break
                }
            }
            let paths = Locked<[[String]]>([])
            onThreads([
                { paths.withLock { [path = failure(of: a)?.path] in $0.append(path ?? []) } },
                { paths.withLock { [path = failure(of: b)?.path] in $0.append(path ?? []) } },
            ])
            #expect(Set(paths.withLock { $0 }) == [["A", "B", "A"], ["B", "A", "B"]])
        }
    }

    @Test("that two threads enter through transient services includes those", .neverHanging)
    func twoThreadsTransient() {
        let laterA = Later<ServiceProvider<A>>()
        let (inA, inB) = (Signal(), Signal())
        let once = Counter()
        let b = ServiceProvider<B> {
            if once.next() == 1 {
                inB.send()
                inA.wait()
            }
            _ = try laterA.get().resolve()
            return B()
        }
        let c = ServiceProvider<C>(.transient) {
            _ = try b.resolve()
            return C()
        }
        let onceA = Counter()
        let a = ServiceProvider<A> {
            if onceA.next() == 1 {
                inA.send()
                inB.wait()
            }
            _ = try c.resolve()
            return A()
        }
        laterA.set(a)
        let pathA = Locked<[String]>([])
        let pathB = Locked<[String]>([])
        onThreads([
            { pathA.withLock { [path = failure(of: a)?.path] in $0 = path ?? [] } },
            { pathB.withLock { [path = failure(of: b)?.path] in $0 = path ?? [] } },
        ])
        #expect(pathA.withLock { $0 } == ["A", "C", "B", "A"])
        #expect(pathB.withLock { $0 } == ["B", "A", "C", "B"])
    }

    @Test(
        "doesn't arise when a factory resets its own provider and resolves it again", .neverHanging)
    func resetInside() {
        let own = Later<ServiceProvider<A>>()
        let a = ServiceProvider<A> {
            try own.get().reset()
            _ = try own.get().resolve()
            return A()
        }
        own.set(a)
        #expect(failure(of: a)?.path == ["A", "A"])
    }

    @Test("isn't found where a factory starts a task that resolves later", .neverHanging)
    func task() async throws {
        let own = Later<ServiceProvider<A>>()
        let task = Later<Task<A, any Error>>()
        let a = ServiceProvider<A>(.transient) {
            if (try? task.get()) == nil { task.set(Task { try own.get().resolve() }) }
            return A()
        }
        own.set(a)
        _ = try a.resolve()
        _ = try await task.get().value
    }
}

@Suite("A cycle of properties")
struct PropertyCycleTests {
    private static func cycle(
        inMake: @escaping @Sendable () -> Void = {}, inFinish: @escaping @Sendable () -> Void = {}
    ) -> (a: ServiceProvider<A>, b: ServiceProvider<B>) {
        let laterB = Later<ServiceProvider<B>>()
        let a = ServiceProvider<A>(
            lifetime: .lazy,
            make: {
                inMake()
                return A()
            },
            finish: { made in
                inFinish()
                let b = try laterB.get().forFilling()
                made.other.withLock { $0 = b }
            })
        let b = ServiceProvider<B>(
            lifetime: .lazy,
            make: {
                inMake()
                return B()
            },
            finish: { made in
                inFinish()
                let a = try a.forFilling()
                made.other.withLock { $0 = a }
            })
        laterB.set(b)
        return (a, b)
    }

    @Test(
        "is legal on one thread: both services are created first and filled afterwards",
        .neverHanging)
    func oneThread() throws {
        let (providerA, providerB) = Self.cycle()
        let a = try providerA.resolve()
        let b = try providerB.resolve()
        #expect(a.other.withLock { $0 } === b)
        #expect(b.other.withLock { $0 } === a)
    }

    @Test("is legal when two threads enter it from its two ends", .neverHanging)
    func twoThreads() throws {
        for _ in 0..<20 {
            let arrivals = Counter()
            let gate = Signal()
            let (providerA, providerB) = Self.cycle(inFinish: {
                if arrivals.next() == 1 { gate.wait() } else { gate.send() }
            })
            onThreads([{ _ = try? providerA.resolve() }, { _ = try? providerB.resolve() }])
            let (a, b) = try (providerA.resolve(), providerB.resolve())
            #expect(a.other.withLock { $0 } === b)
            #expect(b.other.withLock { $0 } === a)
        }
    }

    @Test(
        "is an error where a factory on another thread needs a service that is filled with its own",
        .neverHanging)
    func factoryMeetsUnfinished() throws {
        for _ in 0..<20 {
            let laterC = Later<ServiceProvider<C>>()
            let (inFinish, inMake) = (Signal(), Signal())
            let a = ServiceProvider<A>(
                lifetime: .lazy, make: { A() },
                finish: { _ in
                    inFinish.send()
                    inMake.wait()
                    _ = try laterC.get().forFilling()
                })
            let c = ServiceProvider<C> {
                inMake.send()
                inFinish.wait()
                _ = try a.resolve()
                return C()
            }
            laterC.set(c)
            let codes = Locked<[ServiceBoxError.Code?]>([])
            onThreads([
                { codes.withLock { [code = failure(of: a)?.code] in $0.append(code) } },
                { codes.withLock { [code = failure(of: c)?.code] in $0.append(code) } },
            ])
            #expect(codes.withLock { $0 } == [.cycle, .cycle])
            #expect(!a.isMade && !c.isMade)
        }
    }

    @Test("excludes transient services, which can't be seen unfinished", .neverHanging)
    func transient() {
        let own = Later<ServiceProvider<A>>()
        let a = ServiceProvider<A>(
            lifetime: .transient, make: { A() }, finish: { _ in _ = try own.get().forFilling() })
        own.set(a)
        #expect(failure(of: a)?.code == .cycle)
        #expect(failure(of: a)?.path == ["A", "A"])
    }

    @Test("lets other threads wait until the service is finished", .neverHanging)
    func othersWait() {
        let (started, finished) = (Signal(), Counter())
        let a = ServiceProvider<A>(
            lifetime: .lazy, make: { A() },
            finish: { _ in
                started.send()
                finished.next()
            })
        let seen = Locked<[Int]>([])
        onThreads([
            { _ = try? a.resolve() },
            {
                started.wait()
                _ = try? a.resolve()
                seen.withLock { $0.append(finished.value) }
            },
        ])
        #expect(seen.withLock { $0 } == [1])
    }

    @Test("fails with the error of its second phase and the path")
    func finishFails() {
        struct Broken: Error {}
        let a = ServiceProvider<A>(lifetime: .lazy, make: { A() }, finish: { _ in throw Broken() })
        let error = failure(of: a)
        #expect(error?.path == ["A"])
        #expect(error?.underlying is Broken)
        #expect(!a.isMade)
    }
}
