import EnginePair
import HTTP3Engine

// Version Negotiation, Retry, transport parameters, certificates, early data.

extension HostileCase {
  private static let version2: UInt32 = 0x6b33_43cf
  private static let unknownVersion: UInt32 = 0x1a2a_3a4a

  /// A good handshake and answer behind it.
  private static func good(_ steps: Step...) -> [Step] { steps + [.greet(), .untilRequest, .answer] }

  /// A datagram of its own before the first packet is looked at.
  private static func first(
    _ name: String, _ does: String, _ rule: String, _ demands: [Demand],
    _ make: @escaping @Sendable (_ initial: LongHeader, _ bytes: [UInt8]) -> [UInt8]?
  ) -> HostileCase {
    HostileCase(
      name, does, rule, demands,
      good(
        .hold, .untilDatagram(1),
        .inject { sent in sent.first.flatMap { LongHeader($0) }.flatMap { make($0, sent[0]) } },
        .accept))
  }

  private static func parameter(
    _ name: String, _ does: String, _ rule: String, _ value: ForgedParameter
  ) -> HostileCase {
    HostileCase(name, does, rule, [.closes(.transportParameterError)], good(.parameter(value)))
  }

  private static func certificate(_ name: String, _ does: String, _ certificate: Certificate) -> HostileCase {
    var row = HostileCase(name, does, "RFC 9001 § 4.4", [.tlsAlert], good())
    row.certificate = certificate
    return row
  }

  /// Two connections; what is said of the client is what it does in the second.
  private static func resumed(
    _ name: String, _ does: String, _ rule: String, _ demands: [Demand], first: [UInt8] = Wire.plainSettings,
    second: [Step]
  ) -> HostileCase {
    var row = HostileCase(name, does, rule, demands, [])
    row.scripts = [[.greet(first), .untilRequest, .answer], second]
    return row
  }

  private static func retryTwice(_ sent: [[UInt8]]) -> [UInt8]? {
    sent.dropFirst().first { LongHeader($0)?.version == 1 }.flatMap {
      ForgedDatagram.retry(to: $0, source: [9, 9, 9, 9, 9, 9, 9, 9], token: [1, 2, 3, 4])
    }
  }

