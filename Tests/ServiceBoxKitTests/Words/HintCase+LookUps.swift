// Part of ServiceBox, released under the MIT License.
// Services that are asked for by name, or by type alone.

import ServiceBoxKit

private final class List<Element>: Sendable {}

extension HintCase {
    static let lookUps = [
        HintCase("a near name", "did you mean 'caches'?") { box in
            box.register(Cache(), as: "caches")
            return told { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Cache>("cache")) }
        },
        HintCase("a near name of another type", nil) { box in
            box.register(Clock(), as: "caches")
            return told { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Cache>("cache")) }
        },
        HintCase("another name", "'archive' (Cache) would fit") { box in
            box.register(Cache(), as: "archive")
            return told { () throws(ServiceBoxError) in try box[ServiceKey<Cache>("cache")] }
        },
        HintCase("another name for an optional", "'archive' (Cache) would fit") { box in
            box.register(Cache(), as: "archive")
            return told { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Cache?>("cache")) }
        },
        HintCase("another name for a number", nil) { box in
            box.register(1, as: "retries")
            return told { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Int>("timeout")) }
        },
        HintCase("a provider, and a near name of what needs parameters", nil) { box in
            box.register(provider: ServiceParametersProvider { (_: Int) in Page() }, as: "pages")
            return told { () throws(ServiceBoxError) in try box.provider(ServiceKey<Page>("page")) }
        },
        HintCase("a type alone", nil) { box in
            box.register(Clock(), as: "cache")
            return told { () throws(ServiceBoxError) in try box.resolve(Cache.self) }
        },
        HintCase(
            "a type alone, whose service another type's replaced",
            "'list' (List<Cache>), registered at App/Main.swift:7, was replaced"
        ) { box in
            box.register(List<Cache>(), fileID: "App/Main.swift", line: 7)
            box.register(List<Clock>())
            return told { () throws(ServiceBoxError) in try box.resolve(List<Cache>.self) }
        },
        HintCase("another type, and another name that fits", "'archive' (Cache) would fit") { box in
            box.register(Clock(), as: "cache")
            box.register(Cache(), as: "archive")
            return told { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Cache>("cache")) }
        },
        HintCase("another type, and two other names that fit", nil) { box in
            box.register(Clock(), as: "cache")
            box.register(Cache(), as: "archive")
            box.register(Cache(), as: "attic")
            return told { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Cache>("cache")) }
        },
        HintCase(
            "hidden in the parent", "it hides the parent's 'cache' (Cache), registered at App/Main.swift:7"
        ) { box in
            box.register(Cache(), as: "cache", fileID: "App/Main.swift", line: 7)
            let child = box.makeChild(name: "child")
            child.register(Clock(), as: "cache")
            return told { () throws(ServiceBoxError) in try child.resolve(ServiceKey<Cache>("cache")) }
        },
        HintCase("a near name of what needs parameters", nil) { box in
            box.register(provider: ServiceParametersProvider { (_: Int) in Page() }, as: "pages")
            return told { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Page>("page")) }
        },
        HintCase("parameters, and a near name", "did you mean 'pages'?") { box in
            box.register(provider: ServiceParametersProvider { (_: Int) in Page() }, as: "pages")
            box.register(Page(), as: "pagex")
            return told { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Page>("page"), with: 1) }
        },
        HintCase("other parameters, and a near name", nil) { box in
            box.register(provider: ServiceParametersProvider { (_: Int) in Page() }, as: "pages")
            return told { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Page>("page"), with: "1") }
        },
        HintCase("parameters, and another type under the name", "did you mean 'pages'?") { box in
            box.register(provider: ServiceParametersProvider { (_: Int) in Page() }, as: "pages")
            box.register(provider: ServiceParametersProvider { (_: Int) in Cache() }, as: "page")
            return told { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Page>("page"), with: 1) }
        },
        HintCase("parameters, of which the name takes others", nil) { box in
            box.register(provider: ServiceParametersProvider { (_: Int) in Page() }, as: "pages")
            box.register(provider: ServiceParametersProvider { (_: String) in Page() }, as: "page")
            return told { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Page>("page"), with: 1) }
        },
        HintCase("another name than that of the decorated service under construction", nil) { box in
            box.register(as: "cache") { box in try box["archive"] as Cache }
            box.decorate("cache") { (cache: Cache, _) in cache }
            return told { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Cache>("cache")) }
        },
        HintCase("another name than that of the service that is made from parameters", nil) { box in
            box.register(as: "page") { (box, number: Int) in try box.resolve("book", with: number) as Page }
            return told { () throws(ServiceBoxError) in try box.resolve(ServiceKey<Page>("page"), with: 1) }
        },
        HintCase("a provider, and a near name", "did you mean 'caches'?") { box in
            box.register(Cache(), as: "caches")
            return told { () throws(ServiceBoxError) in try box.provider(ServiceKey<Cache>("cache")) }
        },
        HintCase("a provider, and a near name of a subclass", nil) { box in
            box.register(DiskCache(), as: "caches")
            return told { () throws(ServiceBoxError) in try box.provider(ServiceKey<Cache>("cache")) }
        },
        HintCase("a provider of an interface that the service has", nil) { box in
            box.register(FileStore(), as: "store")
            box.register(FileStore(), as: ServiceKey<any Store>("stores"))
            return told { () throws(ServiceBoxError) in try box.provider(ServiceKey<any Store>("store")) }
        },
        HintCase("a provider of an interface that the service lacks", "did you mean 'stores'?") { box in
            box.register(Clock(), as: "store")
            box.register(FileStore(), as: ServiceKey<any Store>("stores"))
            return told { () throws(ServiceBoxError) in try box.provider(ServiceKey<any Store>("store")) }
        },
    ]
}
