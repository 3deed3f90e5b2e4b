import EnginePair

// What the cases send, right or wrong as one likes.

extension Wire {
  /// STREAM with offset and length (RFC 9000 § 19.8).
  static func stream(_ id: UInt64, offset: UInt64, _ bytes: [UInt8], isLast: Bool = false) -> [UInt8] {
    quic(isLast ? 0x0f : 0x0e, id, offset, UInt64(bytes.count), then: bytes)
  }

  /// CRYPTO (RFC 9000 § 19.6).
  static func crypto(_ offset: Int, _ bytes: some Collection<UInt8>) -> [UInt8] {
    quic(0x06, UInt64(offset), UInt64(bytes.count), then: Array(bytes))
  }

  /// NEW_CONNECTION_ID (RFC 9000 § 19.15).
  static func connectionID(
    sequence: UInt64, retiring: UInt64 = 0, length: Int = 16, filledWith byte: UInt8 = 7
  ) -> [UInt8] {
    quic(
      0x18, sequence, retiring,
      then: [UInt8(length)] + [UInt8](repeating: byte, count: length) + [UInt8](repeating: byte ^ 0x55, count: 16))
  }

  /// CONNECTION_CLOSE (RFC 9000 § 19.19).
  static func close(_ code: WireCode, reason: String = "") -> [UInt8] {
    let reason = varint(UInt64(reason.utf8.count)) + Array(reason.utf8)
    return code.isApplication ? quic(0x1d, code.value, then: reason) : quic(0x1c, code.value, 0, then: reason)
  }

  // MARK: TLS

  /// KeyUpdate, which QUIC forbids (RFC 9001 § 6).
  static let keyUpdate: [UInt8] = [24, 0, 0, 1, 0]

  /// Its bytes in a CRYPTO frame each, the last first.
  static let keyUpdateBytewise = keyUpdate.indices.reversed().map { crypto($0, keyUpdate[$0...$0]) }

  /// NewSessionTicket with a ticket of two bytes (RFC 8446 § 4.6.1).
  static let ticket: [UInt8] = [4, 0, 0, 15, 0, 0, 0, 60, 1, 2, 3, 4, 0, 0, 2, 7, 7, 0, 0]

  // MARK: HTTP/3

  static func data(_ text: String) -> [UInt8] { http(0, Array(text.utf8)) }

  /// HEADERS without the dynamic table.
  static func headers(_ lines: [UInt8]...) -> [UInt8] { http(1, [0, 0] + lines.joined()) }

  static func settings(_ pairs: (id: UInt64, value: UInt64)...) -> [UInt8] {
    http(4, pairs.flatMap { varint($0.id) + varint($0.value) })
  }

  static func goAway(_ id: UInt64) -> [UInt8] { http(7, varint(id)) }

  /// A type of the form 0x1f * N + 0x21, which has no meaning (RFC 9114 §§ 6.2.3, 7.2.8).
  static func reserved(_ number: UInt64) -> UInt64 { 0x1f * number + 0x21 }

  /// The settings of a server where nothing is wrong: no table for the client's own fields.
  static let plainSettings = settings((6, 65_536), (1, 0), (7, 0))

  /// `:status: 200`, the 25th entry of the static table (RFC 9204 § A), `100`, the 63rd, and `103`, the 24th.
  static let ok: [UInt8] = [0xd9]
  static let goOn: [UInt8] = prefixed(0xc0, bits: 6, 63)
  static let early: [UInt8] = [0xd8]

  /// A whole request for `/`.
  static let get = headers(
    line(":method", "GET"), line(":scheme", "https"), line(":authority", "localhost"), line(":path", "/"))

  static let body = "hello\n"

  /// A whole response.
  static let answer = headers(ok) + data(body)

  // MARK: QPACK

  /// Insert with Literal Name (RFC 9204 § 4.3.3).
  static func insertion(_ name: String, _ value: String) -> [UInt8] {
    prefixed(0x40, bits: 5, name.utf8.count) + name.utf8 + prefixed(0, bits: 7, value.utf8.count) + value.utf8
  }

  /// Set Dynamic Table Capacity (RFC 9204 § 4.3.1).
  static func capacity(_ value: UInt64) -> [UInt8] { prefixed(0x20, bits: 5, Int(clamping: value)) }
}
