// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let nio = "swift-nio"
let hummingbird = "hummingbird"
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let syntax = "swift-syntax"
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let package = Package(
  name: "agent-stream",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "EventStream", targets: ["EventStream"]),
    .library(name: "StreamTransport", targets: ["StreamTransport"]),
    .library(name: "ResolveKitCore", targets: ["ResolveKitCore"]),
    .library(name: "ResolveKitAuthoring", targets: ["ResolveKitAuthoring"]),
    .library(name: "ResolveKitNetworking", targets: ["ResolveKitNetworking"]),
    .library(name: "ResolveKitSession", targets: ["ResolveKitSession"]),
    .library(name: "ResolveKitUI", targets: ["ResolveKitUI"]),
    .library(name: "ResolveKitTerminal", targets: ["ResolveKitTerminal"]),
    .plugin(name: "ResolveKitPlugin", targets: ["ResolveKitPlugin"]),
    .library(name: "HummingbirdHTTP3", targets: ["HummingbirdHTTP3"]),
    .library(name: "ReferenceBackend", targets: ["ReferenceBackend"]),
    .library(name: "CodexWorkersClient", targets: ["CodexWorkersClient"]),
    .library(name: "CodexRemoteClient", targets: ["CodexRemoteClient"]),
    .executable(name: "chat", targets: ["chat"]),
    .executable(name: "backend", targets: ["backend"]),
    .executable(name: "companion", targets: ["companion"]),
    .executable(name: "remote", targets: ["remote"]),
    .executable(name: "workers", targets: ["workers"]),
    .executable(name: "h3get", targets: ["h3get"]),
    .executable(name: "bench", targets: ["bench"]),
    .executable(name: "latency-lab", targets: ["latency-lab"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.1"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    .package(url: "https://github.com/swiftlang/swift-syntax", "603.0.0"..<"604.0.0"),
  ],
  targets: [
    // A line editor (libedit), Markdown (cmark-gfm), and a terminal's modes and signals; imported by TerminalIO alone.
    .target(
      name: "CTerminal",
      linkerSettings: [
        .linkedLibrary("edit"), .linkedLibrary("cmark-gfm"), .linkedLibrary("cmark-gfm-extensions"),
      ]),

    // Headers of ngtcp2, nghttp3 and GnuTLS with inline shims; imported by HTTP3Engine alone.
    .target(
      name: "CQUIC",
      linkerSettings: [
        .linkedLibrary("ngtcp2"), .linkedLibrary("ngtcp2_crypto_gnutls"),
        .linkedLibrary("nghttp3"), .linkedLibrary("gnutls"),
      ]),

    // Headers of c-ares, which looks up names, with inline shims; imported by StreamTransport alone.
    .target(name: "CAres", linkerSettings: [.linkedLibrary("cares")]),

    // Shims for epoll, timerfd, eventfd, batched UDP, TUN devices, namespaces and the processes in them.
    .target(name: "CLinux"),

    // Processes of this machine: starting programs, their ends, what they use.
    .target(name: "Processes", dependencies: ["CLinux"]),

    // Sans-IO TLS, QUIC and HTTP/3, client and server: bytes and time in, bytes and events out.
    .target(name: "HTTP3Engine", dependencies: ["CQUIC"]),

    // Pure: server-sent events, their parser and writer, cursor and back-off.
    .target(name: "EventStream"),

    // Pure: the rules of the race between two transports, Alt-Svc, and what is remembered of origins.
    .target(name: "TransportPolicy"),

    // Pure: what StreamTransport reads from files and from proxies. Apart, because it is fuzzed without SwiftNIO.
    .target(name: "TransportRecords", dependencies: ["HTTP3Engine"]),

    // Event loops, sockets, HTTP/3 and HTTP/1.1 transports, the race between them, the event-source client.
    .target(
      name: "StreamTransport",
      dependencies: [
        "HTTP3Engine", "CAres", "CLinux", "EventStream", "TransportPolicy", "TransportRecords", httpTypes, logging,
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: nio), .product(name: "NIOPosix", package: nio),
        .product(name: "NIOHTTP1", package: nio), .product(name: "NIOTLS", package: nio),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
        .product(name: "Crypto", package: "swift-crypto"),
      ]),

    // Pure: JSON values, tool protocol, registry, coercion, wire models, turn machine.
    .target(name: "ResolveKitCore"),

    // The declaration of @ResolveKit. Nothing that chat is built of depends on it: swift-syntax takes minutes.
    .target(name: "ResolveKitAuthoring", dependencies: ["ResolveKitCore", "ResolveKitMacros"]),

    // The compiler plug-in with @ResolveKit.
    .macro(
      name: "ResolveKitMacros",
      dependencies: [
        "ResolveKitExpansion",
        .product(name: "SwiftSyntax", package: syntax), .product(name: "SwiftSyntaxMacros", package: syntax),
        .product(name: "SwiftCompilerPlugin", package: syntax),
      ]),

    // What @ResolveKit makes of a declaration. Apart from the plug-in, because a test target that depends on a macro makes
    // the build system compile the whole package a second time, as tools.
    .target(
      name: "ResolveKitExpansion",
      dependencies: [
        .product(name: "SwiftSyntax", package: syntax), .product(name: "SwiftParser", package: syntax),
        .product(name: "SwiftSyntaxBuilder", package: syntax), .product(name: "SwiftSyntaxMacros", package: syntax),
        .product(name: "SwiftDiagnostics", package: syntax), .product(name: "SwiftIfConfig", package: syntax),
      ]),

    // The session API and the session's event stream over a transport.
    .target(
      name: "ResolveKitNetworking",
      dependencies: [
        "ResolveKitCore", "EventStream", "StreamTransport", httpTypes, logging,
        .product(name: "Crypto", package: "swift-crypto"),
      ]),

    // The session's engine: performs what the turn machine asks for, and publishes what happens.
    .target(
      name: "ResolveKitSession",
      dependencies: ["ResolveKitCore", "ResolveKitNetworking", "EventStream", "StreamTransport", logging]),

    // ResolveKitRuntime, the observable façade. Links no terminal library.
    .target(
      name: "ResolveKitUI",
      dependencies: ["ResolveKitSession", "ResolveKitCore", "ResolveKitNetworking", "StreamTransport", logging]),

    // Lines that a person types, and text for a terminal: the editor and its history, Markdown, styles, the log.
    .target(name: "TerminalIO", dependencies: ["CTerminal", "ResolveKitCore", "StreamTransport", logging]),

    // A chat on a terminal.
    .target(
      name: "ResolveKitTerminal",
      dependencies: [
        "TerminalIO", "ResolveKitUI", "ResolveKitSession", "ResolveKitCore", "ResolveKitNetworking", "StreamTransport",
      ]),

    // Finds the functions that sources mark with @ResolveKit, and writes the registry that names them.
    .executableTarget(
      name: "ResolveKitCodegen",
      dependencies: [
        .product(name: "SwiftParser", package: syntax), .product(name: "SwiftSyntax", package: syntax),
      ]),

    // Runs ResolveKitCodegen when a target that uses it is built.
    .plugin(
      name: "ResolveKitPlugin", capability: .buildTool(), dependencies: ["ResolveKitCodegen"]),

    // Serves a Hummingbird responder over HTTP/3 beside HTTP/1.1 and HTTP/2.
    .target(
      name: "HummingbirdHTTP3",
      dependencies: [
        "StreamTransport",
        .product(name: "Hummingbird", package: hummingbird),
        .product(name: "HummingbirdHTTP2", package: hummingbird),
        .product(name: "HummingbirdTLS", package: hummingbird),
        .product(name: "HummingbirdCore", package: hummingbird),
        .product(name: "NIOCore", package: nio), .product(name: "NIOPosix", package: nio),
        .product(name: "NIOHTTP1", package: nio), .product(name: "NIOWebSocket", package: nio),
        .product(name: "NIOTLS", package: nio), .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"),
        .product(name: "NIOExtras", package: "swift-nio-extras"),
        .product(name: "Crypto", package: "swift-crypto"), logging, httpTypes, lifecycle,
      ]),

    // A durable, ordered log of streams of events with leases: the protocol and its SQLite conformer.
    .target(
      name: "EventLedger",
      dependencies: [
        .product(name: "Crypto", package: "swift-crypto"), .product(name: "GRDB", package: "GRDB.swift"),
      ]),

    // Headers of libpq, PostgreSQL's client library; imported by EventLedgerPostgres alone.
    .target(name: "CPostgres", linkerSettings: [.linkedLibrary("pq")]),

    // The same ledger in PostgreSQL, for many processes. Apart, because chat links no libpq.
    .target(name: "EventLedgerPostgres", dependencies: ["EventLedger", "CPostgres"]),

    // What several services with JSON bodies need: bodies and responses, secrets and their digests, places for streams.
    .target(
      name: "JSONService",
      dependencies: [
        "ResolveKitCore", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Hummingbird", package: hummingbird), httpTypes, .product(name: "NIOCore", package: nio),
      ]),

    // A backend for the session contract: routes, durable event log, turns, model adapters.
    .target(
      name: "ReferenceBackend",
      dependencies: [
        "HummingbirdHTTP3", "EventLedger", "EventStream", "JSONService", "StreamTransport", "ResolveKitCore",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Hummingbird", package: hummingbird), httpTypes, logging,
        .product(name: "NIOCore", package: nio), lifecycle,
      ]),

    // Header of libqrencode with inline shims; imported by CodexCompanion alone.
    .target(name: "CQRCode", linkerSettings: [.linkedLibrary("qrencode")]),

    // Codex's app-server: its process, the JSON-RPC to it over a private socket or stdio, its messages as values.
    .target(
      name: "CodexAppServer",
      dependencies: [
        "Processes", "ResolveKitCore", logging,
        .product(name: "NIOCore", package: nio), .product(name: "NIOPosix", package: nio),
        .product(name: "NIOHTTP1", package: nio), .product(name: "NIOWebSocket", package: nio),
        .product(name: "SystemPackage", package: "swift-system"),
      ]),

    // The worker API's client: lists, watches and administers Codex workers, whatever machine runs them.
    .target(
      name: "CodexWorkersClient",
      dependencies: [
        "CodexRemoteContract", "EventStream", "ResolveKitCore", "ResolveKitNetworking", "StreamTransport", httpTypes,
        logging, .product(name: "Crypto", package: "swift-crypto"),
      ]),

    // Pure: what both ends of the companion's contract read and write, such as the code of a pairing, and what all lanes
    // of workers have in common.
    .target(name: "CodexRemoteContract", dependencies: ["ResolveKitCore"]),

    // A typed client of the companion: pairing, routes, the event stream, a chat's state as a value.
    .target(
      name: "CodexRemoteClient",
      dependencies: ["CodexRemoteContract", "EventStream", "ResolveKitCore", "StreamTransport", httpTypes, logging]),

    // Lets a remote client control the Codex of this machine: devices, chats with their events, approvals, git.
    .target(
      name: "CodexCompanion",
      dependencies: [
        "CQRCode", "CodexAppServer", "CodexRemoteContract", "CodexWorkersClient", "HummingbirdHTTP3", "EventLedger",
        "EventStream", "JSONService", "ResolveKitCore", "StreamTransport",
        .product(name: "Crypto", package: "swift-crypto"), .product(name: "Hummingbird", package: hummingbird),
        httpTypes, logging, lifecycle,
        .product(name: "NIOCore", package: nio), .product(name: "NIOPosix", package: nio),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
        .product(name: "SwiftASN1", package: "swift-asn1"), .product(name: "X509", package: "swift-certificates"),
      ], resources: [.embedInCode("Page/Files")]),

    // Owns Codex workers, their events and what may be asked of them; whatever runs Codex lies behind it.
    .target(
      name: "WorkerRuntime",
      dependencies: [
        "CodexAppServer", "CodexRemoteContract", "EventLedger", "EventStream", "HummingbirdHTTP3", "JSONService",
        "ResolveKitCore", "StreamTransport",
        .product(name: "Crypto", package: "swift-crypto"), .product(name: "Hummingbird", package: hummingbird),
        httpTypes, logging, lifecycle, .product(name: "NIOCore", package: nio),
      ]),

    // Pure, seeded model of a link: loss, rate and queue, delay, reordering, outages, rebinding.
    .target(name: "LinkModel"),

    // The same link for real packets: two TUN devices in two network namespaces, a packet log, captures.
    .target(name: "LinkEmulator", dependencies: ["LinkModel", "CLinux"]),

    // Metrics of a stream's runs, statistics over them, and the documents drawn from both.
    .target(
      name: "LatencyReport",
      dependencies: ["LinkModel", .product(name: "Histogram", package: "hdrhistogram-swift")]),

    // Client and server engine joined by a link, in virtual time; peers that write what they like.
    .target(name: "EnginePair", dependencies: ["HTTP3Engine", "LinkModel"]),

    // Peers for tests and measurements: the pair with certificates and its simulation, a client that is an engine on a
    // loopback socket, a name server.
    .target(
      name: "LabPeers",
      dependencies: [
        "EnginePair", "HTTP3Engine", "LinkModel", "StreamTransport", .product(name: "NIOCore", package: nio),
        .product(name: "NIOPosix", package: nio),
      ]),

    // What command-line programs have in common: lines on the standard streams, JSON lines, the checkout.
    .target(name: "ToolSupport", path: "Tools/support"),

    // Holds a conversation from a terminal or a pipe.
    .executableTarget(
      name: "chat",
      dependencies: [
        "ResolveKitTerminal", "ResolveKitUI", "ResolveKitNetworking", "ResolveKitCore", "StreamTransport",
        "ReferenceBackend", "ToolSupport", arguments, logging, lifecycle,
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Tools/chat", exclude: ["README.md"]),

    // What the command lines of servers have in common: address, certificate, log, the line that says where they listen.
    .target(
      name: "ServerProgram",
      dependencies: [
        "HummingbirdHTTP3", "Processes", "StreamTransport", arguments, logging, lifecycle,
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      path: "Tools/server-program"),

    // Serves the reference backend.
    .executableTarget(
      name: "backend",
      dependencies: [
        "HummingbirdHTTP3", "ReferenceBackend", "EventLedger", "EventLedgerPostgres", "ServerProgram",
        "StreamTransport", arguments, logging,
      ], path: "Tools/backend", exclude: ["README.md", "database"]),

    // Serves a remote client that controls the Codex of this machine, and what a person there does about it.
    .executableTarget(
      name: "companion",
      dependencies: [
        "CodexAppServer", "CodexCompanion", "CodexWorkersClient", "EventLedger", "ResolveKitCore", "ServerProgram",
        "StreamTransport", arguments, logging,
        .product(name: "NIOCore", package: nio), .product(name: "NIOPosix", package: nio),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Tools/companion", exclude: ["Page.md", "README.md"]),

    // Controls Codex that runs elsewhere, from a terminal: a companion's, and the workers of a runtime.
    .executableTarget(
      name: "remote",
      dependencies: [
        "CodexRemoteClient", "CodexWorkersClient", "ResolveKitCore", "StreamTransport", "TerminalIO", arguments,
        logging,
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], path: "Tools/remote", exclude: ["README.md", "Workers/README.md"]),

    // Serves Codex workers, and what an operator does about tokens and the read model.
    .executableTarget(
      name: "workers",
      dependencies: [
        "CodexAppServer", "EventLedger", "EventLedgerPostgres", "HummingbirdHTTP3", "ServerProgram", "StreamTransport",
        "WorkerRuntime", arguments, logging,
      ], path: "Tools/workers", exclude: ["Criteria.md", "README.md"]),

    // Inspects a server over HTTP/3: fetches, follows event streams, reports timings.
    .executableTarget(
      name: "h3get",
      dependencies: [
        "EventStream", "LinkModel", "StreamTransport", "ToolSupport", arguments, httpTypes, logging,
      ], path: "Tools/h3get", exclude: ["README.md"]),

    // Benchmarks, one subcommand each.
    .executableTarget(
      name: "bench",
      dependencies: [
        "EnginePair", "EventLedger", "EventLedgerPostgres", "EventStream", "HTTP3Engine", "HummingbirdHTTP3",
        "LabPeers",
        "LinkModel", "Processes", "ReferenceBackend", "ResolveKitCore", "ResolveKitNetworking", "ResolveKitSession",
        "StreamTransport", "ToolSupport", arguments, httpTypes, logging,
        .product(name: "CoreMetrics", package: "swift-metrics"), .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Hummingbird", package: hummingbird),
      ], path: "Tools/bench", exclude: ["README.md", "Transport/clients"]),

    // A conversation that Tools/journal-check kills again and again.
    .executableTarget(
      name: "journal-client",
      dependencies: ["ResolveKitUI", "ResolveKitNetworking", "ResolveKitCore", "StreamTransport", arguments, logging],
      path: "Tools/journal-client"),

    // Runs client and server over bad links in virtual time, one scenario for each seed.
    .executableTarget(
      name: "simulate",
      dependencies: [
        "CompanionSimulation", "HTTP3Engine", "LabPeers", "Processes", "SessionSimulation", arguments,
      ], path: "Tools/simulate", exclude: ["README.md"]),

    // Measures event streams over an emulated network, protocol beside protocol, and writes a report.
    .executableTarget(
      name: "latency-lab",
      dependencies: [
        "LinkModel", "LinkEmulator", "LatencyReport", "HTTP3Engine", "EventStream", "StreamTransport",
        "HummingbirdHTTP3", "ToolSupport", arguments,
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Hummingbird", package: hummingbird), httpTypes, logging,
        .product(name: "NIOCore", package: nio), .product(name: "NIOHTTP1", package: nio),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"), .product(name: "NIOPosix", package: nio),
        .product(name: "NIOSSL", package: "swift-nio-ssl"), lifecycle,
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ], path: "Tools/latency-lab", exclude: ["README.md", "clients", "results", "servers"]),

    // Pure: a line of what a client of the streaming cases writes and the runner reads.
    .target(name: "StreamRecord", path: "Interop/StreamRecord"),

    // An endpoint for the public QUIC interoperability runner, client and server.
    .executableTarget(
      name: "interop-endpoint",
      dependencies: [
        "HTTP3Engine", "EventStream", "Processes", "StreamRecord", "StreamTransport", httpTypes, logging,
      ],
      path: "Interop/Client", exclude: ["README.md"]),

    // Runs clients against servers over emulated links, and judges by files and packets.
    .executableTarget(
      name: "interop-runner",
      dependencies: ["LinkModel", "LinkEmulator", "Processes", "StreamRecord", "ToolSupport", arguments],
      path: "Interop/Runner", exclude: ["README.md", "Streaming/README.md", "certificates", "enclosure"]),

    // A server that breaks the rules, one case at a time, to see what a client does.
    .executableTarget(
      name: "hostile-server",
      dependencies: ["EnginePair", "HTTP3Engine", "Processes", "StreamTransport", "ToolSupport", arguments],
      path: "Interop/Hostile", exclude: ["README.md", "assertions"]),

    // Runs the event-source client as LaunchDarkly's sse-contract-tests order it.
    .executableTarget(
      name: "sse-contract-service",
      dependencies: [
        "EventStream", "StreamTransport", arguments,
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Hummingbird", package: hummingbird), httpTypes, logging,
        .product(name: "NIOCore", package: nio), .product(name: "NIOHTTP1", package: nio), lifecycle,
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ], path: "Interop/EventSourceContract", exclude: ["README.md"]),

    // Manual clock, scripted transport, faulty disk, an authority that signs certificates, a PostgreSQL of its own; and all of
    // EnginePair, LabPeers and LinkModel.
    .target(
      name: "TestSupport",
      dependencies: [
        "EnginePair", "HTTP3Engine", "LabPeers", "LinkModel", "StreamTransport", "TransportPolicy", httpTypes, logging,
        .product(name: "X509", package: "swift-certificates"), .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "Crypto", package: "swift-crypto"),
      ], path: "Tests/Support"),

    // A ledger as a value, which the ledgers' conformance suite holds to the real ones.
    .target(name: "LedgerModel", dependencies: ["EventLedger"], path: "Tests/LedgerModel"),

    // Whole sessions in virtual time: client, network, backends and database as one deterministic program, and its judge.
    .target(
      name: "SessionSimulation",
      dependencies: [
        "EventLedger", "EventStream", "LedgerModel", "LinkModel", "ReferenceBackend", "ResolveKitCore",
        "ResolveKitSession", "StreamTransport",
      ], path: "Tests/SessionSimulation"),

    // The companion's approvals in virtual time: codex, the companion and two devices as one program, and its judge.
    .target(
      name: "CompanionSimulation",
      dependencies: [
        "CodexCompanion", "EventLedger", "LedgerModel", "LinkModel", "ResolveKitCore", "SessionSimulation",
      ], path: "Tests/CompanionSimulation"),

    // The session contract in memory, a runtime against it, and tools to call.
    .target(
      name: "SessionSupport",
      dependencies: [
        "ResolveKitUI", "ResolveKitNetworking", "ResolveKitCore", "StreamTransport", "TestSupport", httpTypes,
      ], path: "Tests/SessionSupport"),

    // What is fuzzed (Tools/fuzz), with the kept inputs as ordinary tests.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "EnginePair", "HTTP3Engine", "LinkModel", "EventStream", "ResolveKitCore", "TransportPolicy",
        "TransportRecords",
      ],
      path: "Tools/fuzz/Sources/FuzzTargets"),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets"]),

    .testTarget(name: "ProcessesTests", dependencies: ["Processes", "TestSupport"]),
    .testTarget(name: "EventStreamTests", dependencies: ["EventStream", "TestSupport"]),
    .testTarget(name: "TransportPolicyTests", dependencies: ["TransportPolicy", "TestSupport"]),
    .testTarget(name: "LinkModelTests", dependencies: ["LinkModel"]),
    .testTarget(name: "LinkEmulatorTests", dependencies: ["LinkEmulator", "LinkModel"]),
    .testTarget(name: "LatencyReportTests", dependencies: ["LatencyReport", "LinkModel"]),
    .testTarget(
      name: "LatencyLabTests",
      dependencies: [
        "latency-lab", "LatencyReport", "LinkModel", "StreamTransport", "HTTP3Engine", "EventStream",
        "HummingbirdHTTP3", "TestSupport", arguments,
        .product(name: "Hummingbird", package: hummingbird), httpTypes, logging,
        .product(name: "NIOCore", package: nio), .product(name: "NIOEmbedded", package: nio),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"), .product(name: "NIOPosix", package: nio), lifecycle,
      ]),
    .testTarget(name: "HTTP3EngineTests", dependencies: ["HTTP3Engine", "LinkModel", "TestSupport"]),
    .testTarget(name: "ResolveKitCoreTests", dependencies: ["ResolveKitCore", "EventStream", "TestSupport"]),
    .testTarget(
      name: "ResolveKitMacroTests",
      dependencies: [
        "ResolveKitAuthoring", "ResolveKitExpansion", "ResolveKitCore", "TestSupport",
        .product(name: "SwiftSyntax", package: syntax), .product(name: "SwiftSyntaxBuilder", package: syntax),
        .product(name: "SwiftDiagnostics", package: syntax), .product(name: "SwiftSyntaxMacros", package: syntax),
        .product(name: "SwiftSyntaxMacroExpansion", package: syntax),
        .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: syntax),
      ]),
    .testTarget(
      name: "StreamTransportTests",
      dependencies: [
        "StreamTransport", "HTTP3Engine", "EventStream", "TransportPolicy", "TransportRecords", "TestSupport", logging,
        httpTypes,
        .product(name: "Metrics", package: "swift-metrics"), .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "NIOCore", package: nio), .product(name: "NIOPosix", package: nio),
        .product(name: "NIOEmbedded", package: nio), .product(name: "NIOTLS", package: nio),
        .product(name: "X509", package: "swift-certificates"), .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOHTTP1", package: nio), .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    .testTarget(
      name: "ResolveKitNetworkingTests",
      dependencies: [
        "ResolveKitNetworking", "ResolveKitCore", "StreamTransport", "EventStream", "TestSupport", httpTypes,
      ]),
    .testTarget(
      name: "ResolveKitSessionTests",
      dependencies: [
        "ResolveKitSession", "ResolveKitNetworking", "ResolveKitCore", "StreamTransport", "TestSupport", logging,
      ]),
    .testTarget(
      name: "ResolveKitUITests",
      dependencies: [
        "ResolveKitUI", "ResolveKitNetworking", "ResolveKitCore", "StreamTransport", "SessionSupport", "TestSupport",
      ]),
    .testTarget(name: "TerminalIOTests", dependencies: ["TerminalIO", "TestSupport"]),
    .testTarget(
      name: "ResolveKitTerminalTests",
      dependencies: [
        "ResolveKitTerminal", "ResolveKitUI", "ResolveKitNetworking", "ResolveKitCore", "StreamTransport",
        "SessionSupport", "TestSupport",
      ]),
    .testTarget(
      name: "HummingbirdHTTP3Tests",
      dependencies: [
        "HummingbirdHTTP3", "StreamTransport", "TestSupport",
        .product(name: "Hummingbird", package: hummingbird), httpTypes, logging,
        .product(name: "NIOCore", package: nio), .product(name: "NIOPosix", package: nio),
        .product(name: "NIOEmbedded", package: nio), .product(name: "NIOTLS", package: nio),
        .product(name: "NIOHTTP1", package: nio), .product(name: "NIOWebSocket", package: nio),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    .testTarget(
      name: "EventLedgerTests",
      dependencies: [
        "EventLedger", "EventLedgerPostgres", "LedgerModel", "StreamTransport", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "ReferenceBackendTests",
      dependencies: [
        "ReferenceBackend", "EventLedger", "EventLedgerPostgres", "HummingbirdHTTP3", "EventStream", "LedgerModel",
        "ResolveKitCore", "StreamTransport", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Hummingbird", package: hummingbird), httpTypes, logging,
        .product(name: "NIOCore", package: nio), .product(name: "NIOPosix", package: nio), lifecycle,
      ]),
    .testTarget(
      name: "SessionSimulationTests",
      dependencies: [
        "SessionSimulation", "EventLedger", "ReferenceBackend", "ResolveKitCore", "TestSupport",
      ]),
    .testTarget(
      name: "CompanionSimulationTests",
      dependencies: ["CompanionSimulation", "SessionSimulation", "TestSupport"]),
    .testTarget(
      name: "CodexAppServerTests",
      dependencies: [
        "CodexAppServer", "ResolveKitCore", "TestSupport", logging,
        .product(name: "NIOCore", package: nio), .product(name: "NIOEmbedded", package: nio),
        .product(name: "NIOHTTP1", package: nio), .product(name: "NIOPosix", package: nio),
        .product(name: "NIOWebSocket", package: nio),
      ]),
    .testTarget(
      name: "CodexWorkersClientTests",
      dependencies: [
        "CodexWorkersClient", "EventStream", "ResolveKitCore", "StreamTransport", "TestSupport", httpTypes, logging,
      ]),
    .testTarget(
      name: "CodexRemoteClientTests",
      dependencies: [
        "CodexRemoteClient", "CodexRemoteContract", "EventStream", "ResolveKitCore", "StreamTransport", "TestSupport",
        httpTypes, logging,
      ]),
    .testTarget(
      name: "CodexCompanionTests",
      dependencies: [
        "CodexCompanion", "CodexAppServer", "CodexRemoteContract", "CodexWorkersClient", "EventLedger", "EventStream",
        "HummingbirdHTTP3", "JSONService", "LedgerModel", "ResolveKitCore", "StreamTransport", "TestSupport",
        "WorkerRuntime",
        .product(name: "Crypto", package: "swift-crypto"), .product(name: "Hummingbird", package: hummingbird),
        httpTypes, logging, lifecycle,
        .product(name: "NIOCore", package: nio), .product(name: "NIOEmbedded", package: nio),
        .product(name: "NIOPosix", package: nio),
      ], exclude: ["History/Rollouts"]),
    .testTarget(
      name: "WorkerRuntimeTests",
      dependencies: [
        "WorkerRuntime", "CodexRemoteContract", "CodexWorkersClient", "EventLedger", "EventLedgerPostgres",
        "EventStream", "HummingbirdHTTP3", "JSONService", "LedgerModel", "ResolveKitCore", "StreamTransport",
        "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Hummingbird", package: hummingbird), httpTypes, logging,
        .product(name: "NIOCore", package: nio), .product(name: "NIOPosix", package: nio),
      ]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "ReferenceBackend", "ResolveKitUI", "ResolveKitNetworking", "ResolveKitCore", "StreamTransport", "TestSupport",
        httpTypes, logging,
      ]),
    .testTarget(
      name: "ResolveKitIntegrationTests",
      dependencies: [
        "ResolveKitAuthoring", "ResolveKitUI", "ResolveKitCore", "ReferenceBackend", "StreamTransport", "TestSupport",
        logging,
      ]),
    .testTarget(
      name: "InteropTests",
      dependencies: [
        "interop-endpoint", "interop-runner", "hostile-server", "sse-contract-service", "EventStream", "HTTP3Engine",
        "LinkEmulator", "LinkModel", "StreamRecord", "StreamTransport", "TestSupport", httpTypes, logging,
        .product(name: "Hummingbird", package: hummingbird), .product(name: "NIOCore", package: nio), arguments,
        lifecycle,
      ]),
    .testTarget(
      name: "ProgramTests",
      dependencies: [
        "backend", "chat", "companion", "h3get", "remote", "workers", "CodexCompanion", "CodexRemoteContract",
        "CodexWorkersClient", "Processes",
        "ReferenceBackend", "ResolveKitCore", "ResolveKitTerminal", "ResolveKitUI", "ServerProgram", "StreamTransport",
        "TerminalIO", "TestSupport",
        arguments, httpTypes, logging,
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
// Folders under Sources carry the layers, the lowest first: a target depends on none of a higher layer.
let layers = [
  ("Wire", "CQUIC CLinux HTTP3Engine Processes"),
  ("Streams", "EventStream TransportPolicy TransportRecords CAres StreamTransport"),
  (
    "Session",
    "CTerminal ResolveKitCore ResolveKitAuthoring ResolveKitMacros ResolveKitExpansion "
      + "ResolveKitCodegen ResolveKitPlugin ResolveKitNetworking ResolveKitSession ResolveKitTerminal ResolveKitUI "
      + "TerminalIO"
  ),
  ("Servers", "HummingbirdHTTP3 EventLedger CPostgres EventLedgerPostgres JSONService ReferenceBackend"),
  ("Lab", "EnginePair LabPeers LatencyReport LinkEmulator LinkModel"),
  (
    "Codex",
    "CQRCode CodexAppServer CodexCompanion CodexRemoteClient CodexRemoteContract CodexWorkersClient WorkerRuntime"
  ),
]
for (folder, names) in layers {
  let names = names.split(separator: " ")
  for target in package.targets where names.contains(target.name[...]) {
    target.path = "Sources/\(folder)/\(target.name)"
  }
}
let headers: Set = ["CAres", "CLinux", "CPostgres", "CQRCode", "CQUIC", "CTerminal"]
for target in package.targets where !headers.contains(target.name) && target.type != .plugin {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
