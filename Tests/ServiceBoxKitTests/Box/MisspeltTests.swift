// Part of ServiceBox, released under the MIT License.
// What the compiler says of first attempts that it would misunderstand otherwise.

import ServiceBoxKit
import Testing

/// One line of a program, and what the compiler says of it; nil if it is right.
private struct Attempt: CustomTestStringConvertible, Sendable {
    let code: String
    let answer: String?

    init(_ code: String, _ answer: String? = nil) {
        (self.code, self.answer) = (code, answer)
    }

    var testDescription: String { code }

    static let all = slips + mistakes + right

    private static let slips = [
        Attempt("box.register((any Store).self) { _ in FileStore() }", key),
        Attempt(#"box.register((any Store).self, as: "store") { _ in FileStore() }"#, key),
        Attempt("box.register(FileStore.self, lifetime: .weak, per: .box) { _ in FileStore() }", key),
        Attempt(#"box.register("store") { _ in FileStore() }"#, key),
        Attempt("box.register(.files) { _ in FileStore() }", label),
        Attempt(#"box.register(ServiceKey<any Store>("store")) { _ in FileStore() }"#, label),
        Attempt("box.register(name) { box in try box.resolve(FileStore.self) }", key),
        Attempt(#"box.register(as: "number", lifetime: .lazy) { (_, number: Int) in number }"#, parameters),
        Attempt("box.register(per: .box) { @MainActor (_, first: Int, second: Int) in first }", parameters),
        Attempt("box.register(onStop: { _ in }) { (_, number: Int) in number }", parameters),
        Attempt("box.register(FileStore(), lifetime: .weak)", readyMade),
        Attempt("box.register(FileStore(), as: .files, per: .box)", readyMade),
        Attempt("box.register(FileStore(), as: .store, lifetime: .lazy, per: .box)", readyMade),
        Attempt("box.register(FileStore(), as: (any Store).self)", interface),
        Attempt("let made: any ServiceFactory = Stores(); box.register(factory: made)", factory),
        Attempt(#"let store = try box.resolve("store")"#, type),
        Attempt(#"let store = try box["store"]"#, type),
        Attempt("let store = try box.resolve()", typeAlone),
        Attempt(#"let page = try box.resolve("page", with: 3)"#, typeOfParameters),
        Attempt("let page = try box.resolve(Int.self, with: 3)", named),
        Attempt("let page: Int = try box.resolve(with: 3)", named),
        Attempt("let store: any Store = try box.resolve(name)", variable),
        Attempt("let store: any Store = try box[name]", variable),
        Attempt("let store: (any Store)? = try? box[name]", variable),
        Attempt(#"try box.provider("store").reset()"#, providerType),
        Attempt(#"let provider = try box.provider("store")"#, providerType),
        Attempt(#"let store = try await box.prepare("store")"#, awaitedType),
        Attempt("let store = try await box.prepare()", awaitedTypeAlone),
        Attempt("let store: any Store = try await box.prepare(name)", variable),
        Attempt("final class Screen { @Injected(.store) var files: FileStore }", property),
        Attempt("final class Screen { @Injected(.files) var store: (any Store)? }", property),
        Attempt("final class Screen { @Injected(.files, when: .read) var store: any Store }", property),
    ]

    /// Mistakes that the compiler finds where they are.
    private static let mistakes = [
        Attempt("box.register(FileStore(), as: .fils)", "type 'ServiceKey<FileStore>?' has no member 'fils'"),
        Attempt(
            "box.register(1, as: .store)", "argument type 'Int' does not conform to expected type 'Store'"),
        Attempt("box.register { FileStore() }", noBox),
        Attempt(#"box.register(as: "files", lifetime: .transient) { FileStore() }"#, noBox),
        Attempt("box.register { try await FileStore.open() }", noBox),
        Attempt("box.register(onStop: { _ in }) { try await FileStore.open() }", noBox),
        Attempt("box.register { @MainActor in FileStore() }", noBox),
        Attempt(
            #"box.register(as: "files", FileStore.init)"#,
            "cannot convert value of type '@Sendable () -> FileStore' to expected argument type"),
        Attempt(
            "box.register { box in let text: String = try box.resolve(); return Int(text, radix: text) }",
            "cannot convert value of type 'String' to expected argument type 'Int'"),
        Attempt("box.register { box in let _ = try box.resolv(); return FileStore() }", misspelt),
        Attempt("box.register(as: .files) { box in let _ = try box.resolv(); return FileStore() }", misspelt),
        Attempt("box.register { box in let text: String = try box[.files]; return text }", otherType),
        Attempt("box.register { box in FileStore(first: 1) }", otherArgument),
        Attempt(
            "box.register { box in let _ = try box.resolve(.files); return FileStore(first: 1) }",
            otherArgument),
        Attempt("box.register(as: .files, lifetime: .weak) { box in FileStore(first: 1) }", otherArgument),
        Attempt("box.register { box in try await FileStore(first: box.prepare(.files)) }", otherArgument),
        Attempt("box.register { (box, number: Int) in FileStore(first: number) }", otherArgument),
    ]

    private static let right = [
        Attempt("box.register { _ in FileStore() }"),
        Attempt("box.register { @MainActor _ in FileStore() }"),
        Attempt("box.register { box in try await box.prepare(.files) }"),
        Attempt("box.register { (_, number: Int) in number }"),
        Attempt("box.register(as: .store, lifetime: .lazy, onStop: { _ in }) { _ in FileStore() }"),
        Attempt(#"box.register("text", as: "text") { text in print(text) }"#),
        Attempt("box.register(FileStore()) { files in print(files) }"),
        Attempt("box.register(factory: Stores() as any ServiceFactory<FileStore>, as: .files)"),
        Attempt("let store = try box[.store]"),
        Attempt("try box.provider(.store).reset()"),
        Attempt(#"let provider: ServiceProvider<FileStore> = try box.provider("store")"#),
        Attempt("try await box.prepare(.store)"),
        Attempt("try await box.prepare(FileStore.self)"),
        Attempt(#"let store = try box.resolve("store") as any Store"#),
        Attempt("let store: any Store = try box[ServiceKey(name)]"),
        Attempt(#"let store: any Store = try await box.prepare("store")"#),
        Attempt("final class Screen { @Injected(.store) var store: (any Store)? }"),
        Attempt("final class Screen { @Injected(.files) var files: ServiceProvider<FileStore> }"),
        Attempt(#"final class Screen { @Injected("files") var files: ServiceProvider<FileStore> }"#),
        Attempt("class Screen { @Injected(.files) var files; func all() -> FileStore { files } }"),
    ]

    private static let key = #"a key names the service: register(as: "store") { _ in … }"#
    private static let label = "a key follows its label: register(as: key) { _ in … }"
    private static let noBox = "expects 1 argument, which cannot be implicitly ignored"
    private static let misspelt = "value of type 'ServiceBox' has no member 'resolv'"
    private static let otherType = "cannot convert value of type 'FileStore' to specified type 'String'"
    private static let otherArgument = "argument passed to call that takes no arguments"
    private static let parameters =
        "a service made from parameters has no lifetime, no scope and no onStop:"
    private static let readyMade =
        "a ready-made service has no lifetime and no scope: register { _ in … }"
    private static let providerType =
        #"say the type of the service: box.provider("store" as ServiceKey<Store>)"#
    private static let awaitedType =
        #"say the type of the service: let store: Store = try await box.prepare("store")"#
    private static let interface =
        #"a key says the type: register(service, as: ServiceKey<any Store>("store"))"#
    private static let factory = "say what the factory makes: any ServiceFactory<Store>"
    private static let awaitedTypeAlone =
        "say the type of the service: let store: Store = try await box.prepare()"
    private static let typeAlone = "say the type of the service: let store: Store = try box.resolve()"
    private static let typeOfParameters =
        #"say the type of the service: let page: Page = try box.resolve("page", with: 3)"#
    private static let named =
        #"parameters belong to a name: let page: Page = try box.resolve("page", with: 3)"#
    private static let type = #"say the type of the service: let store: Store = try box["store"]"#
    private static let variable = "a name in a variable is a key: ServiceKey(name)"
    private static let property =
        "the key is of another type than the property: declare the key's type, or give the name alone"

    /// The errors and the deprecations of one program with all lines, by line.
    static let answers = Task {
        let before = """
            import ServiceBoxKit
            protocol Store: Sendable {}
            final class FileStore: Store { static func open() async throws -> FileStore { FileStore() } }
            struct Stores: ServiceFactory {
                let lifetime = Lifetime.lazy
                func makeService() -> FileStore { FileStore() }
            }
            extension ServiceKey where Service == any Store { static var store: Self { "store" } }
            extension ServiceKey where Service == FileStore { static var files: Self { "files" } }
            func attempt(with box: ServiceBox, name: String) async throws {

            """
        let lines = all.map { "do { \($0.code) }" }.joined(separator: "\n")
        let library = try await StandaloneLibrary.shared.value
        let output = try await library.compile("\(before)\(lines)\n}", flags: ["-typecheck"]).compiler.errors
        var answers: [String: [String]] = [:]
        for line in output.split(separator: "\n") {
            let answer = line.firstMatch(of: /main.swift:(\d+):\d+: (error: .*|.* is deprecated: .*)/)
            guard let match = answer, let number = Int(match.output.1) else { continue }
            answers[all[number - before.split(separator: "\n").count - 1].code, default: []]
                .append(String(match.output.2))
        }
        return answers
    }
}

/// What follows after slips that compile.
private protocol Registering {
    func register(in box: ServiceBox)
}

private struct ByTypeAndName: Registering {
    @available(*, deprecated)
    func register(in box: ServiceBox) {
        box.register((any Store).self) { _ in FileStore() }
        box.register("backup") { _ in FileStore() }
        box.register(ServiceKey<FileStore>("archive")) { _ in FileStore() }
    }
}

@Suite("The compiler")
struct MisspeltTests {
    @Test("names a slip and its fix, and nothing where all is right", arguments: Attempt.all)
    private func answers(_ attempt: Attempt) async throws {
        let answers = try await Attempt.answers.value[attempt.code] ?? []
        #expect(answers.count == (attempt.answer == nil ? 0 : 1), "\(answers)")
        #expect(answers.allSatisfy { $0.contains(attempt.answer ?? "") }, "\(answers)")
    }

    @Test("takes a type, a name or a key in front of a factory for the key that is meant")
    func misplacedKey() throws {
        let box = ServiceBox()
        let registering: any Registering = ByTypeAndName()
        registering.register(in: box)
        #expect(box.registrations.map(\.name) == ["archive", "backup", "serviceBox", "store"])
        let (store, backup): (any Store, FileStore) = (try box["store"], try box["backup"])
        #expect(store as? FileStore !== backup)
        let places = box.graph().nodes.filter { $0.serviceName != "serviceBox" }.compactMap(\.place)
        #expect(places.count == 3 && places.allSatisfy { $0.hasPrefix(#fileID) })
    }
}