  static let handshakes: [HostileCase] = [
    first(
      "version-same", "sends Version Negotiation that lists the version that the client chose", "RFC 9000 § 6.2",
      [.success]
    ) { initial, _ in initial.versionNegotiation(1, unknownVersion) },
    first(
      "version-other-ids", "sends Version Negotiation with other connection ids", "RFC 9000 § 17.2.1", [.success]
    ) { initial, _ in
      var other = initial
      other.source = other.source.map { ~$0 } + (other.source.isEmpty ? [1] : [])
      other.destination = other.destination.map { ~$0 }
      return other.versionNegotiation(unknownVersion)
    },
    HostileCase(
      "version-late", "sends Version Negotiation after the handshake", "RFC 9000 § 6.2", [.success],
      [
        .greet(), .untilRequest,
        .inject { sent in sent.first.flatMap { LongHeader($0) }?.versionNegotiation(unknownVersion) },
        .pause(.milliseconds(100)), .answer,
      ]),
    HostileCase(
      "version-none", "answers each first packet with Version Negotiation that lists no version in use",
      "RFC 9000 § 6.2", [.refusal],
      [.hold, .injectAlways { LongHeader($0)?.versionNegotiation(unknownVersion) }]),
    HostileCase(
      "version-loop", "answers packets of version 1 with Version Negotiation to version 2, and the other way round",
      "RFC 9368 § 4", [.refusal],
      [
        .hold,
        .injectAlways { datagram in
          LongHeader(datagram).flatMap { $0.versionNegotiation($0.version == 1 ? version2 : 1) }
        },
      ]),
    HostileCase(
      "retry", "sends Retry once, as it may", "RFC 9000 § 8.1.2", [.success], good()
    ).changed { $0.addressValidation = .always },
    HostileCase(
      "retry-twice", "sends Retry in answer to the Initial that a Retry led to", "RFC 9000 § 17.2.5.2", [.success],
      [.untilDatagram(2), .inject(retryTwice), .greet(), .untilRequest, .answer]
    ).changed { $0.addressValidation = .always },
    first(
      "retry-bad-tag", "sends Retry with a bad integrity tag", "RFC 9000 § 17.2.5.2", [.success]
    ) { _, bytes in
      ForgedDatagram.retry(to: bytes, source: [9, 9, 9, 9, 9, 9, 9, 9], token: [1, 2, 3, 4]).map {
        $0.dropLast() + [($0.last ?? 0) ^ 1]
      }
    },
    first(
      "retry-no-token", "sends Retry without a token", "RFC 9000 § 17.2.5.2", [.success]
    ) { _, bytes in ForgedDatagram.retry(to: bytes, source: [9, 9, 9, 9, 9, 9, 9, 9], token: []) },
    HostileCase(
      "retry-late", "sends Retry after the handshake", "RFC 9000 § 17.2.5.2", [.success],
      [
        .greet(), .untilRequest,
        .inject { sent in
          sent.first.flatMap { ForgedDatagram.retry(to: $0, source: [9, 9, 9, 9, 9, 9, 9, 9], token: [1]) }
        },
        .pause(.milliseconds(100)), .answer,
      ]),
    HostileCase(
      "retry-denied", "sends Retry, and then parameters that know nothing of it", "RFC 9000 § 7.3",
      [.closes(.transportParameterError)],
      good(
        .hold, .untilDatagram(1),
        .inject { sent in
          sent.first.flatMap { ForgedDatagram.retry(to: $0, source: [UInt8](repeating: 9, count: 16), token: [1, 2]) }
        }, .untilDatagram(2), .acceptLatest)),
    parameter(
      "parameter-original-id", "sends a wrong original_destination_connection_id", "RFC 9000 § 7.3",
      .originalDestination([1, 2, 3, 4, 5, 6, 7, 8])),
    parameter(
      "parameter-no-original-id", "sends no original_destination_connection_id", "RFC 9000 § 7.3",
      .originalDestination(nil)),
    parameter(
      "parameter-retry-id", "sends retry_source_connection_id without Retry", "RFC 9000 § 7.3",
      .retrySource([1, 2, 3, 4, 5, 6, 7, 8])),
    parameter(
      "parameter-ack-delay-exponent", "sends ack_delay_exponent 21", "RFC 9000 § 18.2", .ackDelayExponent(21)),
    parameter(
      "parameter-max-ack-delay", "sends max_ack_delay of 2^14 ms", "RFC 9000 § 18.2",
      .maximumAckDelay(.milliseconds(16_384))),
    parameter(
      "parameter-payload-size", "sends max_udp_payload_size 1199", "RFC 9000 § 18.2", .maximumPayloadSize(1_199)),
    parameter(
      "parameter-streams", "allows more streams than there could be", "RFC 9000 § 18.2", .maximumStreams(1 << 60 + 1)),
    HostileCase(
      "parameter-none", "gives no transport parameters", "RFC 9001 § 8.2", [.closes(.quic(0x16d))],
      good(.parameter(.omission))),
    parameter("parameter-twice", "gives a transport parameter twice", "RFC 9000 § 7.4", .repetition),
    certificate("certificate-other-name", "shows a certificate of another name", .otherName),
    certificate("certificate-expired", "shows a certificate that has expired", .expired),
    certificate("certificate-other-authority", "shows a certificate of an unknown authority", .otherAuthority),
    HostileCase(
      "protocol-other", "takes part in another application protocol alone (ALPN)", "RFC 9001 § 8.1", [.refusal],
      good()
    ).changed { $0.applicationProtocol = "h0" },
    resumed(
      "early-accepted", "takes early data", "RFC 9114 § 7.2.4.2", [.success],
      second: [.greet(), .untilRequest, .requireEarlyData, .answer]),
    resumed(
      "early-settings-lower", "takes early data and then sends a lower limit than before", "RFC 9114 § 7.2.4.2",
      [.closes(.settingsError)], first: Wire.settings((6, 65_536), (1, 4_096), (7, 100)),
      second: [
        .greet(Wire.settings((6, 1_000), (1, 4_096), (7, 100))), .untilRequest, .requireEarlyData,
        .pause(.milliseconds(300)), .answer,
      ]),
    resumed(
      "early-settings-missing", "takes early data and then leaves out a limit that it had given",
      "RFC 9114 § 7.2.4.2", [.closes(.settingsError)], first: Wire.settings((6, 65_536), (1, 4_096), (7, 100)),
      second: [
        .greet(Wire.settings((6, 65_536))), .untilRequest, .requireEarlyData, .pause(.milliseconds(300)), .answer,
      ]),
    resumed(
      "early-window-lower", "takes early data and then gives less room than before (initial_max_data)",
      "RFC 9000 § 7.4.1", [.closes(.protocolViolation)],
      second: [
        .parameter(.connectionWindow(1_000)), .greet(), .untilRequest, .requireEarlyData, .pause(.milliseconds(300)),
        .answer,
      ]),
    resumed(
      "early-refused-settings-lower", "refuses early data and sends lower limits than before", "RFC 9114 § 7.2.4.2",
      [.success], first: Wire.settings((6, 65_536), (1, 4_096), (7, 100)),
      second: [.forget, .greet(Wire.settings((6, 8_000))), .untilRequest, .answer]),
  ]

  func changed(_ change: @escaping @Sendable (inout ServerConfiguration) -> Void) -> HostileCase {
    var row = self
    row.change = change
    return row
  }
}
