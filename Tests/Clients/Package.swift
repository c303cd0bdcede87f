// swift-tools-version: 6.2
import PackageDescription

// A stranger's package: what it is built with is up to `../clients.sh`.
let package = Package(
    name: "Client",
    dependencies: [.package(name: "ServiceBox", path: "../..")],
    targets: [
        .executableTarget(
            name: "Client", dependencies: [.product(name: "ServiceBoxKit", package: "ServiceBox")],
            path: "Client")
    ],
    swiftLanguageModes: [.v6]
)
