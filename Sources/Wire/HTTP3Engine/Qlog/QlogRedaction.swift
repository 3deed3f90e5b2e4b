/// The part of a header field that is written.
package enum QlogRedaction {
  package static let mark = "[redacted]"
  /// Bytes of a name or value that are written.
  private static let lengthLimit = 512

  /// Parts of names whose values may let someone in.
  private static let secretParts = [
    "authorization", "cookie", "token", "secret", "password", "credential", "api-key", "apikey", "session", "signature",
  ]
  /// Fields that hold a URL, whose query may let someone in.
  private static let locations: Set<String> = [":path", "location", "content-location", "referer", "link"]

  /// The value, or as much of it as anybody may see.
  package static func value(of field: HeaderField) -> String {
    let name = field.name.lowercased()
    if field.isSensitive || secretParts.contains(where: { name.contains($0) }) { return mark }
    var value = field.value
    if locations.contains(name), let query = value.firstIndex(where: { $0 == "?" || $0 == "#" }) {
      value = String(value[...query]) + mark
    }
    return cut(value)
  }

  package static func name(of field: HeaderField) -> String { cut(field.name) }

  private static func cut(_ text: String) -> String {
    text.utf8.count > lengthLimit ? String(decoding: text.utf8.prefix(lengthLimit), as: UTF8.self) + "…" : text
  }
}
