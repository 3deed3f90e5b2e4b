/// A rule's verdict on a call, before a person is asked.
package enum ApprovalVerdict: String, Codable, Sendable {
  case allow
  case deny
  /// A value that this version does not know: it allows nothing, so that a person is asked.
  case unknown

  /// Reads what a file says.
  package init(text: String) { self = ApprovalVerdict(rawValue: text) ?? .unknown }

  /// The stricter of two verdicts on the same call, which counts.
  package func stricter(than other: ApprovalVerdict) -> Bool { strictness > other.strictness }

  private var strictness: Int {
    switch self {
    case .allow: 0
    case .unknown: 1
    case .deny: 2
    }
  }

  /// The verdict of all rules together; nil where none applies.
  package static func strictest(_ verdicts: ApprovalVerdict?...) -> ApprovalVerdict? {
    verdicts.compactMap(\.self).max { $1.stricter(than: $0) }
  }
}
