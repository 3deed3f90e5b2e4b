import CQUIC

/// Decodes a peer's field sections once more, for the library (nghttp3 1.8) drops a field line with a forbidden name or
/// value and continues, where the whole message is malformed (RFC 9114 § 10.3).
///
/// Its table follows the peer's encoder stream. A section is decoded when the library has done so, so that nothing it
/// names is missing here.
final class FieldLineCheck {
  private var decoder: OpaquePointer?
  private var context: OpaquePointer?

  /// - Parameter tableCapacity: the capacity that was announced to the peer.
  init?(tableCapacity: Int) {
    guard nghttp3_qpack_decoder_new(&decoder, tableCapacity, 0, nghttp3_mem_default()) == 0,
      nghttp3_qpack_stream_context_new(&context, 0, nghttp3_mem_default()) == 0
    else { return nil }
  }

  deinit {
    nghttp3_qpack_stream_context_del(context)
    nghttp3_qpack_decoder_del(decoder)
  }

  /// Takes the next bytes of the encoder stream, before the library does: they may let it decode sections at once. What is
  /// wrong with them the library finds.
  func readEncoderStream(_ bytes: UnsafeRawBufferPointer) {
    _ = nghttp3_qpack_decoder_read_encoder(
      decoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// Whether a field of the section has a name or a value that no field may have.
  func isMalformed(_ section: [UInt8]) -> Bool {
    defer {
      nghttp3_qpack_stream_context_reset(context)
      forgetAnswers()
    }
    return section.withUnsafeBufferPointer { bytes in
      var rest = bytes[...]
      while true {
        var field = nghttp3_qpack_nv()
        var flags: UInt8 = 0
        let part = UnsafeBufferPointer(rebasing: rest)
        let count = nghttp3_qpack_decoder_read_request(
          decoder, context, &field, &flags, part.baseAddress, part.count, 1)
        guard count >= 0, count <= rest.count else { return false }
        rest = rest.dropFirst(count)
        guard UInt32(flags) & NGHTTP3_QPACK_DECODE_FLAG_EMIT != 0 else { return false }
        defer {
          nghttp3_rcbuf_decref(field.name)
          nghttp3_rcbuf_decref(field.value)
        }
        if !Self.isName(Self.bytes(field.name)) || !Self.isValue(Self.bytes(field.value)) { return true }
      }
    }
  }

  /// Acknowledgements for the encoder, which the library's own decoder sends.
  private func forgetAnswers() {
    let count = nghttp3_qpack_decoder_get_decoder_streamlen(decoder)
    guard count > 0 else { return }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { bytes in
      let start = bytes.baseAddress
      var buffer = nghttp3_buf(begin: start, end: start.map { $0 + count }, pos: start, last: start)
      nghttp3_qpack_decoder_write_decoder(decoder, &buffer)
    }
  }

  private static func bytes(_ buffer: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
    let bytes = nghttp3_rcbuf_get_buf(buffer)
    return UnsafeBufferPointer(start: bytes.base, count: bytes.len)
  }

  /// A token (RFC 9110 § 5.6.2); pseudo-fields are the library's to judge.
  private static func isName(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = name.first, first != UInt8(ascii: ":") else { return !name.isEmpty }
    return name.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"),
        UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
        true
      case _: false
      }
    }
  }

  /// Without the three characters that must not be let through (RFC 9110 § 5.5). The library keeps dropping other control
  /// characters and white space at either end, which servers do send.
  private static func isValue(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    !value.contains { $0 == 0 || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
  }
}
