import EnginePair
import HTTP3Engine

// Fields of a response (RFC 9114 §§ 4.2, 4.3).

extension HostileCase {
  private static func fields(
    _ name: String, _ does: String, _ rule: String, _ demands: [Demand] = malformed, _ lines: [UInt8]...
  ) -> HostileCase {
    response(name, does, rule, demands, Wire.http(1, [0, 0] + lines.joined()) + Wire.data(Wire.body))
  }

  /// Static entries of `:path: /` and `:method: GET` (RFC 9204 § A).
  private static let path: [UInt8] = [0xc1]
  private static let method: [UInt8] = [0xd1]

  static let fields: [HostileCase] = [
    fields(
      "status-missing", "sends no :status", "RFC 9114 § 4.3.2", malformed, Wire.line("server", "x")),
    fields("status-twice", "sends :status twice", "RFC 9114 § 4.3", malformed, Wire.ok, Wire.ok),
    fields(
      "status-late", "sends :status after a regular field", "RFC 9114 § 4.3", malformed, Wire.line("server", "x"),
      Wire.ok),
    fields("status-word", "sends :status: abc", "RFC 9110 § 15", malformed, Wire.line(":status", "abc")),
    fields("status-short", "sends :status: 20", "RFC 9110 § 15", malformed, Wire.line(":status", "20")),
    fields("status-long", "sends :status: 2000", "RFC 9110 § 15", malformed, Wire.line(":status", "2000")),
    fields("status-101", "sends :status: 101", "RFC 9114 § 4.5", malformed, Wire.line(":status", "101")),
    fields("pseudo-of-request", "sends :path in a response", "RFC 9114 § 4.3", malformed, Wire.ok, path),
    fields("pseudo-method", "sends :method in a response", "RFC 9114 § 4.3", malformed, method, Wire.ok),
    fields(
      "pseudo-unknown", "sends a pseudo-field that does not exist", "RFC 9114 § 4.3", malformed, Wire.ok,
      Wire.line(":colour", "red")),
    response(
      "pseudo-in-trailers", "sends :status in the trailers", "RFC 9114 § 4.3", malformed,
      Wire.answer + Wire.headers(Wire.ok)),
    fields(
      "name-upper-case", "sends a field name in upper case", "RFC 9114 § 4.2", malformed, Wire.ok,
      Wire.line("Server", "x")),
    fields("name-empty", "sends a field without a name", "RFC 9114 § 10.3", malformed, Wire.ok, Wire.line("", "x")),
    fields(
      "name-with-space", "sends a space in a field name", "RFC 9114 § 10.3", malformed, Wire.ok,
      Wire.line("x y", "z")),
    fields(
      "name-with-newline", "sends a line break in a field name", "RFC 9114 § 10.3", malformed, Wire.ok,
      Wire.line("x\r\ny", "z")),
    fields(
      "value-with-newline", "sends a line break in a field value", "RFC 9114 § 10.3", malformed, Wire.ok,
      Wire.line("x-split", "a\r\nset-cookie: b=c")),
    fields(
      "value-with-nul", "sends NUL in a field value", "RFC 9114 § 10.3", malformed, Wire.ok,
      Wire.line("x-nul", "a\0b")),
    fields(
      "connection", "sends Connection", "RFC 9114 § 4.2", malformed, Wire.ok, Wire.line("connection", "close")),
    fields(
      "keep-alive", "sends Keep-Alive", "RFC 9114 § 4.2", malformed, Wire.ok, Wire.line("keep-alive", "timeout=5")),
    fields(
      "proxy-connection", "sends Proxy-Connection", "RFC 9114 § 4.2", malformed, Wire.ok,
      Wire.line("proxy-connection", "close")),
    fields(
      "transfer-encoding", "sends Transfer-Encoding", "RFC 9114 § 4.2", malformed, Wire.ok,
      Wire.line("transfer-encoding", "chunked")),
    fields("upgrade", "sends Upgrade", "RFC 9114 § 4.2", malformed, Wire.ok, Wire.line("upgrade", "h2c")),
    fields(
      "value-any-bytes", "sends bytes above 0x7f in a field value", "RFC 9110 § 5.5",
      [.success, .resets(.messageError), .refusal],
      Wire.ok, Wire.line(Array("x-bytes".utf8), Array(0x80...0xff))),
    fields(
      "fields-many", "sends 20 000 fields, 780 kB as they are counted", "RFC 9114 § 4.2.2",
      [.resets(.excessiveLoad, .requestCancelled, .messageError), .success, .refusal], Wire.ok,
      Array(Array(repeating: Wire.line("x-many", "v"), count: 20_000).joined())),
    fields(
      "field-huge", "sends a field of 1 MB", "RFC 9114 § 4.2.2",
      [
        .resets(.excessiveLoad, .requestCancelled, .messageError), .closes(.qpackDecompressionFailed, .excessiveLoad),
        .success, .refusal,
      ], Wire.ok, Wire.line("x-huge", String(repeating: "a", count: 1_000_000))),
    response(
      "trailers-huge", "sends trailers of 1 MB", "RFC 9114 § 4.2.2",
      [
        .resets(.excessiveLoad, .requestCancelled, .messageError), .closes(.qpackDecompressionFailed, .excessiveLoad),
        .success, .refusal,
      ], Wire.answer + Wire.headers(Array(Array(repeating: Wire.line("x-many", "v"), count: 100_000).joined()))),
  ]
}
