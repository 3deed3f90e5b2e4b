import EnginePair
import HTTP3Engine

// HTTP/3's streams and requests.

extension AttackCase {
  private static let method = Wire.line(":method", "GET")
  private static let scheme = Wire.line(":scheme", "https")
  private static let authority = Wire.line(":authority", "localhost")
  private static let path = Wire.line(":path", "/")
  private static let post = Wire.headers(Wire.line(":method", "POST"), scheme, authority, path)

  /// PRIORITY_UPDATE of the first request, cut behind the element id.
  private static let priorityUpdate: [UInt8] = [0x80, 0x0f, 0x07, 0x00, 4, 0]

  static let streams: [AttackCase] = [
    control(
      "settings-missing", "begins with another frame than SETTINGS", "RFC 9114 § 6.2.1",
      [.closes(.missingSettings)], Wire.goAway(0)),
    control(
      "settings-twice", "sends SETTINGS twice", "RFC 9114 § 7.2.4", [.closes(.frameUnexpected)],
      settings + settings),
    control(
      "settings-of-http2", "sends a setting of HTTP/2", "RFC 9114 § 7.2.4.1", [.closes(.settingsError)],
      Wire.settings((2, 0))),
    control(
      "data-on-control", "sends DATA on the control stream", "RFC 9114 § 7.2.1", [.closes(.frameUnexpected)],
      settings + Wire.data("x")),
    control(
      "goaway", "says that it takes no push, as it may", "RFC 9114 § 5.2", [.success],
      settings + Wire.goAway(0)),
    control(
      "goaway-long", "sends a GOAWAY that holds more than an id", "RFC 9114 § 7.1", [.closes(.frameError)],
      settings + Wire.http(7, [0, 1])),
    control(
      "max-push-id-long", "sends a MAX_PUSH_ID that holds more than an id", "RFC 9114 § 7.1",
      [.closes(.frameError)], settings + Wire.http(13, [0, 1])),
    after(
      "priority-update-cut", "sends PRIORITY_UPDATE cut behind the element id, and no more of it",
      "RFC 9218 § 7.2", [.success], .write(priorityUpdate, on: .control), .pause),
    after(
      "priority-update-in-two", "sends PRIORITY_UPDATE cut behind the element id", "RFC 9218 § 7.2", [.success],
      .write(priorityUpdate, on: .control), .pause, .write(Array("u=1".utf8), on: .control)),
    after(
      "control-ended", "ends the control stream", "RFC 9114 § 6.2.1", [.closes(.closedCriticalStream)],
      .write([], on: .control, isLast: true)),
    after(
      "control-reset", "resets the control stream", "RFC 9114 § 6.2.1", [.closes(.closedCriticalStream)],
      .pause, .reset(.control, .noError)),
    after(
      "control-twice", "opens a second control stream", "RFC 9114 § 6.2.1", [.closes(.streamCreationError)],
      .open(.other(0), isBidirectional: false, [0] + settings)),
    after(
      "push-stream", "opens a push stream", "RFC 9114 § 6.2.2", [.closes(.streamCreationError)],
      .open(.other(0), isBidirectional: false, [1, 0])),
    after(
      "stream-unknown", "opens a stream of an unknown type", "RFC 9114 § 6.2.3", [.success],
      .open(.other(0), isBidirectional: false, Wire.varint(Wire.reserved(3)) + [1, 2, 3])),
    after(
      "encoder-overflow", "inserts into a table without room", "RFC 9204 § 4.3", [.closes(.qpackEncoderStreamError)],
      .write(Wire.capacity(1 << 20), on: .encoder)),
    after(
      "decoder-nothing", "acknowledges a section that was never sent", "RFC 9204 § 4.4.1",
      [.closes(.qpackDecoderStreamError)], .write([0x80 | 4], on: .decoder)),
  ]

  static let requests: [AttackCase] = [
    good,
    request(
      "request-data-first", "sends DATA before HEADERS", "RFC 9114 § 4.1", [.closes(.frameUnexpected)],
      Wire.data("x") + Wire.get),
    request(
      "request-settings", "sends SETTINGS on a request stream", "RFC 9114 § 7.2.4", [.closes(.frameUnexpected)],
      settings + Wire.get),
    request(
      "request-reserved", "sends a reserved frame before HEADERS", "RFC 9114 § 9", [.success],
      Wire.http(Wire.reserved(5), [1, 2, 3]) + Wire.get),
    request(
      "request-http2-frame", "sends a frame type of HTTP/2", "RFC 9114 § 7.2.8", [.closes(.frameUnexpected)],
      Wire.http(0x02, [0]) + Wire.get),
    request(
      "request-cut", "ends within HEADERS", "RFC 9114 § 7.1", [.closes(.frameError)], Array(Wire.get.dropLast(3))),
    request(
      "request-no-method", "leaves out :method", "RFC 9114 § 4.3.1", [.resets(.messageError)],
      Wire.headers(scheme, authority, path)),
    request(
      "request-pseudo-twice", "gives :path twice", "RFC 9114 § 4.3", [.resets(.messageError)],
      Wire.headers(method, scheme, authority, path, path)),
    request(
      "request-pseudo-unknown", "sends an unknown pseudo-header field", "RFC 9114 § 4.3", [.resets(.messageError)],
      Wire.headers(method, scheme, authority, path, Wire.line(":protocol-x", "y"))),
    request(
      "request-connection", "sends a connection field", "RFC 9114 § 4.2", [.resets(.messageError)],
      Wire.headers(method, scheme, authority, path, Wire.line("connection", "close"))),
    request(
      "request-shorter", "sends a body shorter than its content-length", "RFC 9114 § 4.1.2",
      [.resets(.messageError)],
      Wire.headers(Wire.line(":method", "POST"), scheme, authority, path, Wire.line("content-length", "5"))
        + Wire.data("abc")),
    request(
      "request-longer", "sends a body longer than its content-length", "RFC 9114 § 4.1.2",
      [.resets(.messageError)],
      Wire.headers(Wire.line(":method", "POST"), scheme, authority, path, Wire.line("content-length", "2"))
        + Wire.data("abc")),
    request(
      "request-table", "names an entry of a table that has none", "RFC 9204 § 2.2.3",
      [.closes(.qpackDecompressionFailed)], Wire.http(1, [0, 0, 0x80])),
    request(
      "request-behind-trailers", "sends DATA behind the trailers", "RFC 9114 § 4.1", [.closes(.frameUnexpected)],
      post + Wire.data("a") + Wire.headers(Wire.line("x", "y")) + Wire.data("b")),
  ]
}
