// Part of ServiceBox, released under the MIT License.
// Names whose service is of another type.

import ServiceBoxKit

extension HintCase {
    static let mismatched: [HintCase] = family + others

    // MARK: - Families, and what came later

    private static let family = [
        HintCase(
            "hidden in the parent", "it hides the parent's 'cache' (Cache), registered at App/Main.swift:7"
        ) { box in
            box.register(Cache(), as: "cache", fileID: "App/Main.swift", line: 7)
            let child = box.makeChild(name: "child")
            child.register(Clock(), as: "cache")
            return fill(Wants<Cache>(), from: child)
        },
        HintCase(
            "hidden in the parent's parent",
            "it hides an ancestor's 'cache' (Cache), registered at App/Main.swift:7"
        ) { box in
            box.register(Cache(), as: "cache", fileID: "App/Main.swift", line: 7)
            let child = box.makeChild(name: "child")
            child.register(Clock(), as: "cache")
            return fill(Wants<Cache>(), from: child.makeChild(name: "grandchild"))
        },
        HintCase(
            "of a replaced service", "'cache' (Cache), registered at App/Main.swift:7, was replaced"
        ) { box in
            box.register(Cache(), as: "cache", fileID: "App/Main.swift", line: 7)
            box.register(Clock(), as: "cache")
            return fill(Wants<Cache>(), from: box)
        },
        HintCase("hidden in the parent, of no better type", nil) { box in
            box.register(1, as: "cache")
            let child = box.makeChild(name: "child")
            child.register(Clock(), as: "cache")
            return fill(Wants<Cache>(), from: child)
        },
        HintCase("of a better type in a child", nil) { box in
            box.register(Clock(), as: "cache")
            let child = box.makeChild(name: "child")
            child.register(Cache(), as: "cache")
            return fill(Wants<Cache>(), from: box)
        },
        HintCase(
            "replaced after the fill", "'cache' (Cache) is available now, registered at App/Main.swift:7"
        ) { box in
            box.register(Clock(), as: "cache")
            let report = box.fill(Wants<Cache>())
            box.register(Cache(), as: "cache", fileID: "App/Main.swift", line: 7)
            return told(report)
        },
        HintCase(
            "removed after the fill, so that the parent's is seen",
            "'cache' (Cache) is available now, registered at App/Main.swift:7"
        ) { box in
            box.register(Cache(), as: "cache", fileID: "App/Main.swift", line: 7)
            let child = box.makeChild(name: "child")
            child.register(Clock(), as: "cache")
            let report = child.fill(Wants<Cache>())
            child.remove("cache")
            return withExtendedLifetime(child) { told(report) }
        },
        HintCase("replaced after the fill by one of another type", nil) { box in
            box.register(Clock(), as: "cache")
            let report = box.fill(Wants<Cache>())
            box.register(1, as: "cache")
            return told(report)
        },
    ]

    // MARK: - Other services

    private static let others = [
        HintCase("a near name fits", "did you mean 'caches'?") { box in
            box.register(Clock(), as: "cache")
            box.register(Cache(), as: "caches")
            return fill(Wants<Cache>(), from: box)
        },
        HintCase("one other name fits", "'archive' (Cache) would fit") { box in
            box.register(Clock(), as: "cache")
            box.register(Cache(), as: "archive")
            return fill(Wants<Cache>(), from: box)
        },
        HintCase("two other names fit", nil) { box in
            box.register(Clock(), as: "cache")
            box.register(Cache(), as: "archive")
            box.register(Cache(), as: "attic")
            return fill(Wants<Cache>(), from: box)
        },
        HintCase("one other name has a number", nil) { box in
            box.register(Clock(), as: "cache")
            box.register(1, as: "retries")
            return fill(Wants<Int>(), from: box)
        },
        HintCase("two services under each other's names", "'clock' (Cache) would fit") { box in
            struct Pair {
                @Injected var cache: Cache?
                @Injected var clock: Clock?
            }
            box.register(Clock(), as: "cache")
            box.register(Cache(), as: "clock")
            return fill(Pair(), from: box)
        },
        HintCase("a protocol that the service lacks", "'files' (FileStore) would fit") { box in
            box.register(Clock(), as: "cache")
            box.register(FileStore(), as: "files")
            return fill(Wants<any Store>(), from: box)
        },
        HintCase("a conformance that is seen on the main actor alone", nil) { box in
            box.register(Panel(), as: "cache")
            box.register(Brush())
            return fill(Wants<any Themed & Sendable>(), from: box)
        },
        HintCase("an interface that turns out to be another class", "'archive' (Cache) would fit") { box in
            box.register(as: ServiceKey<any Store>("cache")) { _ in FileStore() }
            box.register(Cache(), as: "archive")
            return fill(Wants<Cache>(), from: box)
        },
        HintCase("a factory of another type", nil) { box in
            box.register(CacheFactory(), as: "cache")
            return fill(Wants<Clock>(), from: box)
        },
        HintCase(
            "a factory with parameters that was registered as a service",
            "it makes a Page, but is registered as a service itself"
        ) { box in
            box.register(PageFactory(), as: "cache")
            return fill(Wants<Page>(), from: box)
        },
        HintCase(
            "a provider with parameters that was registered as a service, though a near name fits",
            "it makes a FileStore, but is registered as a service itself"
        ) { box in
            box.register(ServiceParametersProvider { (_: Int) in FileStore() }, as: "cache")
            box.register(FileStore(), as: "caches")
            return fill(Wants<any Store>(), from: box)
        },
        HintCase("a service of what needs parameters", nil) { box in
            box.register(provider: ServiceParametersProvider { (_: Int) in Page() }, as: "cache")
            box.register(Page())
            return fill(Wants<Page>(), from: box)
        },
        HintCase("something else that needs parameters", "'archive' (Cache) would fit") { box in
            box.register(provider: ServiceParametersProvider { (_: Int) in Page() }, as: "cache")
            box.register(Cache(), as: "archive")
            return fill(Wants<Cache>(), from: box)
        },
        HintCase("a struct, which nothing holds weakly", nil) { box in
            box.register(ValueStore(), as: "cache")
            box.register(FileStore(), as: "files")
            return fill(WantsWeakly<(any Store)?>(), from: box)
        },
        HintCase("a struct of something else, to hold weakly", "'files' (FileStore) would fit") { box in
            box.register(Page(), as: "cache")
            box.register(FileStore(), as: "files")
            return fill(WantsWeakly<(any Store)?>(), from: box)
        },
        HintCase("a number, which is no object", "did you mean 'caches'?") { box in
            box.register(1, as: "cache")
            box.register(Clock(), as: "caches")
            return fill(Wants<AnyObject>(), from: box)
        },
        HintCase("the box itself under the wanted name", nil) { box in
            fill(Asks<Cache>("serviceBox"), from: box)
        },
    ]
}
