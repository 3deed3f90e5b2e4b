/// The words by which two ends agree on repeats of one response's content: a client's request asks for them in a field, and
/// the response's confirms. Both ends' SETTINGS have to allow them, because an intermediary may hand the fields on.
struct RepeatTerms: Hashable, Sendable {
  /// The identifier in SETTINGS; its value is 1 where repeats are understood.
  static let setting: UInt64 = 0x1b7c_3e95
  static let fieldName = "content-repeats"
  /// The delays that a request may ask for, in milliseconds.
  static let hedges = 1...1_000

  /// The time after which bytes that nothing has repeated are to have a packet of their own; nil for never.
  var hedge: Duration?

  init(hedge: Duration? = nil) {
    self.hedge = hedge.map { .milliseconds(Self.clamped($0.nanosecondsClamped / 1_000_000)) }
  }

  private static func clamped(_ milliseconds: Int64) -> Int64 {
    min(max(milliseconds, Int64(hedges.lowerBound)), Int64(hedges.upperBound))
  }

  /// Reads a field's value, a Boolean item with parameters (RFC 9651 § 3.3.6); nil for what does not say that repeats are
  /// wanted. Of the parameters only `hedge` has a meaning.
  init?(fieldValue: String) {
    var parts = fieldValue.split(separator: ";", omittingEmptySubsequences: false).map { $0.trimmingSpaces }
    guard !parts.isEmpty, parts.removeFirst() == "?1" else { return nil }
    for part in parts where part.hasPrefix("hedge=") {
      let digits = part.dropFirst("hedge=".count)
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let milliseconds = Int(digits),
        Self.hedges.contains(milliseconds)
      else { continue }
      hedge = .milliseconds(milliseconds)
    }
  }

  var fieldValue: String {
    hedge.map { "?1;hedge=\($0.nanosecondsClamped / 1_000_000)" } ?? "?1"
  }

  var field: HeaderField { HeaderField(Self.fieldName, fieldValue) }

  /// Takes the field out of a section, and reads it where it occurs once.
  static func take(from fields: inout [HeaderField]) -> RepeatTerms? {
    guard let first = fields.firstIndex(where: { $0.name == fieldName }) else { return nil }
    let isAlone = fields.lastIndex { $0.name == fieldName } == first
    let terms = RepeatTerms(fieldValue: fields[first].value)
    fields.removeAll { $0.name == fieldName }
    return isAlone ? terms : nil
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    let front = drop { $0 == " " }
    return front.dropLast(front.reversed().prefix { $0 == " " }.count)
  }
}
