import EnginePair
import HTTP3Engine

// Frames where they may not be, and CONNECTION_CLOSE in each state (RFC 9000 §§ 10.2, 12.4).

extension HostileCase {
  /// In place of the server's first packet of this kind. Anybody on the way can write Initial packets, so that a client
  /// may ignore one that is wrong (RFC 9001 § 7).
  private static func handshake(
    _ name: String, _ does: String, _ rule: String, _ demands: [Demand], inInitial: Bool, _ frames: [UInt8]
  ) -> HostileCase {
    HostileCase(
      name, does, rule, demands, [.forge(frames, inInitial: inInitial), .greet(), .untilRequest, .answer])
  }

  private static func ending(_ name: String, _ does: String, _ code: WireCode, reason: String = "") -> HostileCase {
    packet(name, does, "RFC 9000 § 10.2.2", [.refusal], Wire.close(code, reason: reason))
  }

  static let packetStates: [HostileCase] = [
    handshake(
      "initial-stream", "sends STREAM in an Initial packet", "RFC 9000 § 17.2.2",
      [.closes(.protocolViolation), .success],
      inInitial: true, Wire.stream(3, offset: 0, [0])),
    handshake(
      "initial-new-token", "sends NEW_TOKEN in an Initial packet", "RFC 9000 § 17.2.2",
      [.closes(.protocolViolation), .success], inInitial: true, Wire.quic(0x07, 4, then: [1, 2, 3, 4])),
    handshake(
      "initial-handshake-done", "sends HANDSHAKE_DONE in an Initial packet", "RFC 9000 § 17.2.2",
      [.closes(.protocolViolation), .success], inInitial: true, [0x1e]),
    handshake(
      "initial-crypto-garbage", "sends a TLS message that does not exist in an Initial packet", "RFC 9001 § 4.8",
      [.tlsAlert], inInitial: true, Wire.crypto(0, [0xfe, 0, 0, 4, 1, 2, 3, 4])),
    handshake(
      "initial-crypto-far-ahead", "sends CRYPTO 4 MB ahead in an Initial packet", "RFC 9000 § 7.5",
      [.closes(.cryptoBufferExceeded), .success], inInitial: true, Wire.crypto(4 << 20, [0])),
    handshake(
      "initial-ack-unsent", "acknowledges packets that were never sent in an Initial packet", "RFC 9000 § 13.1",
      [.closes(.protocolViolation), .success], inInitial: true, Wire.quic(0x02, 1 << 20, 0, 0, 0)),
    handshake(
      "handshake-stream", "sends STREAM in a Handshake packet", "RFC 9000 § 17.2.4", [.closes(.protocolViolation)],
      inInitial: false, Wire.stream(3, offset: 0, [0])),
    handshake(
      "handshake-max-data", "sends MAX_DATA in a Handshake packet", "RFC 9000 § 17.2.4",
      [.closes(.protocolViolation)], inInitial: false, Wire.quic(0x10, 1 << 20)),
    handshake(
      "handshake-done-early", "sends HANDSHAKE_DONE in a Handshake packet", "RFC 9000 § 17.2.4",
      [.closes(.protocolViolation)], inInitial: false, [0x1e]),
    handshake(
      "handshake-crypto-garbage", "sends a TLS message that does not exist in a Handshake packet", "RFC 9001 § 4.8",
      [.tlsAlert], inInitial: false, Wire.crypto(0, [0xfe, 0, 0, 4, 1, 2, 3, 4])),
    handshake(
      "initial-close", "closes in an Initial packet, CONNECTION_REFUSED", "RFC 9000 § 10.2.2", [.refusal],
      inInitial: true, Wire.close(.connectionRefused)),
    handshake(
      "initial-close-application", "closes with the application's form in an Initial packet", "RFC 9000 § 12.5",
      [.closes(.protocolViolation), .success], inInitial: true, Wire.close(.http(.noError))),
    handshake(
      "handshake-close", "closes in a Handshake packet, INTERNAL_ERROR", "RFC 9000 § 10.2.2", [.refusal],
      inInitial: false, Wire.close(.internalError)),
    handshake(
      "handshake-close-application", "closes with the application's form in a Handshake packet", "RFC 9000 § 12.5",
      [.closes(.protocolViolation)], inInitial: false, Wire.close(.http(.noError))),
    HostileCase(
      "refused", "answers the first packet with CONNECTION_REFUSED and keeps nothing", "RFC 9000 § 10.2.3",
      [.refusal],
      [.hold, .injectAlways { ForgedDatagram.close(to: $0, .connectionRefused) }]),
    ending("close-transport", "closes before the answer, INTERNAL_ERROR", .internalError),
    ending("close-transport-no-error", "closes before the answer, NO_ERROR", .quic(0)),
    ending("close-transport-unknown", "closes before the answer with an unknown code of QUIC's", .quic(1 << 40)),
    ending("close-application", "closes before the answer, H3_INTERNAL_ERROR", .http(.internalError)),
    ending("close-application-no-error", "closes before the answer, H3_NO_ERROR", .http(.noError)),
    ending(
      "close-application-unknown", "closes before the answer with an unknown code of HTTP/3's, and a long reason",
      WireCode(isApplication: true, value: Wire.largestVarint), reason: String(repeating: "é\u{0}\n", count: 200)),
    HostileCase(
      "close-midway", "closes in the middle of the body, H3_NO_ERROR", "RFC 9114 § 5.2", [.refusal],
      [
        .greet(), .untilRequest, .write(Wire.headers(Wire.ok) + Wire.data("hel"), on: .request),
        .pause(.milliseconds(100)), .close(.noError),
      ]),
  ]
}
