/// Rules about what is carried, after the public runner's checks (testcases_quic.py).
extension Rule {
  /// - Parameter nameBytes: of the requested names together; the client may send half as much after the handshake.
  static func zeroRTTCarriesRequests(of nameBytes: Int) -> Rule {
    Rule("zeroRTTCarriesRequests") { evidence in
      let early = evidence.clientTrace.packets(from: .client, .zeroRTT).reduce(0) { $0 + ($1.payloadBytes ?? $1.bytes) }
      let late = evidence.clientTrace.packets(from: .client, .oneRTT).reduce(0) { $0 + ($1.payloadBytes ?? $1.bytes) }
      if early == 0 { return "The client sent nothing in 0-RTT packets." }
      guard late > nameBytes / 2 else { return nil }
      return "The client sent \(late) bytes in 1-RTT packets (0-RTT: \(early)), more than half of the requests."
    }
  }

  static let bothUpdateKeys = Rule("bothUpdateKeys") { evidence in
    func updated(_ trace: Trace, _ sender: TraceDatagram.Sender) -> Int {
      trace.packets(from: sender, .oneRTT).count { $0.keyPhase == true }
    }
    let client = updated(evidence.clientTrace, .client)
    let server = updated(evidence.serverTrace, .server)
    guard client == 0 || server == 0 else { return nil }
    return
      "Expected packets of key phase 1 from both sides, saw \(client) from the client and \(server) from the server."
  }

  static let bothMarkAndReportECN = Rule("bothMarkAndReportECN") { evidence in
    let client = evidence.clientTrace.datagrams(from: .client)
    let server = evidence.serverTrace.datagrams(from: .server)
    var problems: [String] = []
    for (name, datagrams, other) in [("client", client, "server"), ("server", server, "client")] {
      let marked = datagrams.count { $0.ecn == .ect0 || $0.ecn == .ect1 }
      if marked == 0 {
        problems.append("The \(name) marked none of its \(datagrams.count) datagrams ECT(0) or ECT(1).")
      }
      if datagrams.contains(where: { $0.ecn == .congestionExperienced }) {
        problems.append("The \(name) sent datagrams marked CE.")
      }
      if !datagrams.contains(where: \.reportsECN) {
        problems.append("The \(name) sent no ACK frame with ECN counts, though the \(other) may have marked.")
      }
    }
    return problems.isEmpty ? nil : problems.joined(separator: " ")
  }

  /// Whether the server really used the long chain.
  static func serverHandshakeBytes(atLeast least: Int) -> Rule {
    Rule("serverHandshakeBytes") { evidence in
      let ends = evidence.serverTrace.datagrams(from: .server, with: .handshake).flatMap(\.cryptoData).map {
        $0.offset + $0.length
      }
      let most = ends.max() ?? 0
      guard most < least else { return nil }
      return
        "The server sent \(most) bytes of CRYPTO data, less than \(least): it does not use the long certificate chain."
    }
  }

  /// At most three times what the client sent before its address is validated (RFC 9000 § 8.1); as the public runner,
  /// up to four times is let pass.
  static let amplificationLimit = Rule("amplificationLimit") { evidence in
    var received = 0
    var sent = 0
    for datagram in evidence.serverTrace.datagrams {
      guard !datagram.has(.versionNegotiation) else { return "A Version Negotiation packet was sent." }
      switch datagram.sender {
      case .client:
        if datagram.has(.handshake) { return nil }
        if datagram.has(.initial) { received += datagram.bytes }
      case .server:
        sent += datagram.bytes
        if sent > 4 * received {
          return "The server sent \(sent) bytes after \(received) from a client whose address it had not validated."
        }
      }
    }
    return "No Handshake packet of the client reached the server."
  }

  static let onlyIPv6 = Rule("onlyIPv6") { evidence in
    let count = evidence.serverTrace.datagrams(from: .server).count { !$0.source.isIPv6 }
    return count == 0 ? nil : "\(count) of the server's datagrams went over IPv4."
  }
}
