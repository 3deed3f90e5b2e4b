import CQUIC

/// The urgency of a response beside others (RFC 9218 § 4).
package struct StreamPriority: Hashable, Sendable {
  /// 0, the most urgent, to 7; 3 where nothing is said.
  package let urgency: Int
  /// Whether parts of the response are of use before it is whole, so that it may share the way with others of its urgency.
  package let isIncremental: Bool

  /// An urgency beyond the range is taken for the nearest in it.
  package init(urgency: Int = Int(NGHTTP3_DEFAULT_URGENCY), isIncremental: Bool = false) {
    self.urgency = min(max(urgency, 0), Int(NGHTTP3_URGENCY_LOW))
    self.isIncremental = isIncremental
  }

  /// Parses a `priority` field or a PRIORITY_UPDATE frame; nil if it is no dictionary of RFC 8941, or says something
  /// impossible.
  package init?(fieldValue: [UInt8]) {
    var parsed = nghttp3_pri(urgency: UInt32(NGHTTP3_DEFAULT_URGENCY), inc: 0)
    guard CQUIC_http_parse_priority(&parsed, fieldValue, fieldValue.count) == 0 else { return nil }
    self.init(urgency: Int(parsed.urgency), isIncremental: parsed.inc != 0)
  }

  /// The field's value. Defaults are written too: without a value a server may choose for itself (§ 5).
  package var fieldValue: String { isIncremental ? "u=\(urgency), i" : "u=\(urgency)" }

  init(_ priority: nghttp3_pri) {
    self.init(urgency: Int(priority.urgency), isIncremental: priority.inc != 0)
  }

  var forLibrary: nghttp3_pri { nghttp3_pri(urgency: UInt32(urgency), inc: isIncremental ? 1 : 0) }
}
