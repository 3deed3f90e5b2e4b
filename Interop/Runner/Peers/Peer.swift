import Glibc

/// A client or server to run, as its data file describes it (`Interop/peers/servers/NAME.json`,
/// `Interop/peers/clients/NAME.json`).
struct Peer: Hashable, Sendable {
  enum TransportProtocol: String, Codable, Hashable, Sendable {
    case h3
    /// HTTP/0.9 over QUIC, which the public runner uses in all cases but `http3`.
    case hq
  }

  enum EndSignal: String, Codable, Hashable, Sendable {
    case quit = "QUIT"
    case user1 = "USR1"

    var number: Int32 { self == .quit ? SIGQUIT : SIGUSR1 }
  }

  var name: String
  var version: String
  var stack: String
  var `protocol`: TransportProtocol
  /// A script in `Interop/peers` and its arguments; empty for our own endpoint.
  var command: [String]
  /// Whether it can stand before an HTTP/1.1 origin of events.
  var streams = false
  /// Cases that it cannot do, by their TESTCASE or name, with the reason in words.
  var lacks: [String: String] = [:]
  /// The cases that fail for a known reason.
  var fails: [KnownFailure] = []
  /// By which signal a server ends gracefully, where it is another than SIGTERM.
  var endSignal: EndSignal?
  /// Seconds to leave a server alone once it has answered: some answer a moment before they can serve.
  var settle = 0.0
  var notes: String?
  var url: String?

  var isOurs: Bool { command.isEmpty }

  /// The reason for which the peer takes no part in a case in one role; nil if it takes part.
  func reasonForLacking(_ testCase: InteropCase, _ role: Role) -> String? {
    if let stream = testCase.stream, let reason = reasonForLacking(stream, role) { return reason }
    let wireName = role == .client ? testCase.clientTestCase : testCase.serverTestCase
    return lacks[testCase.name] ?? lacks[testCase.abbreviation] ?? (wireName == testCase.name ? nil : lacks[wireName])
  }
}

enum Role: String, Codable, Hashable, Sendable, CaseIterable {
  case client, server
}

extension Peer: Decodable {
  static let mostBytes = 64 << 10
  static let mostLacks = 200

  private enum CodingKeys: String, CodingKey {
    case name, version, stack, `protocol`, command, streams, lacks, fails, endSignal, settle, notes, url
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    name = try values.decode(String.self, forKey: .name)
    version = try values.decode(String.self, forKey: .version)
    stack = try values.decode(String.self, forKey: .stack)
    `protocol` = try values.decode(TransportProtocol.self, forKey: .protocol)
    command = try values.decode([String].self, forKey: .command)
    streams = try values.decodeIfPresent(Bool.self, forKey: .streams) ?? false
    lacks = try values.decodeIfPresent([String: String].self, forKey: .lacks) ?? [:]
    fails = try values.decodeIfPresent([KnownFailure].self, forKey: .fails) ?? []
    endSignal = try values.decodeIfPresent(EndSignal.self, forKey: .endSignal)
    settle = try values.decodeIfPresent(Double.self, forKey: .settle) ?? 0
    notes = try values.decodeIfPresent(String.self, forKey: .notes)
    url = try values.decodeIfPresent(String.self, forKey: .url)
    if let problem { throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: problem)) }
  }

  /// The fault of a file's values; nil if there is none.
  private var problem: String? {
    // The name becomes a folder's.
    let letters = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
      case _: false
      }
    }
    if name.isEmpty || name.utf8.count > 40 || !letters {
      return "\"name\" is '\(name)'; 1 to 40 of a to z, 0 to 9 and - are wanted"
    }
    if name == Peer.oursName { return "\"name\" is '\(name)', which is our own endpoint's" }
    guard let script = command.first else { return "\"command\" is empty; its first word is a script in Interop/peers" }
    if script.isEmpty || script.contains("/") || script.hasPrefix(".") {
      return "\"command\" begins with '\(script)'; the name of a script in Interop/peers is wanted"
    }
    if !(0...30).contains(settle) { return "\"settle\" is \(settle); 0 to 30 seconds are wanted" }
    if lacks.count > Self.mostLacks { return "\"lacks\" has \(lacks.count) entries; \(Self.mostLacks) are the most" }
    if let empty = lacks.first(where: { $0.value.isEmpty }) {
      return "\"lacks\" gives no reason for '\(empty.key)'; write why in words"
    }
    if fails.count > Self.mostLacks { return "\"fails\" has \(fails.count) entries; \(Self.mostLacks) are the most" }
    return fails.lazy.compactMap(\.problem).first
  }

  static let oursName = "agent-stream"

  static func ours(version: String) -> Peer {
    var peer = Peer(
      name: oursName, version: version, stack: "ngtcp2 + nghttp3 + GnuTLS, in Swift", protocol: .hq, command: [])
    peer.fails = KnownFailure.ours
    return peer
  }
}
