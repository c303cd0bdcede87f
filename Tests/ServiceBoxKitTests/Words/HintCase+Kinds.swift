// Part of ServiceBox, released under the MIT License.
// Names that nobody registered, by the kind of type that is wanted.

import Foundation
import ServiceBoxKit

extension HintCase {
    static let kinds: [HintCase] = general + forms

    // MARK: - General types, of which one service says nothing of another

    private static let general = [
        HintCase("anything at all", nil) { box in
            box.register(Clock())
            return fill(Wants<Any>(), from: box)
        },
        HintCase("any object", nil) { box in
            box.register(Clock())
            return fill(Wants<AnyObject>(), from: box)
        },
        HintCase("anything at all, under a near name", "did you mean 'caches'?") { box in
            box.register(Clock(), as: "caches")
            return fill(Wants<Any>(), from: box)
        },
        HintCase("a protocol of the standard library", "'broken' (Broken) would fit") { box in
            struct Broken: Error {}
            box.register(Broken())
            return fill(Wants<any Error>(), from: box)
        },
        HintCase("a number", nil) { box in
            box.register(3, as: "retries")
            return fill(Wants<Int>(), from: box)
        },
        HintCase("a date", nil) { box in
            box.register(Date(timeIntervalSince1970: 0), as: "start")
            return fill(Wants<Date>(), from: box)
        },
        HintCase("a dictionary of the system's types", nil) { box in
            box.register(["a": Date(timeIntervalSince1970: 0)], as: "starts")
            return fill(Wants<[String: Date]>(), from: box)
        },
        HintCase("a function of the system's types", nil) { box in
            let double: @Sendable (Int) -> Int = { $0 * 2 }
            box.register(double, as: "double")
            return fill(Wants<@Sendable (Int) -> Int>(), from: box)
        },
        HintCase("an array", nil) { box in
            box.register([Page()], as: "book")
            return fill(Wants<[Page]>(), from: box)
        },
        HintCase("an array of services", "2 services would fit its elements") { box in
            box.register(FileStore())
            box.register(AuditedStore())
            box.register(Clock())
            return fill(Wants<[any Store]>(), from: box)
        },
        HintCase("an optional array of a service", "1 service would fit its elements") { box in
            box.register(Clock())
            return fill(Wants<[Clock]?>(), from: box)
        },
        HintCase("a look-up of an array of services", "1 service would fit its elements") { box in
            box.register(Clock())
            return told { () throws(ServiceBoxError) in try box.resolve("clocks") as [Clock] }
        },
        HintCase("a look-up of an array of services by type", "2 services would fit its elements") { box in
            box.register(Clock())
            box.register(Clock(), as: "other")
            return told { () throws(ServiceBoxError) in try box.resolve() as [Clock] }
        },
        HintCase("a struct", nil) { box in
            box.register(Page())
            return fill(Wants<Page>(), from: box)
        },
        HintCase("a class of the system", "'scanner' (JSONDecoder) would fit") { box in
            box.register(JSONDecoder(), as: "scanner")
            return fill(Wants<JSONDecoder>(), from: box)
        },
    ]

    // MARK: - Forms of a service

    private static let forms = [
        HintCase("the box itself", "'serviceBox' (ServiceBox) would fit") { box in
            fill(Wants<ServiceBox>(), from: box)
        },
        HintCase("any object, under a name near the box's own", nil) { box in
            fill(Asks<AnyObject>("servicebox"), from: box)
        },
        HintCase("a service not made yet", "'archive' (DiskCache) would fit") { box in
            box.register(as: "archive") { _ -> DiskCache in fatalError("was made") }
            return fill(Wants<Cache>(), from: box)
        },
        HintCase("an interface not made yet", "'files' (Store) would fit") { box in
            box.register(as: ServiceKey<any Store>("files")) { _ in fatalError("was made") }
            return fill(Wants<any Store>(), from: box)
        },
        HintCase("a class that an interface not made yet may turn out to be", nil) { box in
            box.register(as: ServiceKey<any Store>("caches")) { _ in fatalError("was made") }
            return fill(Wants<FileStore>(), from: box)
        },
        HintCase("an interface that another one not made yet may have", nil) { box in
            box.register(as: ServiceKey<any Store>("caches")) { _ in fatalError("was made") }
            return fill(Wants<any Audited>(), from: box)
        },
        HintCase("a provider", "'archive' (Cache) would fit") { box in
            box.register(as: "archive") { _ in Cache() }
            return fill(Wants<ServiceProvider<Cache>>(), from: box)
        },
        HintCase("a provider of what is ready-made", "did you mean 'caches'?") { box in
            box.register(Cache(), as: "caches")
            return fill(Wants<ServiceProvider<Cache>>(), from: box)
        },
        HintCase("a provider of numbers", "'retries' (Int) would fit") { box in
            box.register(as: "retries") { _ in 3 }
            return fill(Wants<ServiceProvider<Int>>(), from: box)
        },
        HintCase("a service of what needs parameters", nil) { box in
            box.register(provider: ServiceParametersProvider { (_: Int) in Page() }, as: "caches")
            return fill(Wants<Page>(), from: box)
        },
        HintCase("a provider with parameters", "'leaf' (Page) would fit") { box in
            box.register(provider: ServiceParametersProvider { (_: Int) in Page() }, as: "leaf")
            return fill(Wants<ServiceParametersProvider<Page, Int>>(), from: box)
        },
        HintCase("a provider with other parameters", nil) { box in
            box.register(provider: ServiceParametersProvider { (_: Int) in Page() }, as: "leaf")
            return fill(Wants<ServiceParametersProvider<Page, String>>(), from: box)
        },
        HintCase("an object to hold weakly", "'files' (FileStore) would fit") { box in
            box.register(ValueStore(), as: "values")
            box.register(FileStore(), as: "files")
            return fill(WantsWeakly<(any Store)?>(), from: box)
        },
        HintCase("a transient service, which nothing would keep", nil) { box in
            box.register(as: "caches", lifetime: .transient) { _ in FileStore() }
            return fill(WantsWeakly<(any Store)?>(), from: box)
        },
        HintCase("a struct, which nothing holds weakly", nil) { box in
            box.register(ValueStore(), as: "caches")
            box.register(as: "values") { _ in ValueStore() }
            return fill(WantsWeakly<(any Store)?>(), from: box)
        },
    ]
}
