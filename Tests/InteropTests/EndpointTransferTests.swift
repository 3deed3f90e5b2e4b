import Foundation
import HTTP3Engine
import Logging
import StreamTransport
import TestSupport
import Testing

@testable import interop_endpoint

/// Our client and our server, whole and in one process, over loopback.
@Suite(.timeLimit(.minutes(10))) struct EndpointTransferTests {
  struct Row: CustomTestStringConvertible {
    var client: EndpointCase
    var server: EndpointCase
    /// The sizes of the files.
    var sizes: [Int]
    var testDescription: String { "\(client.rawValue)" }

    init(_ client: EndpointCase, server: EndpointCase? = nil, _ sizes: [Int]) {
      self.client = client
      self.server = server ?? client
      self.sizes = sizes
    }
  }

  static let rows = [
    Row(.handshake, [1 << 10]),
    Row(.transfer, [0, 1, 1 << 20, 3 << 20]),
    Row(.multiconnect, [Int](repeating: 1 << 10, count: 5)),
    Row(.chacha20, [3 << 20]),
    Row(.retry, [10 << 10]),
    Row(.resumption, [5 << 10, 10 << 10]),
    Row(.zerortt, [Int](repeating: 32, count: 40)),
    Row(.http3, [5 << 10, 10 << 10, 500 << 10]),
    Row(.keyupdate, server: .transfer, [3 << 20]),
    Row(.ecn, [100 << 10]),
    Row(.v2, [1 << 10]),
    Row(.transfer, server: .connectionmigration, [2 << 20]),
    Row(.transfer, [Int](repeating: 32, count: 1_999)),
  ]

  @Test(arguments: rows, [ApplicationProtocol.http09, .http3])
  func filesArriveWhole(_ row: Row, _ mapping: ApplicationProtocol) async throws {
    try await EndpointFolder.run { folder in
      let files = row.sizes.enumerated().map { index, size in
        ("\(index)-" + String(repeating: "n", count: 240), Self.bytes(size, seed: index))
      }
      for (name, bytes) in files { try folder.write(bytes, "www/\(name)") }
      try await Self.serve(folder, row.server, mapping) { port in
        let urls = files.map { "https://127.0.0.1:\(port)/\($0.0)" }
        try await Self.fetch(folder, row.client, mapping, urls)
      }
      #expect(try folder.names(in: "downloads") == Set(files.map(\.0)))
      for (name, bytes) in files { #expect(try folder.read("downloads/\(name)") == bytes) }
    }
  }

  /// The number of connections that the case wants: the server writes a trace for each.
  @Test(arguments: [
    (EndpointCase.handshake, 1), (.transfer, 1), (.multiconnect, 4), (.resumption, 2), (.zerortt, 2), (.retry, 1),
  ])
  func connectionsAreAsManyAsTheCaseWants(_ testCase: EndpointCase, count: Int) async throws {
    try await EndpointFolder.run { folder in
      for index in 0..<4 { try folder.write(Self.bytes(100, seed: index), "www/\(index)") }
      try await Self.serve(folder, testCase, .http09) { port in
        try await Self.fetch(folder, testCase, .http09, (0..<4).map { "https://127.0.0.1:\(port)/\($0)" })
      }
      #expect(try folder.names(in: "qlog-server").count == count)
      #expect(try folder.names(in: "downloads").count == 4)
    }
  }

  @Test(arguments: [ApplicationProtocol.http09, .http3])
  func aMissingFileIsAFailure(_ mapping: ApplicationProtocol) async throws {
    try await EndpointFolder.run { folder in
      try folder.write("x", "www/there")
      try await Self.serve(folder, .transfer, mapping) { port in
        await #expect(throws: (any Error).self) {
          try await Self.fetch(folder, .transfer, mapping, ["https://127.0.0.1:\(port)/missing"])
        }
        try await Self.fetch(folder, .transfer, mapping, ["https://127.0.0.1:\(port)/there"])
      }
    }
  }

  /// A ticket that is never given, a version that is never spoken: the case has failed though the files may be there.
  @Test func aServerThatTakesNoSessionFailsTheCase() async throws {
    try await EndpointFolder.run { folder in
      for name in ["a", "b"] { try folder.write(name, "www/\(name)") }
      try await Self.serve(folder, .transfer, .http09, change: { $0.options.takesEarlyData = false }) { port in
        let urls = ["a", "b"].map { "https://127.0.0.1:\(port)/\($0)" }
        try await Self.fetch(folder, .resumption, .http09, urls)
        await #expect(throws: EndpointFailure.self) { try await Self.fetch(folder, .zerortt, .http09, urls) }
      }
    }
  }

  @Test func theOtherProtocolIsAFailure() async throws {
    try await EndpointFolder.run { folder in
      try folder.write("x", "www/there")
      try await Self.serve(folder, .transfer, .http3) { port in
        await #expect(throws: (any Error).self) {
          try await Self.fetch(folder, .transfer, .http09, ["https://127.0.0.1:\(port)/there"])
        }
      }
    }
  }

  // MARK: Parts

  private static func bytes(_ count: Int, seed: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: ($0 &+ seed) &* 31 &+ $0 >> 9) }
  }

  private static let logger = Logger(label: "endpoint-tests", factory: { _ in SwiftLogNoOpLogHandler() })

  private static func environment(
    _ folder: EndpointFolder, _ role: String, _ testCase: EndpointCase, _ mapping: ApplicationProtocol
  ) throws -> [String: String] {
    for name in ["downloads", "certs"] {
      try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
    }
    return [
      "ROLE": role, "TESTCASE": testCase.rawValue, "WWW": folder.path + "/www",
      "DOWNLOADS": folder.path + "/downloads", "CERTS": folder.path + "/certs", "ADDRESS": "127.0.0.1", "PORT": "0",
      "QLOGDIR": "\(folder.path)/qlog-\(role)", "SSLKEYLOGFILE": "\(folder.path)/keys-\(role)",
      "\(role.uppercased())_PARAMS": mapping == .http3 ? "--protocol h3" : "--protocol hq",
    ]
  }

  private static func serve(
    _ folder: EndpointFolder, _ testCase: EndpointCase, _ mapping: ApplicationProtocol,
    change: (inout HTTP3ServerConfiguration) -> Void = { _ in }, _ body: (Int) async throws -> Void
  ) async throws {
    let certificate = TestCertificate.p256
    try folder.write(certificate.certificatePEM, "certs/cert.pem")
    try folder.write(certificate.certificatePEM, "certs/ca.pem")
    try folder.write(certificate.privateKeyPEM, "certs/priv.key")
    let contract = try EndpointContract(environment: environment(folder, "server", testCase, mapping))
    let (server, port) = try await EndpointServer(contract: contract, logger: logger).start(change)
    do {
      try await body(port)
      await server.close()
    } catch {
      await server.close()
      throw error
    }
  }

  private static func fetch(
    _ folder: EndpointFolder, _ testCase: EndpointCase, _ mapping: ApplicationProtocol, _ urls: [String]
  ) async throws {
    var environment = try environment(folder, "client", testCase, mapping)
    environment["REQUESTS"] = urls.joined(separator: " ")
    let contract = try EndpointContract(environment: environment)
    try await EndpointClient(contract: contract, logger: logger).run()
  }
}
