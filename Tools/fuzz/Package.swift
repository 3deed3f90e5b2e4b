// swift-tools-version: 6.2
import PackageDescription

// Fuzz targets. A package of its own, because the sanitizers' flags would keep others from depending on the root package;
// of the same name and over the same sources, through symbolic links, so that it sees what is `package` there.

let sanitizers = ["-sanitize=fuzzer,address"]

let package = Package(
  name: "agent-stream",
  platforms: [.macOS(.v15)],
  targets: [
    .target(name: "CFuzzer"),
    .target(
      name: "CQUIC",
      cSettings: [.unsafeFlags(["-fsanitize=fuzzer-no-link,address"])],
      linkerSettings: [
        .linkedLibrary("ngtcp2"), .linkedLibrary("ngtcp2_crypto_gnutls"),
        .linkedLibrary("nghttp3"), .linkedLibrary("gnutls"),
      ]),
    .target(name: "HTTP3Engine", dependencies: ["CQUIC"]),
    .target(name: "LinkModel"),
    .target(name: "EventStream"),
    .target(name: "TransportPolicy"),
    .target(name: "ResolveKitCore"),

    // Client and server engine joined by a link.
    .target(name: "EnginePair", dependencies: ["HTTP3Engine", "LinkModel"]),

    .target(name: "TransportRecords", dependencies: ["HTTP3Engine"]),

    // All that is fuzzed; the root package's tests run the kept inputs through it too.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "EnginePair", "HTTP3Engine", "LinkModel", "EventStream", "TransportPolicy", "ResolveKitCore",
        "TransportRecords",
      ]),

    // The first argument names a target, the others are libFuzzer's.
    .executableTarget(
      name: "Fuzz", dependencies: ["CFuzzer", "FuzzTargets"],
      linkerSettings: [.unsafeFlags(sanitizers + ["-use-ld=lld"])]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where !target.name.hasPrefix("C") {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(sanitizers),
  ]
}
