/// A record in the Combined Log Format, followed by `name=value` pairs.
///
/// Bytes other than printable ASCII, quotation marks and backslashes are written `\xHH`, as nginx does.
enum CombinedLine {
  static func bytes(of record: AccessRecord) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(384)
    append(record.clientAddress, 64, to: &line)
    line += " - - [\(UTCTime(record.time).commonLogText)] \"".utf8
    append(record.method, AccessLogLimits.method, to: &line)
    line.append(0x20)
    append(record.path, AccessLogLimits.path, to: &line)
    line += " \(version(of: record.transport))\" \(number(record.status)) \(number(record.bytesSent))".utf8
    for (text, limit) in [
      (record.referrer, AccessLogLimits.referrer), (record.userAgent, AccessLogLimits.userAgent),
    ] {
      line += " \"".utf8
      append(text, limit, to: &line)
      line.append(UInt8(ascii: "\""))
    }
    line += " host=\"".utf8
    append(record.authority, AccessLogLimits.authority, to: &line)
    line += "\" via=\(record.transport.rawValue) in=\(number(record.bytesReceived))".utf8
    line += " time=\(record.duration.decimalSeconds) tls=\(handshake(of: record)) end=\(record.ending.rawValue)".utf8
    line += " code=".utf8
    append(record.code, 64, to: &line)
    line += " id=".utf8
    append(record.requestID, AccessLogLimits.requestID, to: &line)
    return line
  }

  private static func version(of transport: AccessRecord.Transport) -> String {
    switch transport {
    case .http1, .webSocket: "HTTP/1.1"
    case .http2: "HTTP/2.0"
    case .http3: "HTTP/3.0"
    }
  }

  private static func handshake(of record: AccessRecord) -> String {
    if record.isEarlyData { return "early" }
    return record.isResumed.map { $0 ? "resumed" : "full" } ?? "-"
  }

  private static func number(_ value: Int?) -> String { value.map(String.init) ?? "-" }

  /// Appends a text of somebody else's, or `-` for none.
  private static func append(_ text: String?, _ limit: Int, to line: inout [UInt8]) {
    guard let text, !text.isEmpty else { return line.append(UInt8(ascii: "-")) }
    for byte in text.utf8.prefix(limit) {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0..<0x20, 0x7F...:
        line += #"\x"#.utf8
        line += Self.digits(of: byte)
      default: line.append(byte)
      }
    }
    if text.utf8.count > limit { line += "...".utf8 }
  }

  private static func digits(of byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}
