// Part of ServiceBox, released under the MIT License.
// Names that nobody registered: slips, other names of the same type, and what came later.

import ServiceBoxKit

extension HintCase {
    static let missing: [HintCase] = spelling + otherNames + laterAndFamily

    // MARK: - Spelling

    private static let spelling = [
        HintCase("a letter too many", "did you mean 'caches'?") { box in
            box.register(Cache(), as: "caches")
            return fill(Wants<Cache>(), from: box)
        },
        HintCase("swapped letters", "did you mean 'cahce'?") { box in
            box.register(1, as: "cahce")
            return fill(Wants<Int>(), from: box)
        },
        HintCase("another case, in a name too short for slips", "did you mean 'DB'?") { box in
            box.register(1, as: "DB")
            return fill(Asks<Int>("db"), from: box)
        },
        HintCase("two letters, one of them another", nil) { box in
            box.register(1, as: "dc")
            return fill(Asks<Int>("db"), from: box)
        },
        HintCase("two letters of three", nil) { box in
            box.register(1, as: "dbs")
            return fill(Asks<Int>("db"), from: box)
        },
        HintCase("two slips in five letters", nil) { box in
            box.register(1, as: "cahces")
            return fill(Wants<Int>(), from: box)
        },
        HintCase("three slips in thirteen letters", "did you mean 'konfigurasions'?") { box in
            box.register(1, as: "konfigurasions")
            return fill(Asks<Int>("configuration"), from: box)
        },
        HintCase("another word", nil) { box in
            box.register(1, as: "clock")
            return fill(Wants<Int>(), from: box)
        },
        HintCase("another number", nil) { box in
            box.register(1, as: "cache2")
            return fill(Asks<Int>("cache1"), from: box)
        },
        HintCase("a number forgotten", "did you mean 'cache2'?") { box in
            box.register(1, as: "cache2")
            return fill(Wants<Int>(), from: box)
        },
        HintCase("a near name of another type", nil) { box in
            box.register(Clock(), as: "caches")
            return fill(Wants<Cache>(), from: box)
        },
        HintCase("four near names, of which the last fits", "did you mean 'caches'?") { box in
            for name in ["bache", "cachd", "cached"] { box.register(Clock(), as: ServiceKey(name)) }
            box.register(1, as: "caches")
            return fill(Wants<Int>(), from: box)
        },
        HintCase("four near names that fit", "did you mean 'Cache' or 'cached' or 'caches'?") { box in
            for name in ["xcache", "caches", "cached", "Cache"] { box.register(1, as: ServiceKey(name)) }
            return fill(Wants<Int>(), from: box)
        },
        HintCase("a near name that another property has", nil) { box in
            box.register(Cache(), as: "cache")
            return fill(WantsTwo<Cache>(), from: box)
        },
        HintCase("a near name, and another name that would fit", "did you mean 'caches'?") { box in
            box.register(Cache(), as: "caches")
            box.register(Cache(), as: "archive")
            return fill(Wants<Cache>(), from: box)
        },
    ]

    // MARK: - Other names

