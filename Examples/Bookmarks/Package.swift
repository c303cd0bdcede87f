// swift-tools-version: 6.3
import PackageDescription

// A package of its own, so that the library stays without dependencies: it needs two packages of the system.
let package = Package(
    name: "Bookmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "ServiceBox", path: "../..")],
    targets: [
        .systemLibrary(
            name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .executableTarget(
            name: "Bookmarks",
            dependencies: [
                "CMicroHTTPD", "CSQLite", .product(name: "ServiceBoxKit", package: "ServiceBox"),
            ]),
        .target(name: "LoopbackClient"),
        .executableTarget(name: "Load", dependencies: ["LoopbackClient"]),
        .testTarget(
            name: "BookmarksTests",
            dependencies: [
                "Bookmarks", "LoopbackClient",
                .product(name: "ServiceBoxKit", package: "ServiceBox"),
                .product(name: "ServiceBoxTesting", package: "ServiceBox"),
            ], exclude: ["Wiring.lock"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
    ]
}
