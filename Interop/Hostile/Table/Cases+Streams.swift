import EnginePair
import HTTP3Engine

// Streams of HTTP/3: control, QPACK, push, unknown types (RFC 9114 § 6).

extension HostileCase {
  static let streams: [HostileCase] = [
    .late(
      "control-second", "opens a second control stream", "RFC 9114 § 6.2.1", [.closes(.streamCreationError)],
      .open(.other(1), [0] + Wire.plainSettings)),
    .late(
      "encoder-second", "opens a second QPACK encoder stream", "RFC 9204 § 4.2", [.closes(.streamCreationError)],
      .open(.other(1), [2])),
    .late(
      "decoder-second", "opens a second QPACK decoder stream", "RFC 9204 § 4.2", [.closes(.streamCreationError)],
      .open(.other(1), [3])),
    .late(
      "control-ends", "ends the control stream", "RFC 9114 § 6.2.1", [.closes(.closedCriticalStream)],
      .write([], on: .control, isLast: true)),
    .late(
      "control-reset", "resets the control stream", "RFC 9114 § 6.2.1", [.closes(.closedCriticalStream)],
      .pause(.milliseconds(50)),
      .reset(.control, .noError)),
    .late(
      "encoder-ends", "ends the QPACK encoder stream", "RFC 9204 § 4.2", [.closes(.closedCriticalStream)],
      .write([], on: .encoder, isLast: true)),
    .late(
      "decoder-ends", "ends the QPACK decoder stream", "RFC 9204 § 4.2", [.closes(.closedCriticalStream)],
      .write([], on: .decoder, isLast: true)),
    .late(
      "decoder-reset", "resets the QPACK decoder stream", "RFC 9204 § 4.2", [.closes(.closedCriticalStream)],
      .pause(.milliseconds(50)),
      .reset(.decoder, .noError)),
    .late(
      "client-control-stopped", "asks for no more of the client's control stream (STOP_SENDING)", "RFC 9114 § 6.2.1",
      [.closes(.closedCriticalStream)], .frames(Wire.quic(0x05, 2, 0x100))),
    .late(
      "push-stream", "opens a push stream, though the client sent no MAX_PUSH_ID", "RFC 9114 § 4.6",
      [.closes(.idError)], .open(.other(1), [1, 0])),
    .late(
      "unknown-stream", "opens streams of reserved types and writes on them", "RFC 9114 § 6.2.3", [.success],
      .open(.other(1), Wire.varint(Wire.reserved(7)) + [UInt8](repeating: 0xff, count: 500)),
      .open(.other(2), Wire.varint(Wire.reserved(1 << 40)) + [1, 2, 3]),
      .write([], on: .other(2), isLast: true)),
    .late(
      "stream-without-type", "ends and resets unidirectional streams before their type is whole", "RFC 9114 § 6.2",
      [.success], .open(.other(1), [0x40]), .write([], on: .other(1), isLast: true), .open(.other(2), [0x80]),
      .reset(.other(2), .noError)),
    .packet(
      "server-bidirectional", "opens a bidirectional stream", "RFC 9114 § 6.1",
      [.closes(.streamCreationError), .closes(.streamLimitError)], Wire.stream(1, offset: 0, Wire.answer)),
    .late(
      "control-data", "sends DATA on the control stream", "RFC 9114 § 7.2.1", [.closes(.frameUnexpected)],
      .write(Wire.data("no"), on: .control)),
    .late(
      "control-headers", "sends HEADERS on the control stream", "RFC 9114 § 7.2.2", [.closes(.frameUnexpected)],
      .write(Wire.headers(Wire.ok), on: .control)),
    .late(
      "control-push-promise", "sends PUSH_PROMISE on the control stream", "RFC 9114 § 7.2.5",
      [.closes(.frameUnexpected)], .write(Wire.http(5, [0, 0, 0, 0xd1]), on: .control)),
    .late(
      "control-max-push-id", "sends MAX_PUSH_ID, which is a client's", "RFC 9114 § 7.2.7",
      [.closes(.frameUnexpected)], .write(Wire.http(0x0d, [4]), on: .control)),
    .late(
      "control-cancel-push", "sends CANCEL_PUSH of a push that the client does not allow", "RFC 9114 § 7.2.3",
      [.closes(.idError)], .write(Wire.http(3, [0]), on: .control)),
    .late(
      "control-priority-update", "sends PRIORITY_UPDATE, which is a client's", "RFC 9218 § 7.2",
      [.closes(.frameUnexpected)], .write(Wire.http(0xf0700, [0, 0x75, 0x3d, 0x31]), on: .control)),
    .late(
      "control-http2-frame", "sends the frame type of HTTP/2's PING on the control stream", "RFC 9114 § 7.2.8",
      [.closes(.frameUnexpected)], .write(Wire.http(6, [UInt8](repeating: 0, count: 8)), on: .control)),
    .late(
      "control-reserved-frame", "sends frames of reserved types on the control stream", "RFC 9114 § 7.2.8", [.success],
      .write(Wire.http(Wire.reserved(0), []) + Wire.http(Wire.reserved(1 << 30), [1, 2, 3]), on: .control)),
    .late(
      "goaway", "sends GOAWAY behind the request and answers it", "RFC 9114 § 5.2", [.success],
      .write(Wire.goAway(4), on: .control)),
    .late(
      "goaway-twice", "sends GOAWAY twice, the second time with a smaller id", "RFC 9114 § 5.2", [.success],
      .write(Wire.goAway(1 << 32) + Wire.goAway(4), on: .control)),
    .late(
      "goaway-grows", "sends GOAWAY with an id above the one before", "RFC 9114 § 5.2", [.closes(.idError)],
      .write(Wire.goAway(4) + Wire.goAway(8), on: .control)),
    .late(
      "goaway-server-stream", "sends GOAWAY with the id of a stream that is no request", "RFC 9114 § 7.2.6",
      [.closes(.idError)], .write(Wire.goAway(7), on: .control)),
    .late(
      "goaway-empty", "sends GOAWAY without an id", "RFC 9114 § 7.1", [.closes(.frameError)],
      .write(Wire.http(7, []), on: .control)),
    .late(
      "goaway-truncated", "sends GOAWAY whose id is longer than the frame", "RFC 9114 § 7.1", [.closes(.frameError)],
      .write(Wire.http(7, [0xc0, 0, 0]), on: .control)),
    .late(
      "goaway-longer", "sends GOAWAY with bytes behind its id", "RFC 9114 § 7.1", [.closes(.frameError)],
      .write(Wire.http(7, [4, 0x21, 0x00]), on: .control)),
    .late(
      "goaway-on-request", "sends GOAWAY on the request's stream", "RFC 9114 § 7.2.6", [.closes(.frameUnexpected)],
      .write(Wire.goAway(4), on: .request)),
  ]
}
