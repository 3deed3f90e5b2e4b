import EnginePair
import HTTP3Engine

// SETTINGS (RFC 9114 §§ 6.2.1, 7.2.4).

extension HostileCase {
  static let settings: [HostileCase] = [
    .control(
      "settings-missing", "begins the control stream with GOAWAY", "RFC 9114 § 6.2.1", [.closes(.missingSettings)],
      Wire.goAway(4)),
    .control(
      "settings-after-reserved", "begins the control stream with a frame of a reserved type", "RFC 9114 § 6.2.1",
      [.closes(.missingSettings)], Wire.http(Wire.reserved(3), [1]) + Wire.plainSettings),
    HostileCase(
      "settings-never", "opens no control stream and answers", "RFC 9114 § 7.2.4.2", [.success],
      [.untilHandshake, .untilRequest, .answer]),
    .late(
      "settings-twice", "sends a second SETTINGS frame", "RFC 9114 § 7.2.4", [.closes(.frameUnexpected)],
      .write(Wire.plainSettings, on: .control)),
    .late(
      "settings-on-request", "sends SETTINGS on the request's stream", "RFC 9114 § 7.2.4",
      [.closes(.frameUnexpected)], .write(Wire.plainSettings, on: .request)),
    .control(
      "settings-duplicate", "sends the same setting twice, with two values", "RFC 9114 § 7.2.4",
      [.closes(.settingsError), .success], Wire.settings((6, 1_000), (6, 2_000))),
    .control(
      "settings-http2-push", "sends HTTP/2's ENABLE_PUSH", "RFC 9114 § 7.2.4.1", [.closes(.settingsError)],
      Wire.settings((2, 0))),
    .control(
      "settings-http2-streams", "sends HTTP/2's MAX_CONCURRENT_STREAMS", "RFC 9114 § 7.2.4.1",
      [.closes(.settingsError)], Wire.settings((3, 100))),
    .control(
      "settings-http2-window", "sends HTTP/2's INITIAL_WINDOW_SIZE", "RFC 9114 § 7.2.4.1", [.closes(.settingsError)],
      Wire.settings((4, 65_535))),
    .control(
      "settings-http2-frame-size", "sends HTTP/2's MAX_FRAME_SIZE", "RFC 9114 § 7.2.4.1", [.closes(.settingsError)],
      Wire.settings((5, 16_384))),
    .control(
      "settings-reserved", "sends settings of reserved and unknown ids", "RFC 9114 § 7.2.4.1", [.success],
      Wire.settings((Wire.reserved(2), 1), (Wire.reserved(1 << 40), Wire.largestVarint), (0x4d44, 0))),
    .control(
      "settings-empty", "sends SETTINGS without a setting", "RFC 9114 § 7.2.4", [.success], Wire.settings()),
    .control(
      "settings-truncated", "sends a setting whose value is longer than the frame", "RFC 9114 § 7.1",
      [.closes(.frameError)], Wire.http(4, [6, 0x80, 0])),
    .control(
      "settings-without-value", "sends an id without a value", "RFC 9114 § 7.1", [.closes(.frameError)],
      Wire.http(4, [6])),
    .control(
      "settings-largest", "sends the largest values that there are", "RFC 9114 § 7.2.4.1", [.success],
      Wire.settings((6, Wire.largestVarint), (1, Wire.largestVarint), (7, Wire.largestVarint))),
    .control(
      "settings-many", "sends 5 000 unknown settings", "RFC 9114 § 10.5",
      [.success, .closes(.excessiveLoad)],
      Wire.http(4, (0..<5_000).flatMap { Wire.varint(Wire.reserved(UInt64($0))) + [1] })),
    .control(
      "settings-datagram-invalid", "sends H3_DATAGRAM with 2", "RFC 9297 § 2.1.1",
      [.closes(.settingsError), .success], Wire.settings((0x33, 2))),
    .control(
      "settings-no-fields", "takes field sections of 0 bytes alone, which is advice", "RFC 9114 § 4.2.2",
      [.success, .refusal], Wire.settings((6, 0))),
  ]
}
