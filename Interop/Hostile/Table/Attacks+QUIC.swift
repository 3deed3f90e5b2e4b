import EnginePair
import HTTP3Engine

// The handshake, TLS's bytes, and QUIC's frames.

extension AttackCase {
  private static func packet(
    _ name: String, _ does: String, _ rule: String, _ demands: [Demand], _ frames: [UInt8]
  ) -> AttackCase {
    after(name, does, rule, demands, .frames(frames))
  }

  static let handshakes: [AttackCase] = [
    AttackCase(
      "protocol-none", "names no application protocol (ALPN)", "RFC 9001 § 8.1", [.closes(.quic(0x178)), .refusal],
      [.greet(settings)]
    ).changed { $0.applicationProtocol = "" },
    AttackCase(
      "protocol-other", "names another application protocol", "RFC 9001 § 8.1", [.closes(.quic(0x178)), .refusal],
      [.greet(settings)]
    ).changed { $0.applicationProtocol = "h0" },
    AttackCase(
      "handshake-key-update", "sends TLS's KeyUpdate in a Handshake packet", "RFC 9001 § 6",
      [.closes(.quic(0x10a)), .closes(.protocolViolation)],
      [.forge(Wire.crypto(0, Wire.keyUpdate)), .greet(settings)]),
    AttackCase(
      "handshake-behind-finished", "sends TLS's KeyUpdate in a Handshake packet behind Finished", "RFC 9001 § 4.1.3",
      [.closes(.quic(0x10a)), .closes(.protocolViolation)], [.greet(settings)]
    ).changed { $0.connection.rawBehindFinished = Wire.keyUpdate },
    AttackCase(
      "initial-gaps", "sends 100 bytes of CRYPTO with gaps between them behind the ClientHello", "RFC 9000 § 7.5",
      [.closes(.cryptoBufferExceeded), .success],
      [.pad((0..<100).flatMap { Wire.crypto(2_000 + $0 * 2, [0]) }), .greet(settings)]),
    AttackCase(
      "hello-retry", "offers a key share that the server does not take first", "RFC 9001 § 4.7", [.success],
      [.greet(settings)]
    ).changed { $0.connection.keyExchangeGroups = [.x448, .x25519] },
  ]

  static let frames: [AttackCase] = [
    packet(
      "crypto-key-update", "sends TLS's KeyUpdate", "RFC 9001 § 6", [.closes(.quic(0x10a))],
      Wire.crypto(0, Wire.keyUpdate)),
    AttackCase(
      "crypto-key-update-bytewise", "sends TLS's KeyUpdate, a byte in a packet, the last first", "RFC 9001 § 6",
      [.closes(.quic(0x10a))], [.greet(settings)] + Wire.keyUpdateBytewise.map { .frames($0) }),
    packet(
      "crypto-ticket", "sends a session ticket", "RFC 9001 § 4.4",
      [.closes(.quic(0x10a)), .closes(.protocolViolation)],
      Wire.crypto(0, Wire.ticket)),
    packet(
      "crypto-far-ahead", "sends CRYPTO 4 MB ahead", "RFC 9000 § 7.5", [.closes(.cryptoBufferExceeded), .success],
      Wire.crypto(4 << 20, [0])),
    packet(
      "crypto-gaps", "sends 200 bytes of CRYPTO with gaps between them", "RFC 9000 § 7.5",
      [.closes(.cryptoBufferExceeded), .success], (0..<200).flatMap { Wire.crypto(1 + $0 * 2, [0]) }),
    packet(
      "frame-handshake-done", "sends HANDSHAKE_DONE", "RFC 9000 § 19.20", [.closes(.protocolViolation)], [0x1e]),
    packet(
      "frame-new-token", "sends NEW_TOKEN", "RFC 9000 § 19.7", [.closes(.protocolViolation)],
      Wire.quic(0x07, 4, then: [1, 2, 3, 4])),
    packet(
      "frame-unknown", "sends a frame of an unknown type", "RFC 9000 § 12.4", [.closes(.frameEncodingError)],
      Wire.quic(0x3f, then: [0])),
    packet(
      "frame-truncated", "sends a STREAM frame that is longer than its packet", "RFC 9000 § 12.4",
      [.closes(.frameEncodingError)], Wire.quic(0x0a, 0, 1_000_000)),
    packet(
      "ack-unsent", "acknowledges packets that were never sent", "RFC 9000 § 13.1", [.closes(.protocolViolation)],
      Wire.quic(0x02, 1 << 20, 0, 0, 0)),
    packet(
      "stream-of-server", "sends on a stream that the server alone may open", "RFC 9000 § 19.8",
      [.closes(.streamStateError)], Wire.stream(1, offset: 0, [0])),
    packet(
      "stream-beyond-limit", "opens more streams than are allowed", "RFC 9000 § 4.6", [.closes(.streamLimitError)],
      Wire.stream(4 << 20, offset: 0, [0])),
    packet(
      "stream-beyond-window", "sends beyond the stream's window", "RFC 9000 § 4.1", [.closes(.flowControlError)],
      Wire.stream(40, offset: 1 << 30, [0])),
    packet(
      "streams-largest", "allows more streams than there could be", "RFC 9000 § 19.11",
      [.closes(.frameEncodingError), .closes(.streamLimitError)], Wire.quic(0x12, 1 << 60 + 1)),
    packet(
      "retire-unknown", "retires a connection id that was never given", "RFC 9000 § 19.16",
      [.closes(.protocolViolation)], Wire.quic(0x19, 1 << 20)),
    packet(
      "connection-ids", "gives more connection ids than are allowed", "RFC 9000 § 5.1.1",
      [.closes(.connectionIDLimitError)],
      (0..<9).flatMap { Wire.connectionID(sequence: 10 + $0, filledWith: UInt8($0)) }),
    packet(
      "connection-id-empty", "gives a connection id without bytes", "RFC 9000 § 19.15", [.closes(.frameEncodingError)],
      Wire.connectionID(sequence: 9, length: 0)),
    AttackCase(
      "pings-without-end", "sends 30 packets of 900 PINGs", "RFC 9000 § 21.9", [.closes(.excessiveLoad), .success],
      [.greet(settings)] + (0..<30).map { _ in .frames([UInt8](repeating: 1, count: 900)) }),
    packet(
      "reserved-close", "closes with an unknown code", "RFC 9000 § 10.2.2", [.silence, .refusal],
      Wire.close(WireCode(isApplication: true, value: Wire.largestVarint))),
  ]
}
