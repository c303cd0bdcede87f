// swift-tools-version: 6.2
import PackageDescription

// The tests that the sanitizers' gates leave out: those of texts and of other programs, which are the same whatever runs
// them, and would take a fifth of the time.
let excludedTests =
    Context.environment["SANITIZED_TESTS"] == nil ? [] : ["Documentation", "Examples", "Questions", "Words"]

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
    // The library is tested as optimised as it is shipped. To optimise its tests takes longer than all else, to check
    // so many files as one several times as long, and a third longer to let the address sanitizer watch what safe code
    // can't harm: their stack and globals.
    if target.type == .test {
        let flags = ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"]
        let sanitizerFlags = ["-Xllvm", "-asan-stack=0", "-Xllvm", "-asan-globals=0"]
        target.swiftSettings?.append(.unsafeFlags(flags + sanitizerFlags, .when(configuration: .release)))
    }
}
