/// A line of ngtcp2's log whose content no callback reports; its texts are of 1.11.0 (lib/ngtcp2_log.c, ngtcp2_rtb.c,
/// ngtcp2_conn.c, ngtcp2_cc.c, ngtcp2_bbr.c). Any other line is nil, so that a new version loses events at worst.
package enum LibraryLogLine: Equatable {
  case packetLost(QUICPacketHeader.Kind, number: UInt64)
  /// The loss timer was set, in nanoseconds on the engine's clock.
  case lossTimerSet(deadline: UInt64)
  case lossTimerCancelled
  case lossTimerFired
  case probeCount(UInt64)
  /// The name of the congestion controller's state, in qlog's words for the classical ones.
  case congestionState(String)
  case persistentCongestion
  case keysDiscarded(level: String)
  /// A packet's header was read; its outcome follows.
  case packetSeen(QUICPacketHeader.Kind, number: UInt64)
  /// The packet that was seen last.
  case duplicateDropped
  case packetDropped(QUICPacketHeader.Kind?, trigger: String)
  case packetBuffered(QUICPacketHeader.Kind, length: Int?)

  /// Reads `I00000123 0x<connection id> <category> <text>`.
  package init?(_ line: Substring) {
    let parts = line.split(separator: " ", maxSplits: 3)
    guard parts.count == 4 else { return nil }
    let text = parts[3]
    let found: LibraryLogLine? =
      switch parts[2] {
      case "ldc": Self.lossDetection(text)
      case "cca": Self.congestionState(of: text).map { .congestionState($0) }
      case "con": Self.connection(text)
      case "pkt": Self.packet(text)
      default: nil
      }
    guard let found else { return nil }
    self = found
  }

  private static func lossDetection(_ text: Substring) -> LibraryLogLine? {
    if text == "loss detection timer fired" { return .lossTimerFired }
    if text.hasPrefix("loss detection timer canceled") { return .lossTimerCancelled }
    if text.hasPrefix("persistent congestion") { return .persistentCongestion }
    let words = text.split(separator: " ")
    guard let first = words.first else { return nil }
    if let deadline = number(first, after: "loss_detection_timer=") { return .lossTimerSet(deadline: deadline) }
    if let count = number(first, after: "pto_count=") { return .probeCount(count) }
    guard words.count >= 3, words[1] == "lost", let packet = number(first, after: "pkn="),
      let kind = kind(words[2].dropFirst("type=".count))
    else { return nil }
    return .packetLost(kind, number: packet)
  }

  private static func congestionState(of text: Substring) -> String? {
    if text.contains("acked, slow start") { return "slow_start" }
    if text.contains("cubic-ca") || text.hasPrefix("HyStart++ exit") { return "congestion_avoidance" }
    if text.hasPrefix("reduce cwnd because of packet loss") { return "recovery" }
    guard text.hasPrefix("bbr ") else { return nil }
    for verb in ["bbr enter ", "bbr start "] where text.hasPrefix(verb) {
      return "bbr_\(text.dropFirst(verb.count).lowercased())"
    }
    return nil
  }

  private static func connection(_ text: Substring) -> LibraryLogLine? {
    switch text {
    case "discarding Initial packet number space": return .keysDiscarded(level: "initial")
    case "discarding Handshake packet number space": return .keysDiscarded(level: "handshake")
    case "discarding early key": return .keysDiscarded(level: "0rtt")
    default: break
    }
    let words = text.split(separator: " ")
    guard words.count == 4, words[0] == "buffering", words[2] == "packet", let kind = kind(words[1]) else { return nil }
    return .packetBuffered(kind, length: number(words[3], after: "len=").flatMap { Int(exactly: $0) })
  }

  /// The reason for a discarded packet, before or after it was opened; one that cannot be opened is reported by the
  /// callback.
  private static let drops: [(text: String, kind: QUICPacketHeader.Kind?, trigger: String)] = [
    ("could not decrypt packet number", nil, "payload_decrypt_error"),
    ("could not decode long header", nil, "header_parse_error"),
    ("could not decode short header", nil, "header_parse_error"),
    ("packet was ignored because of mismatched DCID", nil, "unknown_connection_id"),
    ("packet was ignored because of mismatched SCID", nil, "unexpected_source_connection_id"),
    ("Initial packet is discarded because keys have been discarded", .initial, "key_unavailable"),
    ("delayed Initial packet was discarded", .initial, "key_unavailable"),
    ("delayed Handshake packet was discarded", .handshake, "key_unavailable"),
    ("Handshake packet at this point is unexpected", .handshake, "unexpected_packet"),
    ("Initial packet was ignored because it is included in UDP datagram less", .initial, "invalid_initial"),
    ("packet was ignored because token is", .initial, "invalid_initial"),
    ("packet type ", nil, "unexpected_packet"),
  ]

  private static func packet(_ text: Substring) -> LibraryLogLine? {
    if text == "packet was discarded because of duplicated packet number" { return .duplicateDropped }
    if text.hasPrefix("rx pkn=") {
      let words = text.split(separator: " ")
      guard words.count > 1, let packet = number(words[1], after: "pkn="),
        let kind = words.first(where: { $0.hasPrefix("type=") }).flatMap({ kind($0.dropFirst("type=".count)) })
      else { return nil }
      return .packetSeen(kind, number: packet)
    }
    return drops.first { text.hasPrefix($0.text) }.map { .packetDropped($0.kind, trigger: $0.trigger) }
  }

  private static func number(_ word: Substring, after prefix: String) -> UInt64? {
    guard word.hasPrefix(prefix) else { return nil }
    return UInt64(word.dropFirst(prefix.count))
  }

  private static func kind(_ name: Substring) -> QUICPacketHeader.Kind? {
    switch name {
    case "Initial": .initial
    case "0RTT", "0-RTT": .zeroRTT
    case "Handshake": .handshake
    case "1RTT": .oneRTT
    default: nil
    }
  }
}
