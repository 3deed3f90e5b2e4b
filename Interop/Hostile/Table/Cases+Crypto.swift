import EnginePair
import HTTP3Engine

// TLS's bytes in CRYPTO frames where no handshake has them, and what a server may say before the client has finished.

extension HostileCase {
  private static let unexpectedMessage = Demand.closes(.quic(0x10a))

  /// CRYPTO frames behind the handshake, at the beginning of a stream without tickets, each in a packet of its own.
  private static func crypto(
    _ name: String, _ does: String, _ rule: String, _ demands: [Demand], _ packets: [[UInt8]]
  ) -> HostileCase {
    HostileCase(
      name, does, rule, demands,
      [.greet(), .untilRequest] + packets.map { .frames($0) } + [.pause(.milliseconds(300)), .answer]
    ).changed { $0.ticketsPerConnection = 0 }
  }

  private static func good(_ steps: Step...) -> [Step] { steps + [.greet(), .untilRequest, .answer] }

  static let cryptoBytes: [HostileCase] = [
    crypto(
      "crypto-key-update", "sends TLS's KeyUpdate", "RFC 9001 § 6", [unexpectedMessage],
      [Wire.crypto(0, Wire.keyUpdate)]),
    crypto(
      "crypto-key-update-bytewise", "sends TLS's KeyUpdate, a byte in a packet, the last first", "RFC 9001 § 6",
      [unexpectedMessage], Wire.keyUpdateBytewise),
    crypto(
      "crypto-key-update-behind-ticket", "sends TLS's KeyUpdate behind a ticket", "RFC 9001 § 6", [unexpectedMessage],
      [Wire.crypto(0, Wire.ticket + Wire.keyUpdate)]),
    crypto(
      "crypto-certificate-request", "asks for a certificate after the handshake", "RFC 9001 § 4.4",
      [.tlsAlert, .closes(.protocolViolation)], [Wire.crypto(0, [13, 0, 0, 3, 0, 0, 0])]),
    crypto(
      "crypto-ticket-endless", "announces a ticket of 16 MB", "RFC 9000 § 7.5",
      [.closes(.cryptoBufferExceeded), .tlsAlert, .success], [Wire.crypto(0, [4, 0xff, 0xff, 0xff, 0, 0, 0, 60])]),
    crypto(
      "crypto-gaps", "sends 200 bytes of CRYPTO with gaps between them", "RFC 9000 § 7.5",
      [.closes(.cryptoBufferExceeded), .success], [(0..<200).flatMap { Wire.crypto(1 + $0 * 2, [0]) }]),
    HostileCase(
      "handshake-behind-finished", "sends TLS's KeyUpdate in a Handshake packet behind Finished", "RFC 9001 § 4.1.3",
      [unexpectedMessage, .closes(.protocolViolation)], good()
    ).changed { $0.connection.rawBehindFinished = Wire.keyUpdate },
    HostileCase(
      "handshake-done-at-once", "sends HANDSHAKE_DONE before it has the client's Finished", "RFC 9001 § 4.1.2",
      [.closes(.protocolViolation), .success], [.untilConnection, .frames([0x1e])] + good()),
    HostileCase(
      "protocol-none", "takes part in no application protocol (ALPN)", "RFC 9001 § 8.1", [.closes(.quic(0x178))], good()
    ).changed { $0.applicationProtocol = "" },
    HostileCase(
      "hello-retry", "asks for another key share, as it may", "RFC 9001 § 4.7", [.success], good()
    ).changed { $0.connection.keyExchangeGroups = [.secp384r1] },
  ]
}
