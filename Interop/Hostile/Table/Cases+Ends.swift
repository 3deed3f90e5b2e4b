import EnginePair
import HTTP3Engine

// Silence, lost state, other ports (RFC 9000 §§ 9, 10).

extension HostileCase {
  /// Longer than a client's own patience with a server that is not there.
  private func patient() -> HostileCase {
    var row = self
    row.limit = .seconds(15)
    return row
  }

  /// The server's idle time-out, which binds the client too, is a second.
  private func impatient() -> HostileCase {
    var row = self
    row.change = { $0.connection.idleTimeout = .seconds(1) }
    return row
  }

  static let ends: [HostileCase] = [
    HostileCase("silent", "never answers", "RFC 9000 § 10.1", [.refusal], [.mute]).patient(),
    HostileCase(
      "silent-handshake", "answers the first packet and then no other", "RFC 9000 § 10.1", [.refusal],
      [.untilConnection, .pause(.milliseconds(30)), .mute]
    ).impatient().patient(),
    HostileCase(
      "silent-request", "is silent from the request on, with an idle time-out of 1 s", "RFC 9000 § 10.1", [.refusal],
      [.greet(), .untilRequest, .mute]
    ).impatient(),
    HostileCase(
      "silent-body", "is silent in the middle of the body, with an idle time-out of 1 s", "RFC 9000 § 10.1",
      [.refusal],
      [
        .greet(), .untilRequest, .write(Wire.headers(Wire.ok) + Wire.data("hel"), on: .request),
        .pause(.milliseconds(50)), .mute,
      ]
    ).impatient(),
    HostileCase(
      "stateless-reset", "forgets the connection at the request and sends a stateless reset", "RFC 9000 § 10.3.1",
      [.refusal], [.greet(), .untilRequest, .forget]),
    HostileCase(
      "stateless-reset-other-token", "sends what looks like a stateless reset, without the token",
      "RFC 9000 § 10.3.1", [.success],
      [
        .greet(), .untilRequest,
        .inject { sent in [0x40] + (sent.first.flatMap { LongHeader($0) }?.source ?? []) + Array(100..<140) },
        .inject { _ in [0x7f] + Array(0..<20) }, .pause(.milliseconds(100)), .answer,
      ]),
    HostileCase(
      "stateless-reset-early", "sends what looks like a stateless reset before the handshake", "RFC 9000 § 10.3.1",
      [.success],
      [
        .hold, .untilDatagram(1), .inject { _ in [0x40] + Array(0..<40) }, .accept, .greet(), .untilRequest, .answer,
      ]),
    HostileCase(
      "noise", "sends datagrams of noise before its answer", "RFC 9000 § 12.2", [.success],
      [
        .greet(), .untilRequest, .inject { _ in [UInt8](repeating: 0xff, count: 1_200) },
        .inject { _ in [UInt8](repeating: 0x00, count: 1_200) }, .inject { _ in [0xc0] },
        .inject { _ in [0xe0, 0, 0, 0, 1, 255] + [UInt8](repeating: 1, count: 1_000) }, .pause(.milliseconds(100)),
        .answer,
      ]),
    HostileCase(
      "other-port", "sends its answer from another port at first", "RFC 9000 § 9", [.success],
      [
        .greet(), .untilRequest, .move(toOtherPort: true), .answer, .pause(.milliseconds(30)),
        .move(toOtherPort: false),
      ]),
    HostileCase(
      "other-port-handshake", "sends its first flight from another port at first", "RFC 9000 § 9", [.success],
      [
        .move(toOtherPort: true), .untilConnection, .pause(.milliseconds(30)), .move(toOtherPort: false), .greet(),
        .untilRequest, .answer,
      ]),
  ]
}
