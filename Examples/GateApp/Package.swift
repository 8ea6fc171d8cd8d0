// swift-tools-version: 6.2
import PackageDescription

// An app of its own: it depends on the kit's package as any app would.
let package = Package(
  name: "GateApp",
  platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
  products: [.library(name: "GateUI", targets: ["GateUI"])],
  dependencies: [.package(name: "clawback", path: "../..")],
  targets: [
    .target(
      name: "GateCore", dependencies: [.product(name: "EntitlementKit", package: "clawback")]),
    .target(
      name: "GateUI",
      dependencies: ["GateCore", .product(name: "EntitlementKit", package: "clawback")]),
    .executableTarget(
      name: "gate-story",
      dependencies: [
        "GateCore", "GateUI", .product(name: "EntitlementKit", package: "clawback"),
        .product(name: "EntitlementKitTesting", package: "clawback"),
      ], path: "Sources/GateStory"),
    .testTarget(
      name: "GateCoreTests",
      dependencies: [
        "GateCore", .product(name: "EntitlementKit", package: "clawback"),
        .product(name: "EntitlementKitTesting", package: "clawback"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
