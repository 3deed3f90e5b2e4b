import HTTPTypes

/// The `early-data` field, by which a request says that it may be a replay (RFC 8470 § 5.1).
enum EarlyDataField {
  private static let name = HTTPField.Name("early-data")

  /// Marks a request that came as early data, in place of what its client says of it.
  static func mark(_ request: inout HTTPRequest) {
    guard let name else { return }
    request.headerFields[name] = "1"
  }

  /// Whether a request is marked; any value counts as 1, and so do several (RFC 8470 § 5.1).
  static func isIn(_ request: HTTPRequest) -> Bool {
    name.map(request.headerFields.contains) ?? false
  }
}
