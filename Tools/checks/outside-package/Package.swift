// swift-tools-version: 5.9
import PackageDescription

// Language mode 5, as this tools version has it: an app that has not moved on uses the package as well.
let package = Package(
  name: "outside",
  dependencies: [.package(name: "agent-stream", path: "../../..")],
  targets: [
    .executableTarget(
      name: "outside",
      dependencies: [
        .product(name: "ResolveKitAuthoring", package: "agent-stream"),
        .product(name: "ResolveKitUI", package: "agent-stream"),
        .product(name: "ReferenceBackend", package: "agent-stream"),
      ],
      plugins: [.plugin(name: "ResolveKitPlugin", package: "agent-stream")])
  ])
