/// A record as a JSON object (RFC 8259) in ASCII.
enum JSONAccessLine {
  static func bytes(of record: AccessRecord) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(512)
    line += "{\"time\":\"\(UTCTime(record.time).internetText)\"".utf8
    append("client", record.clientAddress, 64, to: &line)
    append("transport", record.transport.rawValue, 8, to: &line)
    append("method", record.method, AccessLogLimits.method, to: &line)
    append("authority", record.authority, AccessLogLimits.authority, to: &line)
    append("path", record.path, AccessLogLimits.path, to: &line)
    append("status", record.status, to: &line)
    append("bytes_received", record.bytesReceived, to: &line)
    append("bytes_sent", record.bytesSent, to: &line)
    line += ",\"duration\":\(record.duration.decimalSeconds)".utf8
    line += ",\"resumed\":\(record.isResumed.map { "\($0)" } ?? "null"),\"early_data\":\(record.isEarlyData)".utf8
    append("end", record.ending.rawValue, 16, to: &line)
    append("code", record.code, 64, to: &line)
    append("referrer", record.referrer, AccessLogLimits.referrer, to: &line)
    append("user_agent", record.userAgent, AccessLogLimits.userAgent, to: &line)
    append("request_id", record.requestID, AccessLogLimits.requestID, to: &line)
    line.append(UInt8(ascii: "}"))
    return line
  }

  private static func append(_ name: String, _ value: Int?, to line: inout [UInt8]) {
    line += ",\"\(name)\":\(value.map(String.init) ?? "null")".utf8
  }

  private static func append(_ name: String, _ text: String?, _ limit: Int, to line: inout [UInt8]) {
    line += ",\"\(name)\":".utf8
    guard let text else {
      line += "null".utf8
      return
    }
    line.append(UInt8(ascii: "\""))
    var kept = 0
    for scalar in text.unicodeScalars {
      kept += UTF8.width(scalar)
      guard kept <= limit else {
        line += "...".utf8
        break
      }
      append(scalar, to: &line)
    }
    line.append(UInt8(ascii: "\""))
  }

  private static func append(_ scalar: Unicode.Scalar, to line: inout [UInt8]) {
    switch scalar {
    case "\"", "\\": line += [UInt8(ascii: "\\"), UInt8(truncatingIfNeeded: scalar.value)]
    case " "..."~": line.append(UInt8(truncatingIfNeeded: scalar.value))
    default:
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        line += "\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8
      }
    }
  }
}