    private static let otherNames = [
        HintCase("another name", "'archive' (Cache) would fit") { box in
            box.register(Cache(), as: "archive")
            box.register(Clock())
            return fill(Wants<Cache>(), from: box)
        },
        HintCase("another name, of a subclass", "'archive' (DiskCache) would fit") { box in
            box.register(DiskCache(), as: "archive")
            return fill(Wants<Cache>(), from: box)
        },
        HintCase("another name, of a superclass", nil) { box in
            box.register(Cache(), as: "archive")
            return fill(Wants<DiskCache>(), from: box)
        },
        HintCase("another name, of a protocol", "'files' (FileStore) would fit") { box in
            box.register(FileStore(), as: "files")
            return fill(Wants<any Store>(), from: box)
        },
        HintCase("another name, of half a composition", nil) { box in
            box.register(FileStore(), as: "files")
            return fill(Wants<any Store & Audited>(), from: box)
        },
        HintCase("another name, of a composition", "'ledger' (AuditedStore) would fit") { box in
            box.register(FileStore(), as: "files")
            box.register(as: "ledger") { _ in AuditedStore() }
            return fill(Wants<any Store & Audited>(), from: box)
        },
        HintCase(
            "three other names",
            "'a' (Cache) or 'b' (Cache) or 'c' (Cache) would fit"
        ) { box in
            for name in ["c", "a", "b"] { box.register(Cache(), as: ServiceKey(name)) }
            return fill(Wants<Cache>(), from: box)
        },
        HintCase("four other names", nil) { box in
            for name in ["c", "a", "b", "d"] { box.register(Cache(), as: ServiceKey(name)) }
            return fill(Wants<Cache>(), from: box)
        },
        HintCase("another name, which another property has", nil) { box in
            box.register(Cache(), as: "caches")
            return fill(WantsTwo<Cache>(), from: box)
        },
        HintCase("the provider of a service that another property has", "'caches' (Cache) would fit") { box in
            final class Both {
                @Injected var wanted: ServiceProvider<Cache>
                @Injected var caches: Cache
            }
            box.register(as: "caches") { _ in Cache() }
            return fill(Both(), from: box)
        },
        HintCase("a key path under another name", "'archive' (Cache) would fit") { box in
            box.register(Cache(), as: "archive")
            return fill(Listed(), from: box)
        },
        HintCase("a setter under another name", "'archive' (Cache) would fit") { box in
            box.register(Cache(), as: "archive")
            var setting = Setting()
            return told(box.fill(&setting))
        },
        HintCase("the filled service itself", nil) { box in
            box.register(Node(), as: "node")
            return told(box.crossFill().first)
        },
        HintCase("another service for a service", "'root' (Node) would fit") { box in
            box.register(Node(), as: "node")
            box.register(Node(), as: "root")
            return told(box.crossFill().first)
        },
    ]

    // MARK: - Later, and in other boxes

    private static let laterAndFamily = [
        HintCase("the box is gone", nil) { _ in
            func report() -> FillReport {
                let box = ServiceBox()
                box.register(Cache(), as: "caches")
                return box.fill(Wants<Cache>())
            }
            return told(report())
        },
        HintCase(
            "registered after the fill", "'cache' (Cache) is available now, registered at App/Main.swift:7"
        ) { box in
            box.register(Cache(), as: "caches")
            let report = box.fill(Wants<Cache>())
            box.register(Cache(), as: "cache", fileID: "App/Main.swift", line: 7)
            return told(report)
        },
        HintCase("registered after the fill, of another type", nil) { box in
            let report = box.fill(Wants<Cache>())
            box.register(Clock(), as: "cache")
            return told(report)
        },
        HintCase("registered after the fill, of a type that may fit once it is made", nil) { box in
            let report = box.fill(Wants<Cache>())
            box.register(as: ServiceKey<any Store>("cache")) { _ in FileStore() }
            return told(report)
        },
        HintCase(
            "registered in the parent after the fill",
            "'cache' (Cache) is available now, registered at App/Main.swift:7"
        ) { box in
            let child = box.makeChild(name: "child")
            let report = child.fill(Wants<Cache>())
            box.register(Cache(), as: "cache", fileID: "App/Main.swift", line: 7)
            return withExtendedLifetime(child) { told(report) }
        },
        HintCase("another name in the parent", "'archive' (Cache) would fit") { box in
            box.register(Cache(), as: "archive")
            return fill(Wants<Cache>(), from: box.makeChild(name: "child"))
        },
        HintCase("the wanted name in a child alone", nil) { box in
            let child = box.makeChild(name: "child")
            child.register(Cache(), as: "cache")
            return fill(Wants<Cache>(), from: box)
        },
        HintCase("a near name in a child alone", nil) { box in
            let child = box.makeChild(name: "child")
            child.register(Cache(), as: "caches")
            return fill(Wants<Cache>(), from: box)
        },
    ]
}
