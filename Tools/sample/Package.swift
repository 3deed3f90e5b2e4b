// swift-tools-version: 6.2
import PackageDescription

// An app in a terminal whose state an agent changes with tools: the macro, the plugin and a pack at work. A package of its
// own, as an app is: where a target uses the plugin, SwiftPM compiles swift-syntax for whatever is built beside it.

let package = Package(
  name: "sample",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "agent-stream", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .executableTarget(
      name: "sample",
      dependencies: [
        .product(name: "ResolveKitAuthoring", package: "agent-stream"),
        .product(name: "ResolveKitTerminal", package: "agent-stream"),
        .product(name: "ResolveKitUI", package: "agent-stream"),
        .product(name: "ResolveKitCore", package: "agent-stream"),
        .product(name: "ReferenceBackend", package: "agent-stream"),
        .product(name: "StreamTransport", package: "agent-stream"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Sources",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ],
      plugins: [.plugin(name: "ResolveKitPlugin", package: "agent-stream")])
  ],
  swiftLanguageModes: [.v6]
)
