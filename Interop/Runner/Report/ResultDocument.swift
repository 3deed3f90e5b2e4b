import Foundation

/// `result.json`: the public runner's format (interop.py, `_export_results`), with reasons, times and versions beside.
struct ResultDocument: Encodable {
  struct Test: Encodable {
    var name: String
    var desc: String
  }

  struct Result: Encodable {
    var abbr: String
    var name: String
    /// nil where the pair was not run.
    var result: Verdict?
    // Not the public runner's:
    var reasons: [String]
    var explanation: String?
    var details: String
    var seconds: Double?

    private enum CodingKeys: String, CodingKey { case abbr, name, result, reasons, explanation, details, seconds }

    /// Unlike the synthesised one it writes null, which the public page expects where nothing was run.
    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(abbr, forKey: .abbr)
      try values.encode(name, forKey: .name)
      try values.encode(result, forKey: .result)
      try values.encode(reasons, forKey: .reasons)
      try values.encodeIfPresent(explanation, forKey: .explanation)
      if !details.isEmpty { try values.encode(details, forKey: .details) }
      try values.encodeIfPresent(seconds, forKey: .seconds)
    }
  }

  struct Measurement: Encodable {
    var name: String
    var abbr: String
    var result: Verdict
    var details: String
    // Not the public runner's:
    var reasons: [String]
  }

  struct PeerFacts: Encodable {
    var version: String
    var stack: String
    var `protocol`: Peer.TransportProtocol
  }

  struct Skipped: Encodable {
    var name: String
    var role: Role
    var reason: String
  }

  var startTime: Double
  var endTime: Double
  var logDir: String
  var servers: [String]
  var clients: [String]
  var urls: [String: String]
  var tests: [String: Test]
  var quicVersion = "0x1"
  /// Client by client and, for each, server by server.
  var results: [[Result]]
  var measurements: [[Measurement]]
  // Not the public runner's:
  var peers: [String: PeerFacts]
  var skipped: [Skipped]
  var notRun: Int
  var environment: [String]

  private enum CodingKeys: String, CodingKey {
    case startTime = "start_time"
    case endTime = "end_time"
    case logDir = "log_dir"
    case servers, clients, urls, tests
    case quicVersion = "quic_version"
    case results, measurements, peers, skipped
    case notRun = "not_run"
    case environment
  }

  init(_ all: Results) {
    startTime = all.start
    endTime = all.end
    // As the public runner has it: beside the page, wherever that is moved to.
    logDir = URL(fileURLWithPath: all.folder).lastPathComponent
    servers = all.servers.map(\.name)
    clients = all.clients.map(\.name)
    let peers = all.clients + all.servers
    urls = Dictionary(peers.map { ($0.name, $0.url ?? "") }, uniquingKeysWith: { first, _ in first })
    tests = Dictionary(
      all.cases.map { ($0.abbreviation, Test(name: $0.name, desc: $0.about)) }, uniquingKeysWith: { first, _ in first })
    self.peers = Dictionary(
      peers.map { ($0.name, PeerFacts(version: $0.version, stack: $0.stack, protocol: $0.protocol)) },
      uniquingKeysWith: { first, _ in first })
    skipped = all.skipped.map { Skipped(name: $0.name, role: $0.role, reason: $0.reason) }
    notRun = all.notRun
    environment = all.environment
    results = []
    measurements = []
    for client in all.clients {
      for server in all.servers {
        results.append(
          all.tests.map { test in
            let summary = all.summary(client, server, test)
            return Result(
              abbr: test.abbreviation, name: test.name, result: summary?.verdict, reasons: summary?.reasons ?? [],
              explanation: summary?.explanation, details: summary?.details ?? "",
              seconds: summary.map { ($0.seconds * 100).rounded() / 100 })
          })
        measurements.append(
          all.measurements.compactMap { measurement in
            all.summary(client, server, measurement).map {
              Measurement(
                name: measurement.name, abbr: measurement.abbreviation, result: $0.verdict, details: $0.details,
                reasons: $0.reasons)
            }
          })
      }
    }
  }

  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }
}
