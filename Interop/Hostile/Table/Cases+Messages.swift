import EnginePair
import HTTP3Engine

// Frames of a response, and how it ends (RFC 9114 §§ 4.1, 7).

extension HostileCase {
  /// A malformed response: a stream error (RFC 9114 § 4.1.2), which cannot be reported for a stream that is over already.
  static let malformed: [Demand] = [.resets(.messageError), .refusal]

  static let messages: [HostileCase] = [
    .response(
      "data-first", "sends DATA before HEADERS", "RFC 9114 § 4.1", [.closes(.frameUnexpected)],
      Wire.data(Wire.body) + Wire.answer),
    .response(
      "data-after-interim", "sends DATA after an interim response", "RFC 9114 § 4.1", [.closes(.frameUnexpected)],
      Wire.headers(Wire.early) + Wire.data(Wire.body)),
    .response(
      "data-after-trailers", "sends DATA after the trailers", "RFC 9114 § 4.1", [.closes(.frameUnexpected)],
      Wire.answer + Wire.headers(Wire.line("x-end", "1")) + Wire.data("more")),
    .response(
      "headers-after-trailers", "sends HEADERS after the trailers", "RFC 9114 § 4.1", [.closes(.frameUnexpected)],
      Wire.answer + Wire.headers(Wire.line("x-end", "1")) + Wire.headers(Wire.line("x-end", "2"))),
    .response(
      "interim-last", "ends the stream after an interim response", "RFC 9114 § 4.1", malformed,
      Wire.headers(Wire.early)),
    .response(
      "response-empty", "ends the stream without a byte", "RFC 9114 § 4.1", malformed + [.closes(.frameUnexpected)],
      []),
    .response(
      "interim-few", "sends three interim responses before the final one", "RFC 9114 § 4.1", [.success],
      Wire.headers(Wire.goOn) + Wire.headers(Wire.early, Wire.line("link", "</style.css>; rel=preload"))
        + Wire.headers(Wire.early) + Wire.answer),
    .response(
      "interim-flood", "sends 5 000 interim responses before the final one", "RFC 9114 § 10.5",
      [.resets(.excessiveLoad, .requestCancelled), .success, .refusal],
      Array(repeating: Wire.headers(Wire.early), count: 5_000).joined() + Wire.answer),
    .response(
      "trailers", "sends trailers", "RFC 9114 § 4.1", [.success],
      Wire.answer + Wire.headers(Wire.line("x-end", "1"))),
    .response(
      "reserved-frames", "sends frames of reserved types before, between and after those of the response",
      "RFC 9114 § 7.2.8", [.success],
      Wire.http(Wire.reserved(0), []) + Wire.headers(Wire.ok) + Wire.http(Wire.reserved(1 << 20), [1, 2, 3])
        + Wire.data(Wire.body) + Wire.http(Wire.reserved(5), [UInt8](repeating: 0, count: 2_000))),
    .response(
      "http2-priority", "sends HTTP/2's PRIORITY on the request's stream", "RFC 9114 § 7.2.8",
      [.closes(.frameUnexpected)], Wire.http(2, [0, 0, 0, 0, 16]) + Wire.answer),
    .response(
      "http2-ping", "sends HTTP/2's PING on the request's stream", "RFC 9114 § 7.2.8", [.closes(.frameUnexpected)],
      Wire.http(6, [UInt8](repeating: 0, count: 8)) + Wire.answer),
    .response(
      "http2-window-update", "sends HTTP/2's WINDOW_UPDATE on the request's stream", "RFC 9114 § 7.2.8",
      [.closes(.frameUnexpected)], Wire.http(8, [0, 0, 0, 1]) + Wire.answer),
    .response(
      "http2-continuation", "sends HTTP/2's CONTINUATION on the request's stream", "RFC 9114 § 7.2.8",
      [.closes(.frameUnexpected)], Wire.headers(Wire.ok) + Wire.http(9, [0xd9])),
    .response(
      "request-max-push-id", "sends MAX_PUSH_ID on the request's stream", "RFC 9114 § 7.2.7",
      [.closes(.frameUnexpected)], Wire.http(0x0d, [4]) + Wire.answer),
    .response(
      "request-cancel-push", "sends CANCEL_PUSH on the request's stream", "RFC 9114 § 7.2.3",
      [.closes(.frameUnexpected)], Wire.http(3, [0]) + Wire.answer),
    .response(
      "push-promise", "sends PUSH_PROMISE, though the client sent no MAX_PUSH_ID", "RFC 9114 § 7.2.5",
      [.closes(.idError)], Wire.http(5, [0, 0, 0, 0xd1, 0xd7, 0xc1]) + Wire.answer),
    .response(
      "headers-truncated", "ends the stream in the middle of HEADERS", "RFC 9114 § 7.1", [.closes(.frameError)],
      [1, 0x40, 200, 0, 0, 0xd9]),
    .response(
      "data-truncated", "ends the stream in the middle of DATA", "RFC 9114 § 7.1", [.closes(.frameError)],
      Wire.headers(Wire.ok) + [0, 0x40, 200] + Array(Wire.body.utf8)),
    .response(
      "frame-header-truncated", "ends the stream in the middle of a frame's length", "RFC 9114 § 7.1",
      [.closes(.frameError)], Wire.answer + [0, 0xc0, 0]),
    .response(
      "frame-endless", "announces HEADERS of 2^62 - 1 bytes, sends 1 000 and ends", "RFC 9114 § 7.1",
      [.closes(.frameError, .excessiveLoad)],
      [1] + Wire.varint(Wire.largestVarint) + [0, 0, 0xd9]
        + Array(Array(repeating: Wire.line("x-a", "b"), count: 150).joined())),
    .response(
      "headers-empty", "sends HEADERS of no bytes", "RFC 9204 § 4.5.1",
      [.closes(.qpackDecompressionFailed, .frameError), .resets(.messageError)], Wire.http(1, []) + Wire.data("x")),
    .response(
      "length-too-large", "says content-length: 100 and sends 7 bytes", "RFC 9114 § 4.1.2", malformed,
      Wire.headers(Wire.ok, Wire.line("content-length", "100")) + Wire.data(Wire.body)),
    .response(
      "length-too-small", "says content-length: 3 and sends 7 bytes", "RFC 9114 § 4.1.2", malformed,
      Wire.headers(Wire.ok, Wire.line("content-length", "3")) + Wire.data(Wire.body)),
    .response(
      "length-twice", "says content-length twice, with two values", "RFC 9110 § 8.6", malformed,
      Wire.headers(Wire.ok, Wire.line("content-length", "7"), Wire.line("content-length", "8"))
        + Wire.data(Wire.body)),
    .response(
      "length-not-a-number", "says content-length: seven", "RFC 9110 § 8.6", malformed,
      Wire.headers(Wire.ok, Wire.line("content-length", "seven")) + Wire.data(Wire.body)),
    .response(
      "length-overflows", "says a content-length beyond 64 bits", "RFC 9110 § 8.6", malformed,
      Wire.headers(Wire.ok, Wire.line("content-length", "18446744073709551623")) + Wire.data(Wire.body)),
    .response(
      "data-in-bits", "sends the body in 5 000 DATA frames, most of them empty", "RFC 9114 § 7.2.1",
      [.success, .resets(.excessiveLoad)],
      Wire.headers(Wire.ok) + Array(repeating: Wire.http(0, []), count: 5_000).joined() + Wire.data(Wire.body)),
    HostileCase(
      "reset-midway", "resets the stream in the middle of the body", "RFC 9114 § 4.1.1",
      [.refusal, .resets(.requestCancelled)],
      [
        .greet(), .untilRequest, .write(Wire.headers(Wire.ok) + Wire.data("hel"), on: .request),
        .pause(.milliseconds(100)), .reset(.request, .internalError),
      ]),
    HostileCase(
      "rejected", "resets each request with H3_REQUEST_REJECTED", "RFC 9114 § 4.1.1",
      [.refusal, .success, .resets(.requestCancelled)],
      [.greet(), .untilRequest, .reset(.request, .requestRejected)]),
    HostileCase(
      "stop-sending", "answers, and wants no more of the request (STOP_SENDING with H3_NO_ERROR)", "RFC 9114 § 4.1",
      [.success], [.greet(), .untilRequest, .stop(.request, .noError), .answer]),
  ]
}
