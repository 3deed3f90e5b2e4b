/// The part of a header field that is written.
package enum QlogRedaction {
  package static let mark = "[redacted]"
  /// Bytes of a name or value that are written.
  private static let lengthLimit = 512

  /// Fields whose values say how HTTP works and let nobody in. What is not named here may: a list of secret names has
  /// holes, since every application makes its own.
  private static let harmless: Set<String> = [
    ":authority", ":method", ":protocol", ":scheme", ":status", "accept", "accept-encoding", "accept-language",
    "accept-ranges", "age", "allow", "alt-svc", "alt-used", "cache-control", "connection", "content-encoding",
    "content-language", "content-length", "content-range", "content-type", "date", "early-data", "expect", "host",
    "last-event-id", "last-modified", "max-forwards", "origin", "priority", "range", "retry-after", "server",
    "server-timing", "strict-transport-security", "te", "trailer", "transfer-encoding", "upgrade", "user-agent", "vary",
    "via", "x-request-id",
  ]
  /// Fields that hold a URL, whose query may let someone in.
  private static let locations: Set<String> = [":path", "location", "content-location", "referer", "link"]

  /// The value, or as much of it as anybody may see.
  package static func value(of field: HeaderField) -> String {
    let name = field.name.lowercased()
    guard !field.isSensitive else { return mark }
    guard locations.contains(name) else { return harmless.contains(name) ? cut(field.value) : mark }
    var value = field.value
    if let query = value.firstIndex(where: { $0 == "?" || $0 == "#" }) {
      value = String(value[...query]) + mark
    }
    return cut(value)
  }

  package static func name(of field: HeaderField) -> String { cut(field.name) }

  private static func cut(_ text: String) -> String {
    text.utf8.count > lengthLimit ? String(decoding: text.utf8.prefix(lengthLimit), as: UTF8.self) + "…" : text
  }
}
