// swift-tools-version: 6.3
import PackageDescription

// The files of tests that a gate leaves out, a line each.
let excludedTests = (Context.environment["EXCLUDED_TESTS"] ?? "").split(separator: "\n").map(String.init)

let package = Package(
    name: "ServiceBox",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "ServiceBoxKit", targets: ["ServiceBoxKit"]),
        .library(name: "ServiceBoxTesting", targets: ["ServiceBoxTesting"]),
    ],
    targets: [
        .target(name: "ServiceBoxKit"),
        .target(name: "ServiceBoxTesting", dependencies: ["ServiceBoxKit"]),
        .executableTarget(name: "Tour", dependencies: ["ServiceBoxKit"], path: "Examples/Tour"),
        .target(name: "HeapCount", path: "Tests/HeapCount"),
        .executableTarget(
            name: "Benchmarks", dependencies: ["HeapCount", "ServiceBoxKit"], path: "Tests/Benchmarks"),
        .testTarget(
            name: "ServiceBoxKitTests",
            dependencies: ["ServiceBoxKit", "ServiceBoxTesting", "Tour", "Benchmarks"],
            exclude: excludedTests),
        .testTarget(
            name: "ServiceBoxTestingTests", dependencies: ["ServiceBoxKit", "ServiceBoxTesting"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    // The scripts that compile the library by itself read the features of this list.
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .treatWarning("ExplicitSendable", as: .error),
    ]
    if target.name.hasPrefix("ServiceBox"), target.type == .regular {
        target.swiftSettings? += [
            .strictMemorySafety(),
            .treatWarning("StrictMemorySafety", as: .error, .when(platforms: [.linux])),
        ]
    }
    // A class of a global actor would have to name that again at its asynchronous `start()`: the requirement of the
    // protocol would be explicitly isolated to its caller, and a method takes that over.
    if target.name != "ServiceBoxKit" {
        target.swiftSettings?.append(.enableUpcomingFeature("NonisolatedNonsendingByDefault"))
    }
    // The library is optimised where its tests are built for release. To optimise these takes longer than all else, and
    // to check so many files as one several times as long.
    if target.type == .test {
        let flags = ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"]
        target.swiftSettings?.append(.unsafeFlags(flags, .when(configuration: .release)))
    }
}
