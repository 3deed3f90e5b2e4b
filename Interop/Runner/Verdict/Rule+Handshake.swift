/// Rules about handshakes, after the public runner's checks (testcases_quic.py).
extension Rule {
  /// The server's source connection ID does not change while it sends Initials, so each is one handshake.
  static func handshakes(_ wanted: Int) -> Rule {
    Rule("handshakes") { evidence in
      let identifiers = Set(evidence.serverTrace.packets(from: .server, .initial).map(\.sourceID))
      guard identifiers.count != wanted else { return nil }
      return "Expected \(wanted) handshake\(wanted == 1 ? "" : "s"), saw \(identifiers.count)."
    }
  }

  static let version1 = Rule("version1") { evidence in
    let versions = Set(evidence.serverTrace.packets(from: .server, .initial).compactMap(\.version))
    guard versions != [TraceVersion.version1] else { return nil }
    return versions.isEmpty
      ? "The server sent no Initial packet."
      : "Expected version 1 alone in the server's Initials, saw \(text(versions))."
  }

  static let noRetry = Rule("noRetry") { evidence in
    evidence.clientTrace.packets(from: .server, .retry).isEmpty
      ? nil : "A Retry was sent, which this case does not want."
  }

  /// A ClientHello begins with the first byte of the Initials' CRYPTO stream, also when it is sent again.
  static func clientHellos(atLeast least: Int) -> Rule {
    Rule("clientHellos") { evidence in
      let count = evidence.clientTrace.datagrams(from: .client, with: .initial).count { datagram in
        datagram.cryptoData.contains { $0.offset == 0 && $0.length > 0 }
      }
      guard count < least else { return nil }
      return "Expected at least \(least) ClientHellos, saw \(count)."
    }
  }

  static let onlyChaCha20Offered = Rule("onlyChaCha20Offered") { evidence in
    let suites = Set(evidence.clientTrace.datagrams(from: .client, with: .initial).flatMap(\.cipherSuites))
    guard suites != [0x1303] else { return nil }
    let text = suites.sorted().map { "0x" + String($0, radix: 16) }.joined(separator: ", ")
    return "Expected the client to offer 0x1303 (CHACHA20_POLY1305_SHA256) alone, saw \(text.isEmpty ? "none" : text)."
  }

  static func streamLimit(atMost most: Int) -> Rule {
    Rule("streamLimit") { evidence in
      let limits = evidence.clientTrace.datagrams(from: .server, with: .handshake).compactMap(\.initialStreamLimit)
      guard let limit = limits.max() else { return "The server's initial_max_streams_bidi was not seen." }
      return limit > most ? "The server's initial_max_streams_bidi is \(limit), more than \(most)." : nil
    }
  }

  static let retryTokenUsed = Rule("retryTokenUsed") { evidence in
    let tokens = Set(evidence.clientTrace.packets(from: .server, .retry).map(\.token).filter { !$0.isEmpty })
    guard !tokens.isEmpty else { return "No Retry with a token was seen." }
    var highestBefore: UInt64?
    for packet in evidence.clientTrace.packets(from: .client, .initial) {
      guard !packet.token.isEmpty else {
        highestBefore = [highestBefore, packet.number].compactMap { $0 }.max()
        continue
      }
      // Packet numbers continue after a Retry (RFC 9000 § 17.2.5.3).
      if let highestBefore, let number = packet.number, number <= highestBefore {
        return "The client set its packet number back to \(number) after the Retry."
      }
      if tokens.contains(packet.token) { return nil }
    }
    return "No Initial with the Retry's token was seen."
  }

  static let secondHandshakeWithoutCertificate = Rule("secondHandshakeWithoutCertificate") { evidence in
    let datagrams = evidence.clientTrace.datagrams(from: .server, with: .handshake)
    func identifier(_ datagram: TraceDatagram) -> String? {
      datagram.packets.first { $0.kind == .handshake }?.sourceID
    }
    let identifiers = datagrams.compactMap(identifier)
    guard let first = identifiers.first, let last = identifiers.last, first != last else {
      return "Handshake packets of a second connection were not seen."
    }
    if let other = identifiers.first(where: { $0 != first && $0 != last }) {
      return "A Handshake packet belongs to neither the first nor the second handshake (\(other))."
    }
    if datagrams.contains(where: { identifier($0) == last && $0.hasCertificate }) {
      return "The server sent a Certificate message in the second handshake."
    }
    if !datagrams.contains(where: { identifier($0) == first && $0.hasCertificate }) {
      return "No Certificate message was seen in the first handshake, which should have one."
    }
    return nil
  }

  static let movesToVersion2 = Rule("movesToVersion2") { evidence in
    func versions(_ trace: Trace, _ sender: TraceDatagram.Sender, _ kind: TracePacket.Kind) -> Set<UInt32> {
      Set(trace.packets(from: sender, kind).compactMap(\.version))
    }
    let offered = versions(evidence.clientTrace, .client, .initial)
    let answered = versions(evidence.serverTrace, .server, .initial)
    let client = versions(evidence.clientTrace, .client, .handshake)
    let server = versions(evidence.serverTrace, .server, .handshake)
    var problems: [String] = []
    if !offered.contains(TraceVersion.version1) {
      problems.append("the client's Initials to begin with 0x1, saw \(text(offered))")
    }
    if !answered.contains(TraceVersion.version2) {
      problems.append("the server's Initials to be of 0x6b3343cf, saw \(text(answered))")
    }
    if client != [TraceVersion.version2] {
      problems.append("the client's Handshake packets to be of 0x6b3343cf, saw \(text(client))")
    }
    if server != [TraceVersion.version2] {
      problems.append("the server's Handshake packets to be of 0x6b3343cf, saw \(text(server))")
    }
    return problems.isEmpty ? nil : "Expected " + problems.joined(separator: "; ") + "."
  }

  private static func text(_ versions: Set<UInt32>) -> String {
    versions.isEmpty ? "none" : versions.sorted().map(TraceVersion.text).joined(separator: ", ")
  }
}
