// swift-tools-version: 6.2
import PackageDescription

// A program of its own: it speaks HTTP to the server and needs nothing of its package.
let package = Package(
  name: "Worker",
  platforms: [.macOS(.v13)],
  targets: [.executableTarget(name: "worker")],
  swiftLanguageModes: [.v6]
)
